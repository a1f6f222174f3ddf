"""Write a person's calendar, the club nights that they follow, as iCalendar (RFC 5545)."""

import logging
from collections.abc import Iterator
from datetime import datetime

from accounts.models import User
from core.faults import contain
from lobbies.models import NIGHT_DURATION, ClubNight
from lobbies.nights import title_of
from operators.site_settings import get_site

log = logging.getLogger(__name__)

MAX_LINE_BYTES = 75
WEEKDAYS = "MO TU WE TH FR SA SU".split()


def write_calendar(user: User, address: str, now: datetime) -> str:
    """Return the calendar as text. `address` is the site's, which each entry links to."""
    nights = ClubNight.objects.filter(followers__user=user)
    lines = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Boneyard//Calendar//EN", "CALSCALE:GREGORIAN"]
    lines += [f"X-WR-CALNAME:{_escape(get_site().name)}", "REFRESH-INTERVAL;VALUE=DURATION:PT12H"]
    for night in nights:
        with contain(log, f"Night {night.pk} in a calendar"):
            lines += list(_write_night(night, address, now))
    lines.append("END:VCALENDAR")
    return "".join(f"{_fold(line)}\r\n" for line in lines)


def _write_night(night: ClubNight, address: str, now: datetime) -> Iterator[str]:
    start = night.find_start(now)
    host = address.partition("://")[2].strip("/")
    yield "BEGIN:VEVENT"
    yield f"UID:night-{night.pk}@{host}"
    yield f"DTSTAMP:{_format(now.replace(hour=0, minute=0, second=0))}"
    yield f"DTSTART:{_format(start)}"
    yield f"DTEND:{_format(start + NIGHT_DURATION)}"
    yield f"RRULE:FREQ=WEEKLY;BYDAY={WEEKDAYS[night.weekday]}"
    yield f"SUMMARY:{_escape(title_of(night))}"
    yield f"URL:{address}"
    yield "END:VEVENT"


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
