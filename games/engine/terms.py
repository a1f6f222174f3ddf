"""The rules for one number of seats, worked out once so that a move costs only look-ups.

>>> from .presets import PRESETS
>>> agreed = terms(PRESETS["all-fives"].rules, 4)
>>> agreed.hand_size, agreed.sides, agreed.points[15]
(5, ((0,), (1,), (2,), (3,)), 15)
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

from .errors import InvalidRules
from .layout import TipTable, tip_table
from .rules import CountRule, Rules
from .tiles import PIPS, SET_SIZES, Mask, mask_of

# Four doubles of the double-twelve set at four ends make 96.
_LARGEST_COUNT = 96


@dataclass(frozen=True, slots=True)
class Terms:
    """What a table of `seats` plays by.

    sides      the seats of each side
    all_sides  the sides' numbers
    side_of    the side of each seat
    after      the seat after each seat
    hand_size  tiles dealt to each seat
    reserve    tiles at the end of the boneyard that are never drawn
    drawable   how many tiles of a round's boneyard may leave it by a draw in turn
    tips       what layouts are laid out by
    points     what each count scores
    scoring    the tiles that score as a lead
    called     whether points must be claimed
    free_draw  whether a seat may draw by choice
    free_pass  whether a seat may pass by choice
    many_ends  whether one turn may lay several tiles
    at_once    whether a match ends as soon as the target is reached
    """

    rules: Rules
    seats: int
    sides: tuple[tuple[int, ...], ...]
    all_sides: tuple[int, ...]
    side_of: tuple[int, ...]
    after: tuple[int, ...]
    hand_size: int
    reserve: int
    drawable: int
    tips: TipTable
    points: tuple[int, ...]
    scoring: Mask
    called: bool
    free_draw: bool
    free_pass: bool
    many_ends: bool
    at_once: bool

    def __reduce__(self) -> tuple[object, tuple[Rules, int]]:
        return terms, (self.rules, self.seats)

    def seat_after(self, seat: int, gone: frozenset[int]) -> int:
        """The seat that comes after this one; seats that are gone are passed over."""
        seat = self.after[seat]
        while seat in gone:
            seat = self.after[seat]
        return seat

    def staying(self, gone: frozenset[int]) -> tuple[int, ...]:
        """The sides of which no seat is gone."""
        if not gone:
            return self.all_sides
        return tuple(side for side in self.all_sides if gone.isdisjoint(self.sides[side]))


@lru_cache(maxsize=512)
def terms(rules: Rules, seats: int) -> Terms:
    """The terms of a table. Raises InvalidRules when the rules do not allow so many seats."""
    if seats not in rules.players:
        raise InvalidRules("players", "seats_not_allowed", seats=seats)
    sides = ((0, 2), (1, 3)) if rules.in_pairs(seats) else tuple((seat,) for seat in range(seats))
    hand_size, reserve = rules.hand_size.at(seats), rules.reserve.at(seats)
    set_size = SET_SIZES[rules.set]
    points = tuple(points_of(rules.count, count) for count in range(_LARGEST_COUNT + 1))
    return Terms(
        rules=rules,
        seats=seats,
        sides=sides,
        all_sides=tuple(range(len(sides))),
        side_of=tuple(seat % len(sides) for seat in range(seats)),
        after=tuple((seat + 1) % seats for seat in range(seats)),
        hand_size=hand_size,
        reserve=reserve,
        drawable=0 if rules.draw == "none" else set_size - seats * hand_size - reserve,
        tips=tip_table(rules.spinner, rules.set),
        points=points,
        scoring=mask_of([tile for tile in range(set_size) if points[PIPS[tile]]]),
        called=rules.claims == "muggins",
        free_draw=rules.draw == "free",
        free_pass=rules.pass_ == "free",  # noqa: S105 - no password
        many_ends=rules.many_ends,
        at_once=rules.finish == "at_once",
    )


def points_of(rule: CountRule, count: int) -> int:
    """What a count scores under the option `count`."""
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
}
