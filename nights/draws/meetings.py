"""How often entries have been partners and opponents, as the draws of a night say."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import combinations

Side = tuple[int, ...]
Sides = tuple[Side, ...]


def sorted_pair(one: int, other: int) -> tuple[int, int]:
    """Return the two numbers, the lower one first."""
    return (one, other) if one < other else (other, one)


def pairs_of(sides: Sequence[Side]) -> tuple[list[tuple[int, int]], list[tuple[int, int]]]:
    """Return the pairs of partners and the pairs of opponents at a table."""
    partners = [sorted_pair(*pair) for side in sides for pair in combinations(side, 2)]
    opponents = [
        sorted_pair(one, other) for left, right in combinations(sides, 2) for one in left for other in right
    ]
    return partners, opponents


@dataclass(slots=True)
class Meetings:
    """Counts by pair of numbers, the lower one first."""

    partners: Counter[tuple[int, int]] = field(default_factory=Counter)
    opponents: Counter[tuple[int, int]] = field(default_factory=Counter)

    @classmethod
    def of(cls, tables: Iterable[Sides]) -> Meetings:
        """Return the counts of these tables."""
        meetings = cls()
        for sides in tables:
            partners, opponents = pairs_of(sides)
            meetings.partners.update(partners)
            meetings.opponents.update(opponents)
        return meetings

    def count_repeats(self, tables: Iterable[Sides]) -> tuple[int, int]:
        """Return the sums that a draw keeps least: of partners who were partners, and of opponents who met."""
        partners = opponents = 0
        for sides in tables:
            together, against = pairs_of(sides)
            partners += sum(self.partners[pair] for pair in together)
            opponents += sum(self.opponents[pair] for pair in against)
        return partners, opponents
