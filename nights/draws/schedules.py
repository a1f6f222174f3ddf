"""Known schedules, by places 0, 1, … of the lot: the circle for two, whist tables for two pairs.

Whist tables: each is the first round; the last place stays, the others move on. Their first rounds, in this order, have
the fewest meetings of all orders.
"""

from __future__ import annotations

from functools import lru_cache

from nights.draws.meetings import Sides

_WHIST: dict[int, tuple[Sides, ...]] = {
    8: (((7, 0), (1, 3)), ((2, 6), (4, 5))),
    12: (((11, 0), (1, 3)), ((2, 9), (6, 7)), ((4, 10), (5, 8))),
    16: (((15, 0), (1, 2)), ((3, 6), (9, 11)), ((4, 13), (8, 12)), ((5, 10), (7, 14))),
}
_WHIST_ORDER = {8: (0, 1, 4, 3, 2, 5, 6)}
# With so few people a search round by round cannot keep meetings even; with more, it does better than the tables.
ALWAYS_WHIST = 8


@lru_cache(maxsize=128)
def circle_rounds(count: int) -> tuple[tuple[tuple[int, int], ...], ...]:
    """Return a round robin for an even count: count - 1 rounds of pairs in which each two places meet once."""
    turning = count - 1
    return tuple(
        (
            (turning, shift),
            *(((shift + step) % turning, (shift - step) % turning) for step in range(1, count // 2)),
        )
        for shift in range(turning)
    )


def whist_round(count: int, number: int) -> tuple[Sides, ...]:
    """Return the tables of round `number`, from 0, of a whist schedule for 8, 12 or 16 people.

    Raise `LookupError` if there is none.
    """
    turning = count - 1
    if not 0 <= number < turning:
        raise LookupError(number)
    shift = _WHIST_ORDER.get(count, range(turning))[number]

    def move(place: int) -> int:
        return place if place == turning else (place + shift) % turning

    return tuple(((move(a), move(b)), (move(c), move(d))) for (a, b), (c, d) in _WHIST[count])


def has_whist(count: int) -> bool:
    """Return whether a whist schedule for so many people is known."""
    return count in _WHIST
