"""What scores are worth: the chance to win the match from them.

A round is taken for a step of a random walk whose pace depends on the rules, so it is measured once for each
table: a few rounds are played out from deals by lot.
"""

from collections.abc import Sequence
from functools import lru_cache
from math import exp, sqrt
from random import Random
from statistics import pstdev
from typing import NamedTuple

from games.engine.house_playout import kind_of
from games.engine.terms import Terms
from games.engine.tiles import SET_SIZES, mask_of

from .greedy import greedy

_ROUNDS = 40
# Even before the last rounds nothing is certain.
_FEWEST_ROUNDS = 0.4
# The logistic curve nearest to the normal distribution.
_LOGISTIC = 1.7


class Pace(NamedTuple):
    """How a round goes: the mean points of a side, and the standard deviation of two sides' difference."""

    points: float
    spread: float


@lru_cache(maxsize=256)
def pace(terms: Terms) -> Pace:
    """The pace of this table, from rounds played out by the greedy policy."""
    rng = Random(1)  # noqa: S311 - repeatable on purpose
    scores = [_round_by_lot(terms, rng) for _ in range(_ROUNDS)]
    differences = [made[0] - made[1] for made in scores]
    return Pace(max(sum(map(sum, scores)) / len(terms.sides) / _ROUNDS, 0.1), max(pstdev(differences), 0.5))


def _round_by_lot(terms: Terms, rng: Random) -> list[int]:
    tiles = list(range(SET_SIZES[terms.rules.set]))
    rng.shuffle(tiles)
    size, dealt = terms.hand_size, terms.hand_size * terms.seats
    playout = kind_of(terms)(
        terms,
        hands=[mask_of(tiles[start : start + size]) for start in range(0, dealt, size)],
        boneyard=tiles[dealt:],
        layout=None,
        turn=rng.randrange(terms.seats),
        scores=[0] * len(terms.sides),
    )
    greedy(terms).play_out(playout)
    return playout.scores


class Points:
    """The worth of scores to one side: its lead in points over the mean of the others."""

    def __init__(self, terms: Terms, side: int) -> None:
        self._side = side
        self._sign = -1 if terms.rules.lowest_wins else 1

    def __call__(self, scores: Sequence[int]) -> float:
        own = scores[self._side]
        return self._sign * (own - (sum(scores) - own) / (len(scores) - 1))


class Chance:
    """The worth of scores at the end of a round to one side: how likely it is to win the match, 0 to 1."""

    def __init__(self, terms: Terms, side: int, gone: frozenset[int]) -> None:
        self._rules = terms.rules
        self._side = side
        self._staying = terms.staying(gone)
        self._pace = pace(terms)

    def __call__(self, scores: Sequence[int]) -> float:
        rules, staying = self._rules, self._staying
        if self._side not in staying:
            return 0.0
        sign = -1 if rules.lowest_wins else 1
        leading = max(scores[side] for side in staying)
        if leading >= rules.target:
            best = max(sign * scores[side] for side in staying)
            winners = [side for side in staying if sign * scores[side] == best]
            return 1 / len(winners) if self._side in winners else 0.0
        rounds = max((rules.target - leading) / self._pace.points, _FEWEST_ROUNDS)
        scale = sign * _LOGISTIC / (self._pace.spread * sqrt(rounds))
        own = scores[self._side]
        return 1 / sum(exp(min((scores[side] - own) * scale, 50.0)) for side in staying)
