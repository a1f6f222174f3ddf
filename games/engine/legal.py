"""The legal moves of a moment as a collection, worked out no further than it is asked.

>>> from .matches import begin
>>> from .moves import DRAW, parse
>>> from .presets import PRESETS
>>> match = begin(PRESETS["all-fives"].rules, 2, bytes(range(32)), "a1b2.")
>>> parse("5-0") in match.legal_moves, DRAW in match.legal_moves, len(match.legal_moves)
(True, False, 7)
"""

from collections.abc import Collection, Iterator

from .errors import Illegal
from .moves import ON_TURN, Move
from .rounds import Round


class LegalMoves(Collection[Move]):
    """Every play, draw and pass open to the seat on turn; none without a round in play."""

    __slots__ = ("_round",)

    def __init__(self, round: Round | None) -> None:
        self._round = round

    def __contains__(self, move: object) -> bool:
        """By the refusals alone: nothing is listed."""
        if self._round is None or not isinstance(move, Move) or move.kind not in ON_TURN:
            return False
        try:
            self._round.check_move(move)
        except Illegal:
            return False
        return True

    def __iter__(self) -> Iterator[Move]:
        return iter(self._listed())

    def __len__(self) -> int:
        return len(self._listed())

    def __repr__(self) -> str:
        return f"<LegalMoves {' '.join(map(str, self))}>"

    def _listed(self) -> tuple[Move, ...]:
        return () if self._round is None else self._round.legal()
