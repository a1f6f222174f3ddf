"""One arm of the line of play, tile by tile (docs/board.md, rules 1, 2, 6 and 7).

All arms are one figure turned by quarters, so an arm is laid here as if it ran east: first along the x axis,
stepping south (y down), running back west, stepping south again, and so on. Lengths are integers, in halves of
a tile's width: a tile is 2 by 4, and two tiles that do not touch are at least 1 apart, more than the 0.3
tile widths that rule 6 wants between them.

Where the tiles come to lie depends on nothing but their kinds. That makes arms worth remembering: every arm
is its predecessor and one tile more.
"""

from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from .figures import COURSES, Course, Footprint, Way, ways

# The kinds of a tile: a double, a plain tile, and one after which no double can come since the double of its
# open suit already lies elsewhere.
DOUBLE, PLAIN, NO_DOUBLE_NEXT = "d", "p", "n"

# What may come next, as far as a footprint is chosen with it in mind: no double or one, sooner or later.
_SAMPLES = ("ppp", "pdp", "ppd")
SAMPLES = {PLAIN: (*_SAMPLES, "dpp"), NO_DOUBLE_NEXT: _SAMPLES, DOUBLE: _SAMPLES}

# Rule 2: how far an arm stays beyond the middle of the board, 1.3 and 0.8 tile widths on the grid of halves.
CLEAR_OF_MIDDLE, BESIDE_MIDDLE = 3, 2
# The first run's doubles reach so far to both sides; nothing else reaches farther north.
FIRST_RUN = 2


class Room(NamedTuple):
    """What an arm may use.

    along, across  how far the frame reaches from the middle, each way
    branching      whether four arms share the board, or two
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
        """The cells in a row of the grid of all footprints, with one more at either side."""
        return 2 * self.along + 2


class Outlet(NamedTuple):
    """Where an arm goes on.

    x, y    where the next tile joins
    course  how the line goes on, an index of COURSES
    taken   the cells of the tiles that the next one must stay clear of: all but the last
    last    the cells of the last one
    """

    x: int
    y: int
    course: int
    taken: int
    last: int


class Arm(NamedTuple):
    """An arm so far: its tiles from the middle outward, and where it goes on."""

    footprints: tuple[Footprint, ...]
    outlet: Outlet


@lru_cache(maxsize=1 << 13)
def laid(room: Room, kinds: str) -> Arm | None:
    """The arm of tiles of these kinds, outward from the middle; None when they do not fit the room."""
    if not kinds:
        return Arm((), Outlet(room.start, 0, COURSES.index(Course(1, True, room.from_double)), 0, 0))
    before = laid(room, kinds[:-1])
    return before and _extended(room, before, kinds[-1])


@lru_cache(maxsize=1 << 13)
def has_room(room: Room, kinds: str) -> bool:
    """Whether the arm has room for the next tile, whichever may come, and always had: so that the frame that
    holds a line is never smaller than the one that held its beginning."""
    if kinds and not has_room(room, kinds[:-1]):
        return False
    arm = laid(room, kinds)
    wanted = (False, True) if kinds[-1:] in ("", PLAIN) else (False,)
    return arm is not None and all(any(_free(room, arm.outlet, double)) for double in wanted)


def _extended(room: Room, arm: Arm, kind: str) -> Arm | None:
    """The arm with one tile more; None when there is no room for it.

    The footprint is the first from which all samples of what may come next can be laid, else the one from which
    most of their tiles can. (Rule 7 with three tiles in view instead of two: a few more boards stay large.)
    """
    samples = SAMPLES[kind]
    enough = sum(map(len, samples))
    best, most = None, -1
    for way, outlet in _free(room, arm.outlet, kind == DOUBLE):
        reached = sum(_reach(room, outlet, sample) for sample in samples)
        if reached > most:
            best, most = (
                Arm((*arm.footprints, way.footprint.moved(arm.outlet.x, arm.outlet.y)), outlet),
                reached,
            )
        if reached == enough:
            break
    return best


def _reach(room: Room, outlet: Outlet, kinds: str) -> int:
    """How many tiles of these kinds can be laid at most."""
    most = 0
    for _, further in _free(room, outlet, kinds[0] == DOUBLE):
        most = max(most, 1 + (_reach(room, further, kinds[1:]) if len(kinds) > 1 else 0))
        if most == len(kinds):
            break
    return most


def _free(room: Room, outlet: Outlet, double: bool) -> Iterator[tuple[Way, Outlet]]:
    """The ways in which the next tile may lie, the preferred one first, and where the arm goes on then."""
    along, across, branching, _, _ = room
    at_x, at_y, course, taken, last = outlet
    stride = 2 * along + 2
    for way in ways(stride)[course][double]:
        left, top, right, bottom, x, y, then, cells, around, _ = way
        left, top, bottom = at_x + left, at_y + top, at_y + bottom
        if left < -along or at_x + right > along or bottom > across or top < -FIRST_RUN:
            continue
        # Rule 2: the part of the board that is this arm's own, so that no two arms can meet.
        if branching:
            if left < (1 if bottom <= FIRST_RUN else CLEAR_OF_MIDDLE):
                continue
        elif top < CLEAR_OF_MIDDLE and left < (1 if bottom <= FIRST_RUN else BESIDE_MIDDLE):
            continue
        corner = (top + FIRST_RUN) * stride + left + along
        if taken & around << corner:
            continue
        yield way, Outlet(at_x + x, at_y + y, then, taken | last, cells << corner)
