"""A round in play: one deal and what was played (docs/rules.md, "The turn").

>>> from .moves import parse
>>> from .presets import PRESETS
>>> from .matches import begin as begin_match
>>> match = begin_match(PRESETS["all-fives"].rules, 2, bytes(range(32)), "a1b2.")
>>> round_ = match.play(1, parse("5-0")).round
>>> round_.laid, round_.layout.ends, round_.turn
((Laid(tile=15, end=None, seat=1),), {'L': 5, 'R': 0}, 0)
>>> [str(move) for move in round_.legal()]
['5-3@L']
"""

from collections.abc import Sequence
from typing import Literal, NamedTuple

from .errors import Illegal
from .layout import Laid, Layout, lay_out, lead
from .moves import DRAW, PASS, Move, leads
from .options import FirstLead
from .terms import Terms
from .tiles import DOUBLES, NAMES, Mask, Tile, mask_of, members

_DRAW: tuple[Move, ...] = (DRAW,)
_PASS: tuple[Move, ...] = (PASS,)


class Deal(NamedTuple):
    """The deal of a round. Hands and boneyard are in dealt order.

    key         the key of the shuffle, 32 bytes
    attempt     the number of deals refused under `max_same_suit` and `max_doubles`
    lots        the lot of each seat for the lead, or None
    lead_draws  (seat, tile) for each draw under `first_lead: tile`
    leader      the seat that has the lead
    named       the tile that it must lead, or None
    how         the rule that determined the leader, or None if the previous round did
    won         the tile that won the lead, or None (lots are not tiles of the deal)
    """

    number: int
    key: bytes
    attempt: int
    lots: tuple[Tile, ...] | None
    hands: tuple[tuple[Tile, ...], ...]
    boneyard: tuple[Tile, ...]
    lead_draws: tuple[tuple[int, Tile], ...]
    leader: int
    named: Tile | None
    how: FirstLead | None = None
    won: Tile | None = None


class Entry(NamedTuple):
    """One move in a round's log.

    claim           the points claimed with a play, or None
    count, points   for a play: the count after it and its points; else None
    scored          for a play or a call: the points awarded; else None
    tile            the tile of a draw; else None
    award           the points awarded to each side for the passes that this play or pass completes, or None
    """

    seat: int
    move: Move
    claim: int | None = None
    count: int | None = None  # type: ignore[assignment]
    points: int | None = None
    scored: int | None = None
    tile: Tile | None = None
    award: tuple[int, ...] | None = None


class Round(NamedTuple):
    """A round in play.

    hands   the tiles of each seat, as sets
    drawn   the number of tiles that have left the boneyard
    layout  None before the lead
    turn    the seat on turn
    gone    the seats that have left the match
    barred  the sides that are given nothing more in this round (`past_target: round`)
    """

    terms: Terms
    deal: Deal
    hands: tuple[Mask, ...]
    drawn: int
    layout: Layout | None
    turn: int
    gone: frozenset[int]
    log: tuple[Entry, ...] = ()
    barred: frozenset[int] = frozenset()

    @property
    def number(self) -> int:
        return self.deal.number

    @property
    def leader(self) -> int:
        return self.deal.leader

    @property
    def named(self) -> Tile | None:
        return self.deal.named

    @property
    def lots(self) -> tuple[Tile, ...] | None:
        return self.deal.lots

    @property
    def lead_draws(self) -> tuple[tuple[int, Tile], ...]:
        return self.deal.lead_draws

    @property
    def boneyard(self) -> tuple[Tile, ...]:
        """Return the tiles still in the boneyard, the next one first."""
        return self.deal.boneyard[self.drawn :]

    @property
    def laid(self) -> tuple[Laid, ...]:
        """Return the tiles on the table in the order laid."""
        return tuple([Laid(*play, entry.seat) for entry in self.log for play in entry.move.plays])

    @property
    def pips(self) -> tuple[int, ...]:
        """Return what each hand counts."""
        return self.terms.weights(self.hands)

    def held(self, seat: int) -> tuple[Tile, ...]:
        """Return the hand of a seat in the order dealt and drawn."""
        drawn = [tile for who, tile in self.deal.lead_draws if who == seat]
        drawn += [entry.tile for entry in self.log if entry.seat == seat and entry.tile is not None]
        hand = self.hands[seat]
        return tuple([tile for tile in (*self.deal.hands[seat], *drawn) if hand >> tile & 1])

    def legal(self) -> tuple[Move, ...]:
        """Return the plays, draws and passes open to the seat on turn."""
        terms, _, hands, drawn, layout, turn, _, _, _ = self
        if layout is None:
            return leads(self.leadable())
        moves = layout.moves(hands[turn])
        if moves and terms.plays_only:
            return moves
        others: tuple[Move, ...]
        if drawn < terms.drawable:
            others, by_choice = _DRAW, terms.free_draw
        else:
            others, by_choice = _PASS, terms.free_pass
        if terms.any_pass and others is _DRAW:
            others, by_choice = (_DRAW + _PASS, True) if by_choice or not moves else (_PASS, True)
        if not moves:
            return others
        if terms.many_ends:
            moves += layout.several(hands[turn], terms.points)
        if terms.two_doubles:
            moves += layout.two_doubles(hands[turn])
        return moves + others if by_choice else moves

    def leadable(self) -> Mask:
        """Return the tiles that the seat on turn may lead."""
        hand = self.hands[self.turn]
        if self.deal.named is not None and self.turn == self.deal.leader:
            return 1 << self.deal.named
        if self.terms.rules.lead_with == "scoring":
            return hand & self.terms.scoring or hand
        return hand

    def layout_after(self, move: Move) -> Layout:
        """Return the layout after the seat on turn plays `move`. Raise `Illegal`."""
        layout = self.layout
        if unheld := move.tiles & ~self.hands[self.turn]:
            raise Illegal("not_held", tile=NAMES[members(unheld)[0]])
        if layout is None:
            return self._layout_after_lead(move)
        if move.joins is not None:
            tile, index = move.joins
            return layout.joined_at(tile, index)
        if len(move.plays) > 1:
            return self._layout_after_combination(layout, move)
        raise Illegal("needs_end", tile=NAMES[move.plays[0][0]])

    def _layout_after_lead(self, move: Move) -> Layout:
        if len(move.plays) > 1 or move.plays[0][1] is not None:
            raise Illegal("lead_has_no_end")
        tile = move.plays[0][0]
        if not self.leadable() >> tile & 1:
            if self.deal.named is not None:
                raise Illegal("must_lead", tile=NAMES[self.deal.named])
            raise Illegal("lead_must_score")
        return lead(self.terms.tip_table, tile)

    def _layout_after_combination(self, layout: Layout, move: Move) -> Layout:
        rules = self.terms.rules
        if not rules.many_ends and not rules.two_doubles:
            raise Illegal("one_tile_only")
        # Every end must be open when the turn begins, so check all before any is laid.
        layout.check_plays(move.plays)
        if rules.two_doubles and move.tiles & ~DOUBLES:
            raise Illegal("two_doubles_only")
        layout = lay_out(self.terms.tip_table, layout, move.plays)
        if rules.many_ends and not self.terms.points[layout.count]:
            raise Illegal("not_a_multiple", count=layout.count)
        return layout

    def check_move(self, move: Move) -> None:
        """Raise `Illegal` unless the seat on turn may make this play, draw or pass."""
        if move.kind == "draw":
            self.check_draw()
        elif move.kind == "pass":
            self.check_pass()
        else:
            self.layout_after(move)

    def check_draw(self) -> None:
        """Raise `Illegal` unless the seat on turn may draw."""
        terms, _, hands, drawn, layout, turn, _, _, _ = self
        if layout is None:
            raise Illegal("cannot_draw_lead")
        if drawn >= terms.drawable:
            raise self._draw_refusal()
        if hands[turn] & layout.fits and not terms.free_draw:
            raise Illegal("can_play", move="draw")

    def _draw_refusal(self) -> Illegal:
        if self.terms.rules.draw == "none":
            return Illegal("no_drawing")
        return Illegal("boneyard_reserved" if self.boneyard else "boneyard_empty")

    def check_pass(self) -> None:
        """Raise `Illegal` unless the seat on turn may pass."""
        terms, _, hands, drawn, layout, turn, _, _, _ = self
        if layout is None:
            raise Illegal("cannot_pass_lead")
        if terms.any_pass:
            return
        fits = hands[turn] & layout.fits
        if drawn < terms.drawable:
            raise Illegal("can_play", move="pass") if fits and not terms.free_draw else Illegal("must_draw")
        if fits and not terms.free_pass:
            raise Illegal("can_play", move="pass")

    @property
    def skipped(self) -> frozenset[int]:
        """Return the seats that turns pass over: those that are gone, or without tiles under `partners_out: both`."""
        if not self.terms.both_out:
            return self.gone
        return self.gone.union(seat for seat, hand in enumerate(self.hands) if not hand)

    def next_turn(self) -> int:
        """Return the seat that has the turn after the seat on turn."""
        return self.terms.seat_after(self.turn, self.skipped)

    def is_out(self, seat: int) -> bool:
        """Return whether this seat, or under `partners_out: both` its pair, has laid its last tile."""
        if self.terms.both_out:
            return not any(self.hands[each] for each in self.terms.sides[self.terms.side_of[seat]])
        return not self.hands[seat]

    def is_blocked(self) -> bool:
        """Return whether nobody can play or draw, or all seats have passed in succession."""
        terms, _, hands, drawn, layout, _, gone, _, _ = self
        if layout is None:
            return False
        if drawn < terms.drawable:
            return terms.any_pass and self._all_passed()
        fits = layout.fits
        for seat, hand in enumerate(hands):
            if hand & fits and seat not in gone:
                return terms.free_pass and self._all_passed()
        return True

    def _all_passed(self) -> bool:
        skipped = self.skipped
        return count_passes(self.log, skipped) >= self.terms.seats - len(skipped)

    def callable_play(self) -> Entry | None:
        """Return the last play if no draw, pass or call has followed it."""
        for entry in reversed(self.log):
            if entry.move.kind == "play":
                return entry
            if entry.move.kind in ("draw", "pass", "muggins"):
                return None
        return None

    def seat_of_passed_lead(self) -> int | None:
        """Return the seat that led, if exactly one pass and no other turn has followed."""
        lead: int | None = None
        passed = 0
        for entry in self.log:
            if entry.move.kind == "play":
                if lead is not None:
                    return None
                lead = entry.seat
            passed += entry.move is PASS
        return lead if passed == 1 else None

    def seat_passed_by_all(self) -> int | None:
        """Return the seat that laid the last tile, if all others have passed since and it is on turn again."""
        passed: set[int] = set()
        for entry in reversed(self.log):
            if entry.move.kind == "play":
                others = set(range(self.terms.seats)) - self.skipped - {entry.seat}
                return entry.seat if entry.seat == self.turn and others <= passed else None
            if entry.move is PASS:
                passed.add(entry.seat)
        return None

    def layout_before(self, play: Entry) -> Layout | None:
        """Return the layout before this play, the last one; None if it was the lead."""
        laid = self.laid[: -len(play.move.plays)]
        plays = [(tile, end) for tile, end, _ in laid]
        return lay_out(self.terms.tip_table, None, plays) if plays else None

    @property
    def closer(self) -> int:
        """Return the seat that laid the last tile."""
        return next(entry.seat for entry in reversed(self.log) if entry.move.kind == "play")


def begin(terms: Terms, deal: Deal, gone: frozenset[int]) -> Round:
    """Return the round before its lead."""
    hands = [mask_of(hand) for hand in deal.hands]
    for seat, tile in deal.lead_draws:
        hands[seat] |= 1 << tile
    return Round(terms, deal, tuple(hands), len(deal.lead_draws), None, deal.leader, gone)


RoundEnding = Literal["out", "blocked", "stopped"]


def count_passes(log: Sequence[Entry], gone: frozenset[int]) -> int:
    """Return how many seats that are not gone have passed in succession at the end of the log."""
    passed = set()
    for entry in reversed(log):
        if entry.move.kind == "pass":
            passed.add(entry.seat)
        elif entry.move.kind in ("play", "draw"):
            break
    return len(passed - gone)
