"""A match at one moment and its queries. matches.py adds the moves.

>>> from .matches import begin
>>> from .presets import PRESETS
>>> match = begin(PRESETS["muggins-200"].rules, 2, bytes(range(32)), "a1b2.")
>>> match.turn, match.may_call(0), match.callable_points(), match.rounds_with_winner
(1, False, 0, 0)
"""

from collections.abc import Iterable
from typing import Literal, NamedTuple

from .legal import LegalMoves
from .moves import Move, MoveKind
from .round_ends import EndedRound
from .rounds import Entry, Round
from .rules import Rules
from .settlement import can_be_awarded, carried_by_block
from .shuffle import Keys
from .terms import Terms

TURN_KINDS: frozenset[MoveKind] = frozenset({"play", "pass"})  # not "draw": the turn continues

MatchEnding = Literal["target", "rounds", "resigned", "time", "left", "aborted"]


class Result(NamedTuple):
    """The result of a match: how it ended, the winning sides and all scores."""

    how: MatchEnding
    winners: tuple[int, ...]
    scores: tuple[int, ...]


class State(NamedTuple):
    """A match at one moment.

    turn        the seat on turn; None when the match is over, and while the play that ends a round can be called
    round       the round in play, or the last one
    scores      by side
    ended       the finished rounds
    extra       the number of rounds that must end before the scores are compared again
    move_count  the number of moves so far, of every kind
    kept        by side, the points kept until the side opens (`opening.kept`); () if the rules keep none
    """

    terms: Terms
    keys: Keys
    entropy: str
    round: Round
    turn: int | None
    scores: tuple[int, ...]
    ended: tuple[EndedRound, ...] = ()
    extra: int = 0
    result: Result | None = None
    move_count: int = 0
    kept: tuple[int, ...] = ()

    @property
    def rules(self) -> Rules:
        return self.terms.rules

    @property
    def seats(self) -> int:
        return self.terms.seats

    @property
    def sides(self) -> tuple[tuple[int, ...], ...]:
        return self.terms.sides

    @property
    def gone(self) -> frozenset[int]:
        """Return the seats that have left."""
        return self.round.gone

    @property
    def legal_moves(self) -> LegalMoves:
        """Return the plays, draws and passes open to the seat on turn; none when the match is over."""
        return LegalMoves(None if self.turn is None else self.round)

    def legal(self, seat: int | None) -> tuple[Move, ...]:
        """Return the plays, draws and passes open to this seat; none when it is not on turn."""
        return self.round.legal() if seat is not None and seat == self.turn else ()

    def may_call(self, seat: int) -> bool:
        """Return whether this seat may call: the last play is another side's and no turn has followed it.

        The play need not have points.
        """
        if self.result is not None or not self.terms.must_claim or seat in self.gone:
            return False
        play = self.round.callable_play()
        return play is not None and self.terms.side_of[play.seat] != self.terms.side_of[seat]

    def callable_points(self) -> int:
        """Return the points of the last play that can be called, or 0.

        Points that their player could not have scored cannot be called.
        """
        play = self.round.callable_play() if self.terms.must_claim and self.result is None else None
        if play is None or not play.points or play.claim == play.points:
            return 0
        return play.points if self._can_be_awarded(play.seat, play.points) else 0

    def can_call_points(self, seat: int) -> bool:
        """Return whether a call by this seat would score points."""
        points = self.callable_points()
        return points > 0 and self.may_call(seat) and self._can_be_awarded(seat, points)

    def _can_be_awarded(self, seat: int, points: int) -> bool:
        return can_be_awarded(self.terms, self.scores, self.round.barred, seat, points)

    @property
    def closing_seat(self) -> int | None:
        """Return the seat of the move `close`: while the play that ends the round can be called; else None.

        It is the seat that laid the play, or the next one if that seat has left.
        """
        if self.turn is not None or self.result is not None:
            return None
        seat = self.round.closer
        return self.terms.seat_after(seat, self.gone) if seat in self.gone else seat

    @property
    def voiding_seat(self) -> int | None:
        """Return the seat of the move `void`, by which staff end a match; None when it is over.

        It is the seat on turn or, while the play that ends the round can be called, the next one at the table.
        """
        if self.turn is not None or self.result is not None:
            return self.turn
        return self.terms.seat_after(self.round.closer, self.gone)

    @property
    def carried(self) -> int:
        """Return what tied blocks carry to the next winner of a round (`blocked_tie: carry`).

        In pips, or where a block is worth one in points.
        """
        carried = 0
        for ended in reversed(self.ended):
            if ended.end.winner is not None:
                break
            if ended.end.how == "blocked":
                carried += carried_by_block(self.terms, ended.end.pips)
        return carried

    @property
    def rounds_with_winner(self) -> int:
        """Return the number of rounds with a winner."""
        return sum(ended.end.winner is not None for ended in self.ended)

    def has_played(self, seat: int) -> bool:
        """Return whether this seat has played a tile in this match."""
        return has_played(seat, self.ended, self.round.log)

    def has_had_turn(self, seat: int | None = None) -> bool:
        """Return whether this seat, or any seat, has ended a turn in this match by a play or a pass."""
        return has_had_turn(seat, self.ended, self.round.log)


def has_played(seat: int, ended: Iterable[EndedRound], log: Iterable[Entry]) -> bool:
    """Return whether this seat has played a tile in these rounds or in this log."""
    for entries in (log, *[each.log for each in ended]):
        for entry in entries:
            if entry.seat == seat and entry.move.kind == "play":
                return True
    return False


def has_had_turn(seat: int | None, ended: Iterable[EndedRound], log: Iterable[Entry]) -> bool:
    """Return whether this seat (None: any seat) has ended a turn in these rounds or in this log."""
    for entries in (log, *[each.log for each in ended]):
        for entry in entries:
            if entry.move.kind in TURN_KINDS and (seat is None or entry.seat == seat):
                return True
    return False
