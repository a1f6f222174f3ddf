"""Tiles and sets of tiles as integers.

A tile is its number in the order 0-0, 1-0, 1-1, 2-0, 2-1, 2-2, … (docs/record.md): the double-six set is
`range(28)`, the double-nine set `range(55)`, the double-twelve set `range(91)`. A set of tiles (a hand, a suit) is
a bit mask: bit t stands for tile t.

>>> parse("6-4"), NAMES[25], PIPS[25], tile(4, 6)
(25, '6-4', 10, 25)
>>> [NAMES[tile] for tile in members(SUITS[6] & DOUBLES)]
['6-6']
"""

from collections.abc import Sequence
from functools import lru_cache
from itertools import compress
from typing import TypeVar

from .errors import Malformed

Tile = int
Mask = int

HIGHEST_SUIT = 12
SET_SIZES = {6: 28, 9: 55, 12: 91}

HIGH: tuple[int, ...] = tuple(high for high in range(HIGHEST_SUIT + 1) for _ in range(high + 1))
LOW: tuple[int, ...] = tuple(low for high in range(HIGHEST_SUIT + 1) for low in range(high + 1))
PIPS: tuple[int, ...] = tuple(map(sum, zip(HIGH, LOW, strict=True)))
DOUBLE: tuple[bool, ...] = tuple(high == low for high, low in zip(HIGH, LOW, strict=True))
NAMES: tuple[str, ...] = tuple(f"{high}-{low}" for high, low in zip(HIGH, LOW, strict=True))

SUITS: tuple[Mask, ...] = tuple(
    sum(1 << tile for tile in range(len(PIPS)) if suit in (HIGH[tile], LOW[tile]))
    for suit in range(HIGHEST_SUIT + 1)
)
DOUBLES: Mask = sum(1 << tile for tile in range(len(PIPS)) if DOUBLE[tile])

_T = TypeVar("_T")
# For each group of seven consecutive tiles: a tuple of values for each of the 128 subsets of the group.
SevenTileTables = tuple[tuple[tuple[_T, ...], ...], ...]


def build_lookup(values: Sequence[_T]) -> SevenTileTables[_T]:
    """Return tables for `look_up` from one value for each tile."""
    chosen = [[tiles >> each & 1 for each in range(7)] for tiles in range(1 << 7)]
    return tuple(
        tuple(tuple(compress(values[first : first + 7], each)) for each in chosen)
        for first in range(0, len(values), 7)
    )


def look_up(tables: SevenTileTables[_T], mask: Mask) -> tuple[_T, ...]:
    """Return the values of the tiles of a set, in tile order."""
    values: tuple[_T, ...] = ()
    for values_of in tables:
        values += values_of[mask & 0x7F]
        mask >>= 7
        if not mask:
            break
    return values


_TILES, _PIPS = build_lookup(range(len(PIPS))), build_lookup(PIPS)
_BY_NAME = {name: tile for tile, name in enumerate(NAMES)}


def tile(high: int, low: int) -> Tile:
    """Return the tile with these halves, in either order."""
    if high < low:
        high, low = low, high
    return high * (high + 1) // 2 + low


def parse(text: str) -> Tile:
    """Return the tile written like `6-4`, higher half first. Raise `Malformed` for any other text."""
    try:
        return _BY_NAME[text]
    except (KeyError, TypeError):
        raise Malformed("not_a_tile", text=str(text)[:80]) from None


@lru_cache(maxsize=1 << 15)
def members(mask: Mask) -> tuple[Tile, ...]:
    """Return the tiles of a set, in order."""
    return look_up(_TILES, mask)


def mask_of(tiles: tuple[Tile, ...] | list[Tile]) -> Mask:
    """Return the set of these tiles."""
    mask = 0
    for each in tiles:
        mask |= 1 << each
    return mask


@lru_cache(maxsize=1 << 15)
def pips(mask: Mask) -> int:
    """Return the sum of the pips of a set."""
    return sum(look_up(_PIPS, mask))


def heaviness(tile: Tile) -> tuple[int, int]:
    """Return the sort key of "heavier": pips, then the higher half (docs/rules.md)."""
    return PIPS[tile], HIGH[tile]
