"""A match: rounds until the target.

A match is the fold of its moves: `play` returns the next value or raises `Illegal`.

>>> from .moves import parse
>>> from .presets import PRESETS
>>> match = begin(PRESETS["all-fives"].rules, 2, bytes(range(32)), "a1b2.")
>>> match.turn, [str(move) for move in match.legal_moves]
(1, ['2-2', '4-0', '5-0', '5-2', '6-1', '6-4', '6-6'])
>>> match.play(1, parse("5-0")).scores
(0, 5)
>>> match.play(0, parse("6-3"))
Traceback (most recent call last):
boneyard.engine.errors.Illegal: not_your_turn
"""

from collections.abc import Callable

from . import rounds
from .dealing import deal
from .errors import Illegal, Malformed
from .extras import last_tile_extras
from .finish import (
    await_calls,
    end_if_blocked,
    finish_called,
    finish_out,
    leading_sides,
    replace_at,
    stop_match,
    won_at_once,
)
from .layout import Layout
from .moves import CLOSE, DRAW, MUGGINS, PASS, Move, MoveKind
from .options import MAX_ROUNDS as MAX_ROUNDS
from .rounds import Entry, Round
from .rules import Rules
from .settlement import awarded_points, can_be_awarded, passes_target, split_award
from .shuffle import Keys, chain
from .state import MatchEnding, State
from .state import Result as Result
from .terms import Terms, matched, terms
from .tiles import Mask

# Build a named tuple from a tuple: twice as fast as its constructor (bench/engine.py).
_new = tuple.__new__

_ENDING_BY_LEAVING: dict[MoveKind, MatchEnding] = {"resign": "resigned", "time": "time", "left": "left"}


class Match(State):
    """A match at one moment, which can be played on."""

    __slots__ = ()

    def play(self, seat: int, move: Move, claim: int | None = None) -> "Match":
        """Return the match after this seat makes this move. The match itself does not change.

        `claim` is the points claimed with a play; 0 and None claim nothing. Raise `Illegal` if the rules do not
        allow the move.

        >>> from .presets import PRESETS
        >>> match = begin(PRESETS["draw"].rules, 2, bytes(range(32)), "a1b2.")
        >>> match.play(match.turn, match.legal(match.turn)[0]).move_count
        1
        """
        if self.result is not None:
            raise Illegal("over")
        if claim:
            self._check_claim(move, claim)
        if move.kind == "play":
            return self._lay(seat, move, claim or None)
        return _HANDLERS[move.kind](self, seat, move, claim or None)

    def after_calls(self) -> "Match":
        """Return the match after the pause in which the play that ends a round can be called; itself outside of one."""
        seat = self.closing_seat
        return self if seat is None else self.play(seat, CLOSE)

    def _check_present(self, seat: int) -> None:
        """Raise `Illegal` unless this seat exists and has not left."""
        if not 0 <= seat < self.terms.seats:
            raise Illegal("no_such_seat")
        if seat in self.round.gone:
            raise Illegal("has_left")

    def _not_on_turn(self, seat: int) -> Illegal:
        self._check_present(seat)
        return Illegal("not_your_turn")

    def _check_claim(self, move: Move, claim: int) -> None:
        if not self.terms.must_claim:
            raise Illegal("claims_off")
        if move.kind != "play":
            raise Illegal("claim_needs_play")
        if claim < 0:
            raise Illegal("bad_claim")

    def _lay(self, seat: int, move: Move, claim: int | None) -> "Match":
        terms, keys, entropy, round_, turn, scores, ended, extra, _, move_count, kept = self
        _, deal, hands, drawn, before, _, gone, log, barred = round_
        if seat != turn:
            raise self._not_on_turn(seat)
        layout = round_.layout_after(move)
        award: tuple[int, ...] | None = None
        if terms.pass_extra:
            award, scores, kept, barred = self._award_for_lead(seat)
        count, hand = layout.count, hands[seat] & ~move.tiles
        points = matched(layout.tips) if terms.matching else terms.points[count]
        if goes_out := not hand:
            goes_out = not (terms.both_out and hands[_partner_of(seat)])
            points += terms.rules.out_points if goes_out else 0
        scored = 0
        if points and (claim == points or not terms.must_claim):
            side = terms.side_of[seat]
            if terms.conditional_awards:
                scored, scores, kept, barred = _award_points(terms, (scores, kept, barred), side, points)
            elif scored := awarded_points(terms.rules, scores[side], points):
                scores = replace_at(scores, side, scores[side] + scored)
        entry = _new(Entry, (seat, move, claim, count, points, scored, None, award))
        # `_moved`, inlined for speed: most moves are plays.
        held = [*hands]
        held[seat] = hand
        hands = tuple(held)
        turn = terms.turn_after(seat, gone, hands) if gone or terms.both_out else terms.next_seat[seat]
        round_ = _new(Round, (terms, deal, hands, drawn, layout, turn, gone, log + (entry,), barred))
        match = _new(
            Match, (terms, keys, entropy, round_, turn, scores, ended, extra, None, move_count + 1, kept)
        )
        if terms.at_once and scores is not self.scores and won_at_once(match, self.scores):
            return stop_match(match, "target", leading_sides(match))
        if goes_out:
            if terms.call_last:
                return await_calls(match)
            earned = last_tile_extras(terms.rules.extras, move, before) if terms.has_extras else ()
            return finish_out(match, seat, earned)
        # Nearly always the seat on turn has a tile that fits.
        if drawn < terms.drawable or (hands[turn] & layout.fits and not terms.free_pass):
            return match
        if terms.call_last and round_.is_blocked():
            return await_calls(match)
        return end_if_blocked(match)

    def _draw(self, seat: int, move: Move, claim: int | None) -> "Match":
        terms, _, _, round_, turn, scores, _, _, _, _, kept = self
        _, deal, hands, drawn, layout, _, _, _, _ = round_
        if seat != turn:
            raise self._not_on_turn(seat)
        round_.check_draw()
        tile = deal.boneyard[drawn]
        entry = _new(Entry, (seat, DRAW, None, None, None, None, tile, None))
        match = self._moved(entry, hands[seat] | 1 << tile, drawn + 1, layout, turn, scores, kept)
        return match if drawn + 1 < terms.drawable else end_if_blocked(match)

    def _pass(self, seat: int, move: Move, claim: int | None) -> "Match":
        terms, _, _, round_, turn, scores, _, _, _, _, kept = self
        _, _, hands, drawn, layout, _, gone, _, _ = round_
        if seat != turn:
            raise self._not_on_turn(seat)
        round_.check_pass()
        entry = _new(Entry, (seat, PASS, None, None, None, None, None, None))
        turn = round_.next_turn() if gone or terms.both_out else terms.next_seat[seat]
        match = self._moved(entry, hands[seat], drawn, layout, turn, scores, kept)
        if terms.pass_extra:
            return match._with_award_for_round()
        return end_if_blocked(match) if terms.free_pass else match

    def _award_for_lead(
        self, seat: int
    ) -> tuple[tuple[int, ...] | None, tuple[int, ...], tuple[int, ...], frozenset[int]]:
        """Return the award of `pass_lead` when this seat plays now, by side or None, and the tally after it."""
        terms, gone = self.terms, self.gone
        leader, points = self.round.seat_of_passed_lead(), terms.rules.extras.pass_lead
        if not points or leader is None or leader in gone or leader == seat or terms.seats - len(gone) < 3:
            return None, *self._tally
        return self._award(leader, points)

    def _with_award_for_round(self) -> "Match":
        """Return the match after a pass, with the award of `pass_round` if the pass completes it."""
        seat, points = self.round.seat_passed_by_all(), self.terms.rules.extras.pass_round
        if not points or seat is None:
            return self
        award, scores, kept, barred = self._award(seat, points)
        *log, entry = self.round.log
        round_ = self.round._replace(log=(*log, entry._replace(award=award)), barred=barred)
        match = self._replace(round=round_, scores=scores, kept=kept)
        return stop_match(match, "target", leading_sides(match)) if won_at_once(match, self.scores) else match

    def _award(
        self, seat: int, points: int
    ) -> tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...], frozenset[int]]:
        side = self.terms.side_of[seat]
        awarded, scores, kept, barred = _award_points(self.terms, self._tally, side, points)
        award = tuple(awarded if each == side else 0 for each in self.terms.all_sides)
        return award, scores, kept, barred

    @property
    def _tally(self) -> "_Tally":
        return self.scores, self.kept, self.round.barred

    def _moved(
        self,
        entry: Entry,
        hand: Mask,
        drawn: int,
        layout: Layout | None,
        turn: int,
        scores: tuple[int, ...],
        kept: tuple[int, ...],
    ) -> "Match":
        """Return the match with this entry logged and the hand of its seat replaced.

        Both tuples are built by position: `_replace` would cost a third of the speed.
        """
        terms, keys, entropy, round_, _, _, ended, extra, _, move_count, _ = self
        _, deal, hands, _, _, _, gone, log, barred = round_
        seat = entry[0]
        hands = hands[:seat] + (hand,) + hands[seat + 1 :]
        round_ = _new(Round, (terms, deal, hands, drawn, layout, turn, gone, log + (entry,), barred))
        return _new(
            Match, (terms, keys, entropy, round_, turn, scores, ended, extra, None, move_count + 1, kept)
        )

    def _call(self, seat: int, move: Move, claim: int | None) -> "Match":
        self._check_present(seat)
        round_ = self.round
        if not self.terms.must_claim:
            raise Illegal("claims_off")
        points = self.callable_points()
        if not points:
            raise Illegal("nothing_to_call")
        if not self.may_call(seat):
            raise Illegal("own_side")
        if not can_be_awarded(self.terms, self.scores, round_.barred, seat, points):
            raise Illegal("nothing_to_call")
        scored, scores, _, _ = _award_points(self.terms, self._tally, self.terms.side_of[seat], points)
        round_ = round_._replace(log=(*round_.log, Entry(seat, MUGGINS, scored=scored)))
        match = self._with(round_, scores)
        if won_at_once(match, self.scores):
            return stop_match(match, "target", leading_sides(match))
        return finish_called(match) if self.turn is None else match

    def _close(self, seat: int, move: Move, claim: int | None) -> "Match":
        self._check_present(seat)
        if seat != self.closing_seat:
            raise Illegal("nothing_to_close")
        round_ = self.round
        return finish_called(self._with(round_._replace(log=(*round_.log, Entry(seat, CLOSE))), self.scores))

    def _leave(self, seat: int, move: Move, claim: int | None) -> "Match":
        self._check_present(seat)
        round_ = self.round
        round_ = round_._replace(gone=round_.gone | {seat}, log=(*round_.log, Entry(seat, move)))
        staying = self.terms.staying(round_.gone)
        if len(staying) == 1:
            return stop_match(self._with(round_, self.scores), _ENDING_BY_LEAVING[move.kind], staying)
        if seat == round_.turn:
            round_ = round_._replace(turn=round_.next_turn())
        match = self._with(round_, self.scores)
        return match if self.turn is None else end_if_blocked(match)

    def _take_over(self, seat: int, move: Move, claim: int | None) -> "Match":
        self._check_present(seat)
        round_ = self.round
        return self._with(round_._replace(log=(*round_.log, Entry(seat, move))), self.scores)

    def _abort(self, seat: int, move: Move, claim: int | None) -> "Match":
        self._check_present(seat)
        if self.has_played(seat):
            raise Illegal("too_late_to_abort")
        return stop_match(self._take_over(seat, move, claim), "aborted", ())

    def _void(self, seat: int, move: Move, claim: int | None) -> "Match":
        if seat != self.voiding_seat:
            raise self._not_on_turn(seat)
        return stop_match(self._take_over(seat, move, claim), "aborted", ())

    def _with(self, round_: Round, scores: tuple[int, ...]) -> "Match":
        turn = None if self.turn is None else round_.turn
        return self._replace(round=round_, turn=turn, scores=scores, move_count=self.move_count + 1)


# By side the scores and the points kept until it opens, and the sides that are given nothing more in the round.
_Tally = tuple[tuple[int, ...], tuple[int, ...], frozenset[int]]


def _award_points(
    terms: Terms, tally: _Tally, side: int, points: int
) -> tuple[int, tuple[int, ...], tuple[int, ...], frozenset[int]]:
    """Return the points that the side receives, and the tally with them."""
    scores, kept, barred = tally
    if side in barred:
        return 0, *tally
    score, kept_before = scores[side], kept[side] if kept else 0
    awarded, kept_by_side = split_award(terms.rules, score, kept_before, points)
    if kept:
        kept = replace_at(kept, side, kept_by_side)
    if terms.bars and passes_target(terms.rules, score, kept_before + points):
        barred |= {side}
    return awarded, replace_at(scores, side, score + awarded), kept, barred


def _partner_of(seat: int) -> int:
    return (seat + 2) % 4


_HANDLERS: dict[MoveKind, Callable[[Match, int, Move, int | None], Match]] = {
    "draw": Match._draw,
    "pass": Match._pass,
    "muggins": Match._call,
    "takeover": Match._take_over,
    "abort": Match._abort,
    "close": Match._close,
    "void": Match._void,
    "resign": Match._leave,
    "time": Match._leave,
    "left": Match._leave,
}


def begin(rules: Rules, seats: int, secret: bytes, entropy: str) -> Match:
    """Return the match before its first lead. `secret` is s[1000], 32 bytes; `entropy` the nonces joined by dots.

    Raise `InvalidRules` if the rules do not allow this many seats.
    """
    if len(secret) != 32:
        raise ValueError("a secret has 32 bytes")
    return begin_with_keys(rules, seats, chain(secret), entropy)


def begin_with_keys(rules: Rules, seats: int, keys: Keys, entropy: str) -> Match:
    """Return the match before its first lead, from its keys; a record has keys but no secret."""
    if not entropy.isascii():
        raise Malformed("not_entropy")
    agreed = terms(rules, seats)
    first = rounds.begin(agreed, deal(agreed, keys, entropy, frozenset()), frozenset())
    nothing = (0,) * len(agreed.sides)
    keeps = rules.opening is not None and rules.opening.kept
    return Match(agreed, keys, entropy, first, first.turn, nothing, kept=nothing if keeps else ())
