"""Measure the luck of a match: each deal compared with the mean of other deals at the same scores.

The value of a deal, boneyard order included, is each side's chance to win the match, measured by playing the round
out with all tiles known. The difference to other deals has mean 0 by construction, so luck does not depend on how
well anybody played.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import sqrt
from random import Random

from boneyard.computer.evaluation import WinChance
from boneyard.computer.greedy import careful_policy
from boneyard.engine import rounds
from boneyard.engine.dealing import deal
from boneyard.engine.full_playout import playout_from_match
from boneyard.engine.matches import Match
from boneyard.engine.moves import Move
from boneyard.engine.playout import Playout
from boneyard.engine.shuffle import Keys
from boneyard.engine.terms import Terms

_DEALS = 300  # other deals to compare with, and play-outs of the deal itself
_RANDOM_MOVE_SHARE = 0.15  # a deterministic policy would play the same deal out in one way only


@dataclass(frozen=True)
class Luck:
    """Luck per side, as a chance to win the match; `error` is the standard error of each."""

    sides: tuple[float, ...]
    error: float

    @property
    def significant(self) -> list[float] | None:
        """Return the rounded figures, or None if none exceeds the standard error."""
        largest = max(map(abs, self.sides))
        return [round(each, 4) for each in self.sides] if largest > self.error else None


class Tally:
    """A running sum of luck over the deals of a match."""

    def __init__(self, sides: int, seed: str) -> None:
        self._sides = [0.0] * sides
        self._variance = 0.0
        self._rng = Random(f"luck {seed}")  # noqa: S311 - repeatable on purpose

    @property
    def luck(self) -> Luck:
        return Luck(tuple(self._sides), sqrt(self._variance))

    def add_deal(self, match: Match) -> None:
        """Add the deal of the round that this match has just begun."""
        ours = self._play_out(match, lambda: match)
        others = self._play_out(match, lambda: another_deal(match, self._rng))
        for side in range(len(self._sides)):
            self._sides[side] += _mean(ours, side) - _mean(others, side)
        self._variance += (_variance(ours) + _variance(others)) / _DEALS

    def _play_out(self, match: Match, start: Callable[[], Match]) -> list[list[float]]:
        chances = [WinChance(match.terms, side, match.gone) for side in match.terms.all_sides]
        outcomes = []
        for _ in range(_DEALS):
            scores = _scores(playout_from_match(start()), self._rng)
            outcomes.append([chance(scores) for chance in chances])
        return outcomes


def another_deal(match: Match, rng: Random) -> Match:
    """Return the match with its round dealt again, at the same scores and with the same right to lead."""
    number = match.round.number
    keys = Keys([bytes(32)] * number + [rng.randbytes(32)])
    add_deal = deal(match.terms, keys, "", match.gone, match.ended[-1] if match.ended else None)
    begun = rounds.begin(match.terms, add_deal, match.gone)
    return match._replace(round=begun, turn=begun.turn)


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


def _mean(rows: Sequence[Sequence[float]], side: int) -> float:
    return sum(row[side] for row in rows) / len(rows)


def _variance(rows: Sequence[Sequence[float]]) -> float:
    """Return the variance over the rows, of the side where it is largest."""
    largest = 0.0
    for side in range(len(rows[0])):
        mean = _mean(rows, side)
        largest = max(largest, sum((row[side] - mean) ** 2 for row in rows) / max(len(rows) - 1, 1))
    return largest
