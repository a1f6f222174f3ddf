"""A round: one deal, played out (docs/rules.md, The turn).

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
    """How a round began. Hands and boneyard are as dealt, in dealt order.

    key         the key of the shuffle, 32 bytes
    attempt     how many deals were refused under `max_same_suit` and `max_doubles`
    lots        what each seat drew for the lead, or None
    lead_draws  (seat, tile) of `first_lead: tile`
    leader      the seat that has the lead
    named       the tile that it must lead, or None
    how         how the lead was looked for, or None where the round before lead_decision it
    won         the tile that won the lead, or None (lots are no tiles of the deal)
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
    """One line of a round's log.

    claim           what the player of a play announced, or None
    count, points   of a play: the count after it and what it is worth; else None
    scored          of a play or a call: what was given for it; else None
    tile            the tile of a draw; else None
    award           what each side was given for the passes that this play or pass completes; None where they
                    earned nothing
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
    drawn   how many tiles have left the boneyard
    layout  None before the lead
    turn    the seat on turn
    gone    the seats that have left the match
    """

    terms: Terms
    deal: Deal
    hands: tuple[Mask, ...]
    drawn: int
    layout: Layout | None
    turn: int
    gone: frozenset[int]
    log: tuple[Entry, ...] = ()

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
        """What is left of it, the next tile first."""
        return self.deal.boneyard[self.drawn :]

    @property
    def laid(self) -> tuple[Laid, ...]:
        """The tiles on the table in the order in which they were laid."""
        return tuple(
            Laid(tile, end, entry.seat)
            for entry in self.log
            if entry.move.kind == "play"
            for tile, end in entry.move.plays
        )

    @property
    def pips(self) -> tuple[int, ...]:
        """What each hand counts."""
        return self.terms.weights(self.hands)

    def held(self, seat: int) -> tuple[Tile, ...]:
        """A hand in the order in which it was dealt and drawn."""
        drawn = [tile for who, tile in self.deal.lead_draws if who == seat]
        drawn += [entry.tile for entry in self.log if entry.seat == seat and entry.tile is not None]
        hand = self.hands[seat]
        return tuple(tile for tile in (*self.deal.hands[seat], *drawn) if hand >> tile & 1)

    def legal(self) -> tuple[Move, ...]:
        """Everything that the seat on turn may do, resigning and calling apart."""
        terms, _, hands, drawn, layout, turn, _, _ = self
        if layout is None:
            return leads(self.leadable())
        moves = layout.moves(hands[turn])
        if moves and terms.plays_only:
            return moves
        otherwise: tuple[Move, ...]
        if drawn < terms.drawable:
            otherwise, by_choice = _DRAW, terms.free_draw
        else:
            otherwise, by_choice = _PASS, terms.free_pass
        if terms.any_pass and otherwise is _DRAW:
            otherwise, by_choice = (_DRAW + _PASS, True) if by_choice or not moves else (_PASS, True)
        if not moves:
            return otherwise
        if terms.many_ends:
            moves += layout.several(hands[turn], terms.points)
        if terms.two_doubles:
            moves += layout.two_doubles(hands[turn])
        return moves + otherwise if by_choice else moves

    def leadable(self) -> Mask:
        """The tiles that the seat on turn might lead."""
        hand = self.hands[self.turn]
        if self.deal.named is not None and self.turn == self.deal.leader:
            return 1 << self.deal.named
        if self.terms.rules.lead_with == "scoring":
            return hand & self.terms.scoring or hand
        return hand

    def layout_after(self, move: Move) -> Layout:
        """The layout after the seat on turn plays so. Raises Illegal."""
        layout = self.layout
        if unheld := move.tiles & ~self.hands[self.turn]:
            raise Illegal("not_held", tile=NAMES[members(unheld)[0]])
        if layout is None:
            return self._led(move)
        if move.joins is not None:
            tile, index = move.joins
            return layout.joined_at(tile, index)
        if len(move.plays) > 1:
            return self._laid_together(layout, move)
        raise Illegal("needs_end", tile=NAMES[move.plays[0][0]])

    def _led(self, move: Move) -> Layout:
        if len(move.plays) > 1 or move.plays[0][1] is not None:
            raise Illegal("lead_has_no_end")
        tile = move.plays[0][0]
        if not self.leadable() >> tile & 1:
            if self.deal.named is not None:
                raise Illegal("must_lead", tile=NAMES[self.deal.named])
            raise Illegal("lead_must_score")
        return lead(self.terms.tip_table, tile)

    def _laid_together(self, layout: Layout, move: Move) -> Layout:
        rules = self.terms.rules
        if not rules.many_ends and not rules.two_doubles:
            raise Illegal("one_tile_only")
        # Every end must have been open when the turn began, so all are looked at before any is laid.
        layout.check_plays(move.plays)
        if rules.two_doubles and move.tiles & ~DOUBLES:
            raise Illegal("two_doubles_only")
        layout = lay_out(self.terms.tip_table, layout, move.plays)
        if rules.many_ends and not self.terms.points[layout.count]:
            raise Illegal("not_a_multiple", count=layout.count)
        return layout

    def check_move(self, move: Move) -> None:
        """Raises Illegal unless the seat on turn may play so, draw or pass."""
        if move.kind == "draw":
            self.check_draw()
        elif move.kind == "pass":
            self.check_pass()
        else:
            self.layout_after(move)

    def check_draw(self) -> None:
        """Raises Illegal unless the seat on turn may draw."""
        terms, _, hands, drawn, layout, turn, _, _ = self
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
        """Raises Illegal unless the seat on turn may pass."""
        terms, _, hands, drawn, layout, turn, _, _ = self
        if layout is None:
            raise Illegal("cannot_pass_lead")
        if terms.any_pass:
            return
        fits = hands[turn] & layout.fits
        if drawn < terms.drawable:
            raise Illegal("can_play", move="pass") if fits and not terms.free_draw else Illegal("must_draw")
        if fits and not terms.free_pass:
            raise Illegal("can_play", move="pass")

    def next_turn(self) -> int:
        """The seat that comes after the seat on turn; seats that are gone are passed over."""
        return self.terms.seat_after(self.turn, self.gone)

    def is_blocked(self) -> bool:
        """Whether nobody can play or draw, or everybody has passed one after the other."""
        terms, _, hands, drawn, layout, _, gone, _ = self
        if layout is None:
            return False
        if drawn < terms.drawable:
            return terms.any_pass and count_passes(self.log, gone) >= terms.seats - len(gone)
        fits = layout.fits
        for seat, hand in enumerate(hands):
            if hand & fits and seat not in gone:
                return terms.free_pass and count_passes(self.log, gone) >= terms.seats - len(gone)
        return True

    def callable_play(self) -> Entry | None:
        """The last play while no play, draw, pass or call has followed it."""
        for entry in reversed(self.log):
            if entry.move.kind == "play":
                return entry
            if entry.move.kind in ("draw", "pass", "muggins"):
                return None
        return None

    def seat_of_passed_lead(self) -> int | None:
        """The seat that led, if one pass and nothing else has followed."""
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
        """The seat that laid the last tile, if it is on turn again and every other seat at the table has
        passed since."""
        passed: set[int] = set()
        for entry in reversed(self.log):
            if entry.move.kind == "play":
                others = set(range(self.terms.seats)) - self.gone - {entry.seat}
                return entry.seat if entry.seat == self.turn and others <= passed else None
            if entry.move is PASS:
                passed.add(entry.seat)
        return None

    @property
    def closer(self) -> int:
        """The seat that laid the last tile."""
        return next(entry.seat for entry in reversed(self.log) if entry.move.kind == "play")


def begin(terms: Terms, deal: Deal, gone: frozenset[int]) -> Round:
    """The round in which the leader has yet to lead."""
    hands = [mask_of(hand) for hand in deal.hands]
    for seat, tile in deal.lead_draws:
        hands[seat] |= 1 << tile
    return Round(terms, deal, tuple(hands), len(deal.lead_draws), None, deal.leader, gone)


RoundEnding = Literal["out", "blocked", "stopped"]


def count_passes(log: Sequence[Entry], gone: frozenset[int]) -> int:
    """How many of the seats that stay have passed in succession at the end of this log."""
    passed = set()
    for entry in reversed(log):
        if entry.move.kind == "pass":
            passed.add(entry.seat)
        elif entry.move.kind in ("play", "draw"):
            break
    return len(passed - gone)
