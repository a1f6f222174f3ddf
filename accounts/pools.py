"""The pools in which people are rated: which presets play in one is the games' business (a test compares)."""

from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy as _

FAMILIES = [
    ("muggins", _("Muggins")),
    ("draw", _("Draw")),
    ("block", _("Block")),
    ("fives-and-threes", _("Fives and Threes")),
    ("sebastopol", _("Sebastopol")),
]
SHAPES = {"": "", "-free": _("three or four"), "-pairs": _("pairs")}
OF_FOUR_ALONE = {"sebastopol"}  # its cross takes the tiles of four

POOLS = [
    (family + shape, format_lazy("{}, {}", label, words) if words else label)
    for family, label in FAMILIES
    for shape, words in SHAPES.items()
    if family not in OF_FOUR_ALONE or shape == "-free"
]


def family_of(pool: str) -> str:
    """The family of a pool, whatever its shape."""
    return pool.removesuffix("-free").removesuffix("-pairs")
