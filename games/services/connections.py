"""Open sockets as rows: opened, closed, and kept alive with one write a tick for the whole process."""

from datetime import datetime, timedelta
from threading import Lock

from django.db import transaction
from django.utils import timezone

from games.models import Connection, Match, Seat
from live.announce import announce

FORGOTTEN_AFTER = timedelta(hours=6)

_mine: set[str] = set()  # the channels of this process; the rows are what counts
_lock = Lock()


def opened(*, match: Match, seat: Seat | None, channel: str) -> None:
    """A page of `match` is open at `channel`."""
    hand_shown(seat)
    with _lock:
        _mine.add(channel)
    with transaction.atomic():
        Connection.objects.update_or_create(
            channel=channel,
            defaults={
                "match": match,
                "seat": seat,
                "seen_at": timezone.now(),
                "closed_at": None,
                "clean": False,
            },
        )
        _tell(match)


def hand_shown(seat: Seat | None) -> None:
    """The person of this seat is being sent their hand; noted once, since calling off may cost from then on."""
    if seat is not None and seat.hand_seen_at is None:
        seat.hand_seen_at = timezone.now()
        Seat.objects.filter(pk=seat.pk, hand_seen_at=None).update(hand_seen_at=seat.hand_seen_at)


def closed(*, channel: str, clean: bool) -> None:
    """The socket at `channel` is gone; `clean`: the page was closed, as against a line that was lost."""
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
        _tell(row.match)


def keep(now: datetime) -> None:
    """Say that this process's sockets are still open, and drop rows that tell nothing any more."""
    with _lock:
        mine = list(_mine)
    for start in range(0, len(mine), 500):
        Connection.objects.filter(channel__in=mine[start : start + 500]).update(seen_at=now)
    Connection.objects.filter(seen_at__lt=now - FORGOTTEN_AFTER).delete()


def _tell(match: Match) -> None:
    stamp = int(timezone.now().timestamp() * 1000)
    announce(f"match.{match.code}", {"type": "page.changed", "topic": "presence", "stamp": stamp})
