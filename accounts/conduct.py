"""What moderators do: warn people, mute them, bar them from rated play, ban them, and undo it."""

from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.timezone import localtime
from django.utils.translation import gettext as _

from accounts import ranking
from accounts.models import Note, Sanction, User
from live.broadcast import broadcast_session_ended

TOLD_FOR = timedelta(days=30)  # of a warning


def ban(person: User, reason: str, until: datetime | None = None) -> None:
    """Close an account, until then or for good: its sessions end at their next request, its sockets at once; it leaves
    the leaderboards."""
    _set_ban(person, timezone.now(), reason, until)


def unban(person: User) -> None:
    _set_ban(person, None, "", None)


def _set_ban(person: User, at: datetime | None, reason: str, until: datetime | None) -> None:
    with transaction.atomic():
        User.objects.filter(pk=person.pk).update(banned_at=at, banned_reason=reason, banned_until=until)
        ranking.review(person)
        if at is not None:
            broadcast_session_ended(person.pk)
    person.refresh_from_db(fields=["banned_at", "banned_reason", "banned_until"])


def end_bans(now: datetime) -> None:
    """Clear away the bans whose term is over; they have ended by themselves at that moment."""
    for person in User.objects.filter(banned_until__lte=now):
        unban(person)


def mute(person: User, until: datetime | None) -> None:
    """Refuse everything the person says until then; with None, accept it again."""
    person.muted_until = until
    person.save(update_fields=["muted_until"])


def impose(
    person: User, kind: str, *, by: User | None, reason: str, until: datetime | None = None, appeal: str = ""
) -> Sanction:
    """Warn, mute, bar from rated play, or ban; the person reads why, how long, and how to appeal."""
    with transaction.atomic():
        sanction = Sanction.objects.create(
            person=person, kind=kind, by=by, reason=reason, until=until, appeal=appeal
        )
        _enforce(person, kind)
    return sanction


def undo(sanction: Sanction) -> None:
    """Take back what was imposed; the row stays, marked."""
    with transaction.atomic():
        sanction.undone_at = timezone.now()
        sanction.save(update_fields=["undone_at"])
        _enforce(sanction.person, sanction.kind)


def lift(person: User, kind: str) -> None:
    """Take back all of a kind that is in force."""
    with transaction.atomic():
        person.sanctions.filter(kind=kind, undone_at=None).update(undone_at=timezone.now())
        _enforce(person, kind)


def _enforce(person: User, kind: str) -> None:
    """Make the person's standing what the rows in force say: the longest of them counts."""
    now = timezone.now()
    rows = list(person.sanctions.filter(Q(until=None) | Q(until__gt=now), kind=kind, undone_at=None))
    terms = [row.until for row in rows if row.until is not None]
    until = max(terms) if len(terms) == len(rows) and rows else None
    if kind == Sanction.Kind.MUTE:
        mute(person, until)
    elif kind == Sanction.Kind.UNRATED:
        _bar(person, until)
    elif kind == Sanction.Kind.BAN and rows:
        ban(person, rows[0].reason, until)
    elif kind == Sanction.Kind.BAN:
        unban(person)


def note(person: User, by: User, text: str) -> Note:
    """Write something down about a person; raises ValueError if it is blank."""
    if not text.strip():
        raise ValueError("a note says something")
    return Note.objects.create(person=person, by=by, text=text.strip()[:1000])


def _bar(person: User, until: datetime | None) -> None:
    person.unrated_until = until
    person.save(update_fields=["unrated_until"])


def in_force(person: User) -> QuerySet[Sanction]:
    """What the person is to read: not undone, and not long over."""
    now = timezone.now()
    recent = Q(until__gt=now) | Q(until=None, at__gt=now - TOLD_FOR)
    return person.sanctions.filter(recent, undone_at=None)


def sentence(person: User) -> str:
    """What a banned person is told: why, how long, and how to appeal."""
    said = {"reason": person.banned_reason}
    if person.banned_until is not None:
        said["moment"] = date_format(localtime(person.banned_until), "SHORT_DATETIME_FORMAT")
    if person.banned_until is None:
        told = _("This account is closed: %(reason)s") if said["reason"] else _("This account is closed.")
    elif said["reason"]:
        told = _("This account is closed until %(moment)s: %(reason)s")
    else:
        told = _("This account is closed until %(moment)s.")
    latest = person.sanctions.filter(kind=Sanction.Kind.BAN, undone_at=None).first()
    if latest is None or not latest.appeal:
        return told % said
    return f"{(told % said).rstrip('.')}. {_('How to appeal')}: {latest.appeal}"
