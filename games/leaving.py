"""Somebody leaves a table of three or four: who of those that stay chooses whether a computer takes the seat."""

from collections.abc import Sequence

from games.engine.matches import Match as Value
from games.models import Seat


def find_choosers(value: Value, seats: Sequence[Seat], leaver: int) -> frozenset[int]:
    """The partner alone in pairs, else every person who plays on. Nobody where the last opponent goes: that is a
    win, and nobody is robbed."""
    side = value.sides[value.terms.side_of[leaver]]
    if value.seats == 2 or (len(side) == 1 and len(value.terms.staying(value.gone | {leaver})) == 1):
        return frozenset()
    asked = side if len(side) > 1 else range(value.seats)
    return frozenset(
        seat for seat in asked if seat != leaver and seat not in value.gone and not seats[seat].computer
    )
