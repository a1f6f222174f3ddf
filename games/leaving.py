"""Decide who chooses whether a computer takes the seat of a player who leaves."""

from collections.abc import Sequence

from games.engine.matches import Match as Value
from games.models import Seat


def find_choosers(value: Value, seats: Sequence[Seat], leaver: int) -> frozenset[int]:
    """Return the seats that choose: the partner in pairs, else every person who plays on.

    Return an empty set if the last opponent leaves: that wins the match.
    """
    side = value.sides[value.terms.side_of[leaver]]
    if value.seats == 2 or (len(side) == 1 and len(value.terms.staying(value.gone | {leaver})) == 1):
        return frozenset()
    candidates = side if len(side) > 1 else range(value.seats)
    return frozenset(
        seat for seat in candidates if seat != leaver and seat not in value.gone and not seats[seat].computer
    )
