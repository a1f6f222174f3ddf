"""The line of play as geometry (docs/board.md): where every tile lies, and where the next one will.

Units are tile widths, y down, the spinner or the lead at (0, 0). A board follows from the engine's `Line` alone,
and every beginning of a line lies as it does in the whole line, unless the scale changed or the spinner came: so
a tile once laid stays.

>>> from games.engine.layout import Laid, line, tip_table
>>> from games.engine.tiles import parse
>>> laid = (Laid(parse("6-6"), None, 0), Laid(parse("6-3"), "R", 1))
>>> board = lay(line(tip_table("first", 6), laid), "wide")
>>> [(placed.x, placed.y) for placed in board.placed], board.ends["R"].suit
([(0.0, 0.0), (1.5, 0.0)], 3)
"""

from functools import lru_cache

from games.engine.layout import Line

from .boards import FLASH, Board, Corner, End, Pin, Shape, textual
from .boxes import Box, around, first_clear
from .branched import Branched
from .placed import Half, Placed
from .quarters import Quarters, frame

__all__ = [
    "FLASH",
    "Board",
    "Box",
    "Corner",
    "End",
    "Half",
    "Pin",
    "Placed",
    "Shape",
    "around",
    "first_clear",
    "frame",
    "lay",
    "textual",
]


@lru_cache(maxsize=1024)
def lay(line: Line, shape: Shape) -> Board:
    """The board of this line of play."""
    return Branched(line, shape) if line.branching else Quarters(line, shape)
