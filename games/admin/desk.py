"""The admin of reports, persons under review, and talk."""

from typing import cast

from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext

from accounts.admin.filters import HasValueFilter
from accounts.models import User
from core.admin_rights import ReadOnly, WithoutAdd
from games.admin.cases import CasePages
from games.admin.decisions import close_reports, warn_of_left_out
from games.models import Report, Talk
from games.past.own_cases import (
    exclude_own_reports,
    exclude_own_talk,
    exclude_reports_of_opponents,
    find_opponents,
)
from games.services import talk


@admin.register(Report)
class ReportAdmin(WithoutAdd, CasePages):
    """The queue of reports, open ones first, oldest on top, without those that concern the moderator."""

    list_display = ["at", "about", "what", "where", "reporter", "assigned_to", "outcome", "handled_by"]
    list_filter = [("handled_at", HasValueFilter), "category", "outcome"]
    list_select_related = ["talk", "talk__user", "person", "match", "reporter", "assigned_to", "handled_by"]
    search_fields = ["reason", "talk__text", "talk__name", "match__code", "person__username"]
    readonly_fields = [
        "category",
        "person",
        "match",
        "talk",
        "reporter",
        "reason",
        "at",
        "assigned_to",
        "outcome",
        "handled_at",
        "handled_by",
    ]
    actions = ["close", "close_without", "close_and_hide", "reopen"]
    ordering = ["handled_at", "at"]
    list_per_page = 50
    change_list_template = "admin/games/reports.html"

    def get_queryset(self, request: HttpRequest) -> QuerySet[Report]:
        reports = exclude_own_reports(super().get_queryset(request), cast(User, request.user))
        return reports.prefetch_related("match__seats__user")

    @admin.display(description=gettext_lazy("about"))
    def about(self, report: Report) -> str:
        """Return the person reported, or the players of a match where nobody is named; each leads to the case."""
        person = report.person or (report.talk.user if report.talk else None)
        if person is not None:
            return _link_cases([person])
        seats = report.match.seats.all() if report.match else []
        return _link_cases([seat.user for seat in seats if seat.user is not None]) or "-"

    @admin.display(description=gettext_lazy("what about"), ordering="category")
    def what(self, report: Report) -> str:
        line = f"“{report.talk.text}”" if report.talk else ""
        said = [report.get_category_display(), line, report.reason]
        return format_html_join(mark_safe("<br>"), "{}", ((each,) for each in said if each))

    @admin.display(description=gettext_lazy("match"))
    def where(self, report: Report) -> str:
        if report.match is None:
            return "-"
        return format_html('<a href="{}">{}</a>', report.match.get_absolute_url(), report.match.code)

    @admin.action(description=gettext_lazy("Handled: acted"), permissions=["change"])
    def close(self, request: HttpRequest, chosen: QuerySet[Report]) -> None:
        self._close(request, chosen, Report.Outcome.ACTED)

    @admin.action(description=gettext_lazy("Handled: no reason to act"), permissions=["change"])
    def close_without(self, request: HttpRequest, chosen: QuerySet[Report]) -> None:
        self._close(request, chosen, Report.Outcome.NOTHING)

    def _close(self, request: HttpRequest, chosen: QuerySet[Report], outcome: str) -> None:
        open_reports = chosen.filter(handled_at=None).count()
        closed = close_reports(request, chosen, outcome)
        warn_of_left_out(request, open_reports - closed)
        messages.success(request, _("Answered: %(n)s.") % {"n": closed})

    @admin.action(description=gettext_lazy("Handled, and the line hidden"), permissions=["change"])
    def close_and_hide(self, request: HttpRequest, chosen: QuerySet[Report]) -> None:
        decided = exclude_reports_of_opponents(chosen, cast(User, request.user))
        for report in decided.select_related("talk__match"):
            if report.talk is not None:
                talk.set_hidden(report.talk, hidden=True)
                self.log_change(request, report.talk, pgettext("in the log", "hidden"))
        self.close(request, chosen)

    @admin.action(description=gettext_lazy("Open again"), permissions=["change"])
    def reopen(self, request: HttpRequest, chosen: QuerySet[Report]) -> None:
        closed = chosen.exclude(handled_at=None)
        decided = list(exclude_reports_of_opponents(closed, cast(User, request.user)))
        warn_of_left_out(request, closed.count() - len(decided))
        for report in decided:
            talk.reopen(report)
            self.log_change(request, report, pgettext("in the log", "opened again"))


def _link_cases(people: list[User]) -> SafeString:
    links = ((reverse("admin:games_case", args=[person.pk]), person.username) for person in people)
    return format_html_join(", ", '<a href="{}">{}</a>', links)


@admin.register(Talk)
class TalkAdmin(ReadOnly, admin.ModelAdmin):
    list_display = ["at", "name", "room", "text", "hidden", "match"]
    list_filter = ["room", "hidden"]
    list_select_related = ["match"]
    search_fields = ["name", "text", "match__code"]
    actions = ["hide", "show"]

    def get_queryset(self, request: HttpRequest) -> QuerySet[Talk]:
        return exclude_own_talk(super().get_queryset(request), cast(User, request.user))

    def has_moderate_permission(self, request: HttpRequest) -> bool:
        return request.user.has_perm("games.change_talk")

    @admin.action(description=gettext_lazy("Hide"), permissions=["moderate"])
    def hide(self, request: HttpRequest, chosen: QuerySet[Talk]) -> None:
        for line in chosen.select_related("match"):
            talk.set_hidden(line, hidden=True)
            self.log_change(request, line, pgettext("in the log", "hidden"))

    @admin.action(description=gettext_lazy("Show again"), permissions=["moderate"])
    def show(self, request: HttpRequest, chosen: QuerySet[Talk]) -> None:
        opponents = find_opponents(cast(User, request.user))
        warn_of_left_out(request, chosen.filter(user__in=opponents).count())
        for line in chosen.exclude(user__in=opponents).select_related("match"):
            talk.set_hidden(line, hidden=False)
            self.log_change(request, line, pgettext("in the log", "shown again"))
