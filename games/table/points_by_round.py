"""The points of a match by round, the newest first, for one table that scrolls."""

from collections.abc import Sequence
from operator import sub
from typing import NamedTuple

from django.utils.safestring import SafeString

from games.table.panels import SideScore


class SideByRound(NamedTuple):
    """The points of a side in each round, and their sum."""

    mark: SafeString
    names: str
    gained: tuple[int, ...]
    score: int


class PointsByRound(NamedTuple):
    """The numbers of the rounds and what each side gained in them, both with the newest round first."""

    numbers: tuple[int, ...]
    sides: tuple[SideByRound, ...]


def count_points_by_round(
    side_scores: Sequence[SideScore], scores: Sequence[Sequence[int]]
) -> PointsByRound | None:
    """Return the points by round from the `scores` after each; None for a single one, whose points are the score."""
    if len(scores) < 2:
        return None
    before = [(0,) * len(side_scores), *scores]
    gains = [tuple(map(sub, now, then)) for now, then in zip(scores, before, strict=False)]
    return PointsByRound(
        tuple(range(len(scores), 0, -1)),
        tuple(
            [
                SideByRound(
                    side.mark, side.names, tuple([gain[number] for gain in reversed(gains)]), side.score
                )
                for number, side in enumerate(side_scores)
            ]
        ),
    )
