"""Clocks as forms write them and as people read them."""

import re

from django.utils.translation import gettext as _

from games.time.clocks import describe_clock, format_days
from games.time.day_clocks import DAY_SECONDS, OFFERED_DAYS, format_clock_field, get_days
from operators.site_settings import get_site

Clock = tuple[int, int] | None  # seconds for the match, seconds for each move

CLOCK_PATTERN = re.compile(r"(\d{1,5})\+(\d{1,3})\Z", re.ASCII)
MIN_SECONDS, MAX_SECONDS = 10, 3 * 3600
MAX_INCREMENT_SECONDS = 180
DAYS_PATTERN = re.compile(r"(\d)d\Z", re.ASCII)
CLOCK_CHOICES = (
    *("none", "180+3", "300+5", "600+5", "900+10", "1800+20"),
    *(format_clock_field((days * DAY_SECONDS, 0)) for days in OFFERED_DAYS),
)


def get_offered_clocks() -> tuple[str, ...]:
    """Return the operator's choice of clocks, else all."""
    return tuple(clock for clock in CLOCK_CHOICES if clock in get_site().clocks) or CLOCK_CHOICES


class NotAClock(ValueError):
    """Raised for text that is not a clock; the message names the format."""


def parse(text: str) -> Clock:
    """Parse `none`, `300+5` or `3d`. Raise `NotAClock`."""
    if text in ("", "none"):
        return None
    if (found := DAYS_PATTERN.match(text)) and int(found[1]) in OFFERED_DAYS:
        return int(found[1]) * DAY_SECONDS, 0
    found = CLOCK_PATTERN.match(text)
    if found is None:
        raise NotAClock(
            _(
                "Clock: write it as 300+5 (seconds for the match and seconds for each move), as 1d, 3d or 7d (days for "
                "each move), or none."
            )
        )
    seconds, increment = int(found[1]), int(found[2])
    if not MIN_SECONDS <= seconds <= MAX_SECONDS or increment > MAX_INCREMENT_SECONDS:
        raise NotAClock(
            _("Clock: %(least)s to %(most)s seconds for the match, up to %(increment)s for each move.")
            % {"least": MIN_SECONDS, "most": MAX_SECONDS, "increment": MAX_INCREMENT_SECONDS}
        )
    return seconds, increment


def is_of_days(text: str) -> bool:
    """Return whether a clock as forms write it gives days for each move."""
    return DAYS_PATTERN.match(text) is not None


def short_name(clock: Clock) -> str:
    """Format a clock for lists: 5 + 5, or 3 days."""
    if clock is None:
        return _("no clock")
    if days := get_days(clock[0]):
        return format_days(days)
    seconds, increment = clock
    minutes, rest = divmod(seconds, 60)
    first = f"{minutes}:{rest:02d}" if rest else str(minutes)
    return f"{first} + {increment}"


def describe_pace(clock: Clock) -> str:
    """Describe a clock to people who do not know the site: 5 min + 5 s, or 3 days a move."""
    days = get_days(clock[0]) if clock else None
    return _("%(days)s a move") % {"days": format_days(days)} if days else describe_clock(clock)


def get_choices() -> list[tuple[str, str]]:
    """Return every clock of the form with its name, for the operator."""
    return [(clock, short_name(parse(clock))) for clock in CLOCK_CHOICES]
