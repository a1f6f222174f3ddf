"""Moves as small values with a text both ways (docs/record.md).

Single-tile moves and the moves without a tile are interned: there is one object of each.

>>> move = parse("6-4@L")
>>> move.kind, move.plays, str(move)
('play', ((25, 'L'),), '6-4@L')
>>> move is JOIN["L"][25]
True
"""

from functools import lru_cache
from itertools import pairwise
from typing import Literal, get_args

from .errors import Malformed
from .tiles import NAMES, Mask, Tile, build_lookup, look_up, members
from .tiles import parse as parse_tile

MoveKind = Literal["play", "draw", "pass", "muggins", "resign", "time", "left", "takeover", "abort"]
# The ends of the layout by name, in their order.
# As many as a layout can have in which each of the thirteen doubles of the largest set branches.
EndName = Literal[
    "L", "R", "U", "D", "U2", "D2", "U3", "D3", "U4", "D4", "U5", "D5", "U6", "D6", "U7", "D7", "U8", "D8", "U9", "D9",
    "U10", "D10", "U11", "D11", "U12", "D12", "U13", "D13",
]  # fmt: skip

ENDS: tuple[EndName, ...] = get_args(EndName)
INDEX: dict[str | None, int] = {end: index for index, end in enumerate(ENDS)}

# A tile laid and the end that it joins, None for the lead.
Play = tuple[Tile, EndName | None]


class Move:
    """One thing a seat does.

    plays  the tiles laid and the ends they join, in the order of their ends; the end is None for the lead
    tiles  the laid tiles as a set
    joins  of a single tile that joins an end, the number of the tile and that of its end; else None
    text   the move in the notation of docs/record.md; two moves are equal when their texts are
    """

    __slots__ = ("kind", "plays", "tiles", "joins", "text")

    kind: MoveKind
    plays: tuple[Play, ...]
    tiles: Mask
    joins: tuple[Tile, int] | None
    text: str

    def __init__(self, kind: MoveKind, plays: tuple[Play, ...] = ()) -> None:
        tiles = sum(1 << tile for tile, _ in plays)
        text = "+".join(NAMES[tile] if end is None else f"{NAMES[tile]}@{end}" for tile, end in plays)
        joins = None
        if len(plays) == 1 and plays[0][1] is not None:
            joins = plays[0][0], INDEX[plays[0][1]]
        for name, value in zip(self.__slots__, (kind, plays, tiles, joins, text or kind), strict=True):
            object.__setattr__(self, name, value)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"a Move does not change: {name}")

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"<Move {self.text}>"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Move) and self.text == other.text

    def __hash__(self) -> int:
        return hash(self.text)

    def __reduce__(self) -> tuple[object, tuple[str]]:
        return parse, (self.text,)


DRAW = Move("draw")
PASS = Move("pass")
MUGGINS = Move("muggins")
RESIGN = Move("resign")
TIME = Move("time")
ABSENT = Move("left")
TAKEOVER = Move("takeover")
ABORT = Move("abort")

# What only the seat on turn does: these are the legal moves.
ON_TURN: frozenset[MoveKind] = frozenset({"play", "draw", "pass"})
# What a seat is gone after.
LEAVING: frozenset[MoveKind] = frozenset({"resign", "time", "left"})

LEAD: tuple[Move, ...] = tuple(Move("play", ((tile, None),)) for tile in range(len(NAMES)))
_LEADS = build_lookup(LEAD)
JOIN: dict[EndName, tuple[Move, ...]] = {
    end: tuple(Move("play", ((tile, end),)) for tile in range(len(NAMES))) for end in ENDS
}

_BY_TEXT = {
    move.text: move
    for moves in (LEAD, *JOIN.values(), (DRAW, PASS, MUGGINS, RESIGN, TIME, ABSENT, TAKEOVER, ABORT))
    for move in moves
}


# The interned plays of a set of tiles at an end, by the set, as far as somebody has asked (`cache_joins`): a look-up
# is all that listing legal moves costs. A set holds the tiles of one hand that fit one end, so there are no more
# than a few hundred with the double-six, and 13 * 2^13 with the double-twelve.
JOINS: dict[EndName, dict[Mask, tuple[Move, ...]]] = {end: {} for end in ENDS}


def cache_joins(end: EndName, tiles: Mask) -> None:
    """Puts the plays of these tiles at this end into `JOINS`."""
    JOINS[end][tiles] = tuple([JOIN[end][tile] for tile in members(tiles)])


def leads(tiles: Mask) -> tuple[Move, ...]:
    """The moves that lead one of these tiles."""
    return look_up(_LEADS, tiles)


@lru_cache(maxsize=1 << 12)
def combined_play(plays: tuple[Play, ...]) -> Move:
    """The move that lays these tiles in one turn; they come sorted by end."""
    return Move("play", plays)


def parse(text: str) -> Move:
    """The move written so. Raises Malformed for what is no move in any position."""
    try:
        move = _BY_TEXT.get(text)
    except TypeError:
        move = None
    if move is not None:
        return move
    if not isinstance(text, str) or "+" not in text:
        raise Malformed("not_a_move", text=str(text)[:80])
    return _parse_several(text)


def _parse_several(text: str) -> Move:
    plays: list[Play] = []
    for part in text.split("+", len(ENDS)):
        name, at, end = part.partition("@")
        if not at or end not in INDEX:
            raise Malformed("not_a_move", text=text[:80])
        plays.append((parse_tile(name), ENDS[INDEX[end]]))
    in_order = all(INDEX[one] < INDEX[next_] for (_, one), (_, next_) in pairwise(plays))
    if not in_order or len({tile for tile, _ in plays}) < len(plays):
        raise Malformed("not_a_move", text=text[:80])
    return combined_play(tuple(plays))
