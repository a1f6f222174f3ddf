"""The games of quick play: a person's own last ones, then those usual in the page's language."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from django.db.models import Count
from django.utils.translation import ngettext

from accounts.models import User
from boneyard.engine.presets import PRESETS, Preset
from core.languages import get_base_language
from games.models import Match, Seat
from games.time.day_clocks import DAY_SECONDS
from games.wording import preset_title
from lobbies import clocks
from lobbies.game import Game
from operators.site_settings import get_site

MAX_OWN_GAMES = 3
RECENT_MATCHES = 20
USUAL_CLOCK = "300+5"


@dataclass(frozen=True)
class QuickGame:
    """A game of quick play: a preset as written, a number of seats and a clock."""

    preset: str
    seats: int = 2
    clock: str = USUAL_CLOCK

    @property
    def title(self) -> str:
        return preset_title(self.preset)

    def as_game(self, *, rated: bool) -> Game:
        preset = PRESETS[self.preset]
        return Game(preset.id, preset.rules, self.seats, rated and preset.rated, clocks.parse(self.clock))

    @property
    def seats_in_words(self) -> str:
        """Return "2 players"."""
        return ngettext("%(n)s player", "%(n)s players", self.seats) % {"n": self.seats}

    @property
    def players(self) -> str:
        """Return "2 players · 5+5"."""
        return f"{self.seats_in_words} · {clocks.short_name(clocks.parse(self.clock)).replace(' + ', '+')}"

    @property
    def picture(self) -> str:
        return picture_of(PRESETS[self.preset])


def picture_of(preset: Preset) -> str:
    """Return the name of the icon (templates/_glyph.html) for what sets the game apart."""
    rules = preset.rules
    looks = (
        ("bones", preset.id.startswith("bones")),
        *((family, preset.rating_pool == family) for family in ("jamaican", "cuban", "bergen")),
        ("branches", rules.spinner == "every"),
        ("sebastopol", rules.spinner == "cross"),
        ("network", rules.many_ends),
        ("goat", rules.two_doubles),
        ("pairs", rules.partners and rules.players == (4,)),
        ("called", rules.claims == "muggins"),
        ("threes", rules.count == "fives_threes"),
        ("cross", rules.count != "none"),
        ("draw", rules.draw != "none"),
    )
    return next((picture for picture, holds in looks if holds), "block")


# By language: what is played where it is spoken, the best known first.
QUICK: Mapping[str, tuple[QuickGame, ...]] = {
    "en": (
        QuickGame("all-fives"),
        QuickGame("block", clock="180+3"),
        QuickGame("draw", clock="180+3"),
        QuickGame("fives-and-threes-league"),
        QuickGame("bones"),
        QuickGame("jamaican-partner", 4),
        QuickGame("dominican", 4),
        QuickGame("muggins-200", clock="600+5"),
    ),
    "es": (
        QuickGame("pairs-international", 4),
        QuickGame("dominican", 4),
        QuickGame("puerto-rico-500", 4, "600+5"),
        QuickGame("cuban", 4, "600+5"),
        QuickGame("venezuelan", 4),
        QuickGame("draw", clock="180+3"),
        QuickGame("block", clock="180+3"),
        QuickGame("all-fives"),
    ),
    "ru": (
        QuickGame("kozel"),
        QuickGame("kozel-pairs", 4),
        QuickGame("draw", clock="180+3"),
        QuickGame("gomuggins", clock="900+10"),
        QuickGame("all-fives"),
        QuickGame("muggins-200", clock="600+5"),
        QuickGame("block", clock="180+3"),
        QuickGame("sebastopol", 4),
    ),
    "pt": (
        QuickGame("brazilian-pairs", 4),
        QuickGame("draw", clock="180+3"),
        QuickGame("block", clock="180+3"),
        QuickGame("all-fives"),
        QuickGame("pairs-spain", 4),
        QuickGame("dominican", 4),
        QuickGame("cuban", 4, "600+5"),
        QuickGame("muggins-200", clock="600+5"),
    ),
}


def usual_game(preset: str) -> QuickGame:
    """Return the seats and clock with which a preset is usual in the page's language, or in any."""
    here = QUICK.get(get_base_language(), ())
    tiles = (*here, *(game for games in QUICK.values() for game in games))
    fallback = QuickGame(preset, PRESETS[preset].rules.players[0])
    return next((game for game in tiles if game.preset == preset), fallback)


def _get_offered_games() -> list[QuickGame]:
    """Return the operator's games in their order, or [] for the usual ones of the language."""
    return [usual_game(preset) for preset in get_site().games if preset in PRESETS]


def may_play_rated(user: User | None) -> bool:
    """Return whether quick play seats this person at rated tables."""
    return user is not None and not (user.is_guest or user.barred)


def own_and_usual_games(user: User | None) -> tuple[list[QuickGame], list[QuickGame]]:
    """Return what a person played last, and what is usual in the page's language, on this site."""
    offered = _get_offered_games()
    own = _last_games(user) if user else []
    if offered:
        return [game for game in own if game.preset in get_site().games], offered
    return own, list(QUICK.get(get_base_language(), QUICK["en"]))


def unique_presets(games: Iterable[QuickGame]) -> list[QuickGame]:
    """Return the first game of each preset."""
    found: dict[str, QuickGame] = {}
    for game in games:
        found.setdefault(game.preset, game)
    return list(found.values())


def _last_games(user: User) -> list[QuickGame]:
    """Return what this person played last without house rules and a clock of days, the latest first."""
    own = Seat.objects.filter(user=user).order_by("-match__started_at").values("match")[:RECENT_MATCHES]
    rows = (
        Match.objects.filter(pk__in=own, preset__isnull=False)
        .exclude(clock_seconds__gte=DAY_SECONDS)
        .annotate(table=Count("seats"))
        .order_by("-started_at")
        .values_list("preset", "table", "clock_seconds", "clock_increment")
    )
    games = [
        QuickGame(preset, seats, USUAL_CLOCK if seconds is None else f"{seconds}+{increment}")
        for preset, seats, seconds, increment in rows
        if preset in PRESETS and seats in PRESETS[preset].rules.players
    ]
    return unique_presets(games)[:MAX_OWN_GAMES]
