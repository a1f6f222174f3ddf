"""Who is at a match's page, from the rows of its open sockets; and when the others may go on without a player."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from games.models import PRESENT_FOR, Match, Seat

GRACE = timedelta(seconds=60)
GRACE_AFTER_CLOSING = timedelta(seconds=15)
RELOADING = timedelta(seconds=5)  # a page that closes may only be reloading


@dataclass(frozen=True)
class Presence:
    """Who is here, and since when the others are not.

    seats     those with an open socket
    watchers  how many sockets spectators have open
    gone      by seat, since when it has had none, and whether its last one was closed cleanly
    """

    seats: frozenset[int]
    watchers: int
    gone: dict[int, tuple[datetime, bool]]


def presence_of(match: Match, now: datetime) -> Presence:
    """One query over the match's connections."""
    here: set[int] = set()
    watchers = 0
    gone: dict[int, tuple[datetime, bool]] = {}
    rows = match.connections.values_list("seat__position", "seen_at", "closed_at", "clean")
    for seat, seen, closed, clean in rows:
        open_now = closed is None and seen > now - PRESENT_FOR
        if seat is None:
            watchers += open_now
        elif open_now:
            here.add(seat)
        else:
            last = (closed or seen, clean)
            gone[seat] = max(gone.get(seat, last), last)
    return Presence(
        frozenset(here), watchers, {seat: last for seat, last in gone.items() if seat not in here}
    )


def grace_ends(match: Match, seat: Seat, presence: Presence) -> datetime | None:
    """From when the others may go on without the person on turn in an untimed match; None while that one is here."""
    if match.timed or seat.computer or seat.left or seat.position in presence.seats:
        return None
    since, clean = presence.gone.get(seat.position, (match.started_at, False))
    if clean:
        return max(since + RELOADING, match.turn_began_at) + GRACE_AFTER_CLOSING
    return max(since, match.turn_began_at) + GRACE
