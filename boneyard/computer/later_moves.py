"""The later moves of the seat that searches: one choice for all deals in which it has seen the same.

In a play-out every seat plays by a policy, the searching seat, too. Here its next moves are searched instead. All
play-outs in which it holds the same tiles and has seen the same moves share one multi-armed bandit, whose arms are its
moves: so the choice depends on nothing that cannot be known then.

Postponing the policy like this: Arjonilla, Saffidine and Cazenave, "Perfect Information Monte Carlo with Postponing
Reasoning" (2024). Upper confidence bounds: Auer, Cesa-Bianchi and Fischer, "Finite-time Analysis of the Multiarmed
Bandit Problem" (2002).
"""

from collections.abc import Callable
from math import log, sqrt
from typing import NamedTuple

from boneyard.engine.moves import INDEX, Move
from boneyard.engine.playout import Playout

# The policy's move is made this many times before another is tried.
_FIRST_TRIES = 5
# Weight of the confidence interval, in standard deviations of the values.
_EXPLORATION = 0.3


class Bandit:
    """A later move: the legal ones, the policy's first, with the number and the sum of the values found for each."""

    __slots__ = ("counts", "moves", "sums")

    def __init__(self, moves: list[Move]) -> None:
        self.moves = moves
        self.counts = [0] * len(moves)
        self.sums = [0.0] * len(moves)

    def choose(self, spread: float) -> int:
        """Return the index of the move with the highest confidence bound; `spread` is the deviation of the values."""
        counts, sums = self.counts, self.sums
        if len(counts) == 1 or counts[0] < _FIRST_TRIES:
            return 0
        bonus = _EXPLORATION * spread * sqrt(log(sum(counts) + 1))
        # An untried move counts as tried once, with the mean of the policy's move.
        untried = sums[0] / counts[0] + bonus

        def bound(arm: int) -> tuple[float, int]:
            count = counts[arm]
            upper = sums[arm] / count + bonus / sqrt(count) if count else untried
            return upper, -count  # of equal ones the least tried

        return max(range(len(counts)), key=bound)


class Choice(NamedTuple):
    """A choice made for a later move."""

    bandit: Bandit
    arm: int


class LaterMoves:
    """The next `depth` moves of a seat, draws and passes included, after each of its moves.

    The play-outs of a search share them.
    """

    def __init__(self, seat: int, depth: int, policy: Callable[[Playout], Move]) -> None:
        self._seat = seat
        self._depth = depth
        self._policy = policy
        self._bandits: dict[tuple[object, ...], Bandit] = {}
        # Of all values: their number, sum, and sum of squares.
        self._number, self._sum, self._squares = 0, 0.0, 0.0

    def play(self, playout: Playout, move: Move) -> tuple[list[Choice], int]:
        """Play on after `move`, which has been made, through these moves.

        Return the choices and the number of moves made.
        """
        seen: tuple[object, ...] = (move,)
        choices: list[Choice] = []
        made, spread = 0, self._spread()
        for _ in range(self._depth):
            while playout.end is None and playout.turn != self._seat:
                other = self._policy(playout)
                playout.play(other)
                seen = (*seen, other)
                made += 1
            if playout.end is not None:
                break
            bandit = self._bandit((*seen, playout.hands[self._seat]), playout)
            choice = Choice(bandit, bandit.choose(spread))
            choices.append(choice)
            own = bandit.moves[choice.arm]
            playout.play(own)
            seen = (*seen, own)
            made += 1
        return choices, made

    def record(self, choices: list[Choice], value: float) -> None:
        """Add the value of a play-out to its choices."""
        self._number += 1
        self._sum += value
        self._squares += value * value
        for bandit, arm in choices:
            bandit.counts[arm] += 1
            bandit.sums[arm] += value

    def _spread(self) -> float:
        if not self._number:
            return 0.0
        return sqrt(max(self._squares / self._number - (self._sum / self._number) ** 2, 0.0))

    def _bandit(self, known: tuple[object, ...], playout: Playout) -> Bandit:
        bandit = self._bandits.get(known)
        if bandit is None:
            bandit = self._bandits[known] = Bandit(_distinct_moves(playout, self._policy(playout)))
        return bandit


def _distinct_moves(playout: Playout, first: Move) -> list[Move]:
    """Return `first` and the other plays of one tile, of those with the same effect one."""
    tips = playout.tips
    if tips is None or len(first.plays) != 1:
        return [first]
    moves: dict[object, Move] = {}
    for move in (first, *playout.layout().moves(playout.hands[playout.turn])):
        ((tile, end),) = move.plays
        tip = tips[INDEX[end]]
        moves.setdefault((tile, tip.kind, tip.suit), move)
    return list(moves.values())
