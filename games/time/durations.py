"""How long a match lasted, in words: to the nearest minute, the same on every page."""

from datetime import timedelta

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.models import Match
from games.time.clocks import format_days

MINUTE = timedelta(minutes=1)
MAX_MINUTES = 120  # more are given in hours


def describe_duration(match: Match) -> str:
    """Return *5 minutes*, *2:05 hours* or *3 days*."""
    minutes = _minutes(match)
    if minutes >= MAX_MINUTES:
        return _long(match, minutes)
    return (
        ngettext("%(n)d minute", "%(n)d minutes", minutes) % {"n": minutes}
        if minutes
        else _("under a minute")
    )


def short_duration(match: Match) -> str:
    """Return *5 min* for a column; as `describe_duration` from two hours on."""
    minutes = _minutes(match)
    if minutes >= MAX_MINUTES:
        return _long(match, minutes)
    return ngettext("%(n)s min", "%(n)s min", minutes) % {"n": minutes} if minutes else _("< 1 min")


def _minutes(match: Match) -> int:
    """Return the nearest number of minutes, 0 for less than one."""
    time = match.end - match.started_at
    return 0 if time < MINUTE else int(time / MINUTE + 0.5)


def _long(match: Match, minutes: int) -> str:
    time = match.end - match.started_at
    if time < timedelta(days=2):
        return _("%(time)s hours") % {"time": f"{minutes // 60}:{minutes % 60:02d}"}
    return format_days(time.days)
