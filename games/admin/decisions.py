"""Decisions of moderators: they are logged, and left to another moderator where recent opponents are concerned."""

from typing import cast

from django.contrib import messages
from django.contrib.admin.models import CHANGE, LogEntry
from django.db.models import Model, QuerySet
from django.http import HttpRequest
from django.utils.translation import ngettext

from accounts.models import User
from games.models import Report
from games.past.own_cases import exclude_reports_of_opponents
from games.services import talk


def log(request: HttpRequest, row: Model, message: str) -> None:
    """Write what the moderator did to the row, and why, into the admin's log."""
    LogEntry.objects.log_actions(cast(User, request.user).pk, [row], CHANGE, change_message=message)


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
