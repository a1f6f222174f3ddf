"""Find what the plays of a seat in pairs could tell its partner, in a finished round, in which all is public.

What a play shows is a fact of the hand at that moment: which suit it opened, and how many more of it were held. A
computer does not reason in these words: it plays many deals out (docs/computer.md).
"""

from collections.abc import Iterator
from typing import Literal, NamedTuple

from boneyard.engine.layout import Layout, lay_out
from boneyard.engine.moves import Move
from boneyard.engine.rounds import Round
from boneyard.engine.tiles import DOUBLE, HIGH, LOW, PIPS, SUITS, Mask, Tile, mask_of, members

SignKind = Literal["led", "covered", "forced", "shut", "returned", "repeated", "double", "opened", "heavy"]
MIN_MORE_TILES = 2  # of a suit that is strong enough to show
MIN_HEAVY_PIPS = 9


class Sign(NamedTuple):
    """What a play showed.

    led       the lead, from a suit of which `more` were still held
    covered   nothing else fitted, and it covered `suit`, which the partner had opened
    forced    nothing else fitted
    shut      every end shows a suit to which the next seat had passed
    returned  it opened `suit`, which the partner had opened before
    repeated  it opened `suit`, which the seat had opened before, and of which `more` were still held
    double    a double of which no other tile was held
    opened    it opened `suit`, of which `more` were still held
    heavy     the heaviest tile that fitted
    """

    tile: Tile
    kind: SignKind
    suit: int = -1
    more: int = 0


class _Turn(NamedTuple):
    """A play of one tile, with what was known before it.

    hand, left       the tiles held before and after
    before, after    the layout; None before the lead
    own, partner     the suits that the seat and its partner had opened
    passed           the suits to which the next seat had passed
    """

    move: Move
    hand: Mask
    left: Mask
    before: Layout | None
    after: Layout
    own: frozenset[int]
    partner: frozenset[int]
    passed: frozenset[int]

    @property
    def tile(self) -> Tile:
        return self.move.plays[0][0]

    @property
    def covered(self) -> int:
        """Return the suit that the tile joined; there must have been a layout."""
        assert self.before is not None
        assert self.move.joins is not None
        return self.before.tips[self.move.joins[1]].suit

    @property
    def opened(self) -> int:
        """Return the suit that the tile opened; of a lead the one of which more are held, if equal the higher."""
        high, low = HIGH[self.tile], LOW[self.tile]
        if self.before is None:
            return max(high, low, key=lambda suit: (self.count_more(suit), suit))
        return low if self.covered == high else high

    def count_more(self, suit: int) -> int:
        """Return how many tiles of this suit were still held."""
        return (self.left & SUITS[suit]).bit_count()


def find_signs(round_: Round, seat: int) -> tuple[Sign, ...]:
    """Return what the plays of this seat of a pair showed, in order, without those that showed nothing.

    Give only a finished round: a sign says what was held. The last tile shows nothing, nor do plays of several tiles.
    """
    signs = [_read(turn) for turn in _find_turns(round_, seat)]
    return tuple([sign for sign in signs if sign is not None])


def _find_turns(round_: Round, seat: int) -> Iterator[_Turn]:
    terms, deal = round_.terms, round_.deal
    next_seat = terms.seat_after(seat, frozenset())
    hand = mask_of([*deal.hands[seat], *(tile for who, tile in deal.lead_draws if who == seat)])
    own: frozenset[int] = frozenset()
    partner, passed, layout = own, own, None
    for entry in round_.log:
        move = entry.move
        if entry.seat == seat and entry.tile is not None:
            hand |= 1 << entry.tile
        if move.kind == "pass" and entry.seat == next_seat and layout is not None:
            passed = passed.union(layout.ends.values())
        if move.kind != "play":
            continue
        before, layout = layout, lay_out(terms.tip_table, layout, move.plays)
        opened = {layout.tips[move.joins[1]].suit} if before and move.joins else {*layout.ends.values()}
        if entry.seat == seat:
            left = hand & ~move.tiles
            if len(move.plays) == 1 and left:
                yield _Turn(move, hand, left, before, layout, own, partner, passed)
            own, hand = own | opened, left
        elif terms.side_of[entry.seat] == terms.side_of[seat]:
            partner |= opened


def _read(turn: _Turn) -> Sign | None:
    """Return the sign of a play that says most to a partner."""
    tile, suit = turn.tile, turn.opened
    more = turn.count_more(suit)
    if turn.before is None:
        return Sign(tile, "led", suit, more) if more >= MIN_MORE_TILES else None
    choices = {tile for move in turn.before.moves(turn.hand) for tile in members(move.tiles)}
    if len(choices) == 1:
        covers = turn.covered in turn.partner and suit != turn.covered
        return Sign(tile, "covered", turn.covered) if covers else Sign(tile, "forced")
    if {*turn.after.ends.values()} <= turn.passed:
        return Sign(tile, "shut")
    if not DOUBLE[tile] and suit in turn.partner - turn.own:
        return Sign(tile, "returned", suit)
    if suit in turn.own and more:
        return Sign(tile, "repeated", suit, more)
    if DOUBLE[tile] and not more:
        return Sign(tile, "double", suit)
    if more >= MIN_MORE_TILES:
        return Sign(tile, "opened", suit, more)
    if PIPS[tile] >= MIN_HEAVY_PIPS and PIPS[tile] == max(PIPS[each] for each in choices):
        return Sign(tile, "heavy")
    return None
