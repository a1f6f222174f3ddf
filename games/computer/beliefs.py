"""What the other seats may hold: deals of the hidden tiles that agree with everything a view shows.

A hidden tile of a seat lies in a *slot*: it was dealt, or drawn at a known moment. What the seat has done since says
which tiles may lie there. A pass, or a draw that only a seat without a fitting tile may make, excludes every tile
that fitted, from all slots that the seat had then; a slot drawn later starts with nothing excluded. Besides, a play
makes the tiles less likely that would have scored more.
"""

from collections.abc import Sequence
from random import Random
from typing import NamedTuple

from games.engine.dealing import lead_rank
from games.engine.layout import Layout, laid_out
from games.engine.moves import DRAW, LEAVING, PASS, Move
from games.engine.options import FirstLead
from games.engine.perspective import View
from games.engine.tiles import SET_SIZES, Mask, Tile, mask_of, members

from .greedy import gain

# How likely, beside a tile that scores no more, one is still held that would have scored so much more (in fives).
DECLINED = (1.0, 0.5, 0.35, 0.25, 0.2)

_Weights = list[float]


class Dealt(NamedTuple):
    """A deal that agrees with a view: the hands by seat, and the boneyard, the next tile first."""

    hands: list[Mask]
    boneyard: list[Tile]


class _Seat:
    """What is known of the slots of one other seat.

    weights  for each birth (0: dealt, then each draw) how likely each tile is to be there; 0 is impossible
    sizes    how many slots each birth has had
    played   the tiles played, and how likely each was to come from each birth it could come from
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

    def room(self, rng: Random, scarcity: Sequence[int]) -> list[int]:
        """How many hidden slots of each birth there are, if the played tiles came from births drawn by lot."""
        room = list(self.sizes)
        if len(room) == 1:
            return [room[0] - len(self.played)]
        # A tile that can have come from one birth only must not find it taken.
        for _, weights in sorted(self.played, key=lambda each: sum(weight > 0 for weight in each[1])):
            chances = [
                weight / (scarcity[birth] + 1) if room[birth] else 0.0 for birth, weight in enumerate(weights)
            ]
            if not any(chances):
                chances = [float(room[birth] > 0) for birth in range(len(weights))]
            if not any(chances):
                chances = [float(size > 0) for size in room]
            room[_by_lot(rng, chances)] -= 1
        return room


class Beliefs:
    """What `view` leaves possible. With `reads_plays`, also how likely."""

    def __init__(self, view: View, *, reads_plays: bool) -> None:
        self._view, self._terms = view, view.terms
        in_set = (1 << SET_SIZES[view.rules.set]) - 1
        self._hidden = in_set & ~view.seen
        self._known = self._known_slots()
        self._reads_plays = reads_plays and not view.rules.lowest_wins
        self._seats = self._follow_the_round()
        free = members(self._hidden & ~mask_of([tile for _, tile in self._known]))
        self._free = list(free)
        self._scarcity = {
            seat: [sum(weights[tile] > 0 for tile in free) for weights in held.weights]
            for seat, held in self._seats.items()
        }

    def evidence(self, tile: Tile) -> tuple[object, ...]:
        """All that is known of a hidden tile: two of the same evidence are as likely anywhere."""
        named = tuple(seat for seat, known in self._known if known == tile)
        return named, *(tuple(weights[tile] for weights in held.weights) for held in self._seats.values())

    def deal(self, rng: Random) -> Dealt:
        """One deal by lot."""
        view = self._view
        hands = [0] * view.seats
        if view.seat is not None:
            hands[view.seat] = mask_of(view.hand)
        slots: list[tuple[int, int, _Weights]] = []
        for seat, held in self._seats.items():
            room = held.room(rng, self._scarcity[seat])
            room[0] -= sum(who == seat for who, _ in self._known)
            for birth, count in enumerate(room):
                slots += [(self._scarcity[seat][birth], seat, held.weights[birth])] * count
        for seat, tile in self._known:
            hands[seat] |= 1 << tile
        rest = self._free.copy()
        rng.shuffle(rest)
        rng.shuffle(slots)
        slots.sort(key=lambda slot: slot[0])
        for seat, tile in _housed(rng, [slot[1:] for slot in slots], rest):
            hands[seat] |= 1 << tile
        return Dealt(hands, rest)

    def _known_slots(self) -> list[tuple[int, Tile]]:
        """The tile that won the lead, while its holder has yet to lay it."""
        view = self._view
        if view.named is None or view.leader == view.seat or not self._hidden >> view.named & 1:
            return []
        return [(view.leader, view.named)]

    def _follow_the_round(self) -> dict[int, _Seat]:
        view = self._view
        seats = {
            seat: _Seat(self._dealt_to(seat), SET_SIZES[view.rules.set])
            for seat in range(view.seats)
            if seat != view.seat
        }
        self._read_lead(seats)
        layout: Layout | None = None
        for entry in view.log:
            held = seats.get(entry.seat)
            if held is not None:
                self._read(held, entry.move, layout)
            if entry.move.kind == "play":
                layout = laid_out(self._terms.tips, layout, entry.move.plays)
        return seats

    def _dealt_to(self, seat: int) -> int:
        own = [entry.move for entry in self._view.log if entry.seat == seat]
        played = sum(len(move.plays) for move in own)
        return self._view.tiles[seat] + played - sum(move is DRAW for move in own)

    def _read_lead(self, seats: dict[int, _Seat]) -> None:
        """What the tile that won the lead by its rank says of the hands that it was compared with."""
        view, named = self._view, self._view.named
        first = view.rules.first_lead
        if named is None or first not in ("highest_double", "lowest_double", "double_from_1"):
            return
        gone_since = {entry.seat for entry in view.log if entry.move.kind in LEAVING}
        would_have_won = [tile for tile in members(self._hidden) if _wins_lead(tile, named, first)]
        for seat, held in seats.items():
            if seat not in view.gone or seat in gone_since:
                held.rule_out(mask_of(would_have_won))

    def _read(self, held: _Seat, move: Move, layout: Layout | None) -> None:
        """What a seat's move says of its slots, and how it changes them."""
        if move.kind == "play":
            if layout is None:
                self._read_leading(held, move)
            elif self._reads_plays:
                self._read_play(held, move, layout)
            for tile, _ in move.plays:
                held.play(tile)
            return
        if layout is not None and (
            move is PASS and not self._terms.free_pass or move is DRAW and not self._terms.free_draw
        ):
            held.rule_out(layout.fits)
        if move is DRAW:
            held.draw()

    def _read_leading(self, held: _Seat, move: Move) -> None:
        scoring = self._terms.scoring
        if self._view.rules.lead_with == "scoring" and self._view.named is None and not move.tiles & scoring:
            held.rule_out(scoring)

    def _read_play(self, held: _Seat, move: Move, layout: Layout) -> None:
        """A seat that has a play worth more mostly makes it."""
        points = self._terms.points
        if self._terms.matching:
            return
        made = points[laid_out(self._terms.tips, layout, move.plays).count]
        unit = 5 if self._view.rules.count == "fives" else 1
        tips = [tip for tip in layout.tips if tip.fits]
        for tile in members(self._hidden & layout.fits):
            best = max(points[layout.count + gain(tip, tile)] for tip in tips if tip.fits >> tile & 1)
            if best > made:
                held.scale(tile, DECLINED[min((best - made) // unit, len(DECLINED) - 1)])


def _wins_lead(tile: Tile, named: Tile, first_lead: FirstLead) -> bool:
    """Whether a hand with this tile would have been given the lead before the holder of `named`."""
    return lead_rank(first_lead, tile) > lead_rank(first_lead, named)


def _by_lot(rng: Random, chances: Sequence[float]) -> int:
    """An index of the list, each as likely as its chance."""
    drawn = rng.random() * sum(chances)
    for index, chance in enumerate(chances):
        drawn -= chance
        if drawn < 0:
            return index
    return max(index for index, chance in enumerate(chances) if chance)


def _housed(rng: Random, slots: list[tuple[int, _Weights]], rest: list[Tile]) -> list[tuple[int, Tile]]:
    """A tile of `rest` for each slot, taken out of it: (seat, tile).

    Where a slot finds none that is possible there, those housed before it move on, and if that does not help
    either, it takes any: a deal is always found.
    """
    housed: list[tuple[int, _Weights, Tile]] = []
    for seat, weights in slots:
        chances = [weights[tile] for tile in rest]
        if not any(chances) and not _moved_on(weights, housed, rest, set()):
            chances = [1.0] * len(rest)
        elif not any(chances):
            chances = [weights[tile] for tile in rest]
        tile = rest.pop(_by_lot(rng, chances))
        housed.append((seat, weights, tile))
    return [(seat, tile) for seat, _, tile in housed]


def _moved_on(
    weights: _Weights, housed: list[tuple[int, _Weights, Tile]], rest: list[Tile], tried: set[int]
) -> bool:
    """Whether a tile possible by `weights` could be put back into `rest`, its slot taking another."""
    for index, (seat, own, tile) in enumerate(housed):
        if not weights[tile] or index in tried:
            continue
        tried.add(index)
        if any(own[other] for other in rest) or _moved_on(own, housed, rest, tried):
            other = next(other for other in rest if own[other])
            rest.remove(other)
            rest.append(tile)
            housed[index] = (seat, own, other)
            return True
    return False
