"""Elo as described in docs/ratings.md, in pure functions. A match changes ratings as they were before it."""

from collections.abc import Sequence
from typing import NamedTuple

START = 1500.0
FLOOR = 100.0
PROVISIONAL = 30  # rated matches
MASTER = 2200.0
SEASONED = 20  # rated matches


class Player(NamedTuple):
    """A rating before the match, its K, whether the player left the match, and how much the match weighs for it."""

    rating: float
    k: int
    left: bool = False
    weight: float = 1.0


def k_factor(matches: int, reached_master: bool) -> int:
    """40 for the first PROVISIONAL rated matches, 10 once MASTER was reached, else 20."""
    if matches < PROVISIONAL:
        return 40
    return 10 if reached_master else 20


def weight(matches: int, opponents: int) -> float:
    """How much a match changes somebody with this many rated matches; `opponents` are those of the opponent with the
    fewest. New opponents say little about the seasoned, and are easily made."""
    return 1.0 if matches < SEASONED else min(1.0, opponents / SEASONED)


def expected(a: float, b: float) -> float:
    """The expected score of a player rated `a` against `b`; differences count up to 400."""
    difference = max(-400.0, min(400.0, b - a))
    return 1 / (1 + 10 ** (difference / 400))


def changes(sides: Sequence[Sequence[Player]], ranks: Sequence[int]) -> list[list[float]]:
    """The change of each player, side by side; `ranks` from 1, equal where sides tie.

    Sides of one player each are compared with every other side; for pairs the mean ratings are compared, and each
    member changes by their own K. Where no side has the first rank, as when somebody left each of two pairs, all have
    lost.
    """
    means = [sum(player.rating for player in side) / len(side) for side in sides]
    result = []
    for i, side in enumerate(sides):
        others = [j for j in range(len(sides)) if j != i]
        scored = sum(_score(ranks[i], ranks[j]) for j in others) if 1 in ranks else 0.0
        surplus = (scored - sum(expected(means[i], means[j]) for j in others)) / len(others)
        result.append([_change(player, side, surplus) for player in side])
    return result


def _change(player: Player, side: Sequence[Player], surplus: float) -> float:
    if surplus < 0 and not player.left and any(partner.left for partner in side):
        return 0.0  # the partner who stayed loses nothing
    return max(FLOOR, player.rating + player.k * player.weight * surplus) - player.rating


def _score(mine: int, other: int) -> float:
    return 1.0 if mine < other else 0.5 if mine == other else 0.0
