"""Geometry of the line of play: where every tile lies, and where the next one will (docs/board.md).

Units are tile widths, y down, the spinner or the lead at (0, 0). A board depends on the engine's `Line` alone, and
laid tiles keep their places when the line grows, unless the scale changes or the spinner appears.

>>> from boneyard.engine.layout import Laid, line, tip_table
>>> from boneyard.engine.tiles import parse
>>> laid = (Laid(parse("6-6"), None, 0), Laid(parse("6-3"), "R", 1))
>>> board = build_board(line(tip_table("first", 6), laid), "wide")
>>> [(placed.x, placed.y) for placed in board.placed], board.ends["R"].suit
([(0.0, 0.0), (1.5, 0.0)], 3)
"""

from functools import lru_cache

from boneyard.engine.layout import Line

from .boards import FLASH_HALF_SIZE, Board, Corner, End, Pin, Shape, tiles_by_arm
from .boxes import Box, boxes_around, first_clear
from .four_arms import FourArmBoard, frame_size
from .placed import Half, Placed
from .tree_board import TreeBoard

__all__ = [
    "FLASH_HALF_SIZE",
    "Board",
    "Box",
    "Corner",
    "End",
    "Half",
    "Pin",
    "Placed",
    "Shape",
    "boxes_around",
    "first_clear",
    "frame_size",
    "build_board",
    "tiles_by_arm",
]


@lru_cache(maxsize=1024)
def build_board(line: Line, shape: Shape) -> Board:
    """Return the board of this line of play."""
    return TreeBoard(line, shape) if line.branching else FourArmBoard(line, shape)
