"""The pages of cases: the open ones, one about a person, one about a match where nobody is named."""

from typing import Any, cast

from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import path, reverse
from django.utils.translation import gettext as _

from accounts import conduct
from accounts.models import User
from accounts.moderators import may_decide
from core.http import see_other
from core.numbers import parse_whole_number
from games.admin.case_actions import BUTTONS, CaseActions
from games.admin.decisions import get_log_address
from games.models import Match
from games.past.desk import (
    Case,
    find_assignees,
    find_next_case,
    find_open_cases,
    load_case,
    load_match_case,
)
from games.past.own_cases import exclude_matches_of_opponents, exclude_own_matches
from operators import reasons

DEFAULT_TERM_HOURS = 24
MATCH_REPORT_CATEGORY = "talk"  # people report a match from beside its talk


class CasePages(CaseActions):
    """The pages of cases, as part of the admin of reports."""

    def get_urls(self) -> list[Any]:
        view = self.admin_site.admin_view
        pages = [
            path("cases/", view(self.cases), name="games_cases"),
            path("person/<int:pk>/", view(self.case), name="games_case"),
            path("match/<int:pk>/", view(self.match_case), name="games_match_case"),
        ]
        return [*pages, *super().get_urls()]

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: Any = None
    ) -> HttpResponse:
        """Go to the case of the report."""
        report = self.get_object(request, object_id)
        if report is None or not self.has_view_permission(request):
            return super().change_view(request, object_id, form_url, extra_context)
        person = report.person_id or (report.talk.user_id if report.talk else None)
        if person is not None:
            return redirect(f"{reverse('admin:games_case', args=[person])}?report={report.pk}")
        return redirect("admin:games_match_case", report.match_id)

    def cases(self, request: HttpRequest) -> HttpResponse:
        """List the open cases, the oldest first; a POST turns the moderator's daily mail on or off."""
        if not self.has_view_permission(request):
            raise PermissionDenied
        moderator = cast(User, request.user)
        if request.method == "POST":
            moderator.digest = request.POST.get("digest") == "1"
            moderator.save(update_fields=["digest"])
            return see_other("admin:games_cases")
        cases = find_open_cases(moderator)
        return self._render(request, "admin/games/cases.html", title=_("Open cases"), cases=cases)

    def case(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Show the case of a person; a POST names one action (a key of `_actions`) and its subject.

        `?report=` names the report whose category chooses the reason.
        """
        if not self.has_view_permission(request) or pk == request.user.pk:
            raise PermissionDenied
        person = get_object_or_404(User, pk=pk)
        if request.method == "POST":
            return self._handle_post(request, person, self._actions) or see_other("admin:games_case", pk)
        case = load_case(person, cast(User, request.user))
        category = case.find_category(parse_whole_number(request.GET.get("report", "")))
        return self._render(
            request,
            "admin/games/case.html",
            case=case,
            title=person.username,
            category=category,
            assignees=find_assignees(person) if case.open_reports else [],
            may_decide=may_decide(request.user, person),
            log_address=get_log_address(person),
            empty_sections=_list_empty_sections(case),
            next_case=find_next_case(cast(User, request.user), person),
            **self._get_choices(category, person.language),
        )

    def match_case(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Show the case of a match; a POST names one of `_match_actions`.

        Refuse the moderator's own matches, and those of open sets of deals.
        """
        if not self.has_view_permission(request):
            raise PermissionDenied
        moderator = cast(User, request.user)
        match = exclude_own_matches(Match.objects.filter(pk=pk, concealed=False), moderator).first()
        if match is None:
            raise PermissionDenied
        decides = exclude_matches_of_opponents(Match.objects.filter(pk=pk), moderator).exists()
        if request.method == "POST":
            if not decides:
                raise PermissionDenied
            answer = self._handle_post(request, match, self._match_actions)
            return answer or see_other("admin:games_match_case", pk)
        case = load_match_case(match, moderator)
        people = [person for person in case.people if decides and may_decide(request.user, person)]
        accused = case.accused if case.accused in people else None
        return self._render(
            request,
            "admin/games/match_case.html",
            case=case,
            title=match.code,
            players=people,
            decides=decides,
            assignees=find_assignees(match) if case.is_open else [],
            next_case=find_next_case(moderator, match),
            accused=accused,
            **self._get_choices(
                MATCH_REPORT_CATEGORY if accused else "", accused.language if accused else ""
            ),
        )

    def _get_choices(self, category: str, language: str) -> dict[str, Any]:
        """Return what the form of sanctions offers."""
        return {
            "reasons": reasons.list_reasons(category),
            "appeal": reasons.get_appeal(language),
            "hours": [*conduct.SANCTION_TERMS, conduct.UNTIL_LIFTED],
            "usual_hours": DEFAULT_TERM_HOURS,
            "buttons": [(kind.value, label) for kind, label in BUTTONS.items()],
        }


def _list_empty_sections(case: Case) -> list[str]:
    """Return the headings of the sections that the page leaves out."""
    sections = (
        (_("Reports"), case.reports),
        (_("Imposed"), case.sanctions),
        (_("From the same addresses"), case.sharing),
        (_("With the same browser"), case.same_browser),
        (_("Talk"), case.lines),
    )
    return [heading for heading, rows in sections if not rows]
