"""Follow a club night, dismiss its reminder, and notify its followers' open pages."""

import logging
from datetime import datetime

from accounts.models import User
from core.faults import contain
from lobbies.models import REMINDER_LEAD_TIME, ClubNight, NightFollower

from .rows import notify_people

log = logging.getLogger(__name__)


def follow_night(user: User, night: ClubNight, on: bool) -> None:
    """Remind the user of the night every week, or stop that."""
    if on:
        NightFollower.objects.get_or_create(user=user, night=night)
    else:
        NightFollower.objects.filter(user=user, night=night).delete()
    notify_people([user.pk])


def dismiss_night(user: User, night: ClubNight, now: datetime) -> None:
    """Close this week's reminder."""
    NightFollower.objects.filter(user=user, night=night).update(dismissed_for=night.find_start(now))
    notify_people([user.pk])


def remind(now: datetime) -> None:
    """Notify the followers of every night that begins within the hour, once."""
    for night in ClubNight.objects.all():
        with contain(log, f"The reminder of night {night.pk}"):
            _remind_of(night, now)


def _remind_of(night: ClubNight, now: datetime) -> None:
    start = night.find_start(now)
    if start - now > REMINDER_LEAD_TIME or night.reminded_for == start:
        return
    # Another process may have done it meanwhile.
    if ClubNight.objects.filter(pk=night.pk).exclude(reminded_for=start).update(reminded_for=start):
        notify_people(night.followers.values_list("user", flat=True))
