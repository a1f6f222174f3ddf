"""Find a user's own seat in a match."""

from django.contrib.auth.models import AnonymousUser

from accounts.models import User
from games.models import Match, Seat

Viewer = User | AnonymousUser


def seat_of(match: Match, user: Viewer) -> Seat | None:
    """Return the seat of `user`, or None for a spectator or a player whose seat a computer has taken over."""
    if not user.is_authenticated:
        return None
    return match.seats.filter(user=user, taken_over=False).first()
