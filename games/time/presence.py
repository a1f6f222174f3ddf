"""Compute who is present at a match, from its sockets and page loads, and when an absent player's grace ends."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import Exists, OuterRef, Q, QuerySet

from boneyard.engine.matches import Match as Value
from boneyard.engine.perspective import View
from core.prepared import PreparedQuery
from games.models import PRESENCE_TTL, Connection, Match, Seat
from games.time.clocks import get_turn_deadline

PAGE_PRESENCE_TTL = timedelta(seconds=45)  # for browsers without scripts
AWAY_DELAY = timedelta(seconds=5)  # a player who changes pages is not displayed as away
RECENT_MOVE_WINDOW = timedelta(minutes=1)
PROD_TIMEOUT = timedelta(minutes=3)  # to move after a prod
UNTIMED_GRACE = MAX_TIMED_GRACE = timedelta(seconds=60)
MIN_TIMED_GRACE = timedelta(seconds=20)
TIMED_GRACE_SHARE = 0.1  # of the initial clock

_connections = PreparedQuery(lambda match: Connection.objects.filter(match=match))


@dataclass(frozen=True)
class Presence:
    """The players and spectators of a match at one time.

    seats       present: an open socket, one lost less than PRESENCE_TTL ago, or a recent page load without scripts
    spectators  the number of their open sockets
    absent      by seat: since when
    restarted   when the last server process with sockets of this match ended without closing them, or None
    just_left   absent for less than AWAY_DELAY, and displayed as before
    elsewhere   whose last pages are all other pages of the site
    """

    seats: frozenset[int]
    spectators: int
    absent: dict[int, datetime]
    restarted: datetime | None
    just_left: frozenset[int] = frozenset()
    elsewhere: frozenset[int] = frozenset()


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
    elsewhere: set[int] = set()
    absent: dict[int, datetime] = {}
    for seat in seats:
        own = sockets.get(seat.pk, [])
        until = _present_until(match, seat, own)
        has_been_here = bool(own) or seat.page_at is not None
        if (has_been_here and until > now) or any(socket.is_open(now) for socket in own):
            present.add(seat.position)
        else:
            absent[seat.position] = until
        if _is_elsewhere(own, now):
            elsewhere.add(seat.position)
    return Presence(
        frozenset(present),
        spectators,
        absent,
        max(restarted, default=None),
        frozenset(seat for seat, since in absent.items() if now < since + AWAY_DELAY),
        frozenset(elsewhere),
    )


def _present_until(match: Match, seat: Seat, sockets: Sequence[Connection]) -> datetime:
    """Return until when a seat without an open socket counts as present."""
    ends = [match.started_at]
    for socket in sockets:
        if socket.clean and socket.closed_at is not None:
            ends.append(socket.closed_at)
        else:
            ends.append((socket.closed_at or socket.seen_at) + PRESENCE_TTL)
    if seat.page_at is not None and all(
        (socket.closed_at or socket.seen_at) < seat.page_at for socket in sockets
    ):
        ends.append(seat.page_at + PAGE_PRESENCE_TTL)
    return max(ends)


def _is_elsewhere(sockets: Sequence[Connection], now: datetime) -> bool:
    """Return whether all open pages of a player, or the last one to close, are other pages of the site."""
    pages = [socket for socket in sockets if socket.is_open(now)]
    if not pages and sockets:
        pages = [max(sockets, key=lambda socket: socket.closed_at or socket.seen_at)]
    return bool(pages) and all(socket.elsewhere for socket in pages)


def get_grace(match: Match) -> timedelta:
    """Return how long an absent player on turn has to come back."""
    if match.clock_seconds is None:
        return UNTIMED_GRACE
    share = TIMED_GRACE_SHARE * timedelta(seconds=match.clock_seconds)
    return min(max(share, MIN_TIMED_GRACE), MAX_TIMED_GRACE)


def get_grace_end(
    match: Match, seats: Sequence[Seat], turn: int | None, seen: Value | View, presence: Presence
) -> datetime | None:
    """Return from when the others may continue without the player on turn, or None while they must wait."""
    if turn is None or match.days or not match.playing or match.left_at is not None:
        return None
    if seats[turn].computer or seats[turn].left:
        return None
    deadline = get_turn_deadline(match, seats, turn, seen)
    if turn in presence.seats:
        prodded_at = get_prod_time(match)
        return prodded_at + PROD_TIMEOUT if prodded_at is not None and deadline is None else None
    begins = max(filter(None, (presence.absent[turn], match.turn_began_at, presence.restarted)))
    ends = begins + get_grace(match)
    return ends if deadline is None else min(ends, deadline)


def get_prod_time(match: Match) -> datetime | None:
    """Return when the player on turn was prodded in this turn, or None."""
    prodded = match.prodded_at
    return prodded if prodded is not None and prodded >= match.turn_began_at else None


def filter_active(matches: QuerySet[Match], now: datetime) -> QuerySet[Match]:
    """Return the matches with a recent move or a player present."""
    sockets = Connection.objects.open_at(now).filter(match=OuterRef("pk"), seat__isnull=False)
    pages = Seat.objects.filter(match=OuterRef("pk"), page_at__gt=now - PAGE_PRESENCE_TTL)
    # A turn that begins in more than a minute waits for the end of a vacation.
    recent = Q(turn_began_at__gt=now - RECENT_MOVE_WINDOW, turn_began_at__lt=now + RECENT_MOVE_WINDOW)
    return matches.filter(recent | Exists(sockets) | Exists(pages))
