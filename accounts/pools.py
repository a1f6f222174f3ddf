"""The pools in which people are rated: which presets play in one is the games' business (a test compares)."""

from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy as _

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


def family_of(pool: str) -> str:
    """The family of a pool, whatever its shape."""
    return pool.removesuffix("-free").removesuffix("-pairs")
