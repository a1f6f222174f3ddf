"""Compute when a notice may be sent: not during the person's quiet hours."""

from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from notifications.models import Choices

HOUR = timedelta(hours=1)


def find_end_of_quiet(choices: Choices, now: datetime) -> datetime:
    """Return `now`, or the end of the quiet hours if it is in them.

    Steps from hour to hour in UTC, so that a change of the zone's offset in between counts.
    """
    zone = ZoneInfo(choices.time_zone)
    moment = now
    while _is_quiet(choices, moment.astimezone(zone).hour):
        moment = (moment + HOUR).astimezone(zone).replace(minute=0, second=0, microsecond=0)
    return moment.astimezone(now.tzinfo)


def _is_quiet(choices: Choices, hour: int) -> bool:
    begin, end = choices.quiet_from, choices.quiet_until
    return begin <= hour < end if begin <= end else hour >= begin or hour < end
