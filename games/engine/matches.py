"""A match: rounds until the target. The value that everything else is computed from.

A match is the fold of its moves: `play` gives the next value or refuses.

>>> from .moves import parse
>>> from .presets import PRESETS
>>> match = begin(PRESETS["all-fives"].rules, 2, bytes(range(32)), "a1b2.")
>>> match.turn, [str(move) for move in match.legal_moves]
(1, ['2-2', '4-0', '5-0', '5-2', '6-1', '6-4', '6-6'])
>>> match.play(1, parse("5-0")).scores
(0, 5)
>>> match.play(0, parse("6-3"))
Traceback (most recent call last):
games.engine.errors.Illegal: not_your_turn
"""

from collections.abc import Callable
from operator import add, sub
from typing import Literal, NamedTuple

from . import rounds
from .dealing import deal
from .errors import Illegal, Malformed
from .extras import Earned, of_last_tile, of_round
from .layout import Layout
from .legal import LegalMoves
from .moves import DRAW, MUGGINS, PASS, Move, MoveKind
from .rounds import EndedRound, Entry, Round, RoundEnd, RoundEnding
from .rules import Rules
from .settlement import Round as Over
from .settlement import blocked_winner, bonuses_of, given, kept_back, points_given
from .shuffle import Keys, chain
from .terms import Terms, matched, terms
from .tiles import Mask

LAST_ROUND = 1000

# Makes a named tuple from a plain one in half the time of its own constructor (bench/engine.py).
_new = tuple.__new__

MatchEnding = Literal["target", "rounds", "resigned", "time", "left", "aborted"]

_ENDING_BY_LEAVING: dict[MoveKind, MatchEnding] = {"resign": "resigned", "time": "time", "left": "left"}


class Result(NamedTuple):
    """The end of a match: what ended it, the winning sides, all scores."""

    how: MatchEnding
    winners: tuple[int, ...]
    scores: tuple[int, ...]


class Match(NamedTuple):
    """A match at one moment.

    turn        the seat on turn; None when the match is over
    round       the round in play, or the last
    scores      by side
    ended       the finished rounds
    extra       how many rounds must still end before the scores are looked at again
    move_count  how many moves have been folded, those of every kind
    kept        by side what was too few to open with and waits for more (`opening.kept`); () where nothing can
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
        """The seats that have left."""
        return self.round.gone

    @property
    def legal_moves(self) -> LegalMoves:
        """Every play, draw and pass open to the seat on turn; none when the match is over."""
        return LegalMoves(None if self.turn is None else self.round)

    def legal(self, seat: int | None) -> tuple[Move, ...]:
        """Every play, draw and pass open to this seat; none when it is not on turn."""
        return self.round.legal() if seat is not None and seat == self.turn else ()

    def may_call(self, seat: int) -> bool:
        """Whether the last play is another side's and nothing has followed it, worth anything or not."""
        if self.result is not None or not self.terms.called or seat in self.gone:
            return False
        play = self.round.callable_play()
        return play is not None and self.terms.side_of[play.seat] != self.terms.side_of[seat]

    def open_points(self) -> int:
        """The points that lie open to be called: none that their player could not be given."""
        play = self.round.callable_play() if self.terms.called and self.result is None else None
        if play is None or not play.points or play.claim == play.points:
            return 0
        return play.points if self._could_be_given(play.seat, play.points) else 0

    def may_take(self, seat: int) -> bool:
        """Whether points lie open that this seat may call."""
        points = self.open_points()
        return points > 0 and self.may_call(seat) and self._could_be_given(seat, points)

    def _could_be_given(self, seat: int, points: int) -> bool:
        return points_given(self.terms.rules, self.scores[self.terms.side_of[seat]], points) > 0

    @property
    def carried(self) -> int:
        """What tied blocks have kept for the next winner of a round (`blocked_tie: carry`), in pips, or with
        `bonus_unit: one` as it is."""
        carried = 0
        for ended in reversed(self.ended):
            if ended.end.winner is not None:
                break
            carried += kept_back(self.terms, ended.end.pips)
        return carried

    @property
    def rounds_won(self) -> int:
        """How many rounds have had a winner."""
        return sum(ended.end.winner is not None for ended in self.ended)

    def first_play_made(self, seat: int) -> bool:
        """Whether this seat has played a tile in this match."""
        logs = [ended.log for ended in self.ended] + [self.round.log]
        return any(entry.seat == seat and entry.move.kind == "play" for log in logs for entry in log)

    def play(self, seat: int, move: Move, claim: int | None = None) -> "Match":
        """The match after this seat does so. Raises Illegal. A claim of 0 is none."""
        if self.result is not None:
            raise Illegal("over")
        if claim:
            self._refuse_claim(move, claim)
        if move.kind == "play":
            return self._lay(seat, move, claim or None)
        return _DEEDS[move.kind](self, seat, move, claim or None)

    def _refuse_absent(self, seat: int) -> None:
        """Raises Illegal unless this seat takes part in the match."""
        if not 0 <= seat < self.terms.seats:
            raise Illegal("no_such_seat")
        if seat in self.round.gone:
            raise Illegal("has_left")

    def _not_on_turn(self, seat: int) -> Illegal:
        self._refuse_absent(seat)
        return Illegal("not_your_turn")

    def _refuse_claim(self, move: Move, claim: int) -> None:
        if not self.terms.called:
            raise Illegal("claims_off")
        if move.kind != "play":
            raise Illegal("claim_needs_play")
        if claim < 0:
            raise Illegal("bad_claim")

    def _lay(self, seat: int, move: Move, claim: int | None) -> "Match":
        terms, _, _, round_, turn, scores, _, _, _, _, kept = self
        _, _, hands, drawn, before, _, gone, _ = round_
        if seat != turn:
            raise self._not_on_turn(seat)
        layout = round_.after(move)
        award: tuple[int, ...] | None = None
        if terms.pass_extra:
            award, scores, kept = self._award_for_lead(seat)
        count, hand = layout.count, hands[seat] & ~move.tiles
        points = matched(layout.tips) if terms.matching else terms.points[count]
        if not hand:
            points += terms.rules.out_points
        scored = 0
        if points and (claim == points or not terms.called):
            side = terms.side_of[seat]
            if terms.openings:
                scored, scores, kept = _give(terms, scores, kept, side, points)
            elif scored := points_given(terms.rules, scores[side], points):
                scores = (*scores[:side], scores[side] + scored, *scores[side + 1 :])
        entry = _new(Entry, (seat, move, claim, count, points, scored, None, award))
        turn = terms.seat_after(seat, gone) if gone else terms.after[seat]
        match = self._moved(entry, hand, drawn, layout, turn, scores, kept)
        if terms.at_once and scores is not self.scores and match._won_at_once(self.scores):
            return match._stop("target", match._best())
        if not hand:
            return match._gone_out(
                seat, of_last_tile(terms.rules.extras, move, before) if terms.beside else ()
            )
        return match if drawn < terms.drawable else match._end_if_blocked()

    def _draw(self, seat: int, move: Move, claim: int | None) -> "Match":
        terms, _, _, round_, turn, scores, _, _, _, _, kept = self
        _, deal, hands, drawn, layout, _, _, _ = round_
        if seat != turn:
            raise self._not_on_turn(seat)
        round_.refuse_draw()
        tile = deal.boneyard[drawn]
        entry = _new(Entry, (seat, DRAW, None, None, None, None, tile, None))
        match = self._moved(entry, hands[seat] | 1 << tile, drawn + 1, layout, turn, scores, kept)
        return match if drawn + 1 < terms.drawable else match._end_if_blocked()

    def _pass(self, seat: int, move: Move, claim: int | None) -> "Match":
        terms, _, _, round_, turn, scores, _, _, _, _, kept = self
        _, _, hands, drawn, layout, _, gone, _ = round_
        if seat != turn:
            raise self._not_on_turn(seat)
        round_.refuse_pass()
        entry = _new(Entry, (seat, PASS, None, None, None, None, None, None))
        turn = terms.seat_after(seat, gone) if gone else terms.after[seat]
        match = self._moved(entry, hands[seat], drawn, layout, turn, scores, kept)
        if terms.pass_extra:
            return match._with_award_for_round()
        return match._end_if_blocked() if terms.free_pass else match

    def _award_for_lead(self, seat: int) -> tuple[tuple[int, ...] | None, tuple[int, ...], tuple[int, ...]]:
        """What the leader's side is given (`pass_lead`) when this seat plays now, by side, and scores and kept
        points with it."""
        terms, gone = self.terms, self.gone
        leader, points = self.round.lead_was_passed(), terms.rules.extras.pass_lead
        if not points or leader is None or leader in gone or leader == seat or terms.seats - len(gone) < 3:
            return None, self.scores, self.kept
        return self._award(leader, points)

    def _with_award_for_round(self) -> "Match":
        """After a pass: the match with the award for it (`pass_round`), if it was the last that was wanted."""
        seat, points = self.round.passed_by_all(), self.terms.rules.extras.pass_round
        if not points or seat is None:
            return self
        award, scores, kept = self._award(seat, points)
        *log, entry = self.round.log
        round_ = self.round._replace(log=(*log, entry._replace(award=award)))
        match = self._replace(round=round_, scores=scores, kept=kept)
        return match._stop("target", match._best()) if match._won_at_once(self.scores) else match

    def _award(self, seat: int, points: int) -> tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]]:
        side = self.terms.side_of[seat]
        got, scores, kept = _give(self.terms, self.scores, self.kept, side, points)
        return tuple(got if each == side else 0 for each in self.terms.all_sides), scores, kept

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
        """The match with this entry in the log, its seat holding this hand, the round otherwise as told.

        The one place where both tuples are packed by position: `_replace` would cost a third of the speed.
        """
        terms, keys, entropy, round_, _, _, ended, extra, _, move_count, _ = self
        _, deal, hands, _, _, _, gone, log = round_
        seat = entry[0]
        hands = hands[:seat] + (hand,) + hands[seat + 1 :]
        round_ = _new(Round, (terms, deal, hands, drawn, layout, turn, gone, log + (entry,)))
        return _new(
            Match, (terms, keys, entropy, round_, turn, scores, ended, extra, None, move_count + 1, kept)
        )

    def _call(self, seat: int, move: Move, claim: int | None) -> "Match":
        self._refuse_absent(seat)
        round_ = self.round
        if not self.terms.called:
            raise Illegal("claims_off")
        points = self.open_points()
        if not points:
            raise Illegal("nothing_to_call")
        if not self.may_call(seat):
            raise Illegal("own_side")
        if not self._could_be_given(seat, points):
            raise Illegal("nothing_to_call")
        scored, scores, _ = _give(self.terms, self.scores, self.kept, self.terms.side_of[seat], points)
        round_ = round_._replace(log=(*round_.log, Entry(seat, MUGGINS, scored=scored)))
        match = self._with(round_, scores)
        if match._won_at_once(self.scores):
            return match._stop("target", match._best())
        return match

    def _leave(self, seat: int, move: Move, claim: int | None) -> "Match":
        self._refuse_absent(seat)
        round_ = self.round
        round_ = round_._replace(gone=round_.gone | {seat}, log=(*round_.log, Entry(seat, move)))
        staying = self.terms.staying(round_.gone)
        if len(staying) == 1:
            return self._with(round_, self.scores)._stop(_ENDING_BY_LEAVING[move.kind], staying)
        if seat == round_.turn:
            round_ = round_._replace(turn=round_.next_turn())
        return self._with(round_, self.scores)._end_if_blocked()

    def _take_over(self, seat: int, move: Move, claim: int | None) -> "Match":
        self._refuse_absent(seat)
        round_ = self.round
        return self._with(round_._replace(log=(*round_.log, Entry(seat, move))), self.scores)

    def _abort(self, seat: int, move: Move, claim: int | None) -> "Match":
        self._refuse_absent(seat)
        if self.first_play_made(seat):
            raise Illegal("too_late_to_abort")
        return self._take_over(seat, move, claim)._stop("aborted", ())

    def _with(self, round_: Round, scores: tuple[int, ...]) -> "Match":
        return self._replace(round=round_, turn=round_.turn, scores=scores, move_count=self.move_count + 1)

    def _won_at_once(self, before: tuple[int, ...]) -> bool:
        """Whether points given since these scores end the match: one of the sides that were given them has the
        target, and one side is the best."""
        if not self.terms.at_once:
            return False
        target = self.terms.rules.target
        reached = any(now > then and now >= target for now, then in zip(self.scores, before, strict=True))
        return reached and len(self._best()) == 1

    def _reached(self) -> bool:
        """Whether a side that stays has reached the target."""
        target = self.terms.rules.target
        return max(self.scores) >= target and any(
            self.scores[side] >= target for side in self.terms.staying(self.gone)
        )

    def _best(self) -> tuple[int, ...]:
        """The sides with the best score among those that stay."""
        staying = self.terms.staying(self.gone)
        best = (min if self.terms.rules.lowest_wins else max)(self.scores[side] for side in staying)
        return tuple(side for side in staying if self.scores[side] == best)

    def _end_if_blocked(self) -> "Match":
        terms, round_ = self.terms, self.round
        if not round_.is_blocked():
            return self
        pips = round_.pips
        over = Over(round_.hands, round_.gone, round_.leader, round_.closer)
        return self._settle("blocked", blocked_winner(terms, over, pips), pips)

    def _gone_out(self, seat: int, earned: Earned) -> "Match":
        return self._settle("out", seat, self.round.pips, earned)

    def _settle(
        self, how: RoundEnding, winner: int | None, pips: tuple[int, ...], earned: Earned = ()
    ) -> "Match":
        """End the round, give what its winner and perhaps others earned, and deal the next or end the match."""
        terms, rules, kept = self.terms, self.terms.rules, self.kept
        bonuses = [0] * len(self.scores)
        if winner is not None:
            beside = 0
            if terms.beside:
                earned += of_round(rules.extras, self.rounds_won, how == "blocked")
                beside = sum(number for _, number in earned)
            carried = self.carried if rules.blocked_tie == "carry" else 0
            bonuses = bonuses_of(terms, how == "blocked", winner, pips, self.gone, carried, beside)
        for side, bonus in enumerate(bonuses):
            if bonus:
                waiting = kept[side] if kept else 0
                bonuses[side], waiting = given(rules, self.scores[side], waiting, bonus, rules.bonus_ceiling)
                kept = _put(kept, side, waiting) if kept else kept
        end = RoundEnd(how, winner, pips, tuple(bonuses), earned if winner is not None else ())
        match = self._replace(kept=kept) if kept else self
        return match._close(end)._finish_or_deal()

    def _stop(self, how: MatchEnding, winners: tuple[int, ...]) -> "Match":
        """End the match within the round."""
        nothing = (0,) * len(self.scores)
        return self._close(RoundEnd("stopped", None, self.round.pips, nothing))._finished(how, winners)

    def _close(self, end: RoundEnd) -> "Match":
        scores = tuple(map(add, self.scores, end.bonus))
        if self.rules.team_difference:
            scores = self._netted(scores)
        return self._replace(scores=scores, ended=(*self.ended, EndedRound(self.round, end, scores)))

    def _netted(self, scores: tuple[int, ...]) -> tuple[int, ...]:
        """Only the pair that made more in this round is given the difference."""
        before = self.ended[-1].scores if self.ended else (0,) * len(scores)
        least = min(map(sub, scores, before))
        return tuple(score - least for score in scores)

    def _finish_or_deal(self) -> "Match":
        extra = max(0, self.extra - 1)
        if not extra and self._reached():
            best = self._best()
            if len(best) == 1:
                return self._finished("target", best)
            extra = self._extra_rounds()
        if self.round.number == LAST_ROUND:
            return self._finished("rounds", self._best())
        dealt = deal(self.terms, self.keys, self.entropy, self.gone, self.ended[-1])
        begun = rounds.begin(self.terms, dealt, self.gone)
        return self._replace(round=begun, turn=begun.turn, extra=extra)

    def _extra_rounds(self) -> int:
        by_seats = self.rules.extra_rounds == "players" and self.rules.finish == "round_end"
        return self.seats if by_seats else 1

    def _finished(self, how: MatchEnding, winners: tuple[int, ...]) -> "Match":
        return self._replace(turn=None, result=Result(how, winners, self.scores))


def _give(
    terms: Terms, scores: tuple[int, ...], kept: tuple[int, ...], side: int, points: int
) -> tuple[int, tuple[int, ...], tuple[int, ...]]:
    """What the side is given of these points; the scores, and the points kept, with it."""
    score = scores[side]
    if not terms.openings:
        got = points_given(terms.rules, score, points)
    elif kept:
        got, waiting = given(terms.rules, score, kept[side], points)
        kept = _put(kept, side, waiting)
    else:
        got, _ = given(terms.rules, score, 0, points)
    return got, _put(scores, side, score + got), kept


def _put(numbers: tuple[int, ...], side: int, number: int) -> tuple[int, ...]:
    return (*numbers[:side], number, *numbers[side + 1 :])


_DEEDS: dict[MoveKind, Callable[[Match, int, Move, int | None], Match]] = {
    "draw": Match._draw,
    "pass": Match._pass,
    "muggins": Match._call,
    "takeover": Match._take_over,
    "abort": Match._abort,
    "resign": Match._leave,
    "time": Match._leave,
    "left": Match._leave,
}


def begin(rules: Rules, seats: int, secret: bytes, entropy: str) -> Match:
    """The match before its first lead. `secret` is s[1000], 32 bytes; `entropy` the nonces joined by dots.

    Raises InvalidRules when the rules do not allow so many seats.
    """
    if len(secret) != 32:
        raise ValueError("a secret has 32 bytes")
    return begin_with(rules, seats, chain(secret), entropy)


def begin_with(rules: Rules, seats: int, keys: Keys, entropy: str) -> Match:
    """`begin` for whoever has the keys themselves, such as a reader of a record."""
    if not entropy.isascii():
        raise Malformed("not_entropy")
    agreed = terms(rules, seats)
    first = rounds.begin(agreed, deal(agreed, keys, entropy, frozenset()), frozenset())
    nothing = (0,) * len(agreed.sides)
    keeps = rules.opening is not None and rules.opening.kept
    return Match(agreed, keys, entropy, first, first.turn, nothing, kept=nothing if keeps else ())
