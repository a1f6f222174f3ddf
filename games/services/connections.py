"""Open sockets as rows: opened, closed, and renewed by one write a tick for the whole process."""

from datetime import datetime, timedelta
from functools import partial
from threading import Lock

from django.db import transaction
from django.utils import timezone

from core.prepared import PreparedInsert, PreparedUpdate
from games.models import Connection, Match, Seat
from games.outages import PROCESS_KEY
from live.broadcast import broadcast_page_changed, broadcast_throttled

CONNECTION_TTL = timedelta(hours=6)
PAGE_WRITE_INTERVAL = timedelta(seconds=5)
LOOKED_AT_WRITE_INTERVAL = timedelta(hours=1)

_mine: set[str] = set()  # the channels of this process; the rows are what counts
_lock = Lock()
_insert = PreparedInsert(Connection)
_first_hand = PreparedUpdate(Seat, ["hand_seen_at"])
_first_page = PreparedUpdate(Seat, ["hand_seen_at", "page_at"])


def opened(*, match: Match, seat: Seat | None, channel: str) -> None:
    """A page of `match` is open at `channel`, which no other ever had."""
    record_hand_sent(seat)
    now = timezone.now()
    with _lock:
        _mine.add(channel)
    with transaction.atomic():
        _insert.save(
            Connection(channel=channel, match=match, seat=seat, opened_at=now, seen_at=now, process=PROCESS_KEY)
        )
        _tell(match, seat is None)


def record_hand_sent(seat: Seat | None, *, with_page: bool = False) -> None:
    """The person of this seat is being sent their hand; noted once, since calling off may cost from then on. Where it
    comes with the page of a match that goes on, that is noted in the same write (`record_page_load`)."""
    if seat is None or seat.hand_seen_at is not None:
        return
    seat.hand_seen_at = timezone.now()
    if with_page:
        seat.page_at = seat.hand_seen_at
    (_first_page if with_page else _first_hand).save(seat)


def closed(*, channel: str, clean: bool) -> None:
    """The socket at `channel` is gone; `clean` says that its page was closed, not its connection lost."""
    with _lock:
        _mine.discard(channel)
    with transaction.atomic():
        row = Connection.objects.filter(channel=channel).select_related("match").first()
        if row is None:
            return
        if row.seat_id is None or not row.match.playing:
            row.delete()
        else:
            row.closed_at, row.clean = timezone.now(), clean
            row.save(update_fields=["closed_at", "clean"])
        _tell(row.match, row.seat_id is None)


def record_page_load(match: Match, seat: Seat | None) -> None:
    """A page of `match` was sent, or a form of one came: that is all there is to tell that somebody without scripts
    is here. Written only where it changes something, since it happens as pages are read."""
    now = timezone.now()
    if match.looked_at < now - LOOKED_AT_WRITE_INTERVAL:
        Match.objects.filter(pk=match.pk).update(looked_at=now)
    if seat is not None and (seat.page_at is None or seat.page_at < now - PAGE_WRITE_INTERVAL):
        seat.page_at = now
        Seat.objects.filter(pk=seat.pk).update(page_at=now)


def has_socket(seat: Seat) -> bool:
    """Whether the person of this seat has an open socket."""
    return seat.connections.open_at(timezone.now()).exists()


def keep(now: datetime) -> None:
    """Renew the rows of this process's open sockets, and delete those that are long out of date."""
    with _lock:
        mine = list(_mine)
    for start in range(0, len(mine), 500):
        # After an outage another process may have taken them for lost.
        Connection.objects.filter(channel__in=mine[start : start + 500]).update(seen_at=now, closed_at=None)
    Connection.objects.filter(seen_at__lt=now - CONNECTION_TTL).delete()


def _tell(match: Match, spectator: bool) -> None:
    if spectator:
        broadcast_throttled(f"match.{match.code}", partial(_spectators, match.pk))
        return
    broadcast_page_changed(f"match.{match.code}", "presence")


def _spectators(match: int) -> dict[str, str | int]:
    here = Connection.objects.open_at(timezone.now()).filter(match=match, seat=None)
    return {"type": "spectators.changed", "number": here.count()}
