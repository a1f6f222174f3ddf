"""What the page of a match says of the night that has drawn its seats, and where it leads its reader on."""

from collections.abc import Callable
from typing import NamedTuple

from games.models import Match, Seat


class Evening(NamedTuple):
    """The night of a match for one viewer.

    words    *Friday pairs · Round 2, table 4*
    address  of one's own page of the night, else of the night
    next     address of the match that the night has begun for the viewer meanwhile, or ""
    """

    words: str
    address: str
    next: str = ""


FindEvening = Callable[[Match, int | None], Evening | None]

_find_evening: FindEvening | None = None


def register_evening(find: FindEvening) -> None:
    """Let `find` tell of the night of a match, for the user with this key."""
    global _find_evening
    _find_evening = find


def find_evening(match: Match, seat: Seat | None) -> Evening | None:
    """Return the night of a match for whoever sits in `seat`; None, without a statement, of other matches."""
    if not match.night or _find_evening is None:
        return None
    return _find_evening(match, seat.user_id if seat else None)
