"""Sampled deals of the hidden tiles that agree with everything a view shows.

A hidden tile of a seat occupies a *slot*: it was dealt, or drawn at a known moment (the slot's *birth*). A pass, or a
draw that only a seat without a fitting tile may make, excludes every tile that fitted from all slots that the seat
had then; a slot drawn later starts with nothing excluded. Deals can also be weighted by how likely they make the plays
(`inference`).
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import reduce
from math import prod
from operator import or_
from random import Random
from types import MappingProxyType
from typing import NamedTuple

from boneyard.engine.dealing import lead_rank
from boneyard.engine.layout import Layout, lay_out
from boneyard.engine.moves import DRAW, LEAVING, PASS, Move
from boneyard.engine.options import FirstLead
from boneyard.engine.perspective import View
from boneyard.engine.rounds import Entry
from boneyard.engine.tiles import SET_SIZES, Mask, Tile, mask_of, members

from .inference import ObservedPlay, observe
from .slots import Slot, assign_slots

# Deals weighed at once, and the most drawn from them.
_DEALS_AT_ONCE = 100
# Exchanges of two tiles that are tried in each deal drawn.
_EXCHANGES_PER_DEAL = 8


class SampledDeal(NamedTuple):
    """A deal that agrees with a view: the hands by seat, and the boneyard, next tile first."""

    hands: list[Mask]
    boneyard: list[Tile]


class _Played(NamedTuple):
    """A played tile: the births that it may have had, and what the play says about the other tiles."""

    tile: Tile
    births: tuple[bool, ...]
    observed: ObservedPlay | None


class _SeatSlots:
    """Knowledge about the slots of another seat.

    possible  for each birth (0: dealt, then each draw) the tiles that may lie there
    sizes     the number of slots of each birth
    """

    def __init__(self, dealt: int, in_set: Mask) -> None:
        self._in_set = in_set
        self.possible = [in_set]
        self.sizes = [dealt]
        self.played: list[_Played] = []

    def rule_out(self, tiles: Mask) -> None:
        self.possible = [possible & ~tiles for possible in self.possible]

    def draw(self) -> None:
        self.possible.append(self._in_set)
        self.sizes.append(1)

    def play(self, tile: Tile, observed: ObservedPlay | None) -> None:
        births = tuple(bool(possible >> tile & 1) for possible in self.possible)
        self.played.append(_Played(tile, births, observed))

    def hidden_slots(self, rng: Random, scarcity: Sequence[int]) -> tuple[list[int], list[int]]:
        """Return the number of hidden slots of each birth, and the births of the played tiles, drawn at random."""
        hidden_slots, births = list(self.sizes), [0] * len(self.played)
        if len(hidden_slots) == 1:
            return [hidden_slots[0] - len(self.played)], births
        # Assign tiles with a single possible birth first, while it still has slots.
        for index in sorted(range(len(self.played)), key=lambda index: sum(self.played[index].births)):
            possible = self.played[index].births
            chances = [
                1 / (scarcity[birth] + 1) if may and hidden_slots[birth] else 0.0
                for birth, may in enumerate(possible)
            ]
            if not any(chances):
                chances = [float(hidden_slots[birth] > 0) for birth in range(len(possible))]
            if not any(chances):
                chances = [float(size > 0) for size in hidden_slots]
            births[index] = birth = rng.choices(range(len(chances)), chances)[0]
            hidden_slots[birth] -= 1
        return hidden_slots, births

    def likelihood(self, hidden: Sequence[Mask], births: Sequence[int]) -> float:
        """Return the likelihood of the observed plays, by the hidden tiles and the played tiles' births."""
        likelihood, held = 1.0, list(hidden)
        for (tile, possible, observed), birth in zip(reversed(self.played), reversed(births), strict=True):
            held[birth] |= 1 << tile
            if observed:
                # Tiles of later births were not in the hand yet.
                likelihood *= observed.likelihood(reduce(or_, held[: len(possible)]))
        return likelihood


class _Draw(NamedTuple):
    """A deal with its weight.

    hidden       by seat, the tiles of each birth
    births       by seat, the births of its played tiles
    likelihoods  by seat, how likely the deal makes its plays
    boneyard     the other tiles, next tile first
    assignment   the weight of the assignment (`assign_slots`)
    """

    hidden: dict[int, list[Mask]]
    births: dict[int, list[int]]
    likelihoods: dict[int, float]
    boneyard: list[Tile]
    assignment: float

    @property
    def weight(self) -> float:
        return self.assignment * prod(self.likelihoods.values())

    def copy(self) -> "_Draw":
        hidden = {seat: [*tiles] for seat, tiles in self.hidden.items()}
        return self._replace(hidden=hidden, likelihoods={**self.likelihoods}, boneyard=[*self.boneyard])


class Beliefs:
    """The deals that a view leaves possible; with `reads_plays` also weighted by the plays.

    `revealed` is what somebody knows beside the view, for the analysis of finished matches: whole hands, by seat.
    """

    def __init__(
        self, view: View, *, reads_plays: bool, revealed: Mapping[int, Mask] = MappingProxyType({})
    ) -> None:
        self._view, self._terms, self._revealed = view, view.terms, revealed
        self._in_set = (1 << SET_SIZES[view.rules.set]) - 1
        self._hidden = self._in_set & ~reduce(or_, revealed.values(), view.seen)
        self._known = self._known_slots()
        # Where the lowest score wins, reading plays gained nothing (docs/computer.md).
        self._reads_plays = reads_plays and not view.rules.lowest_wins
        self._seats = self._replay_round()
        self._has_observed = any(
            played.observed for seat_slots in self._seats.values() for played in seat_slots.played
        )
        free = self._hidden & ~mask_of([tile for _, tile in self._known])
        self._free = list(members(free))
        self._scarcity = {
            seat: [(possible & free).bit_count() for possible in seat_slots.possible]
            for seat, seat_slots in self._seats.items()
        }
        is_restricted = any(set(scarcity) != {len(self._free)} for scarcity in self._scarcity.values())
        self._is_weighted = self._has_observed or is_restricted

    def evidence(self, tile: Tile) -> tuple[object, ...]:
        """Return what is known of a hidden tile; tiles with equal evidence are interchangeable."""
        named = tuple(seat for seat, known in self._known if known == tile)
        alone = tile if self._has_observed else None
        return (
            named,
            alone,
            *(
                tuple(possible >> tile & 1 for possible in seat_slots.possible)
                for seat_slots in self._seats.values()
            ),
        )

    @property
    def work_per_deal(self) -> int:
        """Return the work of one of the `deals`, a unit being about a microsecond."""
        if not self._is_weighted:
            return len(self._free)
        # Each played tile is weighed; each birth that it may have had, by the deal or a draw, adds an eighth of that.
        # An exchange weighs those of at most two seats again.
        played = sum(
            len(seat_slots.played) * (8 + len(seat_slots.sizes)) // 8 for seat_slots in self._seats.values()
        )
        return len(self._free) + played + _EXCHANGES_PER_DEAL * (3 + played // 3)

    def deals(self, rng: Random, number: int) -> Iterator[SampledDeal]:
        """Yield random deals that agree with passes and draws, drawn by how likely they make the plays.

        The few deals that are weighed are all unlikely where many tiles are hidden. So each one drawn is moved on by
        exchanges that leave this distribution as it is: *resample-move*, Gilks and Berzuini, "Following a Moving
        Target" (2001).
        """
        if not self._is_weighted:
            yield from (self._deal_of(self._draw(rng)) for _ in range(number))
            return
        for first in range(0, number, _DEALS_AT_ONCE):
            draws = [self._draw(rng) for _ in range(_DEALS_AT_ONCE)]
            weights = [draw.weight for draw in draws]
            for draw in rng.choices(draws, weights, k=min(number - first, _DEALS_AT_ONCE)):
                moved = draw.copy()
                self._exchange(moved, rng)
                yield self._deal_of(moved)

    def deal(self, rng: Random) -> SampledDeal:
        """Return one of the `deals`."""
        return next(self.deals(rng, 1))

    def weigh(self, rng: Random) -> tuple[SampledDeal, float]:
        """Return a random deal that agrees with passes and draws, and its weight by how likely it makes the plays."""
        draw = self._draw(rng)
        return self._deal_of(draw), draw.weight

    def _draw(self, rng: Random) -> _Draw:
        slots: list[Slot] = []
        hidden: dict[int, list[Mask]] = {}
        births: dict[int, list[int]] = {}
        for seat, seat_slots in self._seats.items():
            hidden_slots, births[seat] = seat_slots.hidden_slots(rng, self._scarcity[seat])
            hidden[seat] = [0] * len(hidden_slots)
            hidden_slots[0] -= sum(who == seat for who, _ in self._known)
            for birth, count in enumerate(hidden_slots):
                slots += [Slot(seat, birth, seat_slots.possible[birth])] * count
        for seat, tile in self._known:
            hidden[seat][0] |= 1 << tile
        # In random order, the slots with the fewest possible tiles first.
        rest = sorted(self._free, key=lambda _tile: rng.random())
        slots.sort(key=lambda slot: self._scarcity[slot.seat][slot.birth] + rng.random())
        assigned, weight = assign_slots(slots, rest, rng)
        for slot, tile in assigned:
            hidden[slot.seat][slot.birth] |= 1 << tile
        likelihoods = {
            seat: seat_slots.likelihood(hidden[seat], births[seat])
            for seat, seat_slots in self._seats.items()
        }
        return _Draw(hidden, births, likelihoods, rest, weight)

    def _deal_of(self, draw: _Draw) -> SampledDeal:
        hands = [0] * self._view.seats
        if self._view.seat is not None:
            hands[self._view.seat] = mask_of(self._view.hand)
        for seat, hand in self._revealed.items():
            hands[seat] = hand
        for seat, tiles in draw.hidden.items():
            hands[seat] = reduce(or_, tiles)
        return SampledDeal(hands, draw.boneyard)

    def _exchange(self, draw: _Draw, rng: Random) -> None:
        """Try to exchange hidden tiles of two places, each time by the ratio of the likelihoods (Metropolis)."""
        hidden, births, likelihoods, boneyard, _ = draw
        free, number = self._free, len(self._free)
        places: dict[Tile, tuple[int, int] | None] = {
            tile: (seat, birth)
            for seat, by_birth in hidden.items()
            for birth, tiles in enumerate(by_birth)
            for tile in members(tiles)
        }
        for _ in range(_EXCHANGES_PER_DEAL if free else 0):
            pair = free[int(rng.random() * number)], free[int(rng.random() * number)]
            one, two = places.get(pair[0]), places.get(pair[1])
            if one == two or not (self._may_lie(pair[1], one) and self._may_lie(pair[0], two)):
                continue
            both = 1 << pair[0] | 1 << pair[1]
            held = [place for place in (one, two) if place]
            for seat, birth in held:
                hidden[seat][birth] ^= both
            after = {
                seat: self._seats[seat].likelihood(hidden[seat], births[seat])
                for seat in {seat for seat, _ in held}
            }
            if rng.random() * prod(likelihoods[seat] for seat in after) < prod(after.values()):
                likelihoods.update(after)
                places.update(zip(pair, (two, one), strict=True))
                if not (one and two):
                    out, into = pair if one is None else pair[::-1]
                    boneyard[boneyard.index(out)] = into
                continue
            for seat, birth in held:
                hidden[seat][birth] ^= both

    def _may_lie(self, tile: Tile, place: tuple[int, int] | None) -> bool:
        """Return whether a tile may have this place: a seat and a birth, or None for the boneyard."""
        return place is None or bool(self._seats[place[0]].possible[place[1]] >> tile & 1)

    def _known_slots(self) -> list[tuple[int, Tile]]:
        """Return the tile that won the lead, with its seat, until it is laid."""
        view = self._view
        if view.named is None or view.leader == view.seat or not self._hidden >> view.named & 1:
            return []
        return [(view.leader, view.named)]

    def _replay_round(self) -> dict[int, _SeatSlots]:
        view = self._view
        seats = {
            seat: _SeatSlots(self._dealt_count(seat), self._in_set)
            for seat in range(view.seats)
            if seat != view.seat and seat not in self._revealed
        }
        self._exclude_better_leads(seats)
        if self._terms.asleep is not None:
            for others in seats.values():
                others.rule_out(1 << self._terms.asleep)
        layout: Layout | None = None
        unlaid = self._in_set
        for entry in view.log:
            seat_slots = seats.get(entry.seat)
            if seat_slots is not None:
                self._apply_move(seat_slots, entry, layout, unlaid)
            if entry.move.kind == "play":
                layout = lay_out(self._terms.tip_table, layout, entry.move.plays)
                unlaid &= ~entry.move.tiles
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

    def _apply_move(self, seat_slots: _SeatSlots, entry: Entry, layout: Layout | None, unlaid: Mask) -> None:
        """Update the slots of a seat by its move."""
        move = entry.move
        if move.kind == "play":
            if layout is None:
                self._apply_lead(seat_slots, move)
            observed = self._observe(entry, layout, unlaid) if self._reads_plays else None
            for tile, _ in move.plays:
                seat_slots.play(tile, observed)
            return
        if layout is not None and (
            move is PASS and not self._terms.free_pass or move is DRAW and not self._terms.free_draw
        ):
            seat_slots.rule_out(layout.fits)
        if move is DRAW:
            seat_slots.draw()

    def _observe(self, entry: Entry, layout: Layout | None, unlaid: Mask) -> ObservedPlay | None:
        """Return what a play says about the hand; None if the seat had no choice."""
        if layout is None and self._view.named is not None:
            return None
        own = reduce(or_, (each.move.tiles for each in self._view.log if each.seat == entry.seat))
        held = unlaid & (self._hidden | own)
        return observe(self._terms, layout, entry.move, held, unlaid)

    def _apply_lead(self, seat_slots: _SeatSlots, move: Move) -> None:
        scoring = self._terms.scoring
        if self._view.rules.lead_with == "scoring" and self._view.named is None and not move.tiles & scoring:
            seat_slots.rule_out(scoring)


def _wins_lead(tile: Tile, named: Tile, first_lead: FirstLead) -> bool:
    """Return whether a hand with this tile would have led before the holder of `named`."""
    return lead_rank(first_lead, tile) > lead_rank(first_lead, named)
