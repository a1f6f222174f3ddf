"""Sampled deals of the hidden tiles that agree with everything a view shows.

A hidden tile of a seat occupies a *slot*: it was dealt, or drawn at a known moment (the slot's *birth*). A pass, or a
draw that only a seat without a fitting tile may make, excludes every tile that fitted from all slots that the seat
had then; a slot drawn later starts with nothing excluded. A play makes tiles that would have scored more less likely.
"""

from collections.abc import Mapping, Sequence
from functools import reduce
from operator import or_
from random import Random
from types import MappingProxyType
from typing import NamedTuple

from games.engine.dealing import lead_rank
from games.engine.layout import Layout, lay_out
from games.engine.moves import DRAW, LEAVING, PASS, Move
from games.engine.options import FirstLead
from games.engine.perspective import View
from games.engine.tiles import SET_SIZES, Mask, Tile, mask_of, members

from .greedy import count_gain

# Likelihood that a declined tile is still held, by how much more it would have scored (in fives).
DECLINED_LIKELIHOODS = (1.0, 0.5, 0.35, 0.25, 0.2)

_Weights = list[float]


class SampledDeal(NamedTuple):
    """A deal that agrees with a view: the hands by seat, and the boneyard, next tile first."""

    hands: list[Mask]
    boneyard: list[Tile]


class _SeatSlots:
    """Knowledge about the slots of another seat.

    weights  for each birth (0: dealt, then each draw) the relative likelihood of each tile; 0 is impossible
    sizes    the number of slots of each birth
    played   the tiles played, with their likelihood by birth
    """

    def __init__(self, dealt: int, set_size: int) -> None:
        self.weights: list[_Weights] = [[1.0] * set_size]
        self.sizes = [dealt]
        self.played: list[tuple[Tile, tuple[float, ...]]] = []

    def rule_out(self, tiles: Mask) -> None:
        for tile in members(tiles):
            self.scale(tile, 0.0)

    def scale(self, tile: Tile, factor: float) -> None:
        for weights in self.weights:
            weights[tile] *= factor

    def draw(self) -> None:
        self.weights.append([1.0] * len(self.weights[0]))
        self.sizes.append(1)

    def play(self, tile: Tile) -> None:
        self.played.append((tile, tuple(weights[tile] for weights in self.weights)))

    def hidden_slots(self, rng: Random, scarcity: Sequence[int]) -> list[int]:
        """Return the number of hidden slots of each birth, drawing the births of the played tiles at random."""
        hidden_slots = list(self.sizes)
        if len(hidden_slots) == 1:
            return [hidden_slots[0] - len(self.played)]
        # Assign tiles with a single possible birth first, while it still has slots.
        for _, weights in sorted(self.played, key=lambda each: sum(weight > 0 for weight in each[1])):
            chances = [
                weight / (scarcity[birth] + 1) if hidden_slots[birth] else 0.0
                for birth, weight in enumerate(weights)
            ]
            if not any(chances):
                chances = [float(hidden_slots[birth] > 0) for birth in range(len(weights))]
            if not any(chances):
                chances = [float(size > 0) for size in hidden_slots]
            hidden_slots[_weighted_index(rng, chances)] -= 1
        return hidden_slots


class Beliefs:
    """The deals that a view leaves possible; with `reads_plays` also weighted by the plays.

    `revealed` is what somebody knows beside the view, for the analysis of finished matches: whole hands, by seat.
    """

    def __init__(
        self, view: View, *, reads_plays: bool, revealed: Mapping[int, Mask] = MappingProxyType({})
    ) -> None:
        self._view, self._terms, self._revealed = view, view.terms, revealed
        in_set = (1 << SET_SIZES[view.rules.set]) - 1
        self._hidden = in_set & ~reduce(or_, revealed.values(), view.seen)
        self._known = self._known_slots()
        self._reads_plays = reads_plays and not view.rules.lowest_wins
        self._seats = self._replay_round()
        free = members(self._hidden & ~mask_of([tile for _, tile in self._known]))
        self._free = list(free)
        self._scarcity = {
            seat: [sum(weights[tile] > 0 for tile in free) for weights in seat_slots.weights]
            for seat, seat_slots in self._seats.items()
        }

    def evidence(self, tile: Tile) -> tuple[object, ...]:
        """Return what is known of a hidden tile; tiles with equal evidence are interchangeable."""
        named = tuple(seat for seat, known in self._known if known == tile)
        return named, *(
            tuple(weights[tile] for weights in seat_slots.weights) for seat_slots in self._seats.values()
        )

    def deal(self, rng: Random) -> SampledDeal:
        """Return a random deal."""
        view = self._view
        hands = [0] * view.seats
        if view.seat is not None:
            hands[view.seat] = mask_of(view.hand)
        for seat, hand in self._revealed.items():
            hands[seat] = hand
        slots: list[tuple[int, int, _Weights]] = []
        for seat, seat_slots in self._seats.items():
            hidden_slots = seat_slots.hidden_slots(rng, self._scarcity[seat])
            hidden_slots[0] -= sum(who == seat for who, _ in self._known)
            for birth, count in enumerate(hidden_slots):
                slots += [(self._scarcity[seat][birth], seat, seat_slots.weights[birth])] * count
        for seat, tile in self._known:
            hands[seat] |= 1 << tile
        rest = self._free.copy()
        rng.shuffle(rest)
        rng.shuffle(slots)
        slots.sort(key=lambda slot: slot[0])
        for seat, tile in _assign_slots(rng, [slot[1:] for slot in slots], rest):
            hands[seat] |= 1 << tile
        return SampledDeal(hands, rest)

    def _known_slots(self) -> list[tuple[int, Tile]]:
        """Return the tile that won the lead, with its seat, until it is laid."""
        view = self._view
        if view.named is None or view.leader == view.seat or not self._hidden >> view.named & 1:
            return []
        return [(view.leader, view.named)]

    def _replay_round(self) -> dict[int, _SeatSlots]:
        view = self._view
        seats = {
            seat: _SeatSlots(self._dealt_count(seat), SET_SIZES[view.rules.set])
            for seat in range(view.seats)
            if seat != view.seat and seat not in self._revealed
        }
        self._exclude_better_leads(seats)
        layout: Layout | None = None
        for entry in view.log:
            seat_slots = seats.get(entry.seat)
            if seat_slots is not None:
                self._apply_move(seat_slots, entry.move, layout)
            if entry.move.kind == "play":
                layout = lay_out(self._terms.tip_table, layout, entry.move.plays)
        return seats

    def _dealt_count(self, seat: int) -> int:
        own = [entry.move for entry in self._view.log if entry.seat == seat]
        played = sum(len(move.plays) for move in own)
        return self._view.tiles[seat] + played - sum(move is DRAW for move in own)

    def _exclude_better_leads(self, seats: dict[int, _SeatSlots]) -> None:
        """Exclude from the compared hands every tile that would have won the lead."""
        view, named = self._view, self._view.named
        first = view.rules.first_lead
        if named is None or first not in ("highest_double", "lowest_double", "double_from_1"):
            return
        gone_since = {entry.seat for entry in view.log if entry.move.kind in LEAVING}
        would_have_won = [tile for tile in members(self._hidden) if _wins_lead(tile, named, first)]
        for seat, seat_slots in seats.items():
            if seat not in view.gone or seat in gone_since:
                seat_slots.rule_out(mask_of(would_have_won))

    def _apply_move(self, seat_slots: _SeatSlots, move: Move, layout: Layout | None) -> None:
        """Update the slots of a seat by its move."""
        if move.kind == "play":
            if layout is None:
                self._apply_lead(seat_slots, move)
            elif self._reads_plays:
                self._apply_play(seat_slots, move, layout)
            for tile, _ in move.plays:
                seat_slots.play(tile)
            return
        if layout is not None and (
            move is PASS and not self._terms.free_pass or move is DRAW and not self._terms.free_draw
        ):
            seat_slots.rule_out(layout.fits)
        if move is DRAW:
            seat_slots.draw()

    def _apply_lead(self, seat_slots: _SeatSlots, move: Move) -> None:
        scoring = self._terms.scoring
        if self._view.rules.lead_with == "scoring" and self._view.named is None and not move.tiles & scoring:
            seat_slots.rule_out(scoring)

    def _apply_play(self, seat_slots: _SeatSlots, move: Move, layout: Layout) -> None:
        """Scale down the tiles that would have scored more: a seat mostly makes its best play."""
        points = self._terms.points
        if self._terms.matching:
            return
        scored = points[lay_out(self._terms.tip_table, layout, move.plays).count]
        unit = 5 if self._view.rules.count == "fives" else 1
        tips = [tip for tip in layout.tips if tip.fits]
        for tile in members(self._hidden & layout.fits):
            best = max(points[layout.count + count_gain(tip, tile)] for tip in tips if tip.fits >> tile & 1)
            if best > scored:
                seat_slots.scale(
                    tile, DECLINED_LIKELIHOODS[min((best - scored) // unit, len(DECLINED_LIKELIHOODS) - 1)]
                )


def _wins_lead(tile: Tile, named: Tile, first_lead: FirstLead) -> bool:
    """Return whether a hand with this tile would have led before the holder of `named`."""
    return lead_rank(first_lead, tile) > lead_rank(first_lead, named)


def _weighted_index(rng: Random, chances: Sequence[float]) -> int:
    """Return a random index, weighted by `chances`."""
    drawn = rng.random() * sum(chances)
    for index, chance in enumerate(chances):
        drawn -= chance
        if drawn < 0:
            return index
    return max(index for index, chance in enumerate(chances) if chance)


def _assign_slots(rng: Random, slots: list[tuple[int, _Weights]], rest: list[Tile]) -> list[tuple[int, Tile]]:
    """Take a tile of `rest` for each slot and return (seat, tile) pairs.

    If no tile is possible for a slot, earlier assignments are exchanged; if that fails too, any tile is taken: a deal
    is always found.
    """
    assigned: list[tuple[int, _Weights, Tile]] = []
    for seat, weights in slots:
        chances = [weights[tile] for tile in rest]
        if not any(chances) and not _free_a_tile(weights, assigned, rest, set()):
            chances = [1.0] * len(rest)
        elif not any(chances):
            chances = [weights[tile] for tile in rest]
        tile = rest.pop(_weighted_index(rng, chances))
        assigned.append((seat, weights, tile))
    return [(seat, tile) for seat, _, tile in assigned]


def _free_a_tile(
    weights: _Weights, assigned: list[tuple[int, _Weights, Tile]], rest: list[Tile], tried: set[int]
) -> bool:
    """Exchange assignments to return a tile possible by `weights` to `rest`; return whether that succeeded."""
    for index, (seat, own, tile) in enumerate(assigned):
        if not weights[tile] or index in tried:
            continue
        tried.add(index)
        if any(own[other] for other in rest) or _free_a_tile(own, assigned, rest, tried):
            other = next(other for other in rest if own[other])
            rest.remove(other)
            rest.append(tile)
            assigned[index] = (seat, own, other)
            return True
    return False
