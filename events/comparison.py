"""Compare the margins of a round with the field's: pure arithmetic without models.

>>> field = Field([[5, 10], [5, 0], [-5]], rounds=2)
>>> [field.compute_percent(0, margin) for margin in (5, -5)]
[75.0, 0.0]
>>> field.compute_percents([5, 10]), field.compute_score([5, 10], is_final=True)
([75.0, 100.0], 87.5)
"""

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from statistics import fmean, median

SAME_SCORE = 1e-9  # the same percentages, added up in another order, differ by less


class Field:
    """The margins of those who count, by round; each is compared with the others who played the round."""

    def __init__(self, margins: Sequence[Sequence[int]], rounds: int) -> None:
        self.rounds = rounds
        self._by_round = [
            sorted(each[number] for each in margins if number < len(each)) for number in range(rounds)
        ]

    def compute_percent(self, number: int, margin: int, *, is_member: bool = True) -> float | None:
        """Return 100 · (beaten + ties / 2) / others in round `number` (from 0); None while nobody else played it.

        `is_member` says whether the margin is one of the field's own.
        """
        margins = self._by_round[number]
        others = len(margins) - is_member
        if not others:
            return None
        beaten = bisect_left(margins, margin)
        ties = bisect_right(margins, margin) - beaten - is_member
        return 100 * (beaten + ties / 2) / others

    def compute_percents(self, margins: Sequence[int], *, is_member: bool = True) -> list[float | None]:
        """Return the percentages of the rounds that these margins are from."""
        return [self.compute_percent(n, margin, is_member=is_member) for n, margin in enumerate(margins)]

    def compute_score(
        self, margins: Sequence[int], *, is_member: bool = True, is_final: bool = False
    ) -> float | None:
        """Return the mean percentage, 0 to 100; once it `is_final`, rounds not played count 0.

        Return None while there is nothing to compare.
        """
        percents = [each for each in self.compute_percents(margins, is_member=is_member) if each is not None]
        if is_final:
            percents += [0.0] * (self.rounds - len(margins))
        return fmean(percents) if percents else None

    def find_middle(self, number: int) -> float | None:
        """Return the median margin of a round."""
        return median(self._by_round[number]) if self._by_round[number] else None

    def find_best(self, number: int) -> int | None:
        """Return the largest margin of a round."""
        return self._by_round[number][-1] if self._by_round[number] else None


def compute_margin(gained: Sequence[int], side: int, *, lowest_wins: bool) -> int:
    """Return the side's points of a round less the best other side's; where the lowest wins, the other way round."""
    others = [points for other, points in enumerate(gained) if other != side]
    return min(others) - gained[side] if lowest_wins else gained[side] - max(others)


def find_rank(score: float, scores: Sequence[float]) -> int:
    """Return the place of a score among all scores, itself included; equal ones share a place.

    >>> find_rank(50.0, [70.0, 50.000000000001, 50.0])
    2
    """
    return 1 + sum(other - score > SAME_SCORE for other in scores)
