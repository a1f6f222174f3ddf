"""The line of play as geometry (DESIGN.md §5): where every tile lies, and where the next one will.

Units are tile widths, y down, the spinner or the lead at (0, 0). A board follows from the tiles laid alone, and
every beginning of a list lies as it does in the whole list, unless the scale changed or the spinner came: so a
tile once laid stays.
"""

from .boards import FLASH, Board, End, frame, lay, textual
from .places import Half, Laid, Placed
from .spots import Box

__all__ = ["FLASH", "Board", "Box", "End", "Half", "Laid", "Placed", "frame", "lay", "textual"]
