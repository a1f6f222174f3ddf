"""The game of a table, and a person's rating for it."""

from dataclasses import dataclass, field, replace

from accounts import elo
from accounts.models import Rating, User
from accounts.pauses import DEFAULT_PAUSES, Pauses
from accounts.pools import BOTS_SUFFIX
from boneyard.engine.presets import PRESETS
from boneyard.engine.rules import Rules
from games.time.day_clocks import get_days
from lobbies.models import Table


@dataclass(frozen=True)
class Game:
    """A preset with its rules, changed or not, seats and clock (seconds for the match, for each move)."""

    preset: str
    rules: Rules
    seats: int
    rated: bool = False
    clock: tuple[int, int] | None = None
    pauses: Pauses = field(default=DEFAULT_PAUSES, compare=False)

    def replace(self, **changes: object) -> "Game":
        return replace(self, **changes)  # type: ignore[arg-type]

    @property
    def days(self) -> int | None:
        """Return the days for each move, or None for another clock and without one."""
        return get_days(self.clock[0]) if self.clock else None

    @property
    def is_never_rated(self) -> bool:
        """Return whether this is a new game, for which there is no pool yet."""
        return not PRESETS[self.preset].rated

    @property
    def changed(self) -> bool:
        """Return whether these are house rules, with which no match is rated."""
        return not PRESETS[self.preset].is_offered_with(self.rules)

    @property
    def has_house_rules(self) -> bool:
        """Return whether more differs than the target and what the source of the preset allows."""
        return PRESETS[self.preset].variants_in(self.rules) is None


def pool_of(game: Game | Table) -> str:
    """Return the rating pool of a game among people."""
    return PRESETS[game.preset].pool(game.seats, by_days=game.days is not None)


def game_of(table: Table) -> Game:
    """Return the game of a table."""
    return Game(
        table.preset, Rules.from_dict(table.rules), table.seats, table.rated, table.clock, table.pauses
    )


def rating_and_completion(user: User, game: Game | Table) -> tuple[float | None, int | None]:
    """Return a person's rating and completion (percent) in the pool of the game.

    Before the first rated match they are the starting rating and None; for a guest, and a bot at a casual table, both
    are None.
    """
    if user.is_guest or (user.is_bot and not game.rated):
        return None, None
    pool = pool_of(game) + (BOTS_SUFFIX if user.is_bot else "")
    own = Rating.objects.filter(user=user, pool=pool).first()
    return (elo.START_RATING, None) if own is None else (own.value, own.completion)
