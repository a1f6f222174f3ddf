"""Lay out a line that branches at every double, tile by tile (docs/board.md, "A line that branches at every double").

Lengths are integers, in halves of a tile's width: a tile is 2 by 4.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from typing import NamedTuple

from boneyard.engine.moves import ENDS, EndName
from boneyard.engine.tiles import DOUBLE, HIGH, LOW, PIPS, Tile

from .cell_map import MAP_MARGIN, CellMap, Edges, ExitStep, JoinPoint
from .footprints import Footprint, footprint_of

# Costs in blocks of escape length.
TURN_COST, LENGTHWISE_COST = 9, 9
# Map margin in cells for a tile laid away from its end: wide enough that it blocks no other end.
WIDE_MARGIN = 24

Point = tuple[int, int]


class Placement(NamedTuple):
    """A possible placement of a tile.

    cost         added to the total escape length when placements are compared
    join_points  where the line continues: first the tile's end, then the free sides of a double
    thread       the points of the thread to its end if the tile does not touch that end
    """

    cost: int
    footprint: Footprint
    join_points: tuple[JoinPoint, ...]
    thread: tuple[Point, ...] = ()

    @property
    def edges(self) -> Edges:
        return Edges(*self.footprint[:4])

    def moved(self, x: int, y: int) -> "Placement":
        return Placement(
            self.cost,
            self.footprint.moved(x, y),
            tuple(join_point.moved(x, y) for join_point in self.join_points),
        )


class LaidTile(NamedTuple):
    """A laid tile: its placement and its joined suit (of the lead, the left or upper one)."""

    placement: Placement
    suit: int


class Tip(NamedTuple):
    """An open end: its join point, the suit required there, and the number of the tile at that end."""

    join_point: JoinPoint
    suit: int
    number: int


class Tree(NamedTuple):
    """A branching line.

    tiles      the tiles in the order laid
    tips       the open ends
    sides      the free sides of doubles that are still closed, by the double's number
    uncovered  the ends that must be covered before those sides open, by the double's number
    opened     the doubles whose free sides have opened, in that order
    """

    tiles: tuple[LaidTile, ...]
    tips: Mapping[EndName, Tip]
    sides: Mapping[int, tuple[JoinPoint, ...]]
    uncovered: Mapping[int, frozenset[EndName]]
    opened: tuple[int, ...]

    def with_tile(self, tile: Tile, end: EndName, placement: Placement) -> "Tree":
        """Return the line with this tile added at this end."""
        number, tip = len(self.tiles), self.tips[end]
        tips = {**self.tips, end: Tip(placement.join_points[0], PIPS[tile] - tip.suit, number)}
        sides, uncovered, opened = dict(self.sides), dict(self.uncovered), self.opened
        if tip.number in uncovered:
            uncovered[tip.number] -= {end}
            if not uncovered[tip.number]:
                del uncovered[tip.number]
                opened = (*opened, tip.number)
                names = ENDS[2 * len(opened) : 2 * len(opened) + 2]
                for name, join_point in zip(names, sides.pop(tip.number), strict=True):
                    tips[name] = Tip(join_point, tip.suit, tip.number)
        if DOUBLE[tile]:
            sides[number], uncovered[number] = placement.join_points[1:], frozenset((end,))
        return Tree((*self.tiles, LaidTile(placement, tip.suit)), tips, sides, uncovered, opened)

    def join_points(self, but: EndName) -> Iterator[tuple[JoinPoint, int]]:
        """Yield every join point except that of end `but`, closed sides included, with its tile's number."""
        yield from ((tip.join_point, tip.number) for name, tip in self.tips.items() if name != but)
        yield from (
            (join_point, number) for number, join_points in self.sides.items() for join_point in join_points
        )


def tree_of_lead(tile: Tile) -> Tree:
    """Return the line of the lead alone: a double upright, another tile horizontal, its higher half to the left."""
    double, high, low = DOUBLE[tile], HIGH[tile], LOW[tile]
    reach = 1 if double else 2
    left, right = JoinPoint(-reach, 0, -1, 0, double), JoinPoint(reach, 0, 1, 0, double)
    free = _free_sides(0, 0, 0, 1, long=False) if double else ()
    halves = ((0, -1), (0, 1)) if double else ((-1, 0), (1, 0))
    placement = Placement(0, footprint_of(*halves, (reach, 0), (1, 0)), (right, *free))
    return Tree(
        (LaidTile(placement, high),),
        {"L": Tip(left, high, 0), "R": Tip(right, low, 0)},
        {0: free} if double else {},
        {0: frozenset[EndName](("L", "R"))} if double else {},
        (),
    )


@cache
def _placements(dx: int, dy: int, long: bool, double: bool) -> tuple[Placement, ...]:
    """Return the placements at a join point at (0, 0), the preferred one first."""
    tx, ty = -dy, dx
    straight = footprint_of((dx, dy), (3 * dx, 3 * dy), (4 * dx, 4 * dy), (dx, dy))
    onward = JoinPoint(4 * dx, 4 * dy, dx, dy, False)
    if double:
        across = footprint_of((dx - tx, dy - ty), (dx + tx, dy + ty), (2 * dx, 2 * dy), (dx, dy))
        from_middle = JoinPoint(2 * dx, 2 * dy, dx, dy, True)
        return (
            Placement(0, across, (from_middle, *_free_sides(dx, dy, tx, ty, long=False))),
            Placement(LENGTHWISE_COST, straight, (onward, *_free_sides(2 * dx, 2 * dy, tx, ty, long=True))),
        )
    turns = (_turned(dx, dy, *to, 1 if long else 0) for to in ((tx, ty), (-tx, -ty)))
    return (Placement(0, straight, (onward,)), *turns)


def _turned(dx: int, dy: int, tx: int, ty: int, shift: int) -> Placement:
    """Return a placement that turns: the near half continues the line, the far half points to the turn.

    At a long side the tile is shifted by half a tile's width, so that it touches one half of the double only.
    """
    near = dx + shift * tx, dy + shift * ty
    far = near[0] + 2 * tx, near[1] + 2 * ty
    out = far[0] + tx, far[1] + ty
    return Placement(TURN_COST, footprint_of(near, far, out, (tx, ty)), (JoinPoint(*out, tx, ty, False),))


def _free_sides(x: int, y: int, tx: int, ty: int, *, long: bool) -> tuple[JoinPoint, ...]:
    """Return both free sides of a double with its middle at (x, y), the upper or left one first."""
    reach = 1 if long else 2
    sides = (
        JoinPoint(x + reach * to_x, y + reach * to_y, to_x, to_y, long)
        for to_x, to_y in ((tx, ty), (-tx, -ty))
    )
    return tuple(sorted(sides, key=lambda join_point: (join_point.dy, join_point.dx)))


class PlacementSearch:
    """Finds placements for the next tile of a line at any end; `margin` limits the search around the line."""

    def __init__(self, tree: Tree, margin: int = MAP_MARGIN) -> None:
        self.tree = tree
        self._cell_map = CellMap((laid.placement.edges for laid in tree.tiles), margin)
        self._exit_steps = {
            join_point: self._cell_map.exit_steps(join_point, self._cell_map.cells_of[number])
            for join_point, number in (*tree.join_points("L"), *tree.join_points("R"))
        }

    def placements(
        self, end: EndName, double: bool, noise: Callable[[], float] | None = None
    ) -> list[Placement]:
        """Return the placements that leave every end a way out, by total escape length plus cost plus `noise`."""
        join_point, _, number = self.tree.tips[end]
        others = [self._exit_steps[other] for other, _ in self.tree.join_points(end)]
        options = []
        for placement in _placements(join_point.dx, join_point.dy, join_point.long, double):
            laid = placement.moved(join_point.x, join_point.y)
            steps = self._escape_length(laid, others, self._cell_map.cells_of[number])
            if steps is not None:
                options.append((steps + placement.cost + (noise() if noise else 0), laid))
        return [placement for _, placement in sorted(options, key=lambda option: option[0])]

    def _escape_length(
        self, placement: Placement, others: Iterable[tuple[ExitStep, ...]], joined: int
    ) -> int | None:
        """Return the total escape length after this placement; None if it is blocked or shuts an end in."""
        cell_map, edges = self._cell_map, placement.edges
        if not edges.is_inside(cell_map.bounds) or not cell_map.is_clear(edges, joined):
            return None
        mine = cell_map.cells(edges)
        return cell_map.escape_length(
            [*others, *(cell_map.exit_steps(join_point, mine) for join_point in placement.join_points)], edges
        )

    def place_by_thread(self, end: EndName, double: bool) -> Placement:
        """Return the nearest placement along a way out, for a tile that fits nowhere at this end."""
        join_point, _, number = self.tree.tips[end]
        others = [self._exit_steps[other] for other, _ in self.tree.join_points(end)]
        for path in self._cell_map.walk(join_point, self._cell_map.cells_of[number]):
            x, y = path[-1]
            for dx, dy in ((join_point.dx, join_point.dy), (1, 0), (0, 1), (-1, 0), (0, -1)):
                straight = _placements(dx, dy, False, double)[-1 if double else 0]
                placement = straight.moved(x + 1 - dx, y + 1 - dy)
                if self._escape_length(placement, others, joined=0) is not None:
                    return placement._replace(
                        thread=_corners([(join_point.x, join_point.y), *((x + 1, y + 1) for x, y in path)])
                    )
        raise AssertionError("every end has a way out, and outside there is room")


def _corners(path: list[Point]) -> tuple[Point, ...]:
    """Return the path without the points where it goes straight on."""
    turns = [
        here
        for before, here, after in zip(path, path[1:], path[2:], strict=False)
        if (here[0] - before[0], here[1] - before[1]) != (after[0] - here[0], after[1] - here[1])
    ]
    return (path[0], *turns, path[-1])
