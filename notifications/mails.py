"""A mail a day to people who want it, while matches wait for their move."""

from datetime import datetime, timedelta

from allauth.account.models import EmailAddress
from django.conf import settings
from django.core.mail import send_mail
from django.db.models import Exists, OuterRef, Q
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, override

from accounts.models import User
from notifications import finding
from notifications.models import Choices
from operators.site_settings import get_site

INTERVAL = timedelta(hours=24)
MIN_ABSENCE = timedelta(hours=3)


def send_mails(now: datetime) -> None:
    """Mail everybody who asked for it how many matches wait, at most once a day."""
    due = Q(mailed_at=None) | Q(mailed_at__lte=now - INTERVAL)
    confirmed = EmailAddress.objects.filter(user=OuterRef("user"), verified=True, primary=True)
    wanted = Choices.objects.filter(due, Exists(confirmed), mails=True, user__is_active=True)
    for choices in wanted.exclude(user__seen_at__gt=now - MIN_ABSENCE).select_related("user"):
        absent = finding.find_absent_seats(now).filter(user=choices.user_id).select_related("match")
        count = sum(map(finding.is_on_turn, absent))
        # Guarded, so that one process sends it.
        if count and Choices.objects.filter(due, pk=choices.pk).update(mailed_at=now):
            with override(choices.written_language or settings.LANGUAGE_CODE):
                _send(choices.user, count)


def _send(person: User, count: int) -> None:
    text = ngettext("%(n)d match waits for your move.", "%(n)d matches wait for your move.", count) % {
        "n": count
    }
    stop = _("No more of these mails: %(link)s") % {"link": f"{settings.SITE_URL}{reverse('notifications')}"}
    body = f"{text}\n\n{settings.SITE_URL}{reverse('lobby')}\n\n{stop}\n"
    address = EmailAddress.objects.get_primary(person)
    if address is not None:
        send_mail(f"[{get_site().name}] {text}", body, None, [address.email])
