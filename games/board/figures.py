"""The ways to lay the next tile at an end, as figures around the point (0, 0) (docs/board.md, rules 3 to 5).

Lengths are halves of a tile's width, x east, y south. A line runs east or west, or steps south between two runs.
"""

from functools import lru_cache
from itertools import product
from typing import NamedTuple

from .cells import rectangle


class Course(NamedTuple):
    """How a line goes on.

    heading       1 when its last run went east, -1 when it went west
    running       whether it runs, or steps
    after_double  whether the next tile joins a double's long side
    """

    heading: int
    running: bool
    after_double: bool

    @property
    def ahead(self) -> tuple[int, int]:
        return (self.heading, 0) if self.running else (0, 1)

    @property
    def aside(self) -> tuple[int, int]:
        """Where it turns to."""
        return (0, 1) if self.running else (-self.heading, 0)

    def turned(self) -> "Course":
        return Course(self.heading if self.running else -self.heading, not self.running, False)


COURSES = tuple(Course(*each) for each in product((1, -1), (True, False), (True, False)))


class Footprint(NamedTuple):
    """Where a tile lies, and where the line goes on from it: a point of its edge and a direction.

    near  the middle of the half that is joined (of either, if it is a double), and far of the other
    """

    left: int
    top: int
    right: int
    bottom: int
    near: tuple[int, int]
    far: tuple[int, int]
    x: int
    y: int
    dx: int
    dy: int

    def moved(self, by_x: int, by_y: int) -> "Footprint":
        left, top, right, bottom, (near_x, near_y), (far_x, far_y), x, y, dx, dy = self
        near, far = (near_x + by_x, near_y + by_y), (far_x + by_x, far_y + by_y)
        return Footprint(
            left + by_x, top + by_y, right + by_x, bottom + by_y, near, far, x + by_x, y + by_y, dx, dy
        )


class Way(NamedTuple):
    """A way to lay a tile.

    left … bottom  its edges
    x, y           where the line goes on, and
    course         how: an index of COURSES
    cells          what it covers, as a bit mask on a grid whose first cell is the north-western one of `around`
    around         what must be clear of other tiles: these cells and those next to them
    """

    left: int
    top: int
    right: int
    bottom: int
    x: int
    y: int
    course: int
    cells: int
    around: int
    footprint: Footprint


@lru_cache(maxsize=64)
def ways(stride: int) -> tuple[tuple[tuple[Way, ...], tuple[Way, ...]], ...]:
    """By course, the ways to lay a plain tile and those to lay a double, the preferred ones first.

    `stride` is the number of cells in a row of the grid.
    """
    return tuple(
        (
            tuple(_way(footprint, then, stride) for footprint, then in _plain_ways(course)),
            tuple(_way(footprint, then, stride) for footprint, then in _double_ways(course)),
        )
        for course in COURSES
    )


def _way(footprint: Footprint, then: Course, stride: int) -> Way:
    left, top, right, bottom = footprint[:4]
    cells = rectangle(right - left, bottom - top, stride) << stride + 1
    around = rectangle(right - left + 2, bottom - top + 2, stride)
    return Way(
        left, top, right, bottom, footprint.x, footprint.y, COURSES.index(then), cells, around, footprint
    )


def _plain_ways(course: Course) -> list[tuple[Footprint, Course]]:
    """A run goes straight on if it can, a step turns back if it can. Last, a line may leave the double that it
    ends with by its short end."""
    straight = _straight(course), course._replace(after_double=False)
    turned = _turned(course), course.turned()
    found = [straight, turned] if course.running else [turned, straight]
    if course.after_double:
        (dx, dy), (tx, ty) = course.ahead, course.aside
        short_end = 2 * tx - dx, 2 * ty - dy
        found += [(footprint.moved(*short_end), then) for footprint, then in _plain_ways(course.turned())]
    return found


def _double_ways(course: Course) -> list[tuple[Footprint, Course]]:
    """A double lies across the line; where that cannot be, at an edge, it turns as a plain tile does."""
    return [(_across(course), course._replace(after_double=True)), (_turned(course), course.turned())]


def _straight(course: Course) -> Footprint:
    """Along the line."""
    dx, dy = course.ahead
    return lying((dx, dy), (3 * dx, 3 * dy), (4 * dx, 4 * dy), (dx, dy))


def _across(course: Course) -> Footprint:
    """A double across the line, which goes on from its middle."""
    (dx, dy), (tx, ty) = course.ahead, course.aside
    return lying((dx - tx, dy - ty), (dx + tx, dy + ty), (2 * dx, 2 * dy), (dx, dy))


def _turned(course: Course) -> Footprint:
    """The near half goes on along the line, the far half lies toward the turn. After a double the tile is moved
    half a tile's width that way, to stand against one half of the double only."""
    (dx, dy), (tx, ty) = course.ahead, course.aside
    moved = 1 if course.after_double else 0
    near = dx + moved * tx, dy + moved * ty
    far = near[0] + 2 * tx, near[1] + 2 * ty
    return lying(near, far, (far[0] + tx, far[1] + ty), (tx, ty))


def lying(
    near: tuple[int, int], far: tuple[int, int], out: tuple[int, int], toward: tuple[int, int]
) -> Footprint:
    left, right = sorted((near[0], far[0]))
    top, bottom = sorted((near[1], far[1]))
    return Footprint(left - 1, top - 1, right + 1, bottom + 1, near, far, *out, *toward)
