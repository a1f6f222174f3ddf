"""What was luck: each deal against the mean of those that might have come in its place.

The worth of a deal, the order of its boneyard included, is what rounds played out from it, all tiles known, give each
side: its chance to win the match. It is compared with other deals at the same scores, so each difference has the mean
0 by construction, whoever plays: luck does not depend on how well anybody played.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import sqrt
from random import Random

from games.computer.greedy import careful
from games.computer.worth import Chance
from games.engine import rounds
from games.engine.dealing import deal
from games.engine.house_playout import playout_of
from games.engine.matches import Match
from games.engine.moves import Move
from games.engine.playout import Playout
from games.engine.shuffle import Keys
from games.engine.terms import Terms

_DEALS = 300  # other deals that a deal is compared with, and times that it is played out itself
_STRAYS = 0.15  # how often a play-out moves by chance, or one deal would always go one way


@dataclass(frozen=True)
class Luck:
    """By side, in chances of the match; `error` is the standard error of each."""

    sides: tuple[float, ...]
    error: float

    @property
    def told(self) -> list[float] | None:
        """The figures to show; None where they are less than their error."""
        largest = max(map(abs, self.sides))
        return [round(each, 4) for each in self.sides] if largest > self.error else None


class Tally:
    """Gathers the luck of a match, deal by deal."""

    def __init__(self, sides: int, seed: str) -> None:
        self._sides = [0.0] * sides
        self._variance = 0.0
        self._rng = Random(f"luck {seed}")  # noqa: S311 - repeatable on purpose

    @property
    def luck(self) -> Luck:
        return Luck(tuple(self._sides), sqrt(self._variance))

    def dealt(self, match: Match) -> None:
        """Takes in the deal of the round that this match has just begun."""
        ours = self._played_out(match, lambda: match)
        others = self._played_out(match, lambda: another_deal(match, self._rng))
        for side in range(len(self._sides)):
            self._sides[side] += _mean(ours, side) - _mean(others, side)
        self._variance += (_variance(ours) + _variance(others)) / _DEALS

    def _played_out(self, match: Match, start: Callable[[], Match]) -> list[list[float]]:
        chances = [Chance(match.terms, side, match.gone) for side in match.terms.all_sides]
        found = []
        for _ in range(_DEALS):
            scores = _scores(playout_of(start()), self._rng)
            found.append([chance(scores) for chance in chances])
        return found


def another_deal(match: Match, rng: Random) -> Match:
    """The match with its round dealt otherwise, at the same scores and with the same right to lead."""
    number = match.round.number
    keys = Keys([bytes(32)] * number + [rng.randbytes(32)])
    dealt = deal(match.terms, keys, "", match.gone, match.ended[-1] if match.ended else None)
    begun = rounds.begin(match.terms, dealt, match.gone)
    return match._replace(round=begun, turn=begun.turn)


def _scores(playout: Playout, rng: Random) -> list[int]:
    terms = playout.terms
    policy = careful(terms)
    if not _steps_alone(terms):
        policy.play_out(playout)
        return playout.scores
    by_policy, chance = policy.move, rng.random

    def choose(moves: tuple[Move, ...]) -> Move:
        return moves[int(chance() * len(moves))] if chance() < _STRAYS else by_policy(playout)

    return playout.run(choose)


def _steps_alone(terms: Terms) -> bool:
    """Whether the policy's single move is the whole of it: not where ends are compared or several tiles are laid."""
    return not (terms.matching or terms.many_ends or terms.two_doubles)


def _mean(rows: Sequence[Sequence[float]], side: int) -> float:
    return sum(row[side] for row in rows) / len(rows)


def _variance(rows: Sequence[Sequence[float]]) -> float:
    """The variance of one row's worth to a side, that of the side where it is largest."""
    largest = 0.0
    for side in range(len(rows[0])):
        mean = _mean(rows, side)
        largest = max(largest, sum((row[side] - mean) ** 2 for row in rows) / max(len(rows) - 1, 1))
    return largest
