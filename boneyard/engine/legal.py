"""The legal moves of a position as a lazy collection.

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
    """The plays, draws and passes open to the seat on turn; empty without a round in play.

    Iteration and `len` list all moves; `in` checks one move without listing.
    """

    __slots__ = ("_round",)

    def __init__(self, round: Round | None) -> None:
        self._round = round

    def __contains__(self, move: object) -> bool:
        if self._round is None or not isinstance(move, Move) or move.kind not in ON_TURN:
            return False
        try:
            self._round.check_move(move)
        except Illegal:
            return False
        return True

    def __iter__(self) -> Iterator[Move]:
        return iter(self._list())

    def __len__(self) -> int:
        return len(self._list())

    def __repr__(self) -> str:
        return f"<LegalMoves {' '.join(map(str, self))}>"

    def _list(self) -> tuple[Move, ...]:
        return () if self._round is None else self._round.legal()
