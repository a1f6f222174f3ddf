"""The layout as the rules see it: open ends, spinner and count (docs/rules.md, "The layout").

>>> from .tiles import parse
>>> table = tip_table("first", 6)
>>> layout = lay_out(table, None, [(parse("5-5"), None), (parse("5-0"), "L")])
>>> layout.ends, layout.count
({'L': 0, 'R': 5}, 10)
>>> layout.joined(parse("5-1"), "R").ends
{'L': 0, 'R': 1, 'U': 5, 'D': 5}
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Literal, NamedTuple

from .errors import Illegal
from .moves import ENDS, INDEX, JOINS, EndName, Move, Play, cache_joins, combined_play
from .options import SpinnerRule
from .tiles import DOUBLE, HIGH, LOW, NAMES, PIPS, SET_SIZES, SUITS, Mask, Tile, members
from .tiles import tile as tile_of

L, R, U, D = range(4)
_JOINS_L, _JOINS_R, _JOINS_U, _JOINS_D = (JOINS[end] for end in ENDS[:4])
# Build a named tuple from a tuple: twice as fast as its constructor (bench/engine.py).
_new = tuple.__new__

TipKind = Literal["tile", "double", "lone", "free", "waiting", "none"]


@dataclass(frozen=True, slots=True)
class Tip:
    """The state of one end of the layout.

    kind   tile     an ordinary tile
           double   a double, lying crosswise
           lone     one of the two line sides of a double that is the only tile
           free     a free side of the spinner
           waiting  a tile at Sebastopol's spinner, while another of the spinner's sides is free
           none     no such end
    suit   the suit that fits
    worth  what the end adds to the count
    fits   the tiles that may be joined there now
    plain  whether a tile joined there changes no other end
    """

    kind: TipKind
    suit: int
    worth: int
    fits: Mask
    plain: bool = False


NO_TIP = Tip("none", -1, 0, 0)


@dataclass(frozen=True, slots=True)
class TipTable:
    """The tips of every kind, by suit, for one option `spinner` and one set.

    first_double  whether the first double is the spinner wherever it is laid; `double` is then the spinner's tip
    joined        `joined[suit][tile]` is the tip after this tile joins an end of this suit
    """

    spinner: SpinnerRule
    highest: int
    first_double: bool
    tile: tuple[Tip, ...]
    double: tuple[Tip, ...]
    lone: tuple[Tip, ...]
    free: tuple[Tip, ...]
    waiting: tuple[Tip, ...]
    joined: tuple[tuple[Tip, ...], ...]

    def __reduce__(self) -> tuple[object, tuple[SpinnerRule, int]]:
        return tip_table, (self.spinner, self.highest)


@cache
def tip_table(spinner: SpinnerRule, highest: int) -> TipTable:
    """Return the tips for this option `spinner` and the set up to the suit `highest`."""
    in_set = (1 << SET_SIZES[highest]) - 1
    suits = [(suit, SUITS[suit] & in_set) for suit in range(highest + 1)]
    first_double = spinner in ("first", "first_open")
    tile = tuple(Tip("tile", suit, suit, fits, plain=True) for suit, fits in suits)
    double = tuple(Tip("double", suit, 2 * suit, fits, plain=spinner == "none") for suit, fits in suits)
    # Where the first double is the spinner, later doubles open no other ends.
    later = tuple(replace(tip, plain=True) for tip in double) if first_double else double
    return TipTable(
        spinner,
        highest,
        first_double=first_double,
        tile=tile,
        double=double,
        # Each side adds one half, so that a lone double counts its pips once.
        lone=tuple(Tip("lone", suit, suit, fits) for suit, fits in suits),
        free=tuple(Tip("free", suit, 0, fits, plain=spinner != "cross") for suit, fits in suits),
        waiting=tuple(Tip("waiting", suit, suit, 0) for suit, _ in suits),
        joined=tuple(
            tuple(
                NO_TIP if not fits >> each & 1 else later[suit] if DOUBLE[each] else tile[PIPS[each] - suit]
                for each in range(SET_SIZES[highest])
            )
            for suit, fits in suits
        ),
    )


class Layout(NamedTuple):
    """The ends of the tiles on the table.

    tips     the state of each end, in order: L R U D, or with `spinner: every` as many as there are
    spinner  the spinner or None; with `every` the first double that branched
    count    the sum of the open ends
    """

    table: TipTable
    tips: tuple[Tip, ...]
    spinner: Tile | None
    count: int  # type: ignore[assignment]

    @property
    def ends(self) -> dict[EndName, int]:
        """Return the suit of each end that may be joined now."""
        return {end: tip.suit for end, tip in zip(ENDS, self.tips, strict=False) if tip.fits}

    @property
    def values(self) -> dict[EndName, int]:
        """Return what each end adds to the count; a lone double adds half at each of its two ends."""
        return {end: tip.worth for end, tip in zip(ENDS, self.tips, strict=False) if tip.kind != "none"}

    @property
    def fits(self) -> Mask:
        """Return the tiles that may be joined to some end now."""
        left, right, up, down = self.tips
        return left.fits | right.fits | up.fits | down.fits

    def moves(self, hand: Mask) -> tuple[Move, ...]:
        """Return the plays of single tiles from this hand, end by end."""
        left, right, up, down = self.tips
        try:
            moves = _JOINS_L[hand & left.fits] + _JOINS_R[hand & right.fits]
            if up is NO_TIP:
                return moves
            return moves + _JOINS_U[hand & up.fits] + _JOINS_D[hand & down.fits]
        except KeyError:
            return moves_at(self.tips, hand)

    def several(self, hand: Mask, points: Sequence[int]) -> tuple[Move, ...]:
        """Return the plays of several tiles at once (`many_ends`) that score; `points` is by count."""
        moves: list[Move] = []

        def extend(
            layout: Layout, hand: Mask, plays: tuple[Play, ...], ends: list[tuple[EndName, int]]
        ) -> None:
            for number, (end, suit) in enumerate(ends, 1):
                for tile in members(hand & SUITS[suit]):
                    after, more = layout.joined(tile, end), (*plays, (tile, end))
                    if plays and points[after.count]:
                        moves.append(combined_play(more))
                    extend(after, hand & ~(1 << tile), more, ends[number:])

        extend(self, hand, (), list(self.ends.items()))
        return tuple(moves)

    def two_doubles(self, hand: Mask) -> tuple[Move, ...]:
        """Return the play of two doubles at once, one at each end (`two_doubles`), if this hand has them."""
        left, right = self.tips[L].suit, self.tips[R].suit
        tiles = tile_of(left, left), tile_of(right, right)
        if left == right or not all(hand >> tile & 1 for tile in tiles):
            return ()
        return (combined_play(((tiles[L], "L"), (tiles[R], "R"))),)

    def joined(self, tile: Tile, end: EndName | None) -> "Layout":
        """Return the layout after this tile joins this end. Raise `Illegal` if it does not fit."""
        if end is None:
            raise Illegal("needs_end", tile=NAMES[tile])
        return self.joined_at(tile, INDEX[end])

    def joined_at(self, tile: Tile, index: int) -> "Layout":
        """Return the layout after this tile joins the end with this index. Raise `Illegal`."""
        table, tips, spinner, count = self
        if index >= len(tips):
            raise Illegal("not_open", end=ENDS[index])
        covered = tips[index]
        if not covered.fits >> tile & 1:
            raise self._refusal(tile, ENDS[index])
        changed = [*tips]
        if covered.plain and (spinner is not None or not DOUBLE[tile] or not table.first_double):
            tip = changed[index] = table.joined[covered.suit][tile]
            return _new(Layout, (table, tuple(changed), spinner, count + tip.worth - covered.worth))
        spinner = join(table, changed, spinner, index, tile)
        left, right, up, down = changed
        count = left.worth + right.worth + up.worth + down.worth
        return _new(Layout, (table, tuple(changed), spinner, count))

    def check_plays(self, plays: tuple[Play, ...]) -> None:
        """Raise `Illegal` unless each tile fits its end before any of them is laid."""
        for tile, end in plays:
            if end is not None and not self._tip(end).fits >> tile & 1:
                raise self._refusal(tile, end)

    def _tip(self, end: EndName) -> Tip:
        index = INDEX[end]
        return self.tips[index] if index < len(self.tips) else NO_TIP

    def _refusal(self, tile: Tile, end: EndName) -> Illegal:
        tip = self._tip(end)
        if tip.kind == "none":
            return Illegal("not_open", end=end)
        if not tip.fits:
            return Illegal("cross_first", end=end)
        return Illegal("no_fit", tile=NAMES[tile], end=end)


class Branching(Layout):
    """A layout in which every double branches: it has any number of ends (docs/rules.md, "The layout").

    The free sides of the first double that branches are U and D, of the second U2 and D2, …
    """

    __slots__ = ()

    @property
    def fits(self) -> Mask:
        fits = 0
        for tip in self.tips:
            fits |= tip.fits
        return fits

    def moves(self, hand: Mask) -> tuple[Move, ...]:
        return moves_at(self.tips, hand)

    def joined_at(self, tile: Tile, index: int) -> "Branching":
        table, tips, spinner, _ = self
        if not self._tip(ENDS[index]).fits >> tile & 1:
            raise self._refusal(tile, ENDS[index])
        changed = [*tips]
        spinner = join(table, changed, spinner, index, tile)
        return Branching(table, tuple(changed), spinner, sum(tip.worth for tip in changed))


def moves_at(tips: Sequence[Tip], hand: Mask) -> tuple[Move, ...]:
    """Return the plays of single tiles from this hand at any number of ends, end by end."""
    moves: tuple[Move, ...] = ()
    for end, tip in zip(ENDS, tips, strict=False):
        fits = hand & tip.fits
        if fits not in JOINS[end]:
            cache_joins(end, fits)
        moves += JOINS[end][fits]
    return moves


def lead(table: TipTable, tile: Tile) -> Layout:
    """Return the layout after this tile is led."""
    high, low = HIGH[tile], LOW[tile]
    kind = Branching if table.spinner == "every" else Layout
    if not DOUBLE[tile]:
        tips = (table.tile[high], table.tile[low], NO_TIP, NO_TIP)
        return _new(kind, (table, tips, None, PIPS[tile]))
    side, arm, spinner = table.lone[high], NO_TIP, None
    if table.spinner == "first":
        spinner = tile
    elif table.spinner in ("cross", "first_open"):
        arm, spinner = table.free[high], tile
    return _new(kind, (table, (side, side, arm, arm), spinner, PIPS[tile]))


def lay_out(table: TipTable, layout: Layout | None, plays: Iterable[Play]) -> Layout:
    """Return the layout after these plays; `layout` is None before the lead. Raise `Illegal`.

    Raise `ValueError` if there is neither a layout nor a play.
    """
    for tile, end in plays:
        layout = lead(table, tile) if layout is None else layout.joined(tile, end)
    if layout is None:
        raise ValueError("nothing is laid")
    return layout


def join(table: TipTable, tips: list[Tip], spinner: Tile | None, index: int, tile: Tile) -> Tile | None:
    """Update `tips` for a tile joined to the end with this index, and return the spinner.

    The tile must fit. After the lead, only this function determines the spinner.
    """
    covered = tips[index]
    tips[index] = table.joined[covered.suit][tile]
    if spinner is None and DOUBLE[tile]:
        if table.spinner == "first":
            spinner = tile
            tips[index] = table.double[HIGH[tile]]
        elif table.spinner == "first_open":
            spinner = tile
            tips[U] = tips[D] = table.free[HIGH[tile]]
    return spinner if covered.plain else _cover(table, tips, spinner, covered, index)


def _cover(table: TipTable, tips: list[Tip], spinner: Tile | None, covered: Tip, index: int) -> Tile | None:
    """Update the other `tips` that change when a tile joins a double or a free side; return the spinner."""
    suit = covered.suit
    if covered.kind == "lone":
        tips[L + R - index] = table.double[suit]
    elif covered.kind == "double" and table.spinner == "every":
        if spinner is None:
            spinner = tile_of(suit, suit)
            tips[U] = tips[D] = table.free[suit]
        else:
            tips += (table.free[suit], table.free[suit])
    elif covered.kind == "double" and tips[U].kind == "none":
        # The covered double now has tiles on both line sides.
        if table.spinner == "first_enclosed":
            spinner = tile_of(suit, suit)
        if spinner is not None and HIGH[spinner] == suit:
            tips[U] = tips[D] = table.free[suit]
    if table.spinner == "cross" and spinner is not None and HIGH[spinner] == suit:
        _cross(table, tips, index)
    return spinner


def _cross(table: TipTable, tips: list[Tip], index: int) -> None:
    tips[index] = table.waiting[tips[index].suit]
    if all(tip.kind == "waiting" for tip in tips):
        tips[:] = [table.tile[tip.suit] for tip in tips]


class Laid(NamedTuple):
    """A tile on the table, the end it joined (None for the lead) and the seat that laid it."""

    tile: Tile
    end: EndName | None
    seat: int


class Line(NamedTuple):
    """The line of play, for drawing.

    laid       the tiles in the order laid
    spinner    the index of the spinner in `laid`, or None
    since      the index of the tile that made it the spinner; 0 while there is none
    ends       the ends that may be joined now
    branching  whether every double branches
    """

    laid: tuple[Laid, ...]
    spinner: int | None
    since: int
    ends: tuple[EndName, ...]
    branching: bool = False


def line(table: TipTable, laid: tuple[Laid, ...]) -> Line:
    """Return the line of play of these tiles, which must have been laid legally."""
    grown, layout = Line((), None, 0, (), table.spinner == "every"), None
    for number, (tile, end, _) in enumerate(laid, 1):
        layout = lay_out(table, layout, [(tile, end)])
        grown = grow(grown, laid[:number], layout)
    return grown


def grow(before: Line, laid: tuple[Laid, ...], layout: Layout) -> Line:
    """Return the line of play of `laid`, the tiles of `before` and one more, after which `layout` is the layout."""
    spinner, since = before.spinner, before.since
    if spinner is None and layout.spinner is not None:
        spinner, since = [tile for tile, _, _ in laid].index(layout.spinner), len(laid) - 1
    return Line(laid, spinner, since, tuple(layout.ends), before.branching)
