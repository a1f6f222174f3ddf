"""The rules for one number of seats, precomputed so that a move needs only look-ups.

>>> from .presets import PRESETS
>>> agreed = terms(PRESETS["all-fives"].rules, 4)
>>> agreed.hand_size, agreed.sides, agreed.points[15]
(5, ((0,), (1,), (2,), (3,)), 15)
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from .errors import InvalidRules
from .layout import L, Layout, R, Tip, TipTable, tip_table
from .options import MAX_ROUNDS, CountRule
from .rules import Rules
from .tiles import DOUBLES, PIPS, SET_SIZES, Mask, Tile, mask_of, pips

# The winning score without a target: more than any match can make.
UNREACHABLE_SCORE = 1 << 60


@dataclass(frozen=True, slots=True, eq=False)
class Terms:
    """The rules of a table with `seats` seats, in the form that play needs.

    sides                 the seats of each side
    all_sides             the numbers of the sides
    side_of               the side of each seat
    next_seat             the seat after each seat
    hand_size             the number of tiles dealt to each seat
    hand_slices           the slice of a shuffled set that each seat is dealt
    boneyard_slice        the slice after the hands
    asleep                the tile that lies last in the boneyard of every deal, or None
    reserve               the number of tiles at the end of the boneyard that are never drawn
    drawable              the number of tiles that can be drawn in a round
    tip_table             the tips that layouts are made of
    points                the points of each count
    matching              whether points depend on the two ends being equal, not on the count
    scoring               the tiles that score as a lead
    must_claim            whether points must be claimed
    free_draw             whether a seat may draw by choice
    free_pass             whether a seat may pass by choice
    any_pass              whether it may do so while tiles can be drawn
    many_ends             whether one turn may lay several tiles
    two_doubles           whether one turn may lay a double at each end
    plays_only            whether a seat that can play must play, a single tile
    branching             whether every double adds ends
    call_last             whether the points of the play that ends a round can be called
    both_out              whether a pair goes out only when both its hands are empty
    partner_pays          whether the partner's pips are taken from the score, not from the bonus
    winning_score         the smallest score that ends the match; out of reach without a target
    max_rounds            the number of rounds after which the match ends in any case
    at_once               whether the match ends as soon as the target is reached
    unconditional_points  whether points of a play are always added in full and never end the match
    needs_opening         whether a side must open with a minimum of points
    bars                  whether a side is given nothing in a round once `exact` has refused it something
    conditional_awards    whether more than the target decides if a side is given points
    pass_extra            whether a pass can earn an award
    has_extras            whether there are points besides the pips
    needs_full_playout    whether only `FullPlayout` knows all options of these rules
    lone_pips             what a hand of one tile counts where that differs from its pips
    hash_value            the cached hash, because terms are a key of many caches
    """

    rules: Rules
    seats: int
    sides: tuple[tuple[int, ...], ...]
    all_sides: tuple[int, ...]
    side_of: tuple[int, ...]
    next_seat: tuple[int, ...]
    hand_size: int
    hand_slices: tuple[slice, ...]
    boneyard_slice: slice
    asleep: Tile | None
    reserve: int
    drawable: int
    tip_table: TipTable
    points: tuple[int, ...]
    matching: bool
    scoring: Mask
    must_claim: bool
    free_draw: bool
    free_pass: bool
    any_pass: bool
    many_ends: bool
    two_doubles: bool
    plays_only: bool
    branching: bool
    call_last: bool
    both_out: bool
    partner_pays: bool
    winning_score: int
    max_rounds: int
    at_once: bool
    unconditional_points: bool
    needs_opening: bool
    bars: bool
    conditional_awards: bool
    pass_extra: bool
    has_extras: bool
    needs_full_playout: bool
    lone_pips: Mapping[Mask, int]
    hash_value: int

    def __reduce__(self) -> tuple[object, tuple[Rules, int]]:
        return terms, (self.rules, self.seats)

    def worth(self, layout: Layout) -> int:
        """Return the points of a play that results in this layout, without `out_points`."""
        return matched(layout.tips) if self.matching else self.points[layout.count]

    def pips(self, hand: Mask) -> int:
        """Return what a hand counts at the end of a round."""
        return self.lone_pips[hand] if hand in self.lone_pips else pips(hand)

    def weights(self, hands: Sequence[Mask]) -> tuple[int, ...]:
        """Return what each of these hands counts."""
        return tuple(map(self.pips if self.lone_pips else pips, hands))

    def seat_after(self, seat: int, skipped: Collection[int]) -> int:
        """Return the seat after this one that is not among the skipped ones."""
        seat = self.next_seat[seat]
        while seat in skipped:
            seat = self.next_seat[seat]
        return seat

    def turn_after(self, seat: int, gone: frozenset[int], hands: Sequence[Mask]) -> int:
        """Return the seat that has the turn after this one: not gone, nor without tiles under `partners_out: both`."""
        if not self.both_out:
            return self.seat_after(seat, gone)
        holding = [each for each, hand in enumerate(hands) if hand and each not in gone]
        return min(holding, key=lambda each: (each - seat - 1) % self.seats, default=self.next_seat[seat])

    def staying(self, gone: frozenset[int]) -> tuple[int, ...]:
        """Return the sides without a seat that is gone."""
        if not gone:
            return self.all_sides
        return tuple(side for side in self.all_sides if gone.isdisjoint(self.sides[side]))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Terms) and (self.rules, self.seats) == (other.rules, other.seats)

    def __hash__(self) -> int:
        return self.hash_value


@lru_cache(maxsize=512)
def terms(rules: Rules, seats: int) -> Terms:
    """Return the terms of a table. Raise `InvalidRules` if the rules do not allow this many seats."""
    if seats not in rules.players:
        raise InvalidRules("players", "seats_not_allowed", seats=seats)
    sides = ((0, 2), (1, 3)) if rules.in_pairs(seats) else tuple((seat,) for seat in range(seats))
    hand_size, reserve = rules.hand_size.at(seats), rules.reserve.at(seats)
    set_size = SET_SIZES[rules.set]
    points = tuple(points_of(rules.count, count) for count in range(_largest_count(rules) + 1))
    matching = rules.count == "matching"
    pass_extra = bool(rules.extras.pass_lead or rules.extras.pass_round)
    free_draw, free_pass = rules.draw == "free", rules.pass_ != "stuck"
    any_pass, branching = rules.pass_ == "always", rules.spinner == "every"
    needs_opening, bars = rules.opening is not None, rules.past_target == "round"
    both_out = rules.partners_out == "both" and rules.in_pairs(seats)
    target = UNREACHABLE_SCORE if rules.target is None else rules.target
    return Terms(
        rules=rules,
        seats=seats,
        sides=sides,
        all_sides=tuple(range(len(sides))),
        side_of=tuple(seat % len(sides) for seat in range(seats)),
        next_seat=tuple((seat + 1) % seats for seat in range(seats)),
        hand_size=hand_size,
        hand_slices=tuple(slice(seat * hand_size, (seat + 1) * hand_size) for seat in range(seats)),
        boneyard_slice=slice(seats * hand_size, None),
        asleep=rules.asleep if seats * hand_size < set_size else None,
        reserve=reserve,
        drawable=0 if rules.draw == "none" else set_size - seats * hand_size - reserve,
        tip_table=tip_table(rules.spinner, rules.set),
        points=points,
        matching=matching,
        scoring=DOUBLES if matching else mask_of([tile for tile in range(set_size) if points[PIPS[tile]]]),
        must_claim=rules.claims == "muggins",
        free_draw=free_draw,
        free_pass=free_pass,
        any_pass=any_pass,
        many_ends=rules.many_ends,
        two_doubles=rules.two_doubles,
        plays_only=not any((free_draw, free_pass, rules.many_ends, rules.two_doubles)),
        branching=branching,
        call_last=rules.call_last,
        both_out=both_out,
        partner_pays=rules.partner_pips != "bonus" and rules.in_pairs(seats),
        winning_score=target + (rules.goal == "exceed"),
        max_rounds=MAX_ROUNDS if rules.rounds is None else rules.rounds,
        at_once=rules.finish == "at_once",
        unconditional_points=not (needs_opening or rules.exact or rules.finish == "at_once"),
        needs_opening=needs_opening,
        bars=bars,
        conditional_awards=needs_opening or bars,
        pass_extra=pass_extra,
        has_extras=any(rules.extras),
        needs_full_playout=any(
            (any_pass, rules.two_doubles, branching, needs_opening, bars, both_out, matching, *rules.extras)
        )
        or rules.blocked_winner != "side"
        or rules.blocked_tie in ("leader", "closer", "carry"),
        lone_pips={1 << tile: number for tile, number in rules.lone_pips},
        hash_value=hash((rules, seats)),
    )


def _largest_count(rules: Rules) -> int:
    """Return an upper bound of the count: doubles of the highest suit at all ends."""
    ends = 4 if rules.spinner != "every" else 2 + 2 * (rules.set + 1)
    return 2 * rules.set * ends


def matched(tips: Sequence[Tip]) -> int:
    """Return the points of a play under `count: matching`, from the tips after it."""
    left, right = tips[L], tips[R]
    if left.suit != right.suit:
        return 0
    return 3 if "double" in (left.kind, right.kind) else 2


def points_of(rule: CountRule, count: int) -> int:
    """Return the points of a count under the option `count`."""
    return POINTS[rule](count)


def _fifths(count: int) -> int:
    return 0 if count % 5 else count // 5


def _thirds(count: int) -> int:
    return 0 if count % 3 else count // 3


POINTS: dict[CountRule, Callable[[int], int]] = {
    "none": lambda count: 0,
    "fives": lambda count: 5 * _fifths(count),
    "fives_by_one": _fifths,
    "fives_threes": lambda count: _fifths(count) + _thirds(count),
    "matching": lambda count: 0,
}
