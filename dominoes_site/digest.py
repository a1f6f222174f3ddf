"""A mail a day to the moderators who want it, while cases are open."""

import logging
from datetime import datetime, timedelta

from django.conf import settings
from django.core.mail import send_mail
from django.db.models import Q
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, override

from accounts.models import User
from core.faults import contain
from games.past.desk import count_open_cases
from operators import mails
from operators.site_settings import get_site

log = logging.getLogger(__name__)

INTERVAL = timedelta(hours=24)


def send_digests(now: datetime) -> None:
    """Mail every moderator who asked for it the number of open cases, at most once a day and person."""
    due = Q(digest_at=None) | Q(digest_at__lte=now - INTERVAL)
    wanted = User.objects.filter(due, digest=True, is_staff=True, is_active=True).exclude(email="")
    for moderator in wanted:
        with contain(log, f"The digest for moderator {moderator.pk}"):
            count = count_open_cases(moderator) if moderator.has_perm("games.view_report") else 0
            # Guarded, so that one process sends it.
            if count and User.objects.filter(due, pk=moderator.pk).update(digest_at=now):
                with override(moderator.language or settings.LANGUAGE_CODE):
                    _send(moderator, count)


def _send(moderator: User, count: int) -> None:
    link = f"{settings.SITE_URL}{reverse('admin:games_cases')}"
    values = {"name": moderator.username, "site": get_site().name, "link": link, "n": str(count)}
    text = ngettext("%(n)s case is open.", "%(n)s cases are open.", count) % {"n": count}
    subject = f"[{get_site().name}] {_('Open cases')}"
    mail = mails.render_mail("digest", values) or mails.Mail(subject, f"{text}\n\n{link}\n")
    send_mail(mail.subject or subject, mail.body, None, [moderator.email])
