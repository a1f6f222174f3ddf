"""Find free boxes for chips, the flash and labels beside tiles (docs/board.md, rule 9)."""

from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from itertools import product
from typing import NamedTuple

# Minimum distance between a label and any tile, in tile widths.
MIN_GAP = 0.06


class Box(NamedTuple):
    """A rectangle by its middle and its half-width and half-height, in tile widths."""

    x: float
    y: float
    half_width: float
    half_height: float


def first_clear(candidates: Iterable[Box], taken: Sequence[Box], frame: tuple[float, float]) -> Box | None:
    """Return the first box inside the frame (half-width, half-height) that overlaps none of `taken`."""
    frame_width, frame_height = frame
    taken = list(taken)
    for box in candidates:
        x, y, half_width, half_height = box
        if abs(x) + half_width > frame_width or abs(y) + half_height > frame_height:
            continue
        across, down = half_width + MIN_GAP, half_height + MIN_GAP
        # Hot loop, hundreds of boxes per move: no calls, and the last obstacle first, which mostly blocks the next box
        # too.
        for place, (other_x, other_y, other_width, other_height) in enumerate(taken):
            wide, high = across + other_width, down + other_height
            if -wide < other_x - x < wide and -high < other_y - y < high:
                taken.insert(0, taken.pop(place))
                break
        else:
            return box
    return None


def boxes_around(x: float, y: float, half_width: float, half_height: float, step: float) -> Iterator[Box]:
    """Yield boxes of this size around a point, the nearest first, at most 16 steps away."""
    return (Box(x + step * dx, y + step * dy, half_width, half_height) for dx, dy in _offsets())


@cache
def _offsets() -> tuple[tuple[int, int], ...]:
    steps = range(-16, 17)
    return tuple(sorted(product(steps, steps), key=lambda offset: (offset[0] ** 2 + offset[1] ** 2, offset)))
