"""Value of scores: the lead in points, or the chance to win the match.

A round is modelled as a step of a random walk. Its pace depends on the rules, so it is measured once for each table
by playing out a few random deals.
"""

from collections.abc import Sequence
from functools import lru_cache
from math import exp, sqrt
from random import Random
from statistics import pstdev
from typing import NamedTuple

from boneyard.engine.full_playout import playout_class
from boneyard.engine.options import MAX_ROUNDS
from boneyard.engine.terms import Terms
from boneyard.engine.tiles import SET_SIZES, mask_of

from .greedy import greedy_policy

_SAMPLE_ROUNDS = 40
# A lead just below the target is still not a certain win.
_MIN_ROUNDS_LEFT = 0.4
# Scale of the logistic curve closest to the normal distribution.
_LOGISTIC = 1.7


class Pace(NamedTuple):
    """The mean points of a side in a round, and the standard deviation of the difference of two sides."""

    points: float
    spread: float


@lru_cache(maxsize=256)
def measure_pace(terms: Terms) -> Pace:
    """Measure the pace of this table in rounds played out by the greedy policy."""
    rng = Random(1)  # noqa: S311 - repeatable on purpose
    scores = [_play_random_round(terms, rng) for _ in range(_SAMPLE_ROUNDS)]
    differences = [one - other for one, other, *_ in scores]
    return Pace(
        max(sum(map(sum, scores)) / len(terms.sides) / _SAMPLE_ROUNDS, 0.1), max(pstdev(differences), 0.5)
    )


def _play_random_round(terms: Terms, rng: Random) -> list[int]:
    tiles = list(range(SET_SIZES[terms.rules.set]))
    rng.shuffle(tiles)
    size, dealt = terms.hand_size, terms.hand_size * terms.seats
    playout = playout_class(terms)(
        terms,
        hands=[mask_of(tiles[start : start + size]) for start in range(0, dealt, size)],
        boneyard=tiles[dealt:],
        layout=None,
        turn=rng.randrange(terms.seats),
        scores=[0] * len(terms.sides),
    )
    greedy_policy(terms).play_out(playout)
    return playout.scores


class PointLead:
    """Evaluates scores for one side: its lead in points over the mean of the others."""

    def __init__(self, terms: Terms, side: int) -> None:
        self._side = side
        self._sign = -1 if terms.rules.lowest_wins else 1

    def __call__(self, scores: Sequence[float]) -> float:
        own = scores[self._side]
        return self._sign * (own - (sum(scores) - own) / (len(scores) - 1))


class WinChance:
    """Evaluates scores at the end of a round for one side: its probability, 0 to 1, to win the match.

    `rounds_left` is the number of rounds that the match has after this one at the most.
    """

    def __init__(self, terms: Terms, side: int, gone: frozenset[int], rounds_left: int = MAX_ROUNDS) -> None:
        self._rules = terms.rules
        self._winning_score = terms.winning_score
        self._rounds_left = rounds_left
        self._side = side
        self._staying = terms.staying(gone)
        self._pace = measure_pace(terms)

    def __call__(self, scores: Sequence[float]) -> float:
        rules, staying = self._rules, self._staying
        if self._side not in staying:
            return 0.0
        sign = -1 if rules.lowest_wins else 1
        leading = max(scores[side] for side in staying)
        if leading >= self._winning_score or not self._rounds_left:
            best = max(sign * scores[side] for side in staying)
            winners = [side for side in staying if sign * scores[side] == best]
            return 1 / len(winners) if self._side in winners else 0.0
        to_target = max((self._winning_score - leading) / self._pace.points, _MIN_ROUNDS_LEFT)
        rounds = min(to_target, self._rounds_left)
        scale = sign * _LOGISTIC / (self._pace.spread * sqrt(rounds))
        own = scores[self._side]
        return 1 / sum(exp(min((scores[side] - own) * scale, 50.0)) for side in staying)
