"""Where programs may move."""

from accounts.models import User
from games.models import Match, Seat
from nights.phones import is_of_a_night


def may_move(user: User, code: str) -> bool:
    """Return whether a program may move for this person in the match with this code.

    In casual matches against computers that belong to no set of deals and no night. Matches that are unknown or of
    others are refused elsewhere.
    """
    match = Match.objects.filter(code=code, seats__user=user).first()
    if match is None:
        return True
    if match.rated or match.deals or is_of_a_night(code):
        return False
    return not match.seats.exclude(user=user).exclude(kind=Seat.Kind.COMPUTER).exists()
