"""Possible placements of the next tile at an end at (0, 0) (docs/board.md, rules 3 to 5).

Lengths are halves of a tile's width, x east, y south. A line runs east or west, or steps south between two runs.
"""

from functools import lru_cache
from itertools import product
from typing import NamedTuple

from .cells import rectangle


class Course(NamedTuple):
    """The way a line continues.

    heading       1 if its last run went east, -1 if it went west
    running       whether it is in a run instead of a step
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
        """Return the direction of the next turn."""
        return (0, 1) if self.running else (-self.heading, 0)

    def turned(self) -> "Course":
        return Course(self.heading if self.running else -self.heading, not self.running, False)


COURSES = tuple(Course(*each) for each in product((1, -1), (True, False), (True, False)))


class Footprint(NamedTuple):
    """The place of a tile, and where the line continues from it: a point of its edge and a direction.

    near, far  the middles of the joined half (either one of a double) and of the other half
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


class Placement(NamedTuple):
    """A possible placement of a tile.

    left … bottom  its edges
    x, y           where the line continues
    course         how it continues, an index of COURSES
    cells          bit mask of the covered cells, on a grid whose first cell is the north-western one of `clearance`
    clearance      bit mask of the cells that must be free: the covered ones and their neighbours
    """

    left: int
    top: int
    right: int
    bottom: int
    x: int
    y: int
    course: int
    cells: int
    clearance: int
    footprint: Footprint


@lru_cache(maxsize=64)
def placements(stride: int) -> tuple[tuple[tuple[Placement, ...], tuple[Placement, ...]], ...]:
    """Return by course the placements of a plain tile and those of a double, preferred ones first.

    `stride` is the number of cells in a grid row.
    """
    return tuple(
        (
            tuple(
                _placement(footprint, next_course, stride)
                for footprint, next_course in _plain_placements(course)
            ),
            tuple(
                _placement(footprint, next_course, stride)
                for footprint, next_course in _double_placements(course)
            ),
        )
        for course in COURSES
    )


def _placement(footprint: Footprint, next_course: Course, stride: int) -> Placement:
    left, top, right, bottom = footprint[:4]
    cells = rectangle(right - left, bottom - top, stride) << stride + 1
    clearance = rectangle(right - left + 2, bottom - top + 2, stride)
    return Placement(
        left,
        top,
        right,
        bottom,
        footprint.x,
        footprint.y,
        COURSES.index(next_course),
        cells,
        clearance,
        footprint,
    )


def _plain_placements(course: Course) -> list[tuple[Footprint, Course]]:
    """Return placements of a plain tile: a run prefers straight on, a step prefers to turn.

    As a last resort a line leaves a double through its short end.
    """
    straight = _straight(course), course._replace(after_double=False)
    turned = _turned(course), course.turned()
    result = [straight, turned] if course.running else [turned, straight]
    if course.after_double:
        (dx, dy), (tx, ty) = course.ahead, course.aside
        short_end = 2 * tx - dx, 2 * ty - dy
        result += [
            (footprint.moved(*short_end), next_course)
            for footprint, next_course in _plain_placements(course.turned())
        ]
    return result


def _double_placements(course: Course) -> list[tuple[Footprint, Course]]:
    """Return placements of a double: across the line or, at an edge, turned like a plain tile."""
    return [(_across(course), course._replace(after_double=True)), (_turned(course), course.turned())]


def _straight(course: Course) -> Footprint:
    """Return the footprint of a tile along the line."""
    dx, dy = course.ahead
    return footprint_of((dx, dy), (3 * dx, 3 * dy), (4 * dx, 4 * dy), (dx, dy))


def _across(course: Course) -> Footprint:
    """Return the footprint of a double across the line, which continues from its middle."""
    (dx, dy), (tx, ty) = course.ahead, course.aside
    return footprint_of((dx - tx, dy - ty), (dx + tx, dy + ty), (2 * dx, 2 * dy), (dx, dy))


def _turned(course: Course) -> Footprint:
    """Return the footprint of a turn: the near half continues the line, the far half points to the turn.

    After a double the tile is shifted by half a tile's width, so that it touches one half of the double only.
    """
    (dx, dy), (tx, ty) = course.ahead, course.aside
    moved = 1 if course.after_double else 0
    near = dx + moved * tx, dy + moved * ty
    far = near[0] + 2 * tx, near[1] + 2 * ty
    return footprint_of(near, far, (far[0] + tx, far[1] + ty), (tx, ty))


def footprint_of(
    near: tuple[int, int], far: tuple[int, int], out: tuple[int, int], toward: tuple[int, int]
) -> Footprint:
    left, right = sorted((near[0], far[0]))
    top, bottom = sorted((near[1], far[1]))
    return Footprint(left - 1, top - 1, right + 1, bottom + 1, near, far, *out, *toward)
