"""Decide who is asked whether a computer takes a leaver's seat (docs/ratings.md, "Who leaves, and who stays")."""

from collections.abc import Sequence

from boneyard.engine.matches import Match as Value
from games.models import Match, Seat


def is_in_pairs(value: Value) -> bool:
    """Return whether the players of a match are partners."""
    return len(value.sides) < value.seats


def find_staying(value: Value, seats: Sequence[Seat], leaver: int) -> frozenset[int]:
    """Return the seats of the people who play on without the leaver."""
    return frozenset(
        seat.position
        for seat in seats
        if seat.position != leaver and seat.position not in value.gone and not seat.computer
    )


def find_choosers(match: Match, value: Value, seats: Sequence[Seat], leaver: int) -> frozenset[int]:
    """Return the seats that are asked: every person who plays on.

    In pairs all must agree to a computer; for themselves the first answer decides. Return an empty set where the
    leaving ends the match: at a table of two, and with the last opponent (in a rated match computers do not count).
    """
    if value.seats == 2:
        return frozenset()
    staying = find_staying(value, seats, leaver)
    if is_in_pairs(value):
        return staying
    is_last_opponent = len(value.terms.staying(value.gone | {leaver})) == 1
    return frozenset() if is_last_opponent or (match.rated and len(staying) == 1) else staying
