"""The points of a match by round, broken into lines for the result sheet."""

from collections.abc import Iterator, Sequence
from math import ceil
from typing import NamedTuple

from django.utils.safestring import SafeString

# As many rounds as the result sheet is wide, of points below and from 100.
ROUNDS_IN_LINE, LONG_ROUNDS_IN_LINE = 6, 5
MAX_SHORT_POINTS = 99


class SideByRound(NamedTuple):
    """The points of a side in each round, and their sum."""

    mark: SafeString
    names: str
    gained: tuple[int, ...]
    score: int


class RoundsInLine(NamedTuple):
    """Rounds that stand beside each other: their numbers, each side with its points, how many fewer than above."""

    numbers: tuple[int, ...]
    sides: tuple[tuple[SideByRound, tuple[int, ...]], ...]
    missing: int


def break_rounds(sides: Sequence[SideByRound]) -> Iterator[RoundsInLine]:
    """Break the rounds of a match into lines of about the same length."""
    played = len(sides[0].gained)
    is_long = any(points > MAX_SHORT_POINTS for side in sides for points in side.gained)
    lines = ceil(played / (LONG_ROUNDS_IN_LINE if is_long else ROUNDS_IN_LINE))
    length = ceil(played / lines)
    for first in range(0, played, length):
        rows = tuple((side, side.gained[first : first + length]) for side in sides)
        numbers = tuple(range(first + 1, first + 1 + len(rows[0][1])))
        yield RoundsInLine(numbers, rows, length - len(numbers))
