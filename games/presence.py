"""Who is at a match's page, from the rows of its open sockets; and when others may claim an absent seat."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from games.models import PRESENT_FOR, Match, Seat

GRACE = timedelta(seconds=60)
GRACE_AFTER_CLOSING = timedelta(seconds=15)
RELOADING = timedelta(seconds=5)  # a closed page may be one that is being loaded again


@dataclass(frozen=True)
class Presence:
    """`seats`: positions with an open socket; `watchers`: open sockets of spectators; `gone`: by position, since
    when a person has had none, and whether their last one was closed cleanly."""

    seats: frozenset[int]
    watchers: int
    gone: dict[int, tuple[datetime, bool]]


def presence_of(match: Match, now: datetime) -> Presence:
    """One query over the match's connections."""
    here: set[int] = set()
    watchers = 0
    gone: dict[int, tuple[datetime, bool]] = {}
    rows = match.connections.values_list("seat__position", "seen_at", "closed_at", "clean")
    for position, seen, closed, clean in rows:
        open_now = closed is None and seen > now - PRESENT_FOR
        if position is None:
            watchers += open_now
        elif open_now:
            here.add(position)
        else:
            last = (closed or seen, clean)
            gone[position] = max(gone.get(position, last), last)
    return Presence(frozenset(here), watchers, {p: last for p, last in gone.items() if p not in here})


def claimable_at(match: Match, seat: Seat, presence: Presence) -> datetime | None:
    """When the others may claim against `seat`, a person on turn in an untimed match; None while present."""
    if match.timed or seat.computer or seat.left or seat.position in presence.seats:
        return None
    since, clean = presence.gone.get(seat.position, (match.started_at, False))
    if clean:
        return max(since + RELOADING, match.turn_began_at) + GRACE_AFTER_CLOSING
    return max(since, match.turn_began_at) + GRACE
