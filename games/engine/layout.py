"""The tiles on the table as far as play goes on: open ends, spinner and count (RULES.md §2)."""

from typing import NamedTuple

from .moves import ENDS, PLACE, Move, joins
from .tiles import DOUBLE, HIGH, LOW, PIPS, SUITS, Mask, Tile

LEFT, RIGHT, UP, DOWN = range(4)


class Layout(NamedTuple):
    """The ends of the layout, each tuple in the order L R U D.

    branching  the rules' `spinner`
    shown      the suit an end shows; None where there is no such end
    tips       the tile lying at an end; None at a free side of the spinner and where there is no such end
    spinner    the spinner as far as there is one
    crossing   true while some side of Sebastopol's spinner is free: only those sides may be joined
    count      the sum of the open ends, RULES.md §2.3
    fits       the tiles that may be joined to some end
    """

    branching: str
    shown: tuple[int | None, ...]
    tips: tuple[Tile | None, ...]
    spinner: Tile | None
    crossing: bool
    count: int  # type: ignore[assignment]
    fits: Mask

    @property
    def ends(self) -> dict[str, int]:
        """The suit wanted at each end that may be joined now."""
        return {
            end: suit
            for end, suit, tip in zip(ENDS, self.shown, self.tips, strict=True)
            if suit is not None and not (self.crossing and tip not in (None, self.spinner))
        }

    @property
    def values(self) -> dict[str, int]:
        """What each end adds to the count; a lone double adds its pips in two halves."""
        return {
            end: _value(self.shown, self.tips, place)
            for place, end in enumerate(ENDS)
            if self.shown[place] is not None
        }

    def joined(self, tile: Tile, end: str) -> "Layout":
        """The layout after this tile is laid at this end. The end must be there, and the tile must fit it."""
        branching, shown, tips, spinner, crossing, _, _ = self
        place = PLACE[end]
        covered = tips[place]
        suits, lying = list(shown), list(tips)
        suits[place] = PIPS[tile] - suits[place]
        lying[place] = tile
        if spinner is None and branching == "first" and DOUBLE[tile]:
            spinner = tile
        if shown[UP] is None and DOUBLE[covered] and tips[LEFT] != tips[RIGHT]:
            # The covered double now has a tile on both its line sides. (Where both tips are the same
            # tile it is the lone lead, and its other side is still free.)
            if branching == "first_enclosed":
                spinner = covered
            if covered == spinner:
                suits[UP] = suits[DOWN] = HIGH[covered]
        if crossing:
            crossing = None in lying or spinner in lying
        return _layout(branching, tuple(suits), tuple(lying), spinner, crossing)

    def moves(self, hand: Mask) -> tuple[Move, ...]:
        """The plays of single tiles from this hand, end by end."""
        if not hand & self.fits:
            return ()
        if self.crossing:
            return sum((joins(hand & SUITS[suit], end) for end, suit in self.ends.items()), ())
        left, right, up, down = self.shown
        moves = joins(hand & SUITS[left], "L") + joins(hand & SUITS[right], "R")
        if up is None:
            return moves
        return moves + joins(hand & SUITS[up], "U") + joins(hand & SUITS[down], "D")


def lead(branching: str, tile: Tile) -> Layout:
    """The layout of a lone lead under the rules' `spinner`."""
    crossing = branching == "cross" and DOUBLE[tile]
    spinner = tile if crossing or (branching == "first" and DOUBLE[tile]) else None
    arm = HIGH[tile] if crossing else None
    return _layout(branching, (HIGH[tile], LOW[tile], arm, arm), (tile, tile, None, None), spinner, crossing)


def _layout(
    branching: str,
    shown: tuple[int | None, ...],
    tips: tuple[Tile | None, ...],
    spinner: Tile | None,
    crossing: bool,
) -> Layout:
    left, right, up, down = shown
    left_tip, right_tip, up_tip, down_tip = tips
    if left_tip == right_tip:
        count = PIPS[left_tip]
    else:
        count = PIPS[left_tip] if DOUBLE[left_tip] else left
        count += PIPS[right_tip] if DOUBLE[right_tip] else right
    if up_tip is not None:
        count += PIPS[up_tip] if DOUBLE[up_tip] else up
    if down_tip is not None:
        count += PIPS[down_tip] if DOUBLE[down_tip] else down
    if crossing:
        fits = SUITS[HIGH[spinner]]
    elif up is None:
        fits = SUITS[left] | SUITS[right]
    else:
        fits = SUITS[left] | SUITS[right] | SUITS[up] | SUITS[down]
    return Layout(branching, shown, tips, spinner, crossing, count, fits)


def _value(shown: tuple[int | None, ...], tips: tuple[Tile | None, ...], place: int) -> int:
    tip = tips[place]
    if tip is None:
        return 0
    lone = place in (LEFT, RIGHT) and tips[LEFT] == tips[RIGHT]
    return PIPS[tip] if DOUBLE[tip] and not lone else shown[place]
