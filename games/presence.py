"""Compute who is present at a match, from its sockets and page loads, and when an absent player's grace ends."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import Exists, OuterRef, Q, QuerySet

from core.prepared import PreparedQuery
from games.clocks import get_clock_deadline
from games.engine.matches import Match as Value
from games.engine.perspective import View
from games.models import PRESENCE_TTL, Connection, Match, Seat

PAGE_PRESENCE_TTL = timedelta(seconds=45)  # for browsers without scripts
RECENT_MOVE_WINDOW = timedelta(minutes=1)
PROD_TIMEOUT = timedelta(minutes=3)  # to move after a prod


@dataclass(frozen=True)
class Grace:
    """How long an absent player on turn has to come back."""

    lost: timedelta  # connection lost, or never opened
    closed: timedelta  # last page closed by the player


UNTIMED = Grace(lost=timedelta(seconds=60), closed=timedelta(seconds=15))
TIMED = Grace(lost=timedelta(seconds=30), closed=timedelta(seconds=10))

_connections = PreparedQuery(lambda match: Connection.objects.filter(match=match))


@dataclass(frozen=True)
class Presence:
    """The players and spectators of a match at one time.

    seats      present: an open socket, one lost less than PRESENCE_TTL ago, or a recent page load without scripts
    spectators the number of their open sockets
    absent     by seat: since when, and whether the player closed the last page
    restarted  when the last server process with sockets of this match ended without closing them, or None
    """

    seats: frozenset[int]
    spectators: int
    absent: dict[int, tuple[datetime, bool]]
    restarted: datetime | None


def load_presence(match: Match, seats: Sequence[Seat], now: datetime) -> Presence:
    """Return the presence at a match. `seats` are all of its rows; its connections are read in one query."""
    sockets: dict[int, list[Connection]] = {}
    spectators = 0
    restarted: list[datetime] = []
    for socket in _connections.rows(match.pk):
        if socket.closed_at is None and socket.seen_at <= now - PRESENCE_TTL:
            restarted.append(socket.seen_at)  # its process ended without closing it
        if socket.seat_id is not None:
            sockets.setdefault(socket.seat_id, []).append(socket)
        else:
            spectators += socket.is_open(now)
    present: set[int] = set()
    absent: dict[int, tuple[datetime, bool]] = {}
    for seat in seats:
        own = sockets.get(seat.pk, [])
        until, closed = _present_until(match, seat, own)
        has_been_here = bool(own) or seat.page_at is not None
        if (has_been_here and until > now) or any(socket.is_open(now) for socket in own):
            present.add(seat.position)
        else:
            absent[seat.position] = until, closed
    return Presence(frozenset(present), spectators, absent, max(restarted, default=None))


def _present_until(match: Match, seat: Seat, sockets: Sequence[Connection]) -> tuple[datetime, bool]:
    """Return until when a seat without an open socket counts as present, and whether its player closed the page."""
    ends = [(match.started_at, False)]
    for socket in sockets:
        if socket.clean and socket.closed_at is not None:
            ends.append((socket.closed_at, True))
        else:
            ends.append(((socket.closed_at or socket.seen_at) + PRESENCE_TTL, False))
    if seat.page_at is not None and all(
        (socket.closed_at or socket.seen_at) < seat.page_at for socket in sockets
    ):
        ends.append((seat.page_at + PAGE_PRESENCE_TTL, False))
    return max(ends)


def get_grace_end(
    match: Match, seats: Sequence[Seat], turn: int | None, seen: Value | View, presence: Presence
) -> datetime | None:
    """Return from when the others may continue without the player on turn, or None while they must wait."""
    if turn is None or not match.playing or match.left_at is not None:
        return None
    if seats[turn].computer or seats[turn].left:
        return None
    deadline = get_clock_deadline(match, seats, turn, seen)
    if turn in presence.seats:
        prodded_at = get_prod_time(match)
        return prodded_at + PROD_TIMEOUT if prodded_at is not None and deadline is None else None
    since, closed = presence.absent[turn]
    grace = TIMED if match.timed else UNTIMED
    begins = max(filter(None, (since, match.turn_began_at, presence.restarted)))
    ends = begins + (grace.closed if closed else grace.lost)
    return ends if deadline is None else min(ends, deadline)


def get_prod_time(match: Match) -> datetime | None:
    """Return when the player on turn was prodded in this turn, or None."""
    prodded = match.prodded_at
    return prodded if prodded is not None and prodded >= match.turn_began_at else None


def filter_active(matches: QuerySet[Match], now: datetime) -> QuerySet[Match]:
    """Return the matches with a recent move or a player present."""
    sockets = Connection.objects.open_at(now).filter(match=OuterRef("pk"), seat__isnull=False)
    pages = Seat.objects.filter(match=OuterRef("pk"), page_at__gt=now - PAGE_PRESENCE_TTL)
    return matches.filter(Q(turn_began_at__gt=now - RECENT_MOVE_WINDOW) | Exists(sockets) | Exists(pages))
