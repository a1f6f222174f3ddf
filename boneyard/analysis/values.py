"""Value a position with all tiles known: each side's chance to win the match, and its lead in points.

A value is the mean over play-outs of the round, so it does not depend on how well anybody has played or will play.
"""

from collections.abc import Callable, Sequence
from random import Random
from typing import NamedTuple

from boneyard.computer.evaluation import PointLead, WinChance
from boneyard.computer.greedy import careful_policy
from boneyard.engine import rounds
from boneyard.engine.dealing import deal
from boneyard.engine.full_playout import playout_from_match
from boneyard.engine.matches import Match
from boneyard.engine.moves import Move
from boneyard.engine.playout import Playout
from boneyard.engine.shuffle import Keys
from boneyard.engine.terms import Terms

_OTHER_DEALS = 300  # for the value before a deal
_PLAYOUTS = 200  # of a position
_RANDOM_MOVE_SHARE = 0.15  # a deterministic policy would play a position out in one way only
CHANCE_DIGITS, POINTS_DIGITS = 4, 2  # of measured values


class Value(NamedTuple):
    """By side: the chance to win the match, and the lead in points over the mean of the others.

    A lead is positive for the better side, also where the lowest score wins. The chances add up to 1, the leads to 0.
    """

    chances: tuple[float, ...]
    points: tuple[float, ...]

    def as_dict(self) -> dict[str, list[float]]:
        return {"chances": list(self.chances), "points": list(self.points)}


def start_value(sides: int) -> Value:
    """Return the value before the first deal: all sides are equal."""
    return Value((1 / sides,) * sides, (0.0,) * sides)


def final_value(match: Match) -> Value | None:
    """Return the value of the result; None if nobody has won. Sides that share the victory share its chance."""
    assert match.result is not None
    winners = match.result.winners
    if not winners:
        return None
    return Value(
        tuple((side in winners) / len(winners) for side in match.terms.all_sides),
        tuple(PointLead(match.terms, side)(match.scores) for side in match.terms.all_sides),
    )


class Valuer:
    """Values positions of one match. The same seed and calls give the same values."""

    def __init__(self, seed: str) -> None:
        self._rng = Random(f"values {seed}")  # noqa: S311 - repeatable on purpose

    def value(self, match: Match) -> Value:
        """Return the value of the match as it stands, its boneyard's order included."""
        if match.result is not None:
            return final_value(match) or start_value(len(match.sides))
        if match.turn is None:  # the round is over, and its last play can still be called
            # The record of a match that ends here has no key for the next round: any will do.
            any_keys = _keys_for_round(match.round.number + 1, self._rng)
            return self.value_between_rounds(match._replace(keys=any_keys).after_calls())
        return self._mean_value(match, _PLAYOUTS, lambda: match)

    def value_between_rounds(self, match: Match) -> Value:
        """Return the value before the deal of the round that this match has just begun, or of its result."""
        if match.result is not None:
            return self.value(match)
        return self._mean_value(match, _OTHER_DEALS, lambda: another_deal(match, self._rng))

    def _mean_value(self, match: Match, playouts: int, start: Callable[[], Match]) -> Value:
        terms = match.terms
        left = terms.max_rounds - match.round.number
        chances = [WinChance(terms, side, match.gone, left) for side in terms.all_sides]
        leads = [PointLead(terms, side) for side in terms.all_sides]
        ended = [_scores(playout_from_match(start()), self._rng) for _ in range(playouts)]
        return _value([_mean(chance, ended) for chance in chances], [_mean(lead, ended) for lead in leads])


def another_deal(match: Match, rng: Random) -> Match:
    """Return the match with its round dealt again, at the same scores and with the same right to lead."""
    keys = _keys_for_round(match.round.number, rng)
    add_deal = deal(match.terms, keys, "", match.gone, match.ended[-1] if match.ended else None)
    begun = rounds.begin(match.terms, add_deal, match.gone)
    return match._replace(round=begun, turn=begun.turn)


def _keys_for_round(number: int, rng: Random) -> Keys:
    return Keys([bytes(32)] * number + [rng.randbytes(32)])


def _scores(playout: Playout, rng: Random) -> list[int]:
    terms = playout.terms
    policy = careful_policy(terms)
    if not _has_single_moves(terms):
        policy.play_out(playout)
        return playout.scores
    by_policy, chance = policy.move, rng.random

    def choose(moves: tuple[Move, ...]) -> Move:
        return moves[int(chance() * len(moves))] if chance() < _RANDOM_MOVE_SHARE else by_policy(playout)

    return playout.run(choose)


def _has_single_moves(terms: Terms) -> bool:
    """Return whether the policy decides move by move: it compares ends or lays several tiles in some games."""
    return not (terms.matching or terms.many_ends or terms.two_doubles)


def _mean(evaluate: Callable[[Sequence[int]], float], ended: Sequence[Sequence[int]]) -> float:
    return sum(map(evaluate, ended)) / len(ended)


def _value(chances: Sequence[float], points: Sequence[float]) -> Value:
    """Return the rounded value; the last side takes what rounding leaves, so that the sums stay 1 and 0."""
    return Value(_rounded(chances, 1, CHANCE_DIGITS), _rounded(points, 0, POINTS_DIGITS))


def _rounded(figures: Sequence[float], total: float, digits: int) -> tuple[float, ...]:
    first = [round(each, digits) for each in figures[:-1]]
    return (*first, round(total - sum(first), digits))
