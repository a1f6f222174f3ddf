"""Compute when a notice may be sent: not during the person's quiet hours."""

from datetime import datetime, timedelta

from core.time_zones import get_zone
from notifications.models import Choices

HOUR = timedelta(hours=1)
STEP = timedelta(minutes=1)
LEAD_TIME = timedelta(minutes=15)  # before the quiet hours, for what would come too late after them


def find_end_of_quiet(choices: Choices, now: datetime) -> datetime:
    """Return `now`, or the end of the quiet hours if it is in them.

    Steps from hour to hour in UTC, so that a change of the zone's offset in between counts.
    """
    zone = get_zone(choices.time_zone)
    moment = now
    while _is_quiet(choices, moment.astimezone(zone).hour):
        moment = (moment + HOUR).astimezone(zone).replace(minute=0, second=0, microsecond=0)
    return moment.astimezone(now.tzinfo)


def find_last_before_quiet(choices: Choices, moment: datetime) -> datetime:
    """Return `moment`, or some minutes before the quiet hours that it is in."""
    zone = get_zone(choices.time_zone)
    if not _is_quiet(choices, moment.astimezone(zone).hour):
        return moment
    begin = moment
    while _is_quiet(choices, begin.astimezone(zone).hour):
        begin = (
            begin.astimezone(zone).replace(minute=0, second=0, microsecond=0).astimezone(moment.tzinfo) - STEP
        )
    return begin + STEP - LEAD_TIME


def _is_quiet(choices: Choices, hour: int) -> bool:
    begin, end = choices.quiet_from, choices.quiet_until
    return begin <= hour < end if begin <= end else hour >= begin or hour < end
