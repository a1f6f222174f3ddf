"""Which tile belongs to which arm, and which kind each is to `arms` (RULES.md §2.1, §2.2)."""

from collections.abc import Sequence
from typing import NamedTuple

from games.engine.tiles import DOUBLE, HIGH, LOW, PIPS, Tile, tile

from . import arms

ARMS = ("L", "R", "U", "D")


class Line(NamedTuple):
    """The tiles on the table by arm.

    middle   the place in the list of the tile in the middle: the spinner, or the lead while there is none
    spinner  the place in the list of the spinner, or None
    outward  by arm, the places in the list of its tiles, from the middle outward
    suits    by arm, the suit wanted at its end
    kinds    by arm, the kinds of its tiles (arms.laid)
    """

    middle: int
    spinner: int | None
    outward: dict[str, tuple[int, ...]]
    suits: dict[str, int]
    kinds: dict[str, str]


def line_of(laid: Sequence[tuple[Tile, str | None, int]], spinner_rule: str) -> Line:
    """The arms of tiles in the order laid: (tile, end, seat) each."""
    row, branches, spinner, since = _rows(laid, spinner_rule)
    middle = 0 if spinner is None else spinner
    place = row.index(middle)
    outward = {"L": tuple(reversed(row[:place])), "R": tuple(row[place + 1 :])}
    if spinner is not None:
        outward |= {end: tuple(branch) for end, branch in branches.items()}
    order = {each: number for number, (each, _, _) in enumerate(laid)}
    suits, kinds = {}, {}
    centre = laid[middle][0]
    for end, places in outward.items():
        suit = LOW[centre] if end == "R" else HIGH[centre]
        suits[end], kinds[end] = _kinds(laid, places, suit, since, order)
    return Line(middle, spinner, outward, suits, kinds)


def _rows(
    laid: Sequence[tuple[Tile, str | None, int]], spinner_rule: str
) -> tuple[list[int], dict[str, list[int]], int | None, int]:
    """The tiles from the left end to the right, those on the spinner's free sides, the spinner, and the place
    of the tile with which there was one."""
    row: list[int] = []
    branches: dict[str, list[int]] = {"U": [], "D": []}
    spinner, since = None, 0
    for place, (each, end, _) in enumerate(laid):
        if end in branches:
            branches[end].append(place)
            continue
        row.insert(0 if end == "L" else len(row), place)
        if spinner is not None or spinner_rule == "none":
            continue
        if spinner_rule == "first_enclosed":
            inner = row[1 if end == "L" else -2] if len(row) > 2 else place
            found = inner if inner != place and DOUBLE[laid[inner][0]] else None
        else:
            found = place if DOUBLE[each] else None
        if found is not None:
            spinner, since = found, place
    return row, branches, spinner, since


def _kinds(
    laid: Sequence[tuple[Tile, str | None, int]],
    places: tuple[int, ...],
    suit: int,
    since: int,
    order: dict[Tile, int],
) -> tuple[int, str]:
    """The suit wanted at an arm's end, and the kinds of its tiles.

    A tile's kind may rest only on what lay when it found its place, so that later tiles do not move it: those
    laid before it, or with which the spinner came.
    """
    kinds = []
    for number, place in enumerate(places):
        each = laid[place][0]
        suit = PIPS[each] - suit
        if DOUBLE[each]:
            kinds.append(arms.DOUBLE)
            continue
        double = order.get(tile(suit, suit), len(laid))
        known = double <= max(place, since) and places[number + 1 : number + 2] != (double,)
        kinds.append(arms.NO_DOUBLE_NEXT if known else arms.PLAIN)
    return suit, "".join(kinds)
