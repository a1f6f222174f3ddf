"""Table talk and reports: what people say beside the play. It never touches the version."""

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
from live.broadcast import broadcast_page_changed

LINE = 140
FLOOD = 5  # lines
FLOOD_TIME = timedelta(seconds=10)
REPORTS_A_DAY = 20
UNSEEN = ("Cc", "Cf", "Cs", "Co", "Cn")
# Letters and signs without ink.
BLANK = dict.fromkeys((0x115F, 0x1160, 0x17B4, 0x17B5, 0x2800, 0x3164, 0xFFA0, 0x1D159), " ")
_MARK = "[\u0300-\u036f\u0483-\u0489\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f]"
PILED = re.compile(f"({_MARK}{{2}}){_MARK}+")
MARKS = 4  # on a letter of any script; Tibetan and Hebrew have as many


class TalkRefused(Exception):
    """Why something was not said or reported: `code` is worded by games.wording."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


def say(*, match: Match, user: User, seat: Seat | None, text: str) -> Talk:
    """Say a line at the table (players) or among the spectators. Raises TalkRefused if it is empty, muted or flooding."""
    now = timezone.now()
    line = clean_text(text)
    if not line:
        raise TalkRefused("empty")
    if user.muted_until and user.muted_until > now:
        raise TalkRefused("muted")
    recent = Talk.objects.filter(match=match, user=user, at__gt=now - FLOOD_TIME).count()
    if settings.LIMITS and recent >= FLOOD:
        raise TalkRefused("flood")
    room = Talk.Room.TABLE if seat else Talk.Room.WATCHERS
    with transaction.atomic():
        talk = Talk.objects.create(
            match=match, user=user, name=user.get_username(), room=room, text=line, at=now
        )
        broadcast_page_changed(f"match.{match.code}", "talk")
    return talk


def report(*, match: Match, user: User, talk: Talk | None, reason: str) -> Report:
    """Put a line, or the match as a whole, before the moderators. Raises TalkRefused if empty, twice or too often."""
    reason = clean_text(reason, 500)
    if not reason:
        raise TalkRefused("no_reason")
    _refuse_many(user)
    try:
        with transaction.atomic():
            return Report.objects.create(match=match, talk=talk, reporter=user, reason=reason)
    except IntegrityError:
        raise TalkRefused("reported_already") from None


def delete_lines_before(moment: datetime) -> int:
    """Delete what was said before this moment, unless it stands in a report that is still open; how many lines."""
    return (
        Talk.objects.filter(at__lt=moment)
        .exclude(reports__handled_at=None, reports__isnull=False)
        .delete()[0]
    )


def report_person(*, person: User, user: User, category: str, text: str, match: Match | None) -> Report:
    """Put a person before the moderators, with a reason out of a list and words of one's own. Raises TalkRefused if there is
    no reason, it is oneself, or too often."""
    if person == user:
        raise TalkRefused("yourself")
    if category not in Report.Category.values:
        raise TalkRefused("no_reason")
    _refuse_many(user)
    return Report.objects.create(
        person=person, match=match, reporter=user, category=category, reason=clean_text(text, 500)
    )


def close_reports(reports: QuerySet[Report], by: User, outcome: str) -> int:
    """Answer open reports; those who made them read the outcome on their own profile."""
    return reports.filter(handled_at=None).update(handled_at=timezone.now(), handled_by=by, outcome=outcome)


def reopen(report: Report) -> None:
    """Take back the answer to a report."""
    report.handled_at, report.handled_by, report.outcome = None, None, ""
    report.save(update_fields=["handled_at", "handled_by", "outcome"])


def _refuse_many(user: User) -> None:
    since = timezone.now() - timedelta(days=1)
    if settings.LIMITS and Report.objects.filter(reporter=user, at__gt=since).count() >= REPORTS_A_DAY:
        raise TalkRefused("too_many_reports")


def clean_text(text: str, length: int = LINE) -> str:
    """A line with its white space folded, without control and direction characters and what only looks blank, with
    at most two marks on a letter, four in scripts that need them, cut to `length`; "" if there is nothing to be
    seen."""
    composed = unicodedata.normalize("NFC", text).translate(BLANK)
    visible = "".join(c for c in " ".join(composed.split()) if unicodedata.category(c) not in UNSEEN)
    kept = "".join(_unpiled(PILED.sub(r"\1", " ".join(visible.split()))))[:length]
    return kept if any(unicodedata.category(c)[0] in "LNPS" for c in kept) else ""


def _unpiled(line: str) -> Iterator[str]:
    marks = 0
    for character in line:
        marks = marks + 1 if unicodedata.category(character) in ("Mn", "Me") else 0
        if marks <= MARKS:
            yield character


def hide(talk: Talk, hidden: bool) -> None:
    """Hide a line, or show it again, for a moderator."""
    talk.hidden = hidden
    with transaction.atomic():
        talk.save(update_fields=["hidden"])
        broadcast_page_changed(f"match.{talk.match.code}", "talk")
