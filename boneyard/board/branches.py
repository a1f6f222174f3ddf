"""Split a line of play into arms, and classify each tile for `arms` (docs/rules.md, The layout).

The engine's `Line` says which tile is the spinner, and since when.
"""

from typing import NamedTuple

from boneyard.engine.layout import Laid, Line
from boneyard.engine.moves import EndName
from boneyard.engine.tiles import DOUBLE, HIGH, LOW, PIPS, Tile, tile

from . import arms


class Branches(NamedTuple):
    """The tiles on the table by arm; tiles are given by their number in the order laid, from 0.

    middle   the tile in the middle: the spinner, or the lead while there is none
    outward  by arm, its tiles from the middle outward; the arms are L R, and with a spinner U D
    suits    by arm, the suit required at its end
    kinds    by arm, the kinds of its tiles (`arms.build_arm`)
    """

    middle: int
    outward: dict[EndName, tuple[int, ...]]
    suits: dict[EndName, int]
    kinds: dict[EndName, str]


def find_branches(line: Line) -> Branches:
    """Return the arms of a line of play that is not empty."""
    row: list[int] = []
    beside: dict[EndName, list[int]] = {"U": [], "D": []}
    for number, (_, end, _) in enumerate(line.laid):
        if end == "U" or end == "D":
            beside[end].append(number)
        else:
            row.insert(0 if end == "L" else len(row), number)
    middle = line.spinner or 0
    index = row.index(middle)
    outward: dict[EndName, tuple[int, ...]] = {
        "L": tuple(reversed(row[:index])),
        "R": tuple(row[index + 1 :]),
    }
    if line.spinner is not None:
        outward |= {end: tuple(numbers) for end, numbers in beside.items()}
    order = {each: number for number, (each, _, _) in enumerate(line.laid)}
    suits: dict[EndName, int] = {}
    kinds: dict[EndName, str] = {}
    centre = line.laid[middle].tile
    for end, numbers in outward.items():
        suit = LOW[centre] if end == "R" else HIGH[centre]
        suits[end], kinds[end] = _kinds(line.laid, numbers, suit, line.since, order)
    return Branches(middle, outward, suits, kinds)


def _kinds(
    laid: tuple[Laid, ...], numbers: tuple[int, ...], suit: int, since: int, order: dict[Tile, int]
) -> tuple[int, str]:
    """Return the suit required at an arm's end, and the kinds of its tiles.

    A kind depends only on tiles laid before it, or before the spinner appeared, so that later tiles do not move it.
    """
    kinds = []
    for index, number in enumerate(numbers):
        each = laid[number].tile
        suit = PIPS[each] - suit
        if DOUBLE[each]:
            kinds.append(arms.DOUBLE)
            continue
        double = order.get(tile(suit, suit), len(laid))
        known = double <= max(number, since) and numbers[index + 1 : index + 2] != (double,)
        kinds.append(arms.NO_DOUBLE_NEXT if known else arms.PLAIN)
    return suit, "".join(kinds)
