"""The tiles on the table as far as play goes on: open ends, spinner and count (RULES.md §2)."""

from dataclasses import dataclass
from typing import NamedTuple

from .moves import ENDS, JOINS, PLACE, Move
from .tiles import DOUBLE, HIGH, HIGHEST_SUIT, LOW, PIPS, SUITS, Mask, Tile
from .tiles import tile as tile_of

LEFT, RIGHT, UP, DOWN = range(4)
_LEFT, _RIGHT, _UP, _DOWN = (JOINS[end] for end in ENDS)
# Makes a named tuple from a plain one, in half the time of its own constructor; see docs/decisions.
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


_SUITS = range(HIGHEST_SUIT + 1)
_TILE = tuple(Tip("tile", suit, suit, SUITS[suit]) for suit in _SUITS)
_DOUBLE = tuple(Tip("double", suit, 2 * suit, SUITS[suit]) for suit in _SUITS)
# Two halves, so that the lone double counts its pips once.
_LONE = tuple(Tip("lone", suit, suit, SUITS[suit]) for suit in _SUITS)
_FREE = tuple(Tip("free", suit, 0, SUITS[suit]) for suit in _SUITS)
_WAITING = tuple(Tip("waiting", suit, suit, 0) for suit in _SUITS)
_NONE = Tip("none", -1, 0, 0)


class Layout(NamedTuple):
    """The ends of the layout.

    branching  the rules' `spinner`
    tips       what lies at the ends L R U D
    spinner    the spinner as far as there is one
    count      the sum of the open ends, RULES.md §2.3
    """

    branching: str
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

    def joined(self, tile: Tile, end: str) -> "Layout":
        """The layout after this tile is laid at this end, which it must fit."""
        branching, tips, spinner, _ = self
        place = PLACE[end]
        covered = tips[place]
        suit = PIPS[tile] - covered.suit
        changed = list(tips)
        if DOUBLE[tile]:
            changed[place] = _DOUBLE[suit]
            if spinner is None and branching == "first":
                spinner = tile
        else:
            changed[place] = _TILE[suit]
        if covered.kind != "tile":
            spinner = _cover(branching, changed, spinner, covered, place)
        left, right, up, down = changed
        count = left.worth + right.worth + up.worth + down.worth
        return _new(Layout, (branching, (left, right, up, down), spinner, count))


def lead(branching: str, tile: Tile) -> Layout:
    """The layout of a lone lead under the rules' `spinner`."""
    if not DOUBLE[tile]:
        return Layout(branching, (_TILE[HIGH[tile]], _TILE[LOW[tile]], _NONE, _NONE), None, PIPS[tile])
    side, arm, spinner = _LONE[HIGH[tile]], _NONE, None
    if branching == "first":
        spinner = tile
    elif branching == "cross":
        arm, spinner = _FREE[HIGH[tile]], tile
    return Layout(branching, (side, side, arm, arm), spinner, PIPS[tile])


def _cover(branching: str, tips: list[Tip], spinner: Tile | None, covered: Tip, place: int) -> Tile | None:
    """Puts right, in `tips`, what else a tile changes that was laid against a double; returns the spinner."""
    suit = covered.suit
    if covered.kind == "lone":
        tips[LEFT + RIGHT - place] = _DOUBLE[suit]
    elif covered.kind == "double" and tips[UP].kind == "none":
        # The covered double now has a tile on both its line sides.
        if branching == "first_enclosed":
            spinner = tile_of(suit, suit)
        if spinner is not None and HIGH[spinner] == suit:
            tips[UP] = tips[DOWN] = _FREE[suit]
    if branching == "cross" and spinner is not None and HIGH[spinner] == suit:
        _cross(tips, suit, place)
    return spinner


def _cross(tips: list[Tip], suit: int, place: int) -> None:
    tips[place] = _WAITING[tips[place].suit]
    if all(tip.kind == "waiting" for tip in tips):
        tips[:] = [_TILE[tip.suit] for tip in tips]
