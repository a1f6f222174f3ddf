"""Record open sockets and page loads in the database; renew a process's sockets with one write."""

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

_channels: set[str] = set()  # this process's channels; the database is authoritative
_lock = Lock()
_insert = PreparedInsert(Connection)
_hand_update = PreparedUpdate(Seat, ["hand_seen_at"])
_hand_and_page_update = PreparedUpdate(Seat, ["hand_seen_at", "page_at"])


def record_open(*, match: Match, seat: Seat | None, channel: str) -> None:
    """Record that a page of `match` record_open the socket `channel`, a name that is never reused."""
    record_hand_sent(seat)
    now = timezone.now()
    with _lock:
        _channels.add(channel)
    with transaction.atomic():
        _insert.save(
            Connection(
                channel=channel, match=match, seat=seat, opened_at=now, seen_at=now, process=PROCESS_KEY
            )
        )
        _broadcast_presence(match, seat is None)


def record_hand_sent(seat: Seat | None, *, with_page: bool = False) -> None:
    """Record, once, that the player is sent their hand: from then on calling off may cost.

    `with_page` records the page load (`record_page_load`) in the same write.
    """
    if seat is None or seat.hand_seen_at is not None:
        return
    seat.hand_seen_at = timezone.now()
    if with_page:
        seat.page_at = seat.hand_seen_at
    (_hand_and_page_update if with_page else _hand_update).save(seat)


def record_close(*, channel: str, clean: bool) -> None:
    """Record that the socket `channel` closed; `clean` if its page was closed, not its connection lost."""
    with _lock:
        _channels.discard(channel)
    with transaction.atomic():
        row = Connection.objects.filter(channel=channel).select_related("match").first()
        if row is None:
            return
        if row.seat_id is None or not row.match.playing:
            row.delete()
        else:
            row.closed_at, row.clean = timezone.now(), clean
            row.save(update_fields=["closed_at", "clean"])
        _broadcast_presence(row.match, row.seat_id is None)


def record_page_load(match: Match, seat: Seat | None) -> None:
    """Record a page load or form post, the only sign of presence without scripts. Writes are throttled."""
    now = timezone.now()
    if match.looked_at < now - LOOKED_AT_WRITE_INTERVAL:
        Match.objects.filter(pk=match.pk).update(looked_at=now)
    if seat is not None and (seat.page_at is None or seat.page_at < now - PAGE_WRITE_INTERVAL):
        seat.page_at = now
        Seat.objects.filter(pk=seat.pk).update(page_at=now)


def has_socket(seat: Seat) -> bool:
    """Return whether the player of this seat has an open socket."""
    return seat.connections.open_at(timezone.now()).exists()


def renew(now: datetime) -> None:
    """Renew the rows of this process's open sockets, and delete expired rows."""
    with _lock:
        channels = list(_channels)
    for start in range(0, len(channels), 500):
        # After an outage another process may have closed them.
        Connection.objects.filter(channel__in=channels[start : start + 500]).update(
            seen_at=now, closed_at=None
        )
    Connection.objects.filter(seen_at__lt=now - CONNECTION_TTL).delete()


def _broadcast_presence(match: Match, spectator: bool) -> None:
    if spectator:
        broadcast_throttled(f"match.{match.code}", partial(_count_spectators, match.pk))
        return
    broadcast_page_changed(f"match.{match.code}", "presence")


def _count_spectators(match: int) -> dict[str, str | int]:
    open_sockets = Connection.objects.open_at(timezone.now()).filter(match=match, seat=None)
    return {"type": "spectators.changed", "number": open_sockets.count()}
