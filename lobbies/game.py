"""What is to be played at a table, and how strong a person is at it."""

from dataclasses import dataclass, field, replace

from accounts import elo
from accounts.models import Rating, User
from accounts.pauses import USUAL, Pauses
from games.engine.presets import PRESETS
from games.engine.rules import Rules
from lobbies.models import Table


@dataclass(frozen=True)
class Game:
    """A preset with its rules, changed or not, and a number of seats. `clock`: seconds for the match and each move."""

    preset: str
    rules: Rules
    seats: int
    rated: bool = False
    clock: tuple[int, int] | None = None
    pauses: Pauses = field(default=USUAL, compare=False)  # no other game

    def replace(self, **changes: object) -> "Game":
        return replace(self, **changes)  # type: ignore[arg-type]

    @property
    def changed(self) -> bool:
        """Whether the rules are others than the preset's, a rated target apart."""
        return not PRESETS[self.preset].is_played_by(self.rules)


def game_of(table: Table) -> Game:
    """The game of a table."""
    return Game(
        table.preset, Rules.from_dict(table.rules), table.seats, table.rated, table.clock, table.pauses
    )


def rating_and_completion(user: User, preset: str, seats: int) -> tuple[float | None, int | None]:
    """The rating in the pool of the preset and this number of seats, the starting one before the first rated match; and
    of a hundred of their rated matches there, how many they played to the end, None before the first. None for a
    guest."""
    if user.is_guest:
        return None, None
    own = Rating.objects.filter(user=user, pool=PRESETS[preset].pool(seats)).first()
    return (elo.START, None) if own is None else (own.value, own.completion)
