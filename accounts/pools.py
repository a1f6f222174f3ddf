"""The pools in which people are rated: which presets play in one is the games' business (a test compares)."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

FAMILIES = [
    ("muggins", _("All Fives")),
    ("draw", _("Draw")),
    ("block", _("Block")),
    ("fives-and-threes", _("Fives and Threes")),
    ("sebastopol", _("Sebastopol")),
    ("latin", _("Latin American pairs")),
    ("cuban", _("Cuban double-nine")),
    ("jamaican", _("Jamaican")),
    ("kozel", _("Kozel (the Goat)")),
    ("five-up", _("Five-Up")),
    ("bergen", _("Bergen")),
]
SHAPES = {"": "", "-free": _("three or four"), "-pairs": _("pairs")}
# The families that are not played in all shapes; of one shape alone the name says nothing.
PLAYED_AS = {
    "sebastopol": ("-free", "-pairs"),
    "latin": ("-pairs",),
    "cuban": ("-pairs",),
    "bergen": ("", "-free"),
}

LIVE_POOLS = [
    (family + shape, format_lazy("{}, {}", label, SHAPES[shape]) if shape and len(shapes) > 1 else label)
    for family, label in FAMILIES
    for shapes in [PLAYED_AS.get(family, SHAPES)]
    for shape in shapes
]
DAYS_SUFFIX = "-days"  # of the pools of matches with a clock of days
OWN_PACE = pgettext_lazy("a leaderboard", "days a move")
DAYS_POOLS = [(pool + DAYS_SUFFIX, format_lazy("{}, {}", name, OWN_PACE)) for pool, name in LIVE_POOLS]
BOTS_SUFFIX = "-bots"  # of the pools of matches among bots alone, none of them with a clock of days
AMONG_BOTS = pgettext_lazy("a leaderboard", "bots")
BOTS_POOLS = [(pool + BOTS_SUFFIX, format_lazy("{}, {}", name, AMONG_BOTS)) for pool, name in LIVE_POOLS]
POOLS = LIVE_POOLS + DAYS_POOLS + BOTS_POOLS
SEATED = {
    "": pgettext_lazy("players at a table", "Two"),
    "-free": pgettext_lazy("players at a table", "Three or four"),
    "-pairs": pgettext_lazy("players at a table", "Pairs"),
}


@dataclass(frozen=True)
class Shape:
    """One pool of a family: `name` says how its players sit."""

    pool: str
    name: str | Promise
    players: int


@dataclass(frozen=True)
class Family:
    """The pools of a family, and how many people they have together."""

    id: str
    name: str | Promise
    shapes: tuple[Shape, ...]

    @property
    def players(self) -> int:
        return sum(shape.players for shape in self.shapes if not shape.pool.endswith(BOTS_SUFFIX))


def list_families(players: Mapping[str, int]) -> list[Family]:
    """Return all families; `players` are the numbers of players by pool.

    Pools of days and of bots are left out while nobody plays there.
    """
    return [Family(family, label, tuple(_list_shapes(family, players))) for family, label in FAMILIES]


def _list_shapes(family: str, players: Mapping[str, int]) -> Iterator[Shape]:
    shapes = PLAYED_AS.get(family, SHAPES)
    yield from (Shape(family + shape, SEATED[shape], players.get(family + shape, 0)) for shape in shapes)
    for shape in shapes:
        for suffix, words in ((DAYS_SUFFIX, OWN_PACE), (BOTS_SUFFIX, AMONG_BOTS)):
            if (pool := family + shape + suffix) in players:
                yield Shape(pool, format_lazy("{}, {}", SEATED[shape], words), players[pool])


def family_of(pool: str) -> str:
    """Return the family of a pool, whatever its shape."""
    return (
        pool.removesuffix(BOTS_SUFFIX).removesuffix(DAYS_SUFFIX).removesuffix("-free").removesuffix("-pairs")
    )


def pool_name(pool: str) -> str:
    """Return the name of a pool: "All Fives", "All Fives, pairs"."""
    return str(dict(POOLS)[pool])
