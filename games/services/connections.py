"""Open sockets as rows: opened, closed, and renewed by one write a tick for the whole process."""

from datetime import datetime, timedelta
from threading import Lock

from django.db import transaction
from django.utils import timezone

from games.models import Connection, Match, Seat
from live.announce import page_changed

FORGOTTEN_AFTER = timedelta(hours=6)

_mine: set[str] = set()  # the channels of this process; the rows are what counts
_lock = Lock()


def opened(*, match: Match, seat: Seat | None, channel: str) -> None:
    """A page of `match` is open at `channel`."""
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
        page_changed(f"match.{match.code}", "presence")


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
        page_changed(f"match.{row.match.code}", "presence")


def keep(now: datetime) -> None:
    """Renew the rows of this process's open sockets, and delete those that are long out of date."""
    with _lock:
        mine = list(_mine)
    for start in range(0, len(mine), 500):
        Connection.objects.filter(channel__in=mine[start : start + 500]).update(seen_at=now)
    Connection.objects.filter(seen_at__lt=now - FORGOTTEN_AFTER).delete()
