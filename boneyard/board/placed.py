"""Placed tiles: rotate an arm to its quarter of the board."""

from functools import lru_cache
from typing import NamedTuple

from boneyard.engine.moves import EndName
from boneyard.engine.tiles import DOUBLE, HIGH, LOW, PIPS, Tile

from .boxes import Box
from .footprints import Footprint

# The image of a step east (x, y) and of a step south (x, y) on each arm.
TURNS: dict[EndName, tuple[int, int, int, int]] = {
    "R": (1, 0, 0, 1),
    "D": (0, 1, -1, 0),
    "L": (-1, 0, 0, -1),
    "U": (0, -1, 1, 0),
}


class Half(NamedTuple):
    """A half of a tile on the board: its suit and its middle."""

    suit: int
    x: float
    y: float


class Exit(NamedTuple):
    """The point of a tile's edge where the line continues, and the direction."""

    x: float
    y: float
    dx: int
    dy: int


class Placed(NamedTuple):
    """A tile placed on the board.

    end     the end it joined, None for the lead
    seat    the seat that laid it; None for a possible next tile
    arm     the arm it belongs to; None for the tile in the middle
    x, y    its middle, that of its `box`
    first   the half nearer to the middle along the line; of the tile in the middle the left or upper half
    out     where the line continues; of the tile in the middle its right or lower edge
    thread  the points of the thread to its end, if the tile does not touch that end
    """

    tile: Tile
    end: EndName | None
    seat: int | None
    arm: EndName | None
    x: float
    y: float
    upright: bool
    box: Box
    first: Half
    second: Half
    out: Exit
    thread: tuple[tuple[float, float], ...] = ()


def _box(x: float, y: float, upright: bool) -> Box:
    return Box(x, y, 0.5, 1.0) if upright else Box(x, y, 1.0, 0.5)


def place_in_middle(tile: Tile, seat: int | None, end: EndName | None = None) -> Placed:
    """Return the tile in the middle: along the line with its higher half to the left, or a double across it."""
    high, low = HIGH[tile], LOW[tile]
    if DOUBLE[tile]:
        halves = Half(high, 0.0, -0.5), Half(low, 0.0, 0.5)
        return Placed(
            tile, end, seat, None, 0.0, 0.0, True, _box(0.0, 0.0, True), *halves, Exit(0.5, 0.0, 1, 0)
        )
    halves = Half(high, -0.5, 0.0), Half(low, 0.5, 0.0)
    return Placed(
        tile, end, seat, None, 0.0, 0.0, False, _box(0.0, 0.0, False), *halves, Exit(1.0, 0.0, 1, 0)
    )


@lru_cache(8192)
def place_on_arm(
    arm: EndName, footprint: Footprint, tile: Tile, joined: int, end: EndName | None, seat: int | None
) -> Placed:
    """Return the tile on a footprint of an arm; `joined` is its suit toward the middle."""
    left, top, right, bottom, (near_x, near_y), (far_x, far_y), x, y, dx, dy = footprint
    east_x, east_y, south_x, south_y = TURNS[arm]
    across, down = (left + right) / 4, (top + bottom) / 4
    wide = right - left > bottom - top
    middle_x, middle_y = across * east_x + down * south_x, across * east_y + down * south_y
    upright = wide == (arm in ("U", "D"))
    return Placed(
        tile,
        end,
        seat,
        arm,
        middle_x,
        middle_y,
        upright,
        _box(middle_x, middle_y, upright),
        Half(joined, (near_x * east_x + near_y * south_x) / 2, (near_x * east_y + near_y * south_y) / 2),
        Half(
            PIPS[tile] - joined,
            (far_x * east_x + far_y * south_x) / 2,
            (far_x * east_y + far_y * south_y) / 2,
        ),
        Exit(
            (x * east_x + y * south_x) / 2,
            (x * east_y + y * south_y) / 2,
            dx * east_x + dy * south_x,
            dx * east_y + dy * south_y,
        ),
    )
