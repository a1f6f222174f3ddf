"""Moves and their text notation (docs/record.md).

Moves of a single tile and moves without a tile are interned: there is one object of each.

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

MoveKind = Literal[
    "play", "draw", "pass", "muggins", "resign", "time", "left", "takeover", "abort", "close", "void"
]  # fmt: skip
# The ends of a layout, in order: the maximum, when each of the 13 doubles of the largest set branches.
EndName = Literal[
    "L", "R", "U", "D", "U2", "D2", "U3", "D3", "U4", "D4", "U5", "D5", "U6", "D6", "U7", "D7", "U8", "D8", "U9", "D9",
    "U10", "D10", "U11", "D11", "U12", "D12", "U13", "D13",
]  # fmt: skip

ENDS: tuple[EndName, ...] = get_args(EndName)
INDEX: dict[str | None, int] = {end: index for index, end in enumerate(ENDS)}

# A tile and the end that it joins; None for the lead.
Play = tuple[Tile, EndName | None]


class Move:
    """An immutable action of a seat. Moves are equal if their texts are.

    plays  (tile, end) for each tile laid, in the order of the ends; the end is None for the lead
    tiles  the tiles laid, as a set
    joins  (tile, index of the end) when a single tile joins an end, else None
    text   the notation of docs/record.md
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
        raise AttributeError(f"a Move is immutable: {name}")

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
CLOSE = Move("close")
VOID = Move("void")

# The moves of the seat on turn; only these are listed as legal moves.
ON_TURN: frozenset[MoveKind] = frozenset({"play", "draw", "pass"})
# The moves after which a seat is gone.
LEAVING: frozenset[MoveKind] = frozenset({"resign", "time", "left"})

LEAD: tuple[Move, ...] = tuple(Move("play", ((tile, None),)) for tile in range(len(NAMES)))
_LEADS = build_lookup(LEAD)
JOIN: dict[EndName, tuple[Move, ...]] = {
    end: tuple(Move("play", ((tile, end),)) for tile in range(len(NAMES))) for end in ENDS
}

_BY_TEXT = {
    move.text: move
    for moves in (
        LEAD,
        *JOIN.values(),
        (DRAW, PASS, MUGGINS, RESIGN, TIME, ABSENT, TAKEOVER, ABORT, CLOSE, VOID),
    )
    for move in moves
}


# Cache of the plays at an end, by the set of tiles of a hand that fit there (`cache_joins`), so that listing legal
# moves is a look-up. Bounded: a few hundred sets with the double-six, 13 * 2^13 with the double-twelve.
JOINS: dict[EndName, dict[Mask, tuple[Move, ...]]] = {end: {} for end in ENDS}


def cache_joins(end: EndName, tiles: Mask) -> None:
    """Add the plays of these tiles at this end to `JOINS`."""
    JOINS[end][tiles] = tuple([JOIN[end][tile] for tile in members(tiles)])


def leads(tiles: Mask) -> tuple[Move, ...]:
    """Return the moves that lead one of these tiles."""
    return look_up(_LEADS, tiles)


@lru_cache(maxsize=1 << 12)
def combined_play(plays: tuple[Play, ...]) -> Move:
    """Return the move that lays these tiles in one turn; `plays` must be sorted by end."""
    return Move("play", plays)


def parse(text: str) -> Move:
    """Return the move written as `text`. Raise `Malformed` if it is not a move in any position."""
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
