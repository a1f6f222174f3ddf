"""Where programs may move."""

from accounts.models import User
from games.models import Match, Seat


def may_move(user: User, code: str) -> bool:
    """Return whether a program may move for this person in the match with this code.

    In casual matches against computers that belong to no set of deals. An unknown match is refused elsewhere.
    """
    match = Match.objects.filter(code=code).first()
    if match is None:
        return True
    others = match.seats.exclude(user=user)
    return not match.rated and not match.deals and not others.exclude(kind=Seat.Kind.COMPUTER).exists()
