"""Estimate the hidden hands from what a seat saw, by sampling deals that are consistent with it."""

from collections.abc import Iterable, Mapping, Sequence
from random import Random
from typing import NamedTuple

from boneyard.computer.beliefs import Beliefs
from boneyard.engine.perspective import View
from boneyard.engine.tiles import Tile, members

_MAX_DEALS = 2_000  # keep the standard error of a likelihood at or below 1.1 %, if the plays say nothing
# Bounds the time with large sets, where a likelihood, and so its error, is smaller: some 100 ms.
_MAX_DEALT_TILES = 60_000


class HandEstimate(NamedTuple):
    """What a viewer can infer about the hand of another seat.

    held   number of tiles in the hand
    tiles  each hidden tile and the probability that this seat held it, likeliest first; 0 if impossible
    lacks  suits that its passes and draws have excluded
    drew   number of tiles it drew in this round
    """

    seat: int
    held: int
    tiles: tuple[tuple[Tile, float], ...]
    lacks: frozenset[int]
    drew: int


def estimate_hands(view: View) -> list[HandEstimate]:
    """Estimate the hand of every other active seat. Deterministic for equal views."""
    beliefs = Beliefs(view, reads_plays=True)
    rng = Random(f"knowledge {view.move_count}")  # noqa: S311 - repeatable on purpose
    hidden = members(view.unseen)
    others = [seat for seat in range(view.seats) if seat != view.seat and seat not in view.gone]
    held = {seat: dict.fromkeys(hidden, 0.0) for seat in others}
    total = 0.0
    for _ in range(min(_MAX_DEALS, _MAX_DEALT_TILES // max(1, len(hidden)))):
        deal, likelihood = beliefs.weigh(rng)
        total += likelihood
        for seat in others:
            for tile in members(deal.hands[seat]):
                held[seat][tile] += likelihood
    groups: dict[tuple[object, ...], list[Tile]] = {}
    for tile in hidden:
        groups.setdefault(beliefs.evidence(tile), []).append(tile)
    return [
        HandEstimate(
            seat,
            view.tiles[seat],
            _likeliest_first(held[seat], groups.values(), total),
            view.lacks[seat],
            sum(entry.seat == seat and entry.move.kind == "draw" for entry in view.log),
        )
        for seat in others
    ]


def _likeliest_first(
    held: Mapping[Tile, float], groups: Iterable[Sequence[Tile]], total: float
) -> tuple[tuple[Tile, float], ...]:
    """Return the probability of each tile. Tiles with equal evidence get the same, which removes sampling noise."""
    chances = {
        tile: sum(held[each] for each in tiles) / len(tiles) / total for tiles in groups for tile in tiles
    }
    return tuple(sorted(chances.items(), key=lambda each: -each[1]))
