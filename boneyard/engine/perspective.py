"""Reduce a match to what a viewer may know. Pages, JSON, frames and computers get nothing else.

Everything in a `View` is public at the table or the viewer's own. It contains no other hand, no tile of the
boneyard of the round in play and no unpublished key.

>>> from .matches import begin
>>> from .moves import parse
>>> from .presets import PRESETS
>>> match = begin(PRESETS["all-fives"].rules, 2, bytes(range(32)), "a1b2.").play(1, parse("5-0"))
>>> own, watching = perspective(match, 0), perspective(match, None)
>>> len(own.hand), own.tiles, own.count
(7, (7, 6), 5)
>>> watching.hand, watching.tiles
((), (7, 6))
"""

from functools import lru_cache
from typing import NamedTuple

from .layout import Laid, Layout, Line, grow, lay_out, line
from .matches import Match, Result
from .moves import DRAW, PASS, EndName, Move
from .options import FirstLead
from .round_ends import EndedRound
from .rounds import Entry, Round
from .rules import Rules
from .state import has_had_turn, has_played
from .terms import Terms
from .tiles import SET_SIZES, Mask, Tile, mask_of


class LeadDecision(NamedTuple):
    """The decision by `first_lead` who leads a round, as far as it is public or the viewer's own.

    how    the value of `first_lead` that applied
    seat   the seat that got the lead
    tile   the tile that won the lead; None if it is hidden or there is none
    draws  (seat, tile) for each lot, or for each draw for `lead_tile` in order; the tile is None while hidden
    """

    how: FirstLead
    seat: int
    tile: Tile | None
    draws: tuple[tuple[int, Tile | None], ...]


class View(NamedTuple):
    """A match as one seat or a spectator (`seat` is None) may know it.

    terms          the rules of this table
    rules          `terms.rules`, stored because a page reads it often
    turn           the seat on turn; None when the match is over
    round          the number of the round in play
    named          the tile that must be led, or None
    lots           the lot of each seat for the lead of this round, or None
    lead_decision  how the leader of this round was determined; None if the previous round did
    laid           the tiles on the table in the order laid
    spinner        the spinner, or None
    ends           the suit of each end that may be joined now, in order
    end_values     what each end adds to the count; None before the lead, without a count and where points are claimed
    count          the count; None in the same cases
    hand           the viewer's tiles in the order dealt and drawn; () for a spectator
    legal          the viewer's legal moves; () when not on turn
    tiles          the number of tiles of each seat
    boneyard       the number of tiles in the boneyard, `reserve` of which are never drawn
    scores         by side
    kept           by side, the points kept until the side opens; () if the rules keep none
    carried        what tied blocks carry to the next winner of a round
    barred         the sides that are given nothing more in this round
    gone           the seats that have left the match
    log            the log of this round. Only the viewer's own drawn tiles are in it. Where points are claimed, it has
                   no counts, and no points or score of a play that may still be called
    ended          the finished rounds, with everything public
    lacks          for each seat, the suits that its passes and draws prove that it does not hold
    seen           the tiles the viewer can see: the own hand and the layout
    move_count     the number of moves so far
    """

    seat: int | None
    terms: Terms
    rules: Rules
    turn: int | None
    round: int
    leader: int
    named: Tile | None
    lots: tuple[Tile, ...] | None
    lead_decision: LeadDecision | None
    result: Result | None
    laid: tuple[Laid, ...]
    spinner: Tile | None
    ends: dict[EndName, int]
    end_values: dict[EndName, int] | None
    count: int | None  # type: ignore[assignment]
    hand: tuple[Tile, ...]
    legal: tuple[Move, ...]
    may_call: bool
    may_abort: bool
    tiles: tuple[int, ...]
    boneyard: int
    reserve: int
    scores: tuple[int, ...]
    kept: tuple[int, ...]
    carried: int
    barred: frozenset[int]
    gone: frozenset[int]
    log: tuple[Entry, ...]
    ended: tuple[EndedRound, ...]
    lacks: tuple[frozenset[int], ...]
    seen: Mask
    move_count: int

    @property
    def seats(self) -> int:
        return self.terms.seats

    @property
    def sides(self) -> tuple[tuple[int, ...], ...]:
        return self.terms.sides

    @property
    def unseen(self) -> Mask:
        """Return the tiles of the set that are not `seen`."""
        return (1 << SET_SIZES[self.rules.set]) - 1 & ~self.seen

    def has_played(self, seat: int) -> bool:
        """Return whether this seat has played a tile in this match."""
        return has_played(seat, self.ended, self.log)

    def has_had_turn(self, seat: int | None = None) -> bool:
        """Return whether this seat, or any seat, has ended a turn in this match by a play or a pass."""
        return has_had_turn(seat, self.ended, self.log)

    def layout(self) -> Layout | None:
        """Return the layout, rebuilt from the laid tiles; None before the lead."""
        return _layout_of(self.terms, self.laid)

    @property
    def line(self) -> Line:
        """Return the line of play, for drawing."""
        return _line_of(self.terms, self.laid)

    def layout_after(self, move: Move) -> Layout:
        """Return the layout after a legal play."""
        return lay_out(self.terms.tip_table, self.layout(), move.plays)

    def points(self, move: Move) -> int:
        """Return the points of a legal play of the viewer, including `out_points`."""
        points = self.terms.worth(self.layout_after(move))
        return points + self.rules.out_points if self.goes_out(move) else points

    def is_out(self, seat: int) -> bool:
        """Return whether this seat, or under `partners_out: both` its pair, has laid its last tile."""
        return not (self.tiles[seat] or (self.terms.both_out and self.tiles[(seat + 2) % 4]))

    def goes_out(self, move: Move) -> bool:
        """Return whether a play of the viewer lays its last tile, or the last one of its pair where that counts."""
        if len(move.plays) < len(self.hand) or self.seat is None:
            return False
        return not (self.terms.both_out and self.tiles[(self.seat + 2) % 4])

    @property
    def skipped(self) -> frozenset[int]:
        """Return the seats that turns pass over: gone, or under `partners_out: both` without tiles."""
        if not self.terms.both_out:
            return self.gone
        return self.gone.union(seat for seat, tiles in enumerate(self.tiles) if not tiles)

    @property
    def awaits_calls(self) -> bool:
        """Return whether the play that ends the round can still be called, and nobody is on turn."""
        return self.turn is None and self.result is None


@lru_cache(512)
def _line_of(terms: Terms, laid: tuple[Laid, ...]) -> Line:
    """Return the line of play of these tiles, built from the cached line without the last one."""
    layout = _layout_of(terms, laid)
    return line(terms.tip_table, ()) if layout is None else grow(_line_of(terms, laid[:-1]), laid, layout)


@lru_cache(4096)
def _layout_of(terms: Terms, laid: tuple[Laid, ...]) -> Layout | None:
    """Return the layout of these tiles, built from the cached layout without the last one."""
    if not laid:
        return None
    tile, end, _ = laid[-1]
    return lay_out(terms.tip_table, _layout_of(terms, laid[:-1]), [(tile, end)])


def perspective(match: Match, seat: int | None, public: View | None = None) -> View:
    """Return what `seat`, or a spectator (None), may know of the match.

    `public` is a spectator's view of the same match, to avoid building it again. Raise `ValueError` if it is the view
    of a seat.
    """
    if public is None:
        public = _public(match)
    if public.seat is not None:
        raise ValueError("the view of a seat is not public")
    if seat is None:
        return public
    hand = match.round.held(seat)
    return public._replace(
        seat=seat,
        lead_decision=lead_decision(match.round, seat, everything=match.result is not None),
        hand=hand,
        legal=match.legal(seat),
        may_call=match.may_call(seat),
        may_abort=_may_abort(match, seat),
        log=_log(match, seat),
        seen=public.seen | mask_of(hand),
    )


def _public(match: Match) -> View:
    round_ = match.round
    layout = round_.layout
    laid = round_.laid
    shows_count = layout is not None and match.rules.adds_ends and not match.terms.must_claim
    return View(
        seat=None,
        terms=match.terms,
        rules=match.rules,
        turn=match.turn,
        round=round_.number,
        leader=round_.leader,
        named=round_.named,
        lots=round_.lots,
        lead_decision=lead_decision(round_, None, everything=match.result is not None),
        result=match.result,
        laid=laid,
        spinner=layout.spinner if layout else None,
        ends=layout.ends if layout else {},
        end_values=layout.values if layout and shows_count else None,
        count=layout.count if layout and shows_count else None,
        hand=(),
        legal=(),
        may_call=False,
        may_abort=False,
        tiles=tuple([held.bit_count() for held in round_.hands]),
        boneyard=len(round_.boneyard),
        reserve=match.terms.reserve,
        scores=match.scores,
        kept=match.kept,
        carried=match.carried,
        barred=round_.barred,
        gone=round_.gone,
        log=_log(match, None),
        ended=match.ended,
        lacks=lacks(round_, laid),
        seen=mask_of([tile for tile, _, _ in laid]),
        move_count=match.move_count,
    )


def lead_decision(round_: Round, seat: int | None, *, everything: bool) -> LeadDecision | None:
    """Return how the leader of this round was determined, as this seat may know it; hide nothing if `everything`."""
    deal = round_.deal
    if deal.how is None:
        return None
    if deal.lots is not None:
        return LeadDecision(deal.how, deal.leader, deal.lots[deal.leader], tuple(enumerate(deal.lots)))
    # The rules tell everybody that the leader has `lead_tile`, or must lead the named tile.
    is_public = everything or deal.how == "tile" or deal.named is not None
    won = deal.won if is_public else None
    # The tile that won the lead is the last one the leader drew.
    last = max(
        [index for index, (drawer, _) in enumerate(deal.lead_draws) if drawer == deal.leader], default=None
    )
    draws = tuple(
        [
            (drawer, tile if everything or drawer == seat else won if index == last else None)
            for index, (drawer, tile) in enumerate(deal.lead_draws)
        ]
    )
    return LeadDecision(deal.how, deal.leader, won, draws)


def _may_abort(match: Match, seat: int) -> bool:
    return match.result is None and seat not in match.gone and not match.has_played(seat)


def _log(match: Match, seat: int | None) -> tuple[Entry, ...]:
    log = match.round.log
    if match.result is not None:
        return log
    log = tuple(
        [entry if entry.move is not DRAW or entry.seat == seat else Entry(entry.seat, DRAW) for entry in log]
    )
    if not match.terms.must_claim:
        return log
    callable_play = _callable_play(match)
    return tuple([_without_count(entry, entry is callable_play) for entry in log])


def _callable_play(match: Match) -> Entry | None:
    """Return the play that may still be called, whether it has points or not."""
    play = match.round.callable_play() if match.terms.must_claim else None
    return None if play is None or (play.points and play.claim == play.points) else play


def _without_count(entry: Entry, is_callable: bool) -> Entry:
    return entry._replace(count=None, points=None, scored=None) if is_callable else entry._replace(count=None)


def lacks(round_: Round, laid: tuple[Laid, ...]) -> tuple[frozenset[int], ...]:
    """Return for each seat the suits that its passes and draws prove that it does not hold.

    Where only a seat that cannot play may draw, a draw proves that the tiles held before it do not fit. The drawn
    tile may have any suit until the next draw or pass proves that it does not fit either, or it is played.
    """
    terms, count = round_.terms, 0
    draw_proves = terms.rules.draw == "until_playable"
    known: list[frozenset[int]] = [frozenset()] * terms.seats
    fresh = [False] * terms.seats
    for seat, move, *_ in round_.log:
        if move.kind == "play":
            if fresh[seat] and not known[seat].issuperset(_open_suits(terms, laid[:count])):
                known[seat] = frozenset()
            fresh[seat] = False
            count += len(move.plays)
        elif count and (move is DRAW or move is PASS):
            proves = draw_proves if move is DRAW else not terms.free_pass
            lacking = _open_suits(terms, laid[:count]) if proves else frozenset()
            known[seat] = lacking if fresh[seat] else known[seat] | lacking
            fresh[seat] = move is DRAW
    return tuple([frozenset() if fresh[seat] else known[seat] for seat in range(terms.seats)])


def _open_suits(terms: Terms, laid: tuple[Laid, ...]) -> frozenset[int]:
    layout = _layout_of(terms, laid)
    return frozenset(layout.ends.values()) if layout else frozenset()
