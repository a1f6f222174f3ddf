"""Who sits where: a person's own seat in a match."""

from django.contrib.auth.models import AnonymousUser

from accounts.models import User
from games.models import Match, Seat

Viewer = User | AnonymousUser


def seat_of(match: Match, user: Viewer) -> Seat | None:
    """The seat of `user` in `match`; None for a spectator, and for one whose seat a computer has taken over."""
    if not user.is_authenticated:
        return None
    return match.seats.filter(user=user, taken_over=False).first()
