"""Boxes that are clear of others, for what stands beside tiles: chips, the flash, a word (docs/board.md, rule 9)."""

from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from itertools import product
from typing import NamedTuple

# Between what stands beside a tile and any tile.
GAP = 0.06


class Box(NamedTuple):
    """A rectangle by its middle and its half-width and half-height, in tile widths."""

    x: float
    y: float
    half_width: float
    half_height: float

    def overlaps(self, others: Iterable["Box"], gap: float = 0.0) -> bool:
        """Whether less than `gap` is between it and one of the others."""
        x, y, half_width, half_height = self
        half_width, half_height = half_width + gap, half_height + gap
        for other_x, other_y, other_half_width, other_half_height in others:
            if (
                abs(x - other_x) < half_width + other_half_width
                and abs(y - other_y) < half_height + other_half_height
            ):
                return True
        return False

    def within(self, half_width: float, half_height: float) -> bool:
        """Whether it lies inside a frame around the middle of the board."""
        return abs(self.x) + self.half_width <= half_width and abs(self.y) + self.half_height <= half_height


def first_clear(candidates: Iterable[Box], taken: Sequence[Box], frame: tuple[float, float]) -> Box | None:
    """The first box that lies in the frame (half-width, half-height) and clear of all that is taken."""
    for box in candidates:
        if box.within(*frame) and not box.overlaps(taken, GAP):
            return box
    return None


def around(x: float, y: float, half_width: float, half_height: float, step: float) -> Iterator[Box]:
    """Boxes of this size around a point, the nearest first: at most 16 steps away."""
    return (Box(x + step * dx, y + step * dy, half_width, half_height) for dx, dy in _offsets())


@cache
def _offsets() -> tuple[tuple[int, int], ...]:
    steps = range(-16, 17)
    return tuple(sorted(product(steps, steps), key=lambda offset: (offset[0] ** 2 + offset[1] ** 2, offset)))
