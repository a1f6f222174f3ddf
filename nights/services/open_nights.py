"""Follow an open night, dismiss its reminder, skip a date, change its hour, and remind its followers."""

import logging
from datetime import date, datetime, timedelta

from django.db import transaction

from accounts.models import User
from core.faults import contain
from core.time_zones import get_zone
from lobbies.services.rows import notify_people
from nights.models import Night
from nights.open_models import MAX_SKIPPED_DATES, Follower
from nights.refusals import NightRefused

from .locking import locked_directing, log_act, notify_pages, refuse_bots
from .making import fill_open

log = logging.getLogger(__name__)

REMINDER_LEAD_TIME = timedelta(hours=1)


def follow_night(user: User, night: Night, on: bool) -> None:
    """Remind the user of each date of the night, or stop that. Raise `NightRefused`."""
    if on:
        refuse_bots(user)
        if not night.is_running:
            raise NightRefused("over")
        Follower.objects.get_or_create(user=user, night=night)
    else:
        Follower.objects.filter(user=user, night=night).delete()
    notify_people([user.pk])


def dismiss_night(user: User, night: Night, now: datetime) -> None:
    """Close the reminder of the date that is on, or of the next one."""
    Follower.objects.filter(user=user, night=night).update(dismissed_for=night.find_start(now))
    notify_people([user.pk])


def save_for_site(night: Night, now: datetime) -> None:
    """Store an open night of the site, without a host, as an operator has filled it in."""
    if night.pk is None:
        fill_open(night, now)
        night.audience = Night.Audience.PUBLIC
    with transaction.atomic():
        night.version += 1
        night.save()
        notify_pages(night)


def set_skipped(night: Night, director: User, version: int, day: date, on: bool, now: datetime) -> None:
    """Skip one date of a weekly night, or let it take place after all. Raise `NightRefused`."""
    with locked_directing(night, director, version) as row:
        today = now.astimezone(get_zone(row.zone)).date()
        skipped = {each for each in row.skipped_dates if each >= today}
        changed = skipped | {day} if on else skipped - {day}
        if not row.weekly or day < today or len(changed) > MAX_SKIPPED_DATES:
            raise NightRefused("no_date")
        row.skipped = " ".join(each.isoformat() for each in sorted(changed))
        log_act(row, director, "skip" if on else "take_place", now, about=day.isoformat())


def change_start(
    night: Night, director: User, version: int, starts_at: datetime, zone: str, weekly: bool, now: datetime
) -> None:
    """Let an open night begin at another time, and from then on every week if `weekly`. Raise `NightRefused`."""
    with locked_directing(night, director, version) as row:
        before = _write_start(row)
        row.starts_at, row.zone, row.weekly = starts_at, zone, weekly
        if row.find_start(now) is None:
            raise NightRefused("past")
        log_act(row, director, "start", now, before=before, after=_write_start(row))


def _write_start(night: Night) -> str:
    return f"{night.starts_at.astimezone(get_zone(night.zone)):%Y-%m-%d %H:%M} {night.zone}"


def remind(now: datetime) -> None:
    """Notify the followers of every open night that begins within the hour, once; end those that are over."""
    for night in Night.objects.filter(format="open", status=Night.Status.OPEN):
        with contain(log, f"The reminder of night {night.code}"):
            _remind_of(night, now)


def _remind_of(night: Night, now: datetime) -> None:
    start = night.find_start(now)
    running = Night.objects.filter(pk=night.pk, version=night.version)
    if start is None:
        running.update(status=Night.Status.OVER, over_at=now, version=night.version + 1)
        return
    if start - now > REMINDER_LEAD_TIME or night.reminded_for == start:
        return
    # Another process may have done it meanwhile.
    if Night.objects.filter(pk=night.pk).exclude(reminded_for=start).update(reminded_for=start):
        notify_people(night.followers.values_list("user", flat=True))
