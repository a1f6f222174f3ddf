"""What moderators do: ban people, mute them, and undo both."""

from datetime import datetime

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts import ranking
from accounts.models import User
from live.announce import session_ended


def ban(person: User, reason: str) -> None:
    """Close an account: its sessions end at their next request, its sockets at once; it leaves the leaderboards."""
    with transaction.atomic():
        User.objects.filter(pk=person.pk).update(banned_at=timezone.now(), banned_reason=reason)
        ranking.review(person)
        session_ended(person.pk)
    person.refresh_from_db(fields=["banned_at", "banned_reason"])


def unban(person: User) -> None:
    with transaction.atomic():
        User.objects.filter(pk=person.pk).update(banned_at=None, banned_reason="")
        ranking.review(person)
    person.refresh_from_db(fields=["banned_at", "banned_reason"])


def mute(person: User, until: datetime | None) -> None:
    """Refuse everything the person says until then; with None, accept it again."""
    person.muted_until = until
    person.save(update_fields=["muted_until"])


def sentence(person: User) -> str:
    """What a banned person is told."""
    if not person.banned_reason:
        return _("This account is closed.")
    return _("This account is closed: %(reason)s") % {"reason": person.banned_reason}
