"""Elo as described in docs/ratings.md, as pure functions. A match changes ratings as they were before it."""

from collections.abc import Sequence
from typing import NamedTuple

START_RATING = 1500.0
MIN_RATING = 100.0
MASTER_RATING = 2200.0
MAX_DIFFERENCE = 400.0  # rating points that count between two sides
PROVISIONAL_MATCHES = 30
UNDAMPED_MATCHES = (
    20  # of the player, below which all matches count in full, and of opponents who count in full
)
MIN_WEIGHT = 0.25


class Player(NamedTuple):
    """A rating before the match, its K, whether the player left the match, and the weight of the match for it."""

    rating: float
    k: int
    left: bool = False
    weight: float = 1.0


def k_factor(matches: int, reached_master: bool) -> int:
    """Return K after this many rated matches: 40 at first, then 20, or 10 once `MASTER_RATING` was reached."""
    if matches < PROVISIONAL_MATCHES:
        return 40
    return 10 if reached_master else 20


def weight(matches: int, opponents: int) -> float:
    """Return the weight of a match for a player with `matches` rated matches.

    `opponents` is the lowest number of rated matches of any opponent. New opponents say little about an experienced
    player, and are easily made.
    """
    return 1.0 if matches < UNDAMPED_MATCHES else max(MIN_WEIGHT, min(1.0, opponents / UNDAMPED_MATCHES))


def expected(a: float, b: float, scale: float = 1.0) -> float:
    """Return the expected score of a side rated `a` against one rated `b` in a match of this length scale."""
    difference = max(-MAX_DIFFERENCE, min(MAX_DIFFERENCE, b - a))
    return 1 / (1 + 10 ** (scale * difference / 400))


def find_opponents(sides_left: Sequence[bool], *, in_pairs: bool) -> list[list[int]]:
    """Return, by side, the sides that it is compared with; `sides_left` says which sides a player has left.

    Three or four for themselves: those who stayed are compared with each other, unless only one did.
    """
    every = range(len(sides_left))
    staying = [side for side in every if not sides_left[side]]
    stayed_together = not in_pairs and len(sides_left) > 2 and len(staying) > 1
    return [
        [other for other in (staying if stayed_together and side in staying else every) if other != side]
        for side in every
    ]


def changes(
    sides: Sequence[Sequence[Player]], ranks: Sequence[int], scale: float = 1.0
) -> list[list[dict[int, float]]]:
    """Return the change of each player by side, divided by opposing side; ratings may fall below `MIN_RATING`.

    `ranks` count from 1 and are equal where sides tie. Pairs are compared by their mean ratings, and members change by
    their own K. Where no side has the first rank, because a player left each of two pairs, all have lost.
    """
    means = [sum(player.rating for player in side) / len(side) for side in sides]
    opponents = find_opponents(
        [any(player.left for player in side) for side in sides], in_pairs=len(sides[0]) > 1
    )
    result = []
    for i, side in enumerate(sides):
        surplus = {
            j: (_score(ranks[i], ranks[j]) if 1 in ranks else 0.0) - expected(means[i], means[j], scale)
            for j in opponents[i]
        }
        result.append(
            [
                {j: player.k * scale * player.weight * surplus[j] / len(surplus) for j in surplus}
                for player in side
            ]
        )
    return result


def _score(own: int, other: int) -> float:
    return 1.0 if own < other else 0.5 if own == other else 0.0
