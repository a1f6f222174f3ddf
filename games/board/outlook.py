"""What lies of a branching line, as a map of cells, and how far its ends are from the open (docs/board.md, "A line
that branches at every double").

A cell is half a tile's width square. In the integers here every bit stands for a cell, or for the block of two by
two cells of which it is the north-western one: a step of the search from the rim inward is then a handful of shifts,
however many ends are looked for.
"""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from .cells import rectangle

# The map goes this many cells beyond all that lies: a block at its rim is six cells away from everything, and a tile
# that is joined to what lies, with the cells around it, stays on it.
MARGIN = 8


class Edges(NamedTuple):
    """A rectangle of cells from its left and upper edge up to its right and lower edge."""

    left: int
    top: int
    right: int
    bottom: int

    @property
    def middle(self) -> tuple[int, int]:
        return (self.left + self.right) // 2, (self.top + self.bottom) // 2

    def grown(self, by: int) -> "Edges":
        return Edges(self.left - by, self.top - by, self.right + by, self.bottom + by)

    def overlaps(self, other: "Edges") -> bool:
        return (
            self.left < other.right
            and other.left < self.right
            and self.top < other.bottom
            and other.top < self.bottom
        )

    def within(self, other: "Edges") -> bool:
        return (
            self.left >= other.left
            and self.top >= other.top
            and self.right <= other.right
            and self.bottom <= other.bottom
        )


def hull(boxes: Iterable[Edges]) -> Edges:
    """The smallest rectangle that holds them all."""
    lefts, tops, rights, bottoms = zip(*boxes, strict=True)
    return Edges(min(lefts), min(tops), max(rights), max(bottoms))


class Bud(NamedTuple):
    """Where a tile may be joined: the middle of an edge, and the direction away from it.

    long  whether it is a long edge
    """

    x: int
    y: int
    dx: int
    dy: int
    long: bool

    def moved(self, x: int, y: int) -> "Bud":
        return Bud(self.x + x, self.y + y, self.dx, self.dy, self.long)

    @property
    def block(self) -> tuple[int, int]:
        """The block of two by two cells that touches the edge here, by its north-western cell."""
        return self.x - 1 + self.dx, self.y - 1 + self.dy


class Gate(NamedTuple):
    """One of the first steps from a bud into what is free.

    block  the block where it ends, as a bit; 0 if that is in the open
    swept  the cells that must be empty for it
    """

    block: int
    swept: int


class Outlook:
    """The map of tiles that lie, and of the cells around them."""

    def __init__(self, boxes: Iterable[Edges], margin: int = MARGIN) -> None:
        boxes = tuple(boxes)
        window = hull(boxes).grown(margin)
        # No tile that is yet to be laid reaches beyond this.
        self.bounds = window.grown(-2)
        self._west, self._north = window.left, window.top
        self._columns, self._rows = window.right - window.left - 1, window.bottom - window.top - 1
        # One more column that is never free, so that no step leads from the end of a row to the next.
        self._stride = self._columns + 1
        self._all = rectangle(self._columns, self._rows, self._stride)
        within = rectangle(self._columns - 2, self._rows - 2, self._stride) << self._stride + 1
        self._rim = self._all & ~within
        self.cells_of = [self.cells(box) for box in boxes]
        self._lying = _union(self.cells_of)
        self._met = _union(self._meeting(box) for box in boxes)

    def cells(self, box: Edges) -> int:
        corner = (box.top - self._north) * self._stride + box.left - self._west
        return rectangle(box.right - box.left, box.bottom - box.top, self._stride) << corner

    def clear(self, box: Edges, joined: int) -> bool:
        """Whether a tile may lie here: a cell or more from all others but those cells that it joins, and not on
        them."""
        return not self.cells(box.grown(1)) & self._lying & ~joined and not self.cells(box) & joined

    def gates(self, bud: Bud, mine: int) -> tuple[Gate, ...]:
        """The steps from a bud that lead into what is free: ahead, and to both sides past its tile's edge. `mine`
        are the cells of that tile."""
        x, y = bud.block
        aside = 4 if bud.long else 3
        found = []
        for dx, dy in (
            (bud.dx, bud.dy),
            (aside * bud.dy, aside * bud.dx),
            (-aside * bud.dy, -aside * bud.dx),
        ):
            start, end = Edges(x, y, x + 2, y + 2), Edges(x + dx, y + dy, x + dx + 2, y + dy + 2)
            swept = self.cells(hull((start, end)).grown(1)) & ~mine
            if not swept & self._lying:
                found.append(Gate(self._block(end.left, end.top), swept))
        return tuple(found)

    def ways_out(self, buds: Iterable[tuple[Gate, ...]], more: Edges) -> int | None:
        """The steps of a block from all these buds to the rim together; None if one of them is shut in.

        A block keeps a cell away from everything that lies, and from the tile `more`, which is yet to be laid.
        """
        cells, free, stride = self.cells(more), self._all & ~(self._met | self._meeting(more)), self._stride
        reached = self._rim & free
        waiting = []
        for gates in buds:
            blocks = [gate.block for gate in gates if not gate.swept & cells]
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

    def walk(self, bud: Bud, mine: int) -> Iterator[list[tuple[int, int]]]:
        """The blocks that can be reached from a bud, the nearest first, each as the steps that lead there."""
        blocked = self._lying & ~mine
        seen, paths = {bud.block}, [[bud.block]]
        for path in paths:
            yield path
            x, y = path[-1]
            for step in ((x + bud.dx, y + bud.dy), (x + 1, y), (x, y + 1), (x - 1, y), (x, y - 1)):
                block = Edges(*step, step[0] + 2, step[1] + 2)
                if step in seen or not block.within(self.bounds):
                    continue
                seen.add(step)
                if not self.cells(block.grown(1)) & blocked and not self.cells(block) & mine:
                    paths.append([*path, step])

    def _block(self, x: int, y: int) -> int:
        column, row = x - self._west, y - self._north
        inside = 0 <= column < self._columns and 0 <= row < self._rows
        return 1 << row * self._stride + column if inside else 0

    def _meeting(self, box: Edges) -> int:
        """The blocks that are less than a cell from this tile."""
        return self.cells(Edges(box.left - 2, box.top - 2, box.right + 1, box.bottom + 1))


def _union(masks: Iterable[int]) -> int:
    union = 0
    for mask in masks:
        union |= mask
    return union
