"""A time zone in a calendar (VTIMEZONE, RFC 5545): each change of its clocks by itself, as `zoneinfo` has it."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

# Calendars read the file again twice a day, so that it need not know all years.
YEARS_AHEAD = timedelta(days=5 * 365)
DAY, SECOND = timedelta(days=1), timedelta(seconds=1)


def write_zone(zone: ZoneInfo, since: datetime) -> Iterator[str]:
    """Yield the lines of a zone: the offset at `since` (UTC), and the changes of five years after it."""
    yield "BEGIN:VTIMEZONE"
    yield f"TZID:{zone.key}"
    yield from _write_change(zone, since, since)
    for moment in _find_changes(zone, since):
        yield from _write_change(zone, moment, moment - SECOND)
    yield "END:VTIMEZONE"


def _write_change(zone: ZoneInfo, moment: datetime, before: datetime) -> Iterator[str]:
    """Yield what holds from a moment on; its hour is written by the clock that went `before`."""
    new, old = moment.astimezone(zone), before.astimezone(zone)
    kind = "DAYLIGHT" if new.dst() else "STANDARD"
    old_offset, new_offset = old.utcoffset() or timedelta(), new.utcoffset() or timedelta()
    yield f"BEGIN:{kind}"
    yield f"DTSTART:{moment + old_offset:%Y%m%dT%H%M%S}"
    yield f"TZOFFSETFROM:{_format_offset(old_offset)}"
    yield f"TZOFFSETTO:{_format_offset(new_offset)}"
    yield f"TZNAME:{new.tzname()}"
    yield f"END:{kind}"


def _format_offset(offset: timedelta) -> str:
    minutes = round(offset.total_seconds() / 60)
    return f"{'-' if minutes < 0 else '+'}{abs(minutes) // 60:02}{abs(minutes) % 60:02}"


def _find_changes(zone: ZoneInfo, since: datetime) -> Iterator[datetime]:
    """Yield the first seconds (UTC) with another offset than the second before."""
    day, end = since.astimezone(UTC), since + YEARS_AHEAD
    while day < end:
        if day.astimezone(zone).utcoffset() != (day + DAY).astimezone(zone).utcoffset():
            yield _bisect(zone, day, day + DAY)
        day += DAY


def _bisect(zone: ZoneInfo, before: datetime, after: datetime) -> datetime:
    offset = before.astimezone(zone).utcoffset()
    while after - before > SECOND:
        middle = before + (after - before) // 2
        if middle.astimezone(zone).utcoffset() == offset:
            before = middle
        else:
            after = middle
    return after.replace(microsecond=0)
