"""The admin of reports, persons under review, and talk."""

from collections.abc import Callable
from datetime import UTC, datetime, time
from typing import TYPE_CHECKING, Any, ClassVar, cast

from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.db.models import Q, QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import path, reverse
from django.utils.dateparse import parse_date
from django.utils.html import format_html, format_html_join
from django.utils.safestring import mark_safe
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts import conduct
from accounts.models import User
from accounts.moderators import may_decide
from core.http import see_other
from core.numbers import parse_whole_number
from games.admin.readonly import ReadOnlyAdmin
from games.models import Match, Report, Talk
from games.past.desk import load_case
from games.past.own_cases import exclude_own_reports, exclude_own_talk, own_matches
from games.services import rerating, talk

if TYPE_CHECKING:  # generic in the type stubs only
    ReportModelAdmin = admin.ModelAdmin[Any]  # it also logs changes of other models
    TalkModelAdmin = admin.ModelAdmin[Talk]
else:
    ReportModelAdmin = TalkModelAdmin = admin.ModelAdmin


@admin.register(Report)
class ReportAdmin(ReportModelAdmin):
    """The queue of reports, open ones first, oldest on top, without those that concern the moderator."""

    list_display = ["at", "about", "what", "where", "reporter", "outcome", "handled_by"]
    list_filter = [("handled_at", admin.EmptyFieldListFilter), "category", "outcome"]
    list_select_related = ["talk", "talk__user", "person", "match", "reporter", "handled_by"]
    search_fields = ["reason", "talk__text", "talk__name", "match__code", "person__username"]
    readonly_fields = [
        "category",
        "person",
        "match",
        "talk",
        "reporter",
        "reason",
        "at",
        "outcome",
        "handled_at",
        "handled_by",
    ]
    actions = ["close", "close_without", "close_and_hide", "reopen"]
    ordering = ["handled_at", "at"]

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def get_queryset(self, request: HttpRequest) -> QuerySet[Report]:
        return exclude_own_reports(super().get_queryset(request), cast(User, request.user))

    def get_urls(self) -> list[Any]:
        case = self.admin_site.admin_view(self.case)
        return [path("person/<int:pk>/", case, name="games_case"), *super().get_urls()]

    def case(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Show the case of a person; a POST names one action (a key of `_actions`) and its subject."""
        if not self.has_view_permission(request) or pk == request.user.pk:
            raise PermissionDenied
        person = get_object_or_404(User, pk=pk)
        if request.method == "POST":
            self._handle_post(request, person)
            return see_other("admin:games_case", pk)
        context = self.admin_site.each_context(request) | {
            "case": load_case(person, cast(User, request.user)),
            "title": person.username,
            "may_decide": may_decide(request.user, person),
        }
        return render(request, "admin/games/case.html", context)

    def _handle_post(self, request: HttpRequest, person: User) -> None:
        name = next((name for name in self._actions if name in request.POST), "")
        permission, handler = self._actions.get(name, ("", None))
        if not request.user.has_perm(permission) or not may_decide(request.user, person):
            raise PermissionDenied
        if handler is not None:
            with transaction.atomic():
                handler(self, request, person)

    def _annul_since(self, request: HttpRequest, person: User) -> None:
        try:
            since = parse_date(request.POST["since"])
        except ValueError:  # the 31st of February
            since = None
        if since is None:
            messages.error(request, _("Enter the day, as 2026-11-21."))
            return
        midnight = datetime.combine(since, time(), tzinfo=UTC)
        matches = Match.objects.filter(
            seats__user=person, status=Match.Status.FINISHED, annulled_at=None, ended_at__gte=midnight
        )
        annulled = list(matches.order_by("pk"))
        if self._include_own(request, annulled):
            return
        for match in annulled:
            rerating.annul(match)
            self.log_change(request, match, "annulled")
        messages.success(request, _("Annulled: %(n)s.") % {"n": len(annulled)})

    def _include_own(self, request: HttpRequest, matches: list[Match]) -> bool:
        """Return whether the moderator played one of these matches, and say so: another must decide about all."""
        own = own_matches(cast(User, request.user))
        if not Match.objects.filter(pk__in=own).filter(pk__in=[match.pk for match in matches]).exists():
            return False
        messages.error(request, _("You played some of these matches: another moderator must decide."))
        return True

    def _restore(self, request: HttpRequest, person: User) -> None:
        annulled = Match.objects.filter(seats__user=person).exclude(annulled_at=None)
        code = request.POST["restore"]
        chosen = list(annulled if code == "all" else annulled.filter(code=code))
        if self._include_own(request, chosen):
            return
        for match in chosen:
            rerating.restore(match)
            self.log_change(request, match, "restored")
            said = _("%(code)s counts again. The ratings are being computed again.")
            messages.success(request, said % {"code": match.code})

    def _undo(self, request: HttpRequest, person: User) -> None:
        sanction = person.sanctions.filter(
            pk=parse_whole_number(request.POST["undo"]) or 0, undone_at=None
        ).first()
        if sanction is not None:
            conduct.undo(sanction)
            self.log_change(request, sanction, "undone")
            messages.success(request, _("%(what)s – undone.") % {"what": sanction})

    def _note(self, request: HttpRequest, person: User) -> None:
        text = talk.clean_text(request.POST["note"], 1000)
        if not text:
            messages.error(request, _("There is nothing to write down."))
            return
        self.log_addition(request, conduct.note(person, cast(User, request.user), text), text)

    def _delete_note(self, request: HttpRequest, person: User) -> None:
        note = person.notes.filter(pk=parse_whole_number(request.POST["note_out"]) or 0).first()
        if note is not None:
            self.log_deletions(request, person.notes.filter(pk=note.pk))
            note.delete()

    def _reopen(self, request: HttpRequest, person: User) -> None:
        about = Report.objects.filter(
            Q(person=person) | Q(talk__user=person), pk=parse_whole_number(request.POST["reopen"]) or 0
        )
        for report in exclude_own_reports(about, cast(User, request.user)):
            talk.reopen(report)
            self.log_change(request, report, "opened again")

    # By form field: the required permission, and the handler.
    _actions: ClassVar[dict[str, tuple[str, Callable[..., None]]]] = {
        "since": ("games.change_match", _annul_since),
        "restore": ("games.change_match", _restore),
        "undo": ("accounts.change_sanction", _undo),
        "note": ("games.change_report", _note),
        "note_out": ("games.change_report", _delete_note),
        "reopen": ("games.change_report", _reopen),
    }

    @admin.display(description=gettext_lazy("about"))
    def about(self, report: Report) -> str:
        person = report.person or (report.talk.user if report.talk else None)
        if person is None:
            return "-"
        return format_html(
            '<a href="{}">{}</a>', reverse("admin:games_case", args=[person.pk]), person.username
        )

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
        for report in chosen.filter(handled_at=None):
            self.log_change(request, report, outcome)
        answered = talk.close_reports(chosen, cast(User, request.user), outcome)
        messages.success(request, _("Answered: %(n)s.") % {"n": answered})

    @admin.action(description=gettext_lazy("Handled, and the line hidden"), permissions=["change"])
    def close_and_hide(self, request: HttpRequest, chosen: QuerySet[Report]) -> None:
        for report in chosen.select_related("talk__match"):
            if report.talk is not None:
                talk.set_hidden(report.talk, hidden=True)
                self.log_change(request, report.talk, "hidden")
        self.close(request, chosen)

    @admin.action(description=gettext_lazy("Open again"), permissions=["change"])
    def reopen(self, request: HttpRequest, chosen: QuerySet[Report]) -> None:
        for report in chosen.exclude(handled_at=None):
            talk.reopen(report)
            self.log_change(request, report, "opened again")


@admin.register(Talk)
class TalkAdmin(ReadOnlyAdmin, TalkModelAdmin):
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
            self.log_change(request, line, "hidden")

    @admin.action(description=gettext_lazy("Show again"), permissions=["moderate"])
    def show(self, request: HttpRequest, chosen: QuerySet[Talk]) -> None:
        for line in chosen.select_related("match"):
            talk.set_hidden(line, hidden=False)
            self.log_change(request, line, "shown again")
