"""The tiles on the table as far as play goes on: open ends, spinner and count (RULES.md §2)."""

from dataclasses import dataclass
from functools import cache
from typing import NamedTuple

from .errors import Illegal
from .moves import ENDS, JOINS, PLACE, Move
from .tiles import DOUBLE, HIGH, LOW, NAMES, PIPS, SET_SIZES, SUITS, Mask, Tile
from .tiles import tile as tile_of

LEFT, RIGHT, UP, DOWN = range(4)
_LEFT, _RIGHT, _UP, _DOWN = (JOINS[end] for end in ENDS)
# Makes a named tuple from a plain one in half the time of its own constructor (bench/engine.py).
_new = tuple.__new__


@dataclass(frozen=True, slots=True)
class Tip:
    """What a player meets at an end.

    kind   tile     an ordinary tile
           double   a double, lying crosswise
           lone     one of the two line sides of a double that lies alone
           free     a free side of the spinner
           waiting  a tile at Sebastopol's spinner, while another of the spinner's sides is free
           none     there is no such end
    suit   the half wanted there
    worth  what it adds to the count
    fits   the tiles that may be joined there now
    """

    kind: str
    suit: int
    worth: int
    fits: Mask


NO_TIP = Tip("none", -1, 0, 0)


@dataclass(frozen=True, slots=True)
class Board:
    """What a layout is laid out by: the rules' `spinner`, the highest suit, and the tips of each
    kind by suit."""

    spinner: str
    highest: int
    tile: tuple[Tip, ...]
    double: tuple[Tip, ...]
    lone: tuple[Tip, ...]
    free: tuple[Tip, ...]
    waiting: tuple[Tip, ...]

    def __reduce__(self) -> tuple[object, tuple[str, int]]:
        return board, (self.spinner, self.highest)


@cache
def board(spinner: str, highest: int) -> Board:
    """The board for this option `spinner` and the set up to this suit."""
    in_set = (1 << SET_SIZES[highest]) - 1
    suits = [(suit, SUITS[suit] & in_set) for suit in range(highest + 1)]
    return Board(
        spinner,
        highest,
        tile=tuple(Tip("tile", suit, suit, fits) for suit, fits in suits),
        double=tuple(Tip("double", suit, 2 * suit, fits) for suit, fits in suits),
        # Two halves, so that the lone double counts its pips once.
        lone=tuple(Tip("lone", suit, suit, fits) for suit, fits in suits),
        free=tuple(Tip("free", suit, 0, fits) for suit, fits in suits),
        waiting=tuple(Tip("waiting", suit, suit, 0) for suit, _ in suits),
    )


class Layout(NamedTuple):
    """The ends of the layout.

    tips     what lies at the ends L R U D
    spinner  the spinner as far as there is one
    count    the sum of the open ends, RULES.md §2.3
    """

    board: Board
    tips: tuple[Tip, ...]
    spinner: Tile | None
    count: int  # type: ignore[assignment]

    @property
    def ends(self) -> dict[str, int]:
        """The suit wanted at each end that may be joined now."""
        return {end: tip.suit for end, tip in zip(ENDS, self.tips, strict=True) if tip.fits}

    @property
    def values(self) -> dict[str, int]:
        """What each end adds to the count; a lone double adds its pips in two halves."""
        return {end: tip.worth for end, tip in zip(ENDS, self.tips, strict=True) if tip.kind != "none"}

    @property
    def fits(self) -> Mask:
        """The tiles that may be joined to some end now."""
        left, right, up, down = self.tips
        return left.fits | right.fits | up.fits | down.fits

    def moves(self, hand: Mask) -> tuple[Move, ...]:
        """The plays of single tiles from this hand, end by end."""
        left, right, up, down = self.tips
        moves = _LEFT[hand & left.fits] + _RIGHT[hand & right.fits]
        if up.kind == "none":
            return moves
        return moves + _UP[hand & up.fits] + _DOWN[hand & down.fits]

    def joined(self, tile: Tile, end: str | None) -> "Layout":
        """The layout after this tile is laid at this end. Raises Illegal."""
        board, tips, spinner, count = self
        if end is None:
            raise Illegal("needs_end", tile=NAMES[tile])
        place = PLACE[end]
        covered = tips[place]
        if not covered.fits >> tile & 1:
            raise self._refusal(tile, end)
        suit = PIPS[tile] - covered.suit
        changed = list(tips)
        if DOUBLE[tile]:
            changed[place] = board.double[suit]
            if spinner is None and board.spinner == "first":
                spinner = tile
        else:
            changed[place] = board.tile[suit]
        if covered.kind == "tile":
            count += changed[place].worth - covered.worth
        else:
            spinner = cover(board, changed, spinner, covered, place)
            count = sum([tip.worth for tip in changed])
        return _new(Layout, (board, tuple(changed), spinner, count))

    def refuse(self, plays: tuple[tuple[Tile, str | None], ...]) -> None:
        """Raises Illegal unless each of the tiles may be joined to its end as the layout lies now."""
        for tile, end in plays:
            if end is not None and not self.tips[PLACE[end]].fits >> tile & 1:
                raise self._refusal(tile, end)

    def _refusal(self, tile: Tile, end: str) -> Illegal:
        tip = self.tips[PLACE[end]]
        if tip.kind == "none":
            return Illegal("not_open", end=end)
        if not tip.fits:
            return Illegal("cross_first", end=end)
        return Illegal("no_fit", tile=NAMES[tile], end=end)


def lead(board: Board, tile: Tile) -> Layout:
    """The layout of a lone lead."""
    high, low = HIGH[tile], LOW[tile]
    if not DOUBLE[tile]:
        return Layout(board, (board.tile[high], board.tile[low], NO_TIP, NO_TIP), None, PIPS[tile])
    side, arm, spinner = board.lone[high], NO_TIP, None
    if board.spinner == "first":
        spinner = tile
    elif board.spinner == "cross":
        arm, spinner = board.free[high], tile
    return Layout(board, (side, side, arm, arm), spinner, PIPS[tile])


def cover(board: Board, tips: list[Tip], spinner: Tile | None, covered: Tip, place: int) -> Tile | None:
    """Puts right, in `tips`, what else a tile changes that was laid at `place` against a double or a free side;
    returns the spinner."""
    suit = covered.suit
    if covered.kind == "lone":
        tips[LEFT + RIGHT - place] = board.double[suit]
    elif covered.kind == "double" and tips[UP].kind == "none":
        # The covered double now has a tile on both its line sides.
        if board.spinner == "first_enclosed":
            spinner = tile_of(suit, suit)
        if spinner is not None and HIGH[spinner] == suit:
            tips[UP] = tips[DOWN] = board.free[suit]
    if board.spinner == "cross" and spinner is not None and HIGH[spinner] == suit:
        _cross(board, tips, place)
    return spinner


def _cross(board: Board, tips: list[Tip], place: int) -> None:
    tips[place] = board.waiting[tips[place].suit]
    if all(tip.kind == "waiting" for tip in tips):
        tips[:] = [board.tile[tip.suit] for tip in tips]
