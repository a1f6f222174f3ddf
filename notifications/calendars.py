"""Write a person's calendar, the open nights that they follow, as iCalendar (RFC 5545)."""

import logging
from collections.abc import Iterator
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from accounts.models import User
from core.faults import contain
from core.time_zones import UTC_NAME, get_zone
from nights.models import Night
from nights.occurrences import DURATION
from notifications.zone_rules import write_zone
from operators.site_settings import get_site

log = logging.getLogger(__name__)

MAX_LINE_BYTES = 75
WEEKDAYS = "MO TU WE TH FR SA SU".split()


def write_calendar(user: User, address: str, now: datetime) -> str:
    """Return the calendar as text. `address` is the site's, which each entry links to."""
    nights = list(Night.objects.filter(followers__user=user, status=Night.Status.OPEN, format="open"))
    since = now.replace(hour=0, minute=0, second=0, microsecond=0) - timedelta(days=1)
    lines = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Boneyard//Calendar//EN", "CALSCALE:GREGORIAN"]
    lines += [f"X-WR-CALNAME:{_escape(get_site().name)}", "REFRESH-INTERVAL;VALUE=DURATION:PT12H"]
    for name in sorted({night.zone for night in nights} - {UTC_NAME}):
        with contain(log, f"Zone {name} in a calendar"):
            lines += list(write_zone(get_zone(name), since))
    for night in nights:
        with contain(log, f"Night {night.code} in a calendar"):
            lines += list(_write_night(night, address, now))
    lines.append("END:VCALENDAR")
    return "".join(f"{_fold(line)}\r\n" for line in lines)


def _write_night(night: Night, address: str, now: datetime) -> Iterator[str]:
    """Yield the lines of a night from its next date on; none if it takes place no more."""
    start, zone = night.find_start(now), get_zone(night.zone)
    if start is None:
        return
    host = address.partition("://")[2].strip("/")
    yield "BEGIN:VEVENT"
    yield f"UID:night-{night.code}@{host}"
    yield f"DTSTAMP:{_format(now.replace(hour=0, minute=0, second=0))}"
    yield f"DTSTART{_write_local(start, zone)}"
    yield f"DTEND{_write_local(start + DURATION, zone)}"
    if night.weekly:
        local = start.astimezone(zone)
        yield f"RRULE:FREQ=WEEKLY;BYDAY={WEEKDAYS[local.weekday()]}"
        for day in sorted(day for day in night.skipped_dates if day > local.date()):
            yield f"EXDATE{_write_local(datetime.combine(day, local.time(), zone), zone)}"
    yield f"SUMMARY:{_escape(night.title)}"
    yield f"URL:{address.rstrip('/')}{night.get_absolute_url()}"
    yield "END:VEVENT"


def _write_local(moment: datetime, zone: ZoneInfo) -> str:
    """Return a time after the name of its property: local with the zone, which a weekly hour follows."""
    if zone.key == UTC_NAME:
        return f":{_format(moment)}"
    return f";TZID={zone.key}:{moment.astimezone(zone):%Y%m%dT%H%M%S}"


def _format(moment: datetime) -> str:
    return moment.strftime("%Y%m%dT%H%M%SZ")


def _escape(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace(";", "\\;").replace(",", "\\,")
    return " ".join(escaped.splitlines())


def _fold(line: str) -> str:
    """Break a line that is longer than allowed, never inside a character."""
    parts, part = [], ""
    for character in line:
        if len((part + character).encode()) > MAX_LINE_BYTES - 1:
            parts.append(part)
            part = ""
        part += character
    return "\r\n ".join([*parts, part])
