"""Decisions of moderators: they are logged, and left to another moderator where recent opponents are concerned."""

from collections.abc import Sequence
from typing import cast

from django.contrib import messages
from django.contrib.admin.models import CHANGE, LogEntry
from django.contrib.contenttypes.models import ContentType
from django.db.models import Model, Q, QuerySet
from django.http import HttpRequest
from django.urls import reverse
from django.utils.translation import ngettext, pgettext

from accounts.models import User
from games.models import Match, Report
from games.past.own_cases import exclude_reports_of_opponents
from games.services import talk


def log(request: HttpRequest, row: Model, message: str) -> None:
    """Write what the moderator did to the row, and why, into the admin's log."""
    LogEntry.objects.log_actions(cast(User, request.user).pk, [row], CHANGE, change_message=message)


def log_export(request: HttpRequest, codes: Sequence[str]) -> None:
    """Write into the admin's log that the moderator exported the records of these matches, in one entry."""
    exported = pgettext("in the log", "exported")
    LogEntry.objects.create(
        user=cast(User, request.user),
        content_type=ContentType.objects.get_for_model(Match),
        object_repr=str(Match._meta.verbose_name_plural),
        action_flag=CHANGE,
        change_message=f"{exported}: {len(codes)}: {', '.join(codes)}",
    )


def close_reports(request: HttpRequest, reports: QuerySet[Report], outcome: str, reason: str = "") -> int:
    """Close the open reports about which the moderator decides, log each, and return their number."""
    moderator = cast(User, request.user)
    chosen = list(exclude_reports_of_opponents(reports.filter(handled_at=None), moderator))
    for report in chosen:
        log(request, report, ": ".join(filter(None, [str(Report.Outcome(outcome).label), reason])))
    keys = [report.pk for report in chosen]
    return talk.close_reports(Report.objects.filter(pk__in=keys), moderator, outcome)


def warn_of_left_out(request: HttpRequest, number: int) -> None:
    """Say that `number` rows of an action concern an opponent of the moderator."""
    if number:
        said = ngettext(
            "%(n)d is left out: another moderator must decide.",
            "%(n)d are left out: another moderator must decide.",
            number,
        )
        messages.warning(request, said % {"n": number})


def get_log_address(person: User) -> str:
    kind = ContentType.objects.get_for_model(User).pk
    return f"{reverse('admin:admin_logentry_changelist')}?object={kind}:{person.pk}"


def find_case_reports(subject: User | Match) -> QuerySet[Report]:
    """Return the reports of a case: about a person or their lines, or about a match as a whole."""
    if isinstance(subject, User):
        return find_reports(subject)
    return Report.objects.filter(match=subject, person=None, talk=None)


def find_reports(person: User, match: Match | None = None) -> QuerySet[Report]:
    """Return the reports about a person or a line of theirs, and those about a match as a whole."""
    about_match = Q(match=match, person=None, talk=None) if match else Q(pk=None)
    return Report.objects.filter(Q(person=person) | Q(talk__user=person) | about_match)
