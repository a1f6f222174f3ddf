"""Store table talk and reports. They never change a match's version."""

import re
import unicodedata
from collections.abc import Iterator
from datetime import datetime, timedelta

from django.conf import settings
from django.db import IntegrityError, transaction
from django.db.models import QuerySet
from django.utils import timezone

from accounts.models import User
from games.models import Match, Report, Seat, Talk
from games.models.talk import EMOTES
from live.broadcast import broadcast_page_changed
from operators.site_settings import get_site

MAX_LINE_LENGTH = 140
RATE_WINDOW = timedelta(seconds=10)
EMOTE_INTERVAL = timedelta(seconds=3)
INVISIBLE_CATEGORIES = ("Cc", "Cf", "Cs", "Co", "Cn")
# Letters and signs that render blank.
BLANK_CHARACTERS = dict.fromkeys((0x115F, 0x1160, 0x17B4, 0x17B5, 0x2800, 0x3164, 0xFFA0, 0x1D159), " ")
_MARK = "[\u0300-\u036f\u0483-\u0489\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f]"
EXCESS_MARKS = re.compile(f"({_MARK}{{2}}){_MARK}+")
MAX_MARKS_PER_LETTER = 4  # Tibetan and Hebrew need as many


class TalkRefused(Exception):
    """A refused line or report; `games.wording.refusals` has the sentence for `code`."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


def say(*, match: Match, user: User, seat: Seat | None, text: str) -> Talk:
    """Store a line of a player or spectator and return it. Raise `TalkRefused` if empty, muted or over the limit."""
    now = timezone.now()
    line = clean_text(text)
    if not line:
        raise TalkRefused("empty")
    _check_not_muted(user, now)
    recent = Talk.objects.filter(match=match, user=user, at__gt=now - RATE_WINDOW).count()
    if settings.LIMITS and recent >= get_site().lines_limit:
        raise TalkRefused("flood")
    room = Talk.Room.TABLE if seat else Talk.Room.WATCHERS
    with transaction.atomic():
        talk = Talk.objects.create(
            match=match,
            user=user,
            name=user.get_username(),
            is_bot=user.is_bot,
            room=room,
            text=line,
            at=now,
        )
        broadcast_page_changed(f"match.{match.code}", "talk")
    return talk


def emote(*, match: Match, user: User, seat: Seat | None, name: str) -> Talk:
    """Store a player's emote, which replaces their last one, and return it.

    Raise `TalkRefused` if unknown, not seated, muted or over the limit.
    """
    now = timezone.now()
    if name not in EMOTES:
        raise TalkRefused("empty")
    if seat is None:
        raise TalkRefused("not_seated")
    _check_not_muted(user, now)
    own = Talk.objects.filter(match=match, user=user, is_emote=True)
    if settings.LIMITS and own.filter(at__gt=now - EMOTE_INTERVAL).exists():
        raise TalkRefused("flood")
    with transaction.atomic():
        own.delete()
        sent = Talk.objects.create(
            match=match,
            user=user,
            name=user.get_username(),
            is_bot=user.is_bot,
            room=Talk.Room.TABLE,
            text=name,
            is_emote=True,
            at=now,
        )
        broadcast_page_changed(f"match.{match.code}", "emotes")
    return sent


def _check_not_muted(user: User, now: datetime) -> None:
    if not get_site().public_talk:
        raise TalkRefused("talk_off")
    if user.muted_until and user.muted_until > now:
        raise TalkRefused("muted")


def report(*, match: Match, user: User, talk: Talk | None, reason: str) -> Report:
    """Report a line, or the match as a whole. Raise `TalkRefused` if empty, repeated or over the limit."""
    reason = clean_text(reason, 500)
    if not reason:
        raise TalkRefused("no_reason")
    _check_report_limit(user)
    try:
        with transaction.atomic():
            return Report.objects.create(match=match, talk=talk, reporter=user, reason=reason)
    except IntegrityError:
        raise TalkRefused("reported_already") from None


def delete_lines_before(moment: datetime) -> int:
    """Delete the lines before `moment`, except those in open reports; return how many."""
    return (
        Talk.objects.filter(at__lt=moment)
        .exclude(reports__handled_at=None, reports__isnull=False)
        .delete()[0]
    )


def report_person(*, person: User, user: User, category: str, text: str, match: Match | None) -> Report:
    """Report a person with a category and a free text.

    Raise `TalkRefused` without a category, for oneself, or over the limit.
    """
    if person == user:
        raise TalkRefused("yourself")
    if category not in Report.Category.values:
        raise TalkRefused("no_reason")
    _check_report_limit(user)
    return Report.objects.create(
        person=person, match=match, reporter=user, category=category, reason=clean_text(text, 500)
    )


def close_reports(reports: QuerySet[Report], by: User, outcome: str) -> int:
    """Close open reports with an outcome, which the reporters see on their profiles; return how many."""
    return reports.filter(handled_at=None).update(handled_at=timezone.now(), handled_by=by, outcome=outcome)


def assign(reports: QuerySet[Report], moderator: User | None) -> int:
    """Give open reports to a moderator, or with None to nobody; return how many. Others may still answer them."""
    return reports.filter(handled_at=None).update(assigned_to=moderator)


def reopen(report: Report) -> None:
    """Reopen a closed report; nobody has it."""
    report.handled_at, report.handled_by, report.assigned_to, report.outcome = None, None, None, ""
    report.save(update_fields=["handled_at", "handled_by", "assigned_to", "outcome"])


def _check_report_limit(user: User) -> None:
    since = timezone.now() - timedelta(days=1)
    reports = Report.objects.filter(reporter=user, at__gt=since)
    if settings.LIMITS and reports.count() >= get_site().reports_limit:
        raise TalkRefused("too_many_reports")


def clean_text(text: str, length: int = MAX_LINE_LENGTH) -> str:
    """Return `text` on one line, without invisible characters and stacked marks, cut to `length`.

    A letter keeps two combining marks, four in scripts that need them. Return "" if nothing is visible.
    """
    composed = unicodedata.normalize("NFC", text).translate(BLANK_CHARACTERS)
    visible = "".join(
        c for c in " ".join(composed.split()) if unicodedata.category(c) not in INVISIBLE_CATEGORIES
    )
    cleaned = "".join(_limit_marks(EXCESS_MARKS.sub(r"\1", " ".join(visible.split()))))[:length]
    return cleaned if any(unicodedata.category(c)[0] in "LNPS" for c in cleaned) else ""


def _limit_marks(line: str) -> Iterator[str]:
    marks = 0
    for character in line:
        marks = marks + 1 if unicodedata.category(character) in ("Mn", "Me") else 0
        if marks <= MAX_MARKS_PER_LETTER:
            yield character


def set_hidden(talk: Talk, hidden: bool) -> None:
    """Hide a line or show it again."""
    talk.hidden = hidden
    with transaction.atomic():
        talk.save(update_fields=["hidden"])
        broadcast_page_changed(f"match.{talk.match.code}", "talk")
