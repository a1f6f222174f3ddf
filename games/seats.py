"""Whose seat is it: a match fetched through the person's own seat."""

from games.models import Match, Seat


def seat_of(match: Match, user) -> Seat | None:
    """The seat of `user` in `match`; None for a spectator, and for one whose seat a computer has taken over."""
    if not user.is_authenticated:
        return None
    return match.seats.filter(user=user, taken_over=False).first()
