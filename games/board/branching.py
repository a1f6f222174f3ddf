"""A line that branches at every double, tile by tile (docs/board.md, "A line that branches at every double").

Lengths are integers, in halves of a tile's width: a tile is 2 by 4.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from typing import NamedTuple

from games.engine.moves import ENDS, EndName
from games.engine.tiles import DOUBLE, HIGH, LOW, PIPS, Tile

from .figures import Footprint, lying
from .outlook import MARGIN, Bud, Edges, Gate, Outlook

# In steps of a way out.
TURN_COSTS, LENGTHWISE_COSTS = 9, 9
# Around all that lies, when a tile has to be laid away from its end: wide enough that it shuts nobody in.
FAR = 24

Point = tuple[int, int]


class Way(NamedTuple):
    """A way to lay a tile.

    costs   how much shorter all ways out must be together for it to be preferred to the plainest
    buds    where the line goes on from it: first its end, then the free sides of a double
    thread  the points of the thread that joins it to its end where it does not touch that
    """

    costs: int
    footprint: Footprint
    buds: tuple[Bud, ...]
    thread: tuple[Point, ...] = ()

    @property
    def edges(self) -> Edges:
        return Edges(*self.footprint[:4])

    def moved(self, x: int, y: int) -> "Way":
        return Way(self.costs, self.footprint.moved(x, y), tuple(bud.moved(x, y) for bud in self.buds))


class Lying(NamedTuple):
    """A tile that lies: how, and its suit that was joined (of the lead, the left or upper one)."""

    way: Way
    suit: int


class Tip(NamedTuple):
    """An open end: where it is, the suit wanted there, and the number of the tile that is joined."""

    bud: Bud
    suit: int
    number: int


class Tree(NamedTuple):
    """A branching line.

    lying      its tiles in the order laid
    tips       its open ends
    sides      the free sides of doubles that are still closed, by the double's number
    uncovered  the ends where a tile must be laid before those open, by the double's number
    opened     the doubles whose free sides have opened, in that order
    """

    lying: tuple[Lying, ...]
    tips: Mapping[EndName, Tip]
    sides: Mapping[int, tuple[Bud, ...]]
    uncovered: Mapping[int, frozenset[EndName]]
    opened: tuple[int, ...]

    def joined(self, tile: Tile, end: EndName, way: Way) -> "Tree":
        """The line with this tile laid so at this end."""
        number, tip = len(self.lying), self.tips[end]
        tips = {**self.tips, end: Tip(way.buds[0], PIPS[tile] - tip.suit, number)}
        sides, uncovered, opened = dict(self.sides), dict(self.uncovered), self.opened
        if tip.number in uncovered:
            uncovered[tip.number] -= {end}
            if not uncovered[tip.number]:
                del uncovered[tip.number]
                opened = (*opened, tip.number)
                names = ENDS[2 * len(opened) : 2 * len(opened) + 2]
                for name, bud in zip(names, sides.pop(tip.number), strict=True):
                    tips[name] = Tip(bud, tip.suit, tip.number)
        if DOUBLE[tile]:
            sides[number], uncovered[number] = way.buds[1:], frozenset((end,))
        return Tree((*self.lying, Lying(way, tip.suit)), tips, sides, uncovered, opened)

    def buds(self, but: EndName) -> Iterator[tuple[Bud, int]]:
        """Where tiles may be joined now or later, closed sides too, but for this end; each with the number of the
        tile that they join."""
        yield from ((tip.bud, tip.number) for name, tip in self.tips.items() if name != but)
        yield from ((bud, number) for number, buds in self.sides.items() for bud in buds)


def led(tile: Tile) -> Tree:
    """The line of a lead alone: a double upright, another tile along with its higher half to the left."""
    double, high, low = DOUBLE[tile], HIGH[tile], LOW[tile]
    reach = 1 if double else 2
    left, right = Bud(-reach, 0, -1, 0, double), Bud(reach, 0, 1, 0, double)
    free = _free_sides(0, 0, 0, 1, long=False) if double else ()
    halves = ((0, -1), (0, 1)) if double else ((-1, 0), (1, 0))
    way = Way(0, lying(*halves, (reach, 0), (1, 0)), (right, *free))
    return Tree(
        (Lying(way, high),),
        {"L": Tip(left, high, 0), "R": Tip(right, low, 0)},
        {0: free} if double else {},
        {0: frozenset[EndName](("L", "R"))} if double else {},
        (),
    )


@cache
def _ways(dx: int, dy: int, long: bool, double: bool) -> tuple[Way, ...]:
    """The ways to lay a tile at a bud at (0, 0), the preferred one first."""
    tx, ty = -dy, dx
    straight = lying((dx, dy), (3 * dx, 3 * dy), (4 * dx, 4 * dy), (dx, dy))
    onward = Bud(4 * dx, 4 * dy, dx, dy, False)
    if double:
        across = lying((dx - tx, dy - ty), (dx + tx, dy + ty), (2 * dx, 2 * dy), (dx, dy))
        from_middle = Bud(2 * dx, 2 * dy, dx, dy, True)
        return (
            Way(0, across, (from_middle, *_free_sides(dx, dy, tx, ty, long=False))),
            Way(LENGTHWISE_COSTS, straight, (onward, *_free_sides(2 * dx, 2 * dy, tx, ty, long=True))),
        )
    turns = (_turned(dx, dy, *to, 1 if long else 0) for to in ((tx, ty), (-tx, -ty)))
    return (Way(0, straight, (onward,)), *turns)


def _turned(dx: int, dy: int, tx: int, ty: int, shift: int) -> Way:
    """The near half goes on along the line, the far half lies toward the turn. At a long side the tile is moved half
    a tile's width that way, to stand against one half of the double only."""
    near = dx + shift * tx, dy + shift * ty
    far = near[0] + 2 * tx, near[1] + 2 * ty
    out = far[0] + tx, far[1] + ty
    return Way(TURN_COSTS, lying(near, far, out, (tx, ty)), (Bud(*out, tx, ty, False),))


def _free_sides(x: int, y: int, tx: int, ty: int, *, long: bool) -> tuple[Bud, ...]:
    """Both free sides of a double with its middle at (x, y), the upper or left one first."""
    reach = 1 if long else 2
    sides = (
        Bud(x + reach * to_x, y + reach * to_y, to_x, to_y, long) for to_x, to_y in ((tx, ty), (-tx, -ty))
    )
    return tuple(sorted(sides, key=lambda bud: (bud.dy, bud.dx)))


class Choices:
    """The ways to lay the next tile of a line, wherever it is joined; `margin` is how far around it they are known."""

    def __init__(self, tree: Tree, margin: int = MARGIN) -> None:
        self.tree = tree
        self._outlook = Outlook((lying.way.edges for lying in tree.lying), margin)
        self._gates = {
            bud: self._outlook.gates(bud, self._outlook.cells_of[number])
            for bud, number in (*tree.buds("L"), *tree.buds("R"))
        }

    def ways(self, end: EndName, double: bool, noise: Callable[[], float] | None = None) -> list[Way]:
        """The ways that leave every end a way out, those after which all ways out together are shortest first;
        `noise` is added to what each costs."""
        bud, _, number = self.tree.tips[end]
        others = [self._gates[other] for other, _ in self.tree.buds(end)]
        found = []
        for way in _ways(bud.dx, bud.dy, bud.long, double):
            laid = way.moved(bud.x, bud.y)
            steps = self._steps(laid, others, self._outlook.cells_of[number])
            if steps is not None:
                found.append((steps + way.costs + (noise() if noise else 0), laid))
        return [way for _, way in sorted(found, key=lambda costing: costing[0])]

    def _steps(self, way: Way, others: Iterable[tuple[Gate, ...]], joined: int) -> int | None:
        """The length of all ways out once a tile lies so; None if it cannot, or shuts one in."""
        outlook, edges = self._outlook, way.edges
        if not edges.within(outlook.bounds) or not outlook.clear(edges, joined):
            return None
        mine = outlook.cells(edges)
        return outlook.ways_out([*others, *(outlook.gates(bud, mine) for bud in way.buds)], edges)

    def by_thread(self, end: EndName, double: bool) -> Way:
        """The nearest place, along a way out, for a tile that can be laid nowhere at this end."""
        bud, _, number = self.tree.tips[end]
        others = [self._gates[other] for other, _ in self.tree.buds(end)]
        for path in self._outlook.walk(bud, self._outlook.cells_of[number]):
            x, y = path[-1]
            for dx, dy in ((bud.dx, bud.dy), (1, 0), (0, 1), (-1, 0), (0, -1)):
                straight = _ways(dx, dy, False, double)[-1 if double else 0]
                way = straight.moved(x + 1 - dx, y + 1 - dy)
                if self._steps(way, others, joined=0) is not None:
                    return way._replace(thread=_corners([(bud.x, bud.y), *((x + 1, y + 1) for x, y in path)]))
        raise AssertionError("every end has a way out, and outside there is room")


def _corners(path: list[Point]) -> tuple[Point, ...]:
    """The path without the points at which it goes straight on."""
    turns = [
        here
        for before, here, after in zip(path, path[1:], path[2:], strict=False)
        if (here[0] - before[0], here[1] - before[1]) != (after[0] - here[0], after[1] - here[1])
    ]
    return (path[0], *turns, path[-1])
