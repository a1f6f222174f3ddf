"""Matches, talk and reports for the operators. Nothing here shows a secret or a tile that is still hidden.

Match rows are read-only: what can be done is an action, and goes through services like everything else.
"""

from collections.abc import Callable
from datetime import UTC, datetime, time
from typing import Any, ClassVar, cast, get_args

from django.contrib import admin, messages
from django.contrib.admin.views.main import ChangeList
from django.core.exceptions import PermissionDenied
from django.core.paginator import Paginator
from django.db import transaction
from django.db.models import Q, QuerySet
from django.db.models.expressions import Combinable
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import path, reverse
from django.utils.dateparse import parse_date
from django.utils.functional import cached_property
from django.utils.html import format_html, format_html_join
from django.utils.safestring import mark_safe
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts import conduct, figures
from accounts.figures import whole
from accounts.http import see_other
from accounts.models import User
from accounts.moderators import may_decide
from games import values, wording
from games.engine import records
from games.engine.presets import PRESETS
from games.engine.rules import Rules
from games.engine.state import MatchEnding
from games.models import Match, Move, Report, Rerating, Seat, Talk
from games.past.desk import case_of
from games.services import rerating, talk

COUNTED = 10_000  # matches


class ReadOnly(admin.options.BaseModelAdmin):
    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


class SeatInline(ReadOnly, admin.TabularInline):
    model = Seat
    fields = [
        "position",
        "name",
        "user",
        "kind",
        "level",
        "score",
        "won",
        "left",
        "before",
        "after",
    ]
    readonly_fields = ["before", "after"]

    @admin.display(description=gettext_lazy("rating before"))
    def before(self, seat: Seat) -> str:
        return "" if seat.rating_before is None else str(figures.shown(seat.rating_before))

    @admin.display(description=gettext_lazy("rating after"))
    def after(self, seat: Seat) -> str:
        return "" if seat.rating_after is None else str(figures.shown(seat.rating_after))


class MoveInline(ReadOnly, admin.TabularInline):
    model = Move
    fields = ["number", "seat", "text", "claim", "at"]


class FirstPages(Paginator):
    """As many pages as anybody turns: counting a million rows takes longer than showing a hundred of them."""

    @cached_property
    def count(self) -> int:
        return self.object_list[:COUNTED].count()  # type: ignore[attr-defined]  # a queryset's


class PresetFilter(admin.SimpleListFilter):
    # Django would look through all matches for the presets that there are; the same below.
    title = gettext_lazy("game")
    parameter_name = "preset"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return [(name, wording.preset_title(name)) for name in PRESETS]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Match]) -> QuerySet[Match]:
        return queryset.filter(preset=self.value()) if self.value() else queryset


class ResultFilter(admin.SimpleListFilter):
    title = gettext_lazy("result")
    parameter_name = "result_how"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return [(how, wording.ended_by(how)) for how in get_args(MatchEnding)]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Match]) -> QuerySet[Match]:
        return queryset.filter(result_how=self.value()) if self.value() else queryset


class AsTheyBegan(ChangeList):
    """The latest first, whatever the address asks for: by anything else a million matches would be sorted."""

    def get_ordering(self, request: HttpRequest, queryset: QuerySet[Match]) -> list[str | Combinable]:
        return ["-pk"]


@admin.register(Match)
class MatchAdmin(ReadOnly, admin.ModelAdmin):
    list_display = [
        "code",
        "game",
        "names",
        "status",
        "rated",
        "version",
        "started_at",
        "ended_at",
        "result",
    ]
    list_filter = [
        "status",
        PresetFilter,
        "rated",
        "private",
        ResultFilter,
        ("annulled_at", admin.EmptyFieldListFilter),
    ]
    search_fields = ["code", "seats__user__username"]
    search_help_text = gettext_lazy("A match's code, or how a player's name begins")
    sortable_by = ()
    paginator = FirstPages
    show_full_result_count = False
    fields = [
        "page",
        "preset",
        "rules_in_words",
        "rated",
        "private",
        ("clock_seconds", "clock_increment"),
        "seal",
        "entropy",
        ("status", "version", "next_action_at"),
        ("result", "winners", "scores"),
        ("started_at", "ended_at"),
        ("rating_order", "annulled_at"),
    ]
    readonly_fields = ["page", "rules_in_words", "result"]
    inlines = [SeatInline, MoveInline]
    actions = ["verify", "annul", "restore"]

    def get_queryset(self, request: HttpRequest) -> QuerySet[Match]:
        return super().get_queryset(request).prefetch_related("seats")

    def get_changelist(self, request: HttpRequest, **kwargs: Any) -> type[ChangeList]:
        return AsTheyBegan

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Match], search_term: str
    ) -> tuple[QuerySet[Match], bool]:
        """By indexes alone: Django's own search joins every seat of every match."""
        for word in search_term.split():
            people = User.objects.filter(username__istartswith=word)
            sat = Seat.objects.filter(user__in=people).values("match")
            queryset = queryset.filter(Q(code=word) | Q(pk__in=sat))
        return queryset, False

    @admin.display(description=gettext_lazy("players"))
    def names(self, match: Match) -> str:
        return ", ".join(seat.shown_name for seat in match.seats.all())

    @admin.display(description=gettext_lazy("game"))
    def game(self, match: Match) -> str:
        return wording.game_title(match.preset, match.rules, len(match.seats.all()))

    @admin.display(description=gettext_lazy("result"))
    def result(self, match: Match) -> str:
        winners = [seat.shown_name for seat in match.seats.all() if seat.won]
        return "" if match.playing else wording.outcome(cast(MatchEnding, match.result_how), winners)

    @admin.display(description=gettext_lazy("rules"))
    def rules_in_words(self, match: Match) -> str:
        told = wording.rules_in_words(Rules.from_dict(match.rules), len(match.seats.all()))
        return " ".join(sentence.text for sentence in told)

    @admin.display(description=gettext_lazy("page"))
    def page(self, match: Match) -> str:
        return format_html('<a href="{}">{}</a>', match.get_absolute_url(), match.code)

    def has_annul_permission(self, request: HttpRequest) -> bool:
        return request.user.has_perm("games.change_match")

    @admin.action(description=gettext_lazy("Verify the records"), permissions=["view"])
    def verify(self, request: HttpRequest, chosen: QuerySet[Match]) -> None:
        for match in chosen:
            if match.playing:
                messages.warning(request, _("%(code)s is still being played.") % {"code": match.code})
                continue
            try:
                records.verify(values.record_of(match))
            except records.Fault as fault:
                messages.error(request, f"{match.code}: {fault}")
            else:
                messages.success(
                    request, _("%(code)s agrees with its rules and seal.") % {"code": match.code}
                )

    @admin.action(description=gettext_lazy("Annul, with the ratings undone"), permissions=["annul"])
    def annul(self, request: HttpRequest, chosen: QuerySet[Match]) -> None:
        for match in chosen:
            if match.playing or match.annulled_at:
                messages.warning(
                    request, _("%(code)s is not a finished match that counts.") % {"code": match.code}
                )
                continue
            rerating.annul(match)
            self.log_change(request, match, "annulled")
            messages.success(
                request,
                _("%(code)s is annulled. The ratings are being computed again.") % {"code": match.code},
            )

    @admin.action(description=gettext_lazy("Let annulled matches count again"), permissions=["annul"])
    def restore(self, request: HttpRequest, chosen: QuerySet[Match]) -> None:
        for match in chosen.exclude(annulled_at=None):
            rerating.restore(match)
            self.log_change(request, match, "restored")
            messages.success(
                request,
                _("%(code)s counts again. The ratings are being computed again.") % {"code": match.code},
            )


@admin.register(Rerating)
class ReratingAdmin(ReadOnly, admin.ModelAdmin):
    """How far the ratings are that annulments wait for."""

    list_display = ["pool", "asked_at", "taken_at", "done", "total"]


@admin.register(Report)
class ReportAdmin(admin.ModelAdmin):
    """The queue: open reports first, the oldest of them on top."""

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

    def get_urls(self) -> list[Any]:
        case = self.admin_site.admin_view(self.case)
        return [path("person/<int:pk>/", case, name="games_case"), *super().get_urls()]

    def case(self, request: HttpRequest, pk: int) -> HttpResponse:
        """All about one person. What is posted names one act and what it is about."""
        if not self.has_view_permission(request):
            raise PermissionDenied
        person = get_object_or_404(User, pk=pk)
        if request.method == "POST":
            self._act(request, person)
            return see_other("admin:games_case", pk)
        context = self.admin_site.each_context(request) | {
            "case": case_of(person),
            "title": person.username,
            "may_decide": may_decide(request.user, person),
        }
        return render(request, "admin/games/case.html", context)

    def _act(self, request: HttpRequest, person: User) -> None:
        permission, deed = next(
            (act for name, act in self._acts.items() if name in request.POST), ("", lambda *about: None)
        )
        if not request.user.has_perm(permission) or not may_decide(request.user, person):
            raise PermissionDenied
        with transaction.atomic():
            deed(self, request, person)

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
        for match in annulled:
            rerating.annul(match)
            self.log_change(request, match, "annulled")
        messages.success(request, _("Annulled: %(n)s.") % {"n": len(annulled)})

    def _restore(self, request: HttpRequest, person: User) -> None:
        annulled = person.seats.exclude(match__annulled_at=None)
        code = request.POST["restore"]
        for seat in annulled.select_related("match") if code == "all" else annulled.filter(match__code=code):
            rerating.restore(seat.match)
            self.log_change(request, seat.match, "restored")
            said = _("%(code)s counts again. The ratings are being computed again.")
            messages.success(request, said % {"code": seat.match.code})

    def _undo(self, request: HttpRequest, person: User) -> None:
        sanction = person.sanctions.filter(pk=whole(request.POST["undo"]) or 0, undone_at=None).first()
        if sanction is not None:
            conduct.undo(sanction)
            self.log_change(request, sanction, "undone")
            messages.success(request, _("%(what)s – undone.") % {"what": sanction})

    def _note(self, request: HttpRequest, person: User) -> None:
        text = talk.cleaned(request.POST["note"], 1000)
        if not text:
            messages.error(request, _("There is nothing to write down."))
            return
        self.log_addition(request, conduct.note(person, cast(User, request.user), text), text)

    def _take_note_out(self, request: HttpRequest, person: User) -> None:
        note = person.notes.filter(pk=whole(request.POST["note_out"]) or 0).first()
        if note is not None:
            self.log_deletions(request, person.notes.filter(pk=note.pk))
            note.delete()

    def _reopen(self, request: HttpRequest, person: User) -> None:
        about = Report.objects.filter(
            Q(person=person) | Q(talk__user=person), pk=whole(request.POST["reopen"]) or 0
        )
        for report in about:
            talk.reopen(report)
            self.log_change(request, report, "opened again")

    # By the field that names it: the permission, and the deed.
    _acts: ClassVar[dict[str, tuple[str, Callable]]] = {
        "since": ("games.change_match", _annul_since),
        "restore": ("games.change_match", _restore),
        "undo": ("accounts.change_sanction", _undo),
        "note": ("games.change_report", _note),
        "note_out": ("games.change_report", _take_note_out),
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
                talk.hide(report.talk, hidden=True)
                self.log_change(request, report.talk, "hidden")
        self.close(request, chosen)

    @admin.action(description=gettext_lazy("Open again"), permissions=["change"])
    def reopen(self, request: HttpRequest, chosen: QuerySet[Report]) -> None:
        for report in chosen.exclude(handled_at=None):
            talk.reopen(report)
            self.log_change(request, report, "opened again")


@admin.register(Talk)
class TalkAdmin(ReadOnly, admin.ModelAdmin):
    list_display = ["at", "name", "room", "text", "hidden", "match"]
    list_filter = ["room", "hidden"]
    list_select_related = ["match"]
    search_fields = ["name", "text", "match__code"]
    actions = ["hide", "show"]

    def has_moderate_permission(self, request: HttpRequest) -> bool:
        return request.user.has_perm("games.change_talk")

    @admin.action(description=gettext_lazy("Hide"), permissions=["moderate"])
    def hide(self, request: HttpRequest, chosen: QuerySet[Talk]) -> None:
        for line in chosen.select_related("match"):
            talk.hide(line, hidden=True)
            self.log_change(request, line, "hidden")

    @admin.action(description=gettext_lazy("Show again"), permissions=["moderate"])
    def show(self, request: HttpRequest, chosen: QuerySet[Talk]) -> None:
        for line in chosen.select_related("match"):
            talk.hide(line, hidden=False)
            self.log_change(request, line, "shown again")
