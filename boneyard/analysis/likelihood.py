"""How likely a seat's decisions are: by the policy of the level club, which errs the less the better it thinks a move.

>>> from boneyard.engine.matches import begin
>>> from boneyard.engine.presets import PRESETS
>>> match = begin(PRESETS["block"].rules, 2, bytes(range(32)), "a.b")
>>> choices = perspective(match, match.turn).legal
>>> round(sum(10 ** compute_log_chance(match, move) for move in choices), 6)
1.0
"""

from math import log10

from boneyard.computer.one_ply import rank_by_heuristic
from boneyard.computer.search import distinct_moves
from boneyard.engine.matches import Match
from boneyard.engine.moves import Move
from boneyard.engine.perspective import perspective

from .decisions import are_equivalent

# How much less often each move is made than the one that club thinks the next better.
_SHARE_OF_NEXT = 0.4


def compute_log_chance(match: Match, move: Move) -> float:
    """Return the logarithm to the base 10 of how likely the seat on turn makes this move; 0 without a choice."""
    seat = match.turn
    assert seat is not None
    view = perspective(match, seat)
    choices = distinct_moves(view)
    if len(choices) < 2:
        return 0.0
    ranked = rank_by_heuristic(view, choices)
    rank = next(index for index, choice in enumerate(ranked) if are_equivalent(view, choice, move))
    shares = [_SHARE_OF_NEXT**index for index in range(len(ranked))]
    return log10(shares[rank] / sum(shares))
