"""Reminders of nights (`nights`): to the accounts on a night's list, and to the members of its club."""

import logging
from collections.abc import Iterator
from datetime import datetime, timedelta

from django.db.models import Q, QuerySet

from accounts.models import User
from core.faults import contain
from nights.models import Entry, Night
from notifications.models import Kind, Notice
from notifications.people import find_people

log = logging.getLogger(__name__)

PREFIX = "evening"  # of the keys of their notices
LEAD_TIMES = {Night.Place.WOOD: timedelta(hours=3), Night.Place.PHONES: timedelta(hours=1)}
COMING = (Night.Status.MADE, Night.Status.OPEN)


def find_reminders(now: datetime) -> Iterator[Notice]:
    """Yield the reminders that are due and have no row yet, not saved."""
    latest = now + max(LEAD_TIMES.values())
    nights = Night.objects.exclude(format="open")  # whose dates `finding` knows
    for night in nights.filter(status__in=COMING, starts_at__gt=now, starts_at__lte=latest):
        with contain(log, f"The reminder of night {night.code}"):
            if night.starts_at - now <= LEAD_TIMES[Night.Place(night.place)]:
                for user in _find_expected(night):
                    yield _build(night, user, now)


def _build(night: Night, user: int, now: datetime) -> Notice:
    key, target = f"{PREFIX}:{night.code}", night.get_absolute_url()
    return Notice(kind=Kind.NIGHT, user_id=user, key=key, target=target, created_at=now, due_at=now)


def _find_expected(night: Night) -> QuerySet[User, int]:
    """Return the keys of those to remind who have had no notice of this night."""
    entries = Entry.objects.filter(night=night, user__isnull=False).exclude(status=Entry.Status.GONE)
    expected = Q(pk__in=entries.values("user"))
    if night.club_id is not None:
        expected |= Q(club_memberships__club=night.club_id)
    told = Notice.objects.filter(key=f"{PREFIX}:{night.code}").values("user")
    people = find_people(Kind.NIGHT).filter(expected).exclude(pk__in=told)
    return people.order_by().values_list("pk", flat=True).distinct()


def is_evening(notice: Notice) -> bool:
    """Return whether the notice is a reminder of this module."""
    return notice.key.startswith(f"{PREFIX}:")


def find_evening(notice: Notice) -> Night | None:
    """Return the night of which a notice reminds; None for other notices."""
    if not is_evening(notice):
        return None
    return Night.objects.select_related("club").filter(code=notice.subject).first()


def is_to_come(notice: Notice, now: datetime) -> bool:
    """Return whether the night of a reminder has not begun, and takes place."""
    night = find_evening(notice)
    return night is not None and night.status in COMING and now < night.starts_at
