"""Sanctions: warn, mute, bar from rated play or ban a person, and undo it."""

import logging
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.timezone import localtime
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts import ranking
from accounts.models import Note, Sanction, User
from core.faults import contain
from live.broadcast import broadcast_session_ended

log = logging.getLogger(__name__)

WARNING_SHOWN_FOR = timedelta(days=30)
SANCTION_TERMS = (  # hours
    (1, gettext_lazy("an hour")),
    (24, gettext_lazy("a day")),
    (168, gettext_lazy("a week")),
    (720, gettext_lazy("30 days")),
)
UNTIL_LIFTED = (0, gettext_lazy("until it is lifted"))


def ban(person: User, reason: str, until: datetime | None = None) -> None:
    """Close an account until `until` (None: for good) and take it off the leaderboards.

    Its sockets close at once, its sessions at their next request.
    """
    _set_ban(person, timezone.now(), reason, until)


def unban(person: User) -> None:
    _set_ban(person, None, "", None)


def _set_ban(person: User, at: datetime | None, reason: str, until: datetime | None) -> None:
    with transaction.atomic():
        User.objects.filter(pk=person.pk).update(banned_at=at, banned_reason=reason, banned_until=until)
        ranking.update_person(person)
        if at is not None:
            broadcast_session_ended(person.pk)
    person.refresh_from_db(fields=["banned_at", "banned_reason", "banned_until"])


def end_bans(now: datetime) -> None:
    """Clear the bans whose term is over."""
    for person in User.objects.filter(banned_until__lte=now):
        with contain(log, f"The end of the ban of person {person.pk}"):
            unban(person)


def mute(person: User, until: datetime | None) -> None:
    """Refuse the person's talk until `until`; None lifts the mute."""
    person.muted_until = until
    person.save(update_fields=["muted_until"])


def impose(
    person: User, kind: str, *, by: User | None, reason: str, until: datetime | None = None, appeal: str = ""
) -> Sanction:
    """Create a sanction and enforce it."""
    with transaction.atomic():
        sanction = Sanction.objects.create(
            person=person, kind=kind, by=by, reason=reason, until=until, appeal=appeal
        )
        _enforce(person, kind)
    return sanction


def undo(sanction: Sanction) -> None:
    """Undo a sanction; its row stays, marked as undone."""
    with transaction.atomic():
        sanction.undone_at = timezone.now()
        sanction.save(update_fields=["undone_at"])
        _enforce(sanction.person, sanction.kind)


def lift(person: User, kind: str) -> None:
    """Undo all sanctions of a kind in force."""
    with transaction.atomic():
        person.sanctions.filter(kind=kind, undone_at=None).update(undone_at=timezone.now())
        _enforce(person, kind)


def _enforce(person: User, kind: str) -> None:
    """Apply the sanctions of this kind in force; the longest counts."""
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
    """Store a moderator's note about a person. Raise ValueError if it is blank."""
    if not text.strip():
        raise ValueError("a note must not be blank")
    return Note.objects.create(person=person, by=by, text=text.strip()[:1000])


def _bar(person: User, until: datetime | None) -> None:
    person.unrated_until = until
    person.save(update_fields=["unrated_until"])


def in_force(person: User) -> QuerySet[Sanction]:
    """Return the sanctions to show the person: not undone, still running or recent."""
    now = timezone.now()
    recent = Q(until__gt=now) | Q(until=None, at__gt=now - WARNING_SHOWN_FOR)
    return person.sanctions.filter(recent, undone_at=None)


def sentence(person: User) -> str:
    """Return the sentence for a banned person: why, how long, and how to appeal."""
    params = {"reason": person.banned_reason}
    if person.banned_until is not None:
        params["moment"] = date_format(localtime(person.banned_until), "SHORT_DATETIME_FORMAT")
    if person.banned_until is None:
        text = _("This account is closed: %(reason)s") if params["reason"] else _("This account is closed.")
    elif params["reason"]:
        text = _("This account is closed until %(moment)s: %(reason)s")
    else:
        text = _("This account is closed until %(moment)s.")
    latest = person.sanctions.filter(kind=Sanction.Kind.BAN, undone_at=None).first()
    if latest is None or not latest.appeal:
        return text % params
    return f"{(text % params).rstrip('.')}. {_('How to appeal')}: {latest.appeal}"
