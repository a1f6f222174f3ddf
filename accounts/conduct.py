"""What moderators do: warn people, mute them, bar them from rated play, ban them, and undo it."""

from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts import ranking
from accounts.models import Sanction, User
from live.announce import session_ended

TOLD_FOR = timedelta(days=30)  # of a warning


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


def impose(
    person: User, kind: str, *, by: User | None, reason: str, until: datetime | None = None, appeal: str = ""
) -> Sanction:
    """Warn, mute, bar from rated play, or ban; the person reads why, how long, and how to appeal."""
    with transaction.atomic():
        if kind == Sanction.Kind.BAN:
            ban(person, reason)
        elif kind == Sanction.Kind.MUTE:
            mute(person, until)
        elif kind == Sanction.Kind.UNRATED:
            _bar(person, until)
        return Sanction.objects.create(
            person=person, kind=kind, by=by, reason=reason, until=until, appeal=appeal
        )


def undo(sanction: Sanction) -> None:
    """Take back what was imposed; the row stays, marked."""
    with transaction.atomic():
        sanction.undone_at = timezone.now()
        sanction.save(update_fields=["undone_at"])
        if sanction.kind == Sanction.Kind.BAN:
            unban(sanction.person)
        elif sanction.kind == Sanction.Kind.MUTE:
            mute(sanction.person, None)
        elif sanction.kind == Sanction.Kind.UNRATED:
            _bar(sanction.person, None)


def _bar(person: User, until: datetime | None) -> None:
    person.unrated_until = until
    person.save(update_fields=["unrated_until"])


def in_force(person: User) -> QuerySet[Sanction]:
    """What the person is to read: not undone, and not long over."""
    now = timezone.now()
    recent = Q(until__gt=now) | Q(until=None, at__gt=now - TOLD_FOR)
    return person.sanctions.filter(recent, undone_at=None)


def sentence(person: User) -> str:
    """What a banned person is told."""
    if not person.banned_reason:
        return _("This account is closed.")
    return _("This account is closed: %(reason)s") % {"reason": person.banned_reason}
