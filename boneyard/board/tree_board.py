"""Board of a line that branches at every double (docs/board.md, "A line that branches at every double")."""

from collections.abc import Mapping
from functools import cached_property

from boneyard.engine.layout import Line
from boneyard.engine.moves import EndName
from boneyard.engine.tiles import DOUBLE as IS_DOUBLE
from boneyard.engine.tiles import Tile

from .arms import DOUBLE, PLAIN
from .boards import Board, Pin, Shape
from .boxes import Box
from .placed import Exit, Placed, place_in_middle, place_on_arm
from .tree import LaidTile
from .tree_layout import TreeLayout, half_size, layout_tree


class TreeBoard(Board):
    """The board of a line that branches at every double, with the middle of its picture at (0, 0)."""

    ring = 0.6

    def __init__(self, line: Line, shape: Shape) -> None:
        self._layout = (
            layout_tree(shape, tuple((tile, end) for tile, end, _ in line.laid)) if line.laid else None
        )
        self.step = self._layout.step if self._layout else 0
        super().__init__(line, shape, half_size(shape, self.step))
        self._middle = self._layout.picture.middle if self._layout else (0, 0)
        self.middle = 0 if line.laid else None
        self.outward = self._outward()
        self.placed = self._placed()

    def ghost(self, tile: Tile, end: EndName | None) -> Placed:
        if end is None:
            return place_in_middle(tile, None)
        layout = self._layout_after_lead
        placement = layout.next_placements[end, IS_DOUBLE[tile]]
        return self._place(LaidTile(placement, layout.tree.tips[end].suit), tile, end, None)

    @property
    def pins(self) -> Mapping[int, Pin]:
        if self._layout is None:
            return {}
        opened = self._layout.tree.opened
        return {
            number: "full" if number in opened else "hollow"
            for number, (tile, _, _) in enumerate(self.laid)
            if IS_DOUBLE[tile]
        }

    @property
    def _layout_after_lead(self) -> TreeLayout:
        assert self._layout is not None  # before the lead there are no ends
        return self._layout

    @cached_property
    def _suits(self) -> dict[EndName, int]:
        return {name: tip.suit for name, tip in self._layout_after_lead.tree.tips.items()}

    @cached_property
    def _nexts(self) -> dict[EndName, dict[str, Box]]:
        nexts: dict[EndName, dict[str, Box]] = {name: {} for name in self.outward}
        for (name, double), placement in self._layout_after_lead.next_placements.items():
            ghost = self._place(LaidTile(placement, 0), 0, name, None)
            nexts[name][DOUBLE if double else PLAIN] = ghost.box
        return nexts

    def _outward(self) -> dict[EndName, tuple[int, ...]]:
        tips = self._layout.tree.tips if self._layout else {}
        return {
            name: tuple(number for number, (_, end, _) in enumerate(self.laid) if end == name)
            for name in tips
        }

    def _placed(self) -> tuple[Placed, ...]:
        if self._layout is None:
            return ()
        return tuple(
            self._place(laid, tile, end, seat)
            for laid, (tile, end, seat) in zip(self._layout.tree.tiles, self.laid, strict=True)
        )

    def _place(self, laid: LaidTile, tile: Tile, end: EndName | None, seat: int | None) -> Placed:
        """Return the placed tile. Placements run east like arm R, so nothing is rotated."""
        footprint = laid.placement.footprint.moved(-self._middle[0], -self._middle[1])
        thread = tuple(self._at(x, y) for x, y in laid.placement.thread)
        return place_on_arm("R", footprint, tile, laid.suit, end, seat)._replace(arm=end, thread=thread)

    def _at(self, x: int, y: int) -> tuple[float, float]:
        """Return a grid point in tile widths from the middle of the picture."""
        return (x - self._middle[0]) / 2, (y - self._middle[1]) / 2

    def _outermost(self, end: EndName) -> Placed:
        tip = self._layout_after_lead.tree.tips[end]
        x, y = self._at(tip.join_point.x, tip.join_point.y)
        return self.placed[tip.number]._replace(out=Exit(x, y, tip.join_point.dx, tip.join_point.dy))
