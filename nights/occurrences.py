"""When an open night takes place: once or every week at one local hour, less the dates that are skipped."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from datetime import UTC, date, datetime, timedelta
from itertools import count
from zoneinfo import ZoneInfo

DURATION = timedelta(hours=1)
WEEK = timedelta(days=7)


def list_starts(first: datetime, zone: ZoneInfo, weekly: bool, now: datetime) -> Iterator[datetime]:
    """Yield the start that lasts at `now` and those after it, in UTC, skipped ones too; without an end if weekly.

    A local hour that the change of the clocks leaves out is read in the offset before, one that comes twice is the
    first: as RFC 5545 says.
    """
    local = first.astimezone(zone).replace(tzinfo=None)
    since = max(0, (now - first) // WEEK - 1) if weekly else 0
    for week in count(since) if weekly else (0,):
        start = (local + week * WEEK).replace(tzinfo=zone).astimezone(UTC)
        if start + DURATION > now:
            yield start


def find_start(
    first: datetime, zone: ZoneInfo, weekly: bool, skipped: Collection[date], now: datetime
) -> datetime | None:
    """Return the start of a night while it is on, else its next start; None if it takes place no more."""
    starts = list_starts(first, zone, weekly, now)
    return next((start for start in starts if start.astimezone(zone).date() not in skipped), None)
