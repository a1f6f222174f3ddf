"""Bit masks of grid cells, row by row."""

from functools import cache


@cache
def rectangle(width: int, height: int, stride: int) -> int:
    """Return the mask of a rectangle whose first cell is bit 0; a row of the grid has `stride` cells."""
    return sum((1 << width) - 1 << row * stride for row in range(height))
