"""The pools in which people are rated: which presets play in one is the games' business (a test compares)."""

from collections.abc import Mapping
from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

FAMILIES = [
    ("muggins", _("Muggins and All Fives")),
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

POOLS = [
    (family + shape, format_lazy("{}, {}", label, SHAPES[shape]) if shape and len(shapes) > 1 else label)
    for family, label in FAMILIES
    for shapes in [PLAYED_AS.get(family, SHAPES)]
    for shape in shapes
]
# As people say it, where the name above lists several games.
SPOKEN = {"muggins": _("All Fives")}
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
    """The pools of a family, and how many players they have together."""

    id: str
    name: str | Promise
    shapes: tuple[Shape, ...]

    @property
    def players(self) -> int:
        return sum(shape.players for shape in self.shapes)


def list_families(players: Mapping[str, int]) -> list[Family]:
    """Return all families; `players` are the numbers of players by pool."""
    return [
        Family(
            family,
            SPOKEN.get(family, label),
            tuple(
                Shape(family + shape, SEATED[shape], players.get(family + shape, 0))
                for shape in PLAYED_AS.get(family, SHAPES)
            ),
        )
        for family, label in FAMILIES
    ]


def family_of(pool: str) -> str:
    """Return the family of a pool, whatever its shape."""
    return pool.removesuffix("-free").removesuffix("-pairs")


def spoken_name(pool: str) -> str:
    """Return a pool's name as people say it: "All Fives", "All Fives, pairs"."""
    family = family_of(pool)
    name = str(SPOKEN.get(family) or dict(FAMILIES)[family])
    shape = str(SHAPES[pool.removeprefix(family)])
    return f"{name}, {shape}" if shape and len(PLAYED_AS.get(family, SHAPES)) > 1 else name
