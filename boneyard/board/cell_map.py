"""Bit map of the cells covered by a branching line, and the distance of its ends from free space
(docs/board.md, "A line that branches at every double").

A cell is a square with half a tile's width. Each bit of an integer stands for a cell, or for the block of two by two
cells whose north-western cell it is. A step of the search from the rim inward is then a few shifts for all ends.
"""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from .cells import rectangle

# Cells between the laid tiles and the rim: a block at the rim is six cells away from every tile, and a joined tile
# stays on the map with the cells around it.
MAP_MARGIN = 8


class Edges(NamedTuple):
    """A rectangle of cells from its left and upper edge up to its right and lower edge."""

    left: int
    top: int
    right: int
    bottom: int

    @property
    def middle(self) -> tuple[int, int]:
        return (self.left + self.right) // 2, (self.top + self.bottom) // 2

    def expanded(self, by: int) -> "Edges":
        return Edges(self.left - by, self.top - by, self.right + by, self.bottom + by)

    def overlaps(self, other: "Edges") -> bool:
        return (
            self.left < other.right
            and other.left < self.right
            and self.top < other.bottom
            and other.top < self.bottom
        )

    def is_inside(self, other: "Edges") -> bool:
        return (
            self.left >= other.left
            and self.top >= other.top
            and self.right <= other.right
            and self.bottom <= other.bottom
        )


def bounding_box(boxes: Iterable[Edges]) -> Edges:
    """Return the smallest rectangle that contains all boxes."""
    lefts, tops, rights, bottoms = zip(*boxes, strict=True)
    return Edges(min(lefts), min(tops), max(rights), max(bottoms))


class JoinPoint(NamedTuple):
    """The middle of a tile's edge where another tile may be joined, and the direction away from it.

    long  whether it is a long edge
    """

    x: int
    y: int
    dx: int
    dy: int
    long: bool

    def moved(self, x: int, y: int) -> "JoinPoint":
        return JoinPoint(self.x + x, self.y + y, self.dx, self.dy, self.long)

    @property
    def block(self) -> tuple[int, int]:
        """Return the north-western cell of the two-by-two block that touches the edge here."""
        return self.x - 1 + self.dx, self.y - 1 + self.dy


class ExitStep(NamedTuple):
    """A first step from a join point into free space.

    block  the block where it ends, as a bit; 0 if that lies outside the map
    swept  the cells that must be empty for it
    """

    block: int
    swept: int


class CellMap:
    """A map of the laid tiles and the cells around them."""

    def __init__(self, boxes: Iterable[Edges], margin: int = MAP_MARGIN) -> None:
        boxes = tuple(boxes)
        window = bounding_box(boxes).expanded(margin)
        # No further tile may reach beyond this.
        self.bounds = window.expanded(-2)
        self._west, self._north = window.left, window.top
        self._columns, self._rows = window.right - window.left - 1, window.bottom - window.top - 1
        # An extra column that is never free keeps steps from wrapping to the next row.
        self._stride = self._columns + 1
        self._all = rectangle(self._columns, self._rows, self._stride)
        inner = rectangle(self._columns - 2, self._rows - 2, self._stride) << self._stride + 1
        self._rim = self._all & ~inner
        self.cells_of = [self.cells(box) for box in boxes]
        self._covered = _union(self.cells_of)
        self._near = _union(self._blocks_near(box) for box in boxes)

    def cells(self, box: Edges) -> int:
        corner = (box.top - self._north) * self._stride + box.left - self._west
        return rectangle(box.right - box.left, box.bottom - box.top, self._stride) << corner

    def is_clear(self, box: Edges, joined: int) -> bool:
        """Return whether a tile may lie here: off the cells it joins, and a cell or more from all others."""
        return not self.cells(box.expanded(1)) & self._covered & ~joined and not self.cells(box) & joined

    def exit_steps(self, join_point: JoinPoint, mine: int) -> tuple[ExitStep, ...]:
        """Return the free steps from a join point: ahead, and to both sides past its tile's edge.

        `mine` are the cells of that tile.
        """
        x, y = join_point.block
        aside = 4 if join_point.long else 3
        exit_steps = []
        for dx, dy in (
            (join_point.dx, join_point.dy),
            (aside * join_point.dy, aside * join_point.dx),
            (-aside * join_point.dy, -aside * join_point.dx),
        ):
            start, end = Edges(x, y, x + 2, y + 2), Edges(x + dx, y + dy, x + dx + 2, y + dy + 2)
            swept = self.cells(bounding_box((start, end)).expanded(1)) & ~mine
            if not swept & self._covered:
                exit_steps.append(ExitStep(self._block(end.left, end.top), swept))
        return tuple(exit_steps)

    def escape_length(self, join_points: Iterable[tuple[ExitStep, ...]], more: Edges) -> int | None:
        """Return the total block steps from all these join points to the rim; None if one of them is shut in.

        A block keeps a cell away from every laid tile and from `more`, the tile to be laid.
        """
        cells, free, stride = (
            self.cells(more),
            self._all & ~(self._near | self._blocks_near(more)),
            self._stride,
        )
        reached = self._rim & free
        waiting = []
        for exit_steps in join_points:
            blocks = [step.block for step in exit_steps if not step.swept & cells]
            if 0 in blocks:
                continue
            ahead = _union(blocks) & free
            if not ahead:
                return None
            if not ahead & reached:
                waiting.append(ahead)
        total = steps = 0
        while waiting:
            further = (reached | reached << 1 | reached >> 1 | reached << stride | reached >> stride) & free
            if further == reached:
                return None
            reached, steps, left = further, steps + 1, len(waiting)
            waiting = [ahead for ahead in waiting if not ahead & reached]
            total += steps * (left - len(waiting))
        return total

    def walk(self, join_point: JoinPoint, mine: int) -> Iterator[list[tuple[int, int]]]:
        """Yield paths to the blocks reachable from a join point, the nearest first."""
        blocked = self._covered & ~mine
        seen, paths = {join_point.block}, [[join_point.block]]
        for path in paths:
            yield path
            x, y = path[-1]
            for step in (
                (x + join_point.dx, y + join_point.dy),
                (x + 1, y),
                (x, y + 1),
                (x - 1, y),
                (x, y - 1),
            ):
                block = Edges(*step, step[0] + 2, step[1] + 2)
                if step in seen or not block.is_inside(self.bounds):
                    continue
                seen.add(step)
                if not self.cells(block.expanded(1)) & blocked and not self.cells(block) & mine:
                    paths.append([*path, step])

    def _block(self, x: int, y: int) -> int:
        column, row = x - self._west, y - self._north
        inside = 0 <= column < self._columns and 0 <= row < self._rows
        return 1 << row * self._stride + column if inside else 0

    def _blocks_near(self, box: Edges) -> int:
        """Return the blocks less than a cell away from this tile."""
        return self.cells(Edges(box.left - 2, box.top - 2, box.right + 1, box.bottom + 1))


def _union(masks: Iterable[int]) -> int:
    union = 0
    for mask in masks:
        union |= mask
    return union
