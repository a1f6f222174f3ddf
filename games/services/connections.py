"""Record open sockets and page loads in the database; renew a process's sockets with one write."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from functools import partial
from threading import Lock

from django.db import transaction
from django.utils import timezone

from accounts.models import User
from core.prepared import PreparedInsert, PreparedUpdate
from games.models import Connection, Match, Seat
from games.time.day_clocks import DAY_SECONDS
from games.time.outages import PROCESS_KEY
from games.time.presence import AWAY_DELAY
from live.broadcast import broadcast_later, broadcast_page_changed, broadcast_throttled

CONNECTION_TTL = timedelta(hours=6)
AWAY_MARGIN = timedelta(milliseconds=100)  # so that the pages, when notified, find the delay over
PAGE_WRITE_INTERVAL = timedelta(seconds=5)
LOOKED_AT_WRITE_INTERVAL = timedelta(hours=1)

_rows: dict[str, set[str]] = {}  # keys of this process's rows by channel; the database is authoritative
_lock = Lock()
_insert = PreparedInsert(Connection)
_hand_update = PreparedUpdate(Seat, ["hand_seen_at"])
_hand_and_page_update = PreparedUpdate(Seat, ["hand_seen_at", "page_at"])


def record_open(*, match: Match, seat: Seat | None, channel: str) -> None:
    """Record that a page of `match` opened the socket `channel`, a name that is never reused."""
    record_hand_sent(seat)
    _insert_row(channel, channel, match, seat)


def record_elsewhere(*, channel: str, seats: Sequence[Seat]) -> None:
    """Record that the page with the socket `channel` counts for these seats of its reader, and for no other.

    The seats, with their matches, do not include the one in the match that the page itself displays.
    """
    wanted = {f"{channel}/{seat.pk}": seat for seat in seats}
    with _lock:
        recorded = {key for key in _rows.get(channel, ()) if key != channel}
        if ended := recorded - wanted.keys():
            _rows[channel] -= ended
    if ended:
        Connection.objects.filter(channel__in=ended).delete()
    for key in wanted.keys() - recorded:
        _insert_row(key, channel, wanted[key].match, wanted[key], elsewhere=True)


def _insert_row(key: str, channel: str, match: Match, seat: Seat | None, *, elsewhere: bool = False) -> None:
    now = timezone.now()
    with _lock:
        _rows.setdefault(channel, set()).add(key)
    with transaction.atomic():
        _insert.save(
            Connection(
                channel=key,
                match=match,
                seat=seat,
                opened_at=now,
                seen_at=now,
                elsewhere=elsewhere,
                process=PROCESS_KEY,
            )
        )
        _broadcast_presence(match, seat is None)


def record_hand_sent(seat: Seat | None, *, with_page: bool = False) -> None:
    """Record, once, that the player is sent their hand: from then on calling off may cost.

    `with_page` records the page load (`record_page`) in the same write.
    """
    if seat is None or seat.hand_seen_at is not None:
        return
    seat.hand_seen_at = timezone.now()
    if with_page:
        seat.page_at = seat.hand_seen_at
    (_hand_and_page_update if with_page else _hand_update).save(seat)


def record_visibility(*, channel: str, visible: bool) -> None:
    """Record that the player's page with the socket `channel` has come into view, or is hidden.

    Only in matches with a clock of days: there an open page alone does not show that somebody is there.
    """
    pages = Connection.objects.filter(
        channel=channel, seat__isnull=False, match__clock_seconds__gte=DAY_SECONDS
    )
    if pages.update(visible=visible):
        _record_sight(channel)


def _record_sight(channel: str) -> None:
    """Record that the player has seen their page, until now."""
    player = Seat.objects.filter(connections=channel).values("user")
    User.objects.filter(pk__in=player).update(seen_at=timezone.now())


def record_close(*, channel: str, clean: bool) -> None:
    """Record that the socket `channel` closed; `clean` if its page was closed, not its connection lost."""
    with _lock:
        keys = _rows.pop(channel, None)
    if not keys:
        return  # a page without a match
    with transaction.atomic():
        for row in Connection.objects.filter(channel__in=keys).select_related("match"):
            _close_row(row, clean)


def _close_row(row: Connection, clean: bool) -> None:
    group = f"match.{row.match.code}"
    if row.visible:
        _record_sight(row.channel)
    if row.seat_id is None or not row.match.playing:
        row.delete()
    else:
        row.closed_at, row.clean, row.visible = timezone.now(), clean, False
        row.save(update_fields=["closed_at", "clean", "visible"])
        broadcast_later(group, "presence", AWAY_DELAY + AWAY_MARGIN)
    _broadcast_presence(row.match, row.seat_id is None)


def record_look(match: Match) -> None:
    """Record that somebody has looked at a match, accurate to `LOOKED_AT_WRITE_INTERVAL`."""
    now = timezone.now()
    if match.looked_at < now - LOOKED_AT_WRITE_INTERVAL:
        Match.objects.filter(pk=match.pk).update(looked_at=now)


def record_page(seats: Sequence[Seat]) -> None:
    """Record a page load or form post of the player of these seats, the only sign of presence without scripts.

    Writes are throttled.
    """
    now = timezone.now()
    due = [seat for seat in seats if seat.page_at is None or seat.page_at < now - PAGE_WRITE_INTERVAL]
    for seat in due:
        seat.page_at = now
    if due:
        Seat.objects.filter(pk__in=[seat.pk for seat in due]).update(page_at=now)


def has_socket(seats: Sequence[Seat]) -> bool:
    """Return whether the player of these seats has an open page with a socket."""
    return Connection.objects.open_at(timezone.now()).filter(seat__in=seats).exists()


def renew(now: datetime) -> None:
    """Renew the rows of this process's open sockets, and delete expired rows."""
    with _lock:
        keys = [key for keys in _rows.values() for key in keys]
    for start in range(0, len(keys), 500):
        # After an outage another process may have closed them.
        Connection.objects.filter(channel__in=keys[start : start + 500]).update(seen_at=now, closed_at=None)
    Connection.objects.filter(seen_at__lt=now - CONNECTION_TTL).delete()


def _broadcast_presence(match: Match, spectator: bool) -> None:
    if spectator:
        broadcast_throttled(f"match.{match.code}", partial(_count_spectators, match.pk))
        return
    broadcast_page_changed(f"match.{match.code}", "presence")


def _count_spectators(match: int) -> dict[str, str | int]:
    open_sockets = Connection.objects.open_at(timezone.now()).filter(match=match, seat=None)
    return {"type": "spectators.changed", "number": open_sockets.count()}
