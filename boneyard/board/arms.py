"""Lay out one arm of the line of play, tile by tile (docs/board.md, rules 1, 2, 6 and 7).

All arms have the same shape, rotated by quarters, so an arm is laid out as if it ran east: first along the x axis,
then a step south (y down), a run west, another step south, and so on. Lengths are integers in halves of a tile's
width: a tile is 2 by 4, and tiles that do not touch are at least 1 apart (rule 6 requires 0.3 tile widths).

The layout depends on the kinds of the tiles only, so arms are cached: each is its predecessor plus one tile.
"""

from functools import lru_cache
from typing import NamedTuple

from .footprints import COURSES, Course, Footprint, Placement, placements

# The kinds of a tile: a double, a plain tile, and a plain tile that no double can follow because the double of its
# open suit has been laid elsewhere.
DOUBLE, PLAIN, NO_DOUBLE_NEXT = "d", "p", "n"

# Kinds of the next three tiles that the choice of a footprint provides for: at most one double.
_FOLLOWING_KINDS = ("ppp", "pdp", "ppd")
FOLLOWING_KINDS = {
    PLAIN: (*_FOLLOWING_KINDS, "dpp"),
    NO_DOUBLE_NEXT: _FOLLOWING_KINDS,
    DOUBLE: _FOLLOWING_KINDS,
}

# Rule 2: distance of an arm from the middle of the board: 1.3 and 0.8 tile widths, rounded to halves.
CLEAR_OF_MIDDLE, BESIDE_MIDDLE = 3, 2
# Reach of the first run's doubles to both sides; no other tile reaches farther north.
FIRST_RUN_REACH = 2


class Room(NamedTuple):
    """The space that an arm may use.

    along, across  reach of the frame from the middle, in each direction
    branching      whether four arms share the board instead of two
    start          where the arm leaves the middle
    from_double    whether it leaves a double's long side
    """

    along: int
    across: int
    branching: bool
    start: int
    from_double: bool

    @property
    def stride(self) -> int:
        """Return the number of cells in a grid row, with one extra on each side."""
        return 2 * self.along + 2


class Outlet(NamedTuple):
    """The point where an arm continues.

    x, y    where the next tile joins
    course  how the line continues, an index of COURSES
    taken   cells that the next tile must stay clear of: those of all tiles but the last
    last    cells of the last tile
    """

    x: int
    y: int
    course: int
    taken: int
    last: int


class Arm(NamedTuple):
    """The tiles of an arm from the middle outward, and where it continues."""

    footprints: tuple[Footprint, ...]
    outlet: Outlet


@lru_cache(maxsize=1 << 13)
def build_arm(room: Room, kinds: str) -> Arm | None:
    """Return the arm of tiles of these kinds, from the middle outward; None if they do not fit the room."""
    if not kinds:
        return Arm((), Outlet(room.start, 0, COURSES.index(Course(1, True, room.from_double)), 0, 0))
    before = build_arm(room, kinds[:-1])
    return before and _extended(room, before, kinds[-1])


@lru_cache(maxsize=1 << 13)
def has_room(room: Room, kinds: str) -> bool:
    """Return whether the arm has room for any next tile, and had at every earlier length.

    Thus the frame of a line is never smaller than that of its beginning.
    """
    if kinds and not has_room(room, kinds[:-1]):
        return False
    arm = build_arm(room, kinds)
    wanted = (False, True) if kinds[-1:] in ("", PLAIN) else (False,)
    return arm is not None and all([_open_placements(room, arm.outlet, double) for double in wanted])


def _extended(room: Room, arm: Arm, kind: str) -> Arm | None:
    """Return the arm with one more tile; None if there is no room for it.

    Take the first footprint after which all `FOLLOWING_KINDS` fit, else the one after which most of their tiles fit
    (rule 7, looking three tiles ahead instead of two, which keeps a few more boards large).
    """
    samples = FOLLOWING_KINDS[kind]
    enough = sum(map(len, samples))
    best, most = None, -1
    for placement, outlet in _open_placements(room, arm.outlet, kind == DOUBLE):
        reached = sum([_count_fitting(room, outlet, sample) for sample in samples])
        if reached > most:
            best, most = (
                Arm((*arm.footprints, placement.footprint.moved(arm.outlet.x, arm.outlet.y)), outlet),
                reached,
            )
        if reached == enough:
            break
    return best


def _count_fitting(room: Room, outlet: Outlet, kinds: str) -> int:
    """Return the maximum number of tiles of these kinds that fit."""
    most = 0
    for _, further in _open_placements(room, outlet, kinds[0] == DOUBLE):
        most = max(most, 1 + (_count_fitting(room, further, kinds[1:]) if len(kinds) > 1 else 0))
        if most == len(kinds):
            break
    return most


# Cache: key the arguments; bound 1,024; invalidated by nothing. Looking ahead, three tiles for each new one, asks for
# the same outlets again.
@lru_cache(maxsize=1 << 10)
def _open_placements(room: Room, outlet: Outlet, double: bool) -> tuple[tuple[Placement, Outlet], ...]:
    """Return the possible placements of the next tile, preferred ones first, with the outlet after each."""
    along, across, branching, _, _ = room
    at_x, at_y, course, taken, last = outlet
    stride = 2 * along + 2
    found = []
    for placement in placements(stride)[course][double]:
        left, top, right, bottom, x, y, next_course, cells, clearance, _ = placement
        left, top, bottom = at_x + left, at_y + top, at_y + bottom
        if left < -along or at_x + right > along or bottom > across or top < -FIRST_RUN_REACH:
            continue
        # Rule 2: each arm keeps to its own part of the board, so arms never meet.
        if branching:
            if left < (1 if bottom <= FIRST_RUN_REACH else CLEAR_OF_MIDDLE):
                continue
        elif top < CLEAR_OF_MIDDLE and left < (1 if bottom <= FIRST_RUN_REACH else BESIDE_MIDDLE):
            continue
        corner = (top + FIRST_RUN_REACH) * stride + left + along
        if taken & clearance << corner:
            continue
        found.append((placement, Outlet(at_x + x, at_y + y, next_course, taken | last, cells << corner)))
    return tuple(found)
