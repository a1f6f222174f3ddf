"""A mail a day to people who want it, while matches wait for their move of which no notice told them.

After a week without a visit one says what waits, and then there are none until they come back.
"""

import logging
from datetime import datetime, timedelta

from allauth.account.models import EmailAddress
from django.conf import settings
from django.core.mail import send_mail
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import override

from accounts.models import User
from core.faults import contain
from games.models import Seat
from notifications import people, turns
from notifications.models import Choices, Notice
from notifications.quiet_hours import find_end_of_quiet
from notifications.wording import summarize
from operators.site_settings import get_site

log = logging.getLogger(__name__)

INTERVAL = timedelta(hours=24)
MIN_ABSENCE = timedelta(hours=3)


def send_mails(now: datetime) -> None:
    """Mail everybody who asked for it how many matches wait, at most once a day and not in their quiet hours."""
    wanted = Choices.objects.filter(
        _due(now),
        Exists(people.confirmed_addresses("user")),
        mails=True,
        user__is_active=True,
        user__banned_at=None,
    )
    for choices in wanted.exclude(user__seen_at__gt=now - MIN_ABSENCE).select_related("user"):
        with contain(log, f"The mail to person {choices.user_id}"):
            _send_if_due(choices, now)


def _due(now: datetime) -> Q:
    return Q(mailed_at=None) | Q(mailed_at__lte=now - INTERVAL)


def _send_if_due(choices: Choices, now: datetime) -> None:
    is_summary = people.is_dormant(choices.user, now)
    if (is_summary and not _may_sum_up(choices, now)) or find_end_of_quiet(choices, now) > now:
        return
    absent = turns.find_absent_seats(now).filter(user=choices.user_id)
    seats = absent if is_summary else _exclude_pushed(absent)
    count = sum(map(turns.is_on_turn, seats.select_related("match")))
    # Guarded, so that one process sends it.
    if count and Choices.objects.filter(_due(now), pk=choices.pk).update(mailed_at=now):
        with override(choices.written_language or settings.LANGUAGE_CODE):
            _send(choices.user, count)


def _may_sum_up(choices: Choices, now: datetime) -> bool:
    """Return whether somebody who has not come for a week has yet to be told once."""
    seen_at, mailed_at = choices.user.seen_at, choices.mailed_at
    if seen_at is None:
        return False
    since = seen_at + people.DORMANT_AFTER
    return now < since + people.SUMMARY_PERIOD and (mailed_at is None or mailed_at < since)


def _exclude_pushed(seats: QuerySet[Seat]) -> QuerySet[Seat]:
    """Leave out the matches of whose turn a notice has told, on any device."""
    pushed = Notice.objects.filter(seat=OuterRef("pk"), created_at__gte=OuterRef("match__turn_began_at"))
    return seats.exclude(Exists(pushed.exclude(delivered=[])))


def _send(person: User, count: int) -> None:
    text = summarize(person, count)
    stop = _("No more of these mails: %(link)s") % {"link": f"{settings.SITE_URL}{reverse('notifications')}"}
    body = f"{text}\n\n{settings.SITE_URL}{reverse('lobby')}\n\n{stop}\n"
    address = EmailAddress.objects.get_primary(person)
    if address is not None:
        send_mail(f"[{get_site().name}] {text}", body, None, [address.email])
