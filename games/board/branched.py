"""The board of a line that branches at every double (docs/board.md, "A line that branches at every double")."""

from collections.abc import Mapping
from functools import cached_property

from games.engine.layout import Line
from games.engine.moves import EndName
from games.engine.tiles import DOUBLE as IS_DOUBLE
from games.engine.tiles import Tile

from .arms import DOUBLE, PLAIN
from .boards import Board, Pin, Shape
from .boxes import Box
from .branching import Lying
from .growth import Growth, grown, half_size
from .placed import Exit, Placed, in_the_middle, on_arm


class Branched(Board):
    """The board of a line that branches at every double, moved so that the middle of its picture is at (0, 0)."""

    ring = 0.6

    def __init__(self, line: Line, shape: Shape) -> None:
        self._grown = grown(shape, tuple((tile, end) for tile, end, _ in line.laid)) if line.laid else None
        self.step = self._grown.step if self._grown else 0
        super().__init__(line, shape, half_size(shape, self.step))
        self._middle = self._grown.picture.middle if self._grown else (0, 0)
        self.middle = 0 if line.laid else None
        self.outward = self._outward()
        self.placed = self._placed()

    def ghost(self, tile: Tile, end: EndName | None) -> Placed:
        if end is None:
            return in_the_middle(tile, None)
        growth = self._laid_out
        way = growth.nexts[end, IS_DOUBLE[tile]]
        return self._lying(Lying(way, growth.tree.tips[end].suit), tile, end, None)

    @property
    def pins(self) -> Mapping[int, Pin]:
        if self._grown is None:
            return {}
        opened = self._grown.tree.opened
        return {
            number: "full" if number in opened else "hollow"
            for number, (tile, _, _) in enumerate(self.laid)
            if IS_DOUBLE[tile]
        }

    @property
    def _laid_out(self) -> Growth:
        assert self._grown is not None  # before the lead there are no ends
        return self._grown

    @cached_property
    def _suits(self) -> dict[EndName, int]:
        return {name: tip.suit for name, tip in self._laid_out.tree.tips.items()}

    @cached_property
    def _nexts(self) -> dict[EndName, dict[str, Box]]:
        nexts: dict[EndName, dict[str, Box]] = {name: {} for name in self.outward}
        for (name, double), way in self._laid_out.nexts.items():
            ghost = self._lying(Lying(way, 0), 0, name, None)
            nexts[name][DOUBLE if double else PLAIN] = ghost.box
        return nexts

    def _outward(self) -> dict[EndName, tuple[int, ...]]:
        tips = self._grown.tree.tips if self._grown else {}
        return {
            name: tuple(number for number, (_, end, _) in enumerate(self.laid) if end == name)
            for name in tips
        }

    def _placed(self) -> tuple[Placed, ...]:
        if self._grown is None:
            return ()
        return tuple(
            self._lying(lying, tile, end, seat)
            for lying, (tile, end, seat) in zip(self._grown.tree.lying, self.laid, strict=True)
        )

    def _lying(self, lying: Lying, tile: Tile, end: EndName | None, seat: int | None) -> Placed:
        """The tile as it lies. Ways go eastward as R does, so that nothing has to be turned."""
        footprint = lying.way.footprint.moved(-self._middle[0], -self._middle[1])
        thread = tuple(self._at(x, y) for x, y in lying.way.thread)
        return on_arm("R", footprint, tile, lying.suit, end, seat)._replace(arm=end, thread=thread)

    def _at(self, x: int, y: int) -> tuple[float, float]:
        """A point of the grid, in tile widths from the middle of the picture."""
        return (x - self._middle[0]) / 2, (y - self._middle[1]) / 2

    def _outermost(self, end: EndName) -> Placed:
        tip = self._laid_out.tree.tips[end]
        x, y = self._at(tip.bud.x, tip.bud.y)
        return self.placed[tip.number]._replace(out=Exit(x, y, tip.bud.dx, tip.bud.dy))
