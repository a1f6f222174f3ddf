"""What a seat could know of the hidden tiles, from the deals that agree with what it saw."""

from collections.abc import Iterable, Mapping, Sequence
from random import Random
from typing import NamedTuple

from games.computer.beliefs import Beliefs
from games.engine.perspective import View
from games.engine.tiles import SET_SIZES, Tile, members

_DEALS = 2_000  # by which a likelihood has a standard error of one per cent at most


class Knowledge(NamedTuple):
    """What could be known of one other seat's hand.

    held   how many tiles it held
    tiles  each hidden tile and how likely this seat held it, 0 to 1, the likeliest first; 0: it cannot have
    lacks  the suits that its passes and draws had shown it not to hold
    drew   how many tiles it had drawn in this round
    """

    seat: int
    held: int
    tiles: tuple[tuple[Tile, float], ...]
    lacks: frozenset[int]
    drew: int


def knowledge(view: View) -> list[Knowledge]:
    """By other seat what the viewer could know of its tiles; the same for the same view."""
    beliefs = Beliefs(view, reads_plays=True)
    rng = Random(f"knowledge {view.move_count}")  # noqa: S311 - repeatable on purpose
    hidden = members((1 << SET_SIZES[view.rules.set]) - 1 & ~view.seen)
    others = [seat for seat in range(view.seats) if seat != view.seat and seat not in view.gone]
    times = {seat: dict.fromkeys(hidden, 0) for seat in others}
    for _ in range(_DEALS):
        hands = beliefs.deal(rng).hands
        for seat in others:
            for tile in members(hands[seat]):
                times[seat][tile] += 1
    groups: dict[tuple[object, ...], list[Tile]] = {}
    for tile in hidden:
        groups.setdefault(beliefs.evidence(tile), []).append(tile)
    return [
        Knowledge(
            seat,
            view.tiles[seat],
            _likeliest_first(times[seat], groups.values()),
            view.lacks[seat],
            sum(entry.seat == seat and entry.move.kind == "draw" for entry in view.log),
        )
        for seat in others
    ]


def _likeliest_first(
    times: Mapping[Tile, int], alike: Iterable[Sequence[Tile]]
) -> tuple[tuple[Tile, float], ...]:
    """How likely each tile is there: tiles that nothing tells apart are as likely as each other."""
    chances = {
        tile: sum(times[each] for each in tiles) / len(tiles) / _DEALS for tiles in alike for tile in tiles
    }
    return tuple(sorted(chances.items(), key=lambda each: -each[1]))
