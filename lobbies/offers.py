"""The tiles of *Play now*: a person's own last games, then those of the page's language."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from django.db.models import Count
from django.utils.translation import get_language, ngettext
from django.utils.translation import gettext as _

from accounts.models import User
from games.engine.presets import PRESETS
from games.engine.rules import Rules
from games.models import Match, Seat
from games.wording import preset_title
from lobbies import clocks

TILES = 8
OWN = 3  # of a person's last games
LOOKED_AT = 20  # of their last matches
USUAL_CLOCK = "300+5"


@dataclass(frozen=True)
class QuickGame:
    """A tile of *Play now*: a preset as it is written, a number of seats and a clock."""

    preset: str
    seats: int = 2
    clock: str = USUAL_CLOCK

    @property
    def title(self) -> str:
        return preset_title(self.preset)

    @property
    def about(self) -> str:
        """to 200"""
        return _("to %(target)s") % {"target": PRESETS[self.preset].rules.target}

    @property
    def players(self) -> str:
        """2 players · 5+5"""
        players = ngettext("%(n)s player", "%(n)s players", self.seats) % {"n": self.seats}
        return f"{players} · {clocks.short(clocks.parse(self.clock)).replace(' ', '')}"

    @property
    def picture(self) -> str:
        return _picture(PRESETS[self.preset].rules)


def _picture(rules: Rules) -> str:
    """What is drawn of a game: that by which it differs most from the others."""
    looks = (
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


# By the language of the page: what is played where it is spoken, the best known first.
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
}


def quick_games(user: User | None) -> tuple[list[QuickGame], list[QuickGame]]:
    """The tiles for a reader (None: a visitor), their own last games first, and what stands under *More games*."""
    here = QUICK.get((get_language() or "en")[:2], QUICK["en"])
    first = _each_game_once([*(_last_games(user) if user else ()), *here])
    others = _each_game_once(
        [*first, *(QuickGame(preset.id, preset.rules.players[0]) for preset in PRESETS.values())]
    )
    return first[:TILES], others[TILES:]


def _each_game_once(games: Iterable[QuickGame]) -> list[QuickGame]:
    found: dict[str, QuickGame] = {}
    for game in games:
        found.setdefault(game.preset, game)
    return list(found.values())


def _last_games(user: User) -> list[QuickGame]:
    """What this person played last under rules as they are written, the latest first."""
    own = Seat.objects.filter(user=user).order_by("-match__started_at").values("match")[:LOOKED_AT]
    rows = (
        Match.objects.filter(pk__in=list(own.values_list("match", flat=True)), preset__isnull=False)
        .annotate(table=Count("seats"))
        .order_by("-started_at")
        .values_list("preset", "table", "clock_seconds", "clock_increment")
    )
    games = [
        QuickGame(preset, seats, USUAL_CLOCK if seconds is None else f"{seconds}+{increment}")
        for preset, seats, seconds, increment in rows
        if preset in PRESETS and seats in PRESETS[preset].rules.players
    ]
    return _each_game_once(games)[:OWN]
