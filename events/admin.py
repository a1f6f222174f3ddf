"""The admin of the week's programme and of sets of deals; it shows no deal. Moderators see a day after its close."""

from typing import Any, cast

from django import forms
from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.db.models import Count, Q, QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import path
from django.utils import timezone
from django.utils.dates import WEEKDAYS
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext
from django.views.decorators.http import require_POST

from accounts.models import User
from accounts.moderators import may_decide
from boneyard.engine.errors import InvalidRules
from boneyard.engine.presets import PRESETS
from core.admin_rights import ReadOnly
from core.http import Refusal, see_other
from core.numbers import parse_whole_number
from events import services
from events.desk import DayDesk
from events.field import load_field
from events.models import DealSet, Entry, ProgrammeDay
from events.programme import WEEK, DailyGame
from games.admin.decisions import log
from games.admin.matches import PresetColumn
from games.wording import preset_title

MAX_REASON_LENGTH = 200
LISTED_DAYS = 31


class ProgrammeForm(forms.ModelForm):
    preset = forms.ChoiceField(
        label=gettext_lazy("game"), choices=lambda: [(name, preset_title(name)) for name in PRESETS]
    )

    class Meta:
        model = ProgrammeDay
        fields = ["weekday", "preset", "seats"]


@admin.register(ProgrammeDay)
class ProgrammeDayAdmin(PresetColumn, admin.ModelAdmin):
    """The operator's days; above them the whole week, most of it built in on a new site."""

    form = ProgrammeForm
    list_display = ["weekday", "game", "seats"]

    def changelist_view(self, request: HttpRequest, extra_context: Any = None) -> HttpResponse:
        chosen = {day.weekday: day for day in ProgrammeDay.objects.all()}
        week = [
            (
                WEEKDAYS[weekday],
                preset_title(chosen[weekday].preset if weekday in chosen else usual.preset),
                chosen[weekday].seats if weekday in chosen else usual.seats,
                weekday in chosen,
            )
            for weekday, usual in enumerate(WEEK)
        ]
        return super().changelist_view(request, {"week": week} | (extra_context or {}))


@admin.register(DealSet)
class DealSetAdmin(PresetColumn, ReadOnly, admin.ModelAdmin):
    list_display = ["name", "game", "seats", "opens_at", "closes_at", "state", "fault"]
    fields = [
        "name",
        "game",
        "seats",
        "level",
        "player_version",
        "seal",
        "sealed_at",
        "opens_at",
        "closes_at",
        "closed_at",
        "cancelled_at",
        "fault",
    ]
    change_form_template = "admin/events/set.html"

    @admin.display(description=gettext_lazy("state"))
    def state(self, deals: DealSet) -> str:
        return {
            "announced": _("announced"),
            "open": _("open"),
            "closed": pgettext("a day", "closed"),
            "cancelled": _("cancelled"),
        }[deals.get_state(timezone.now())]

    @admin.display(description=gettext_lazy("unknown to this release"), empty_value="")
    def fault(self, deals: DealSet) -> str:
        return deals.fault

    def get_urls(self) -> list[Any]:
        view = self.admin_site.admin_view
        return [
            path("days/", view(self.days), name="events_days"),
            path("<int:pk>/day/", view(self.day), name="events_day"),
            path("<int:pk>/cancel/", view(require_POST(self.cancel)), name="events_cancel"),
            path("<int:pk>/replace/", view(require_POST(self.replace)), name="events_replace"),
            *super().get_urls(),
        ]

    def render_change_form(
        self, request: HttpRequest, context: dict[str, Any], *args: Any, **kwargs: Any
    ) -> HttpResponse:
        deals, now = kwargs.get("obj"), timezone.now()
        if deals is not None and request.user.has_perm("events.change_dealset"):
            may_cancel = not deals.closed and deals.cancelled_at is None and now < deals.closes_at
            games = [(name, preset_title(name)) for name in PRESETS]
            context |= {"may_cancel": may_cancel, "games": games if now < deals.opens_at else ()}
        return super().render_change_form(request, context, *args, **kwargs)

    def cancel(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Cancel the set, before or while it is open."""
        deals = self._get_set_to_change(request, pk)
        try:
            services.cancel(deals, timezone.now())
        except Refusal as refusal:
            messages.error(request, refusal.sentence)
        else:
            cancelled = pgettext("in the log", "cancelled")
            log(request, deals, f"{cancelled}: {_clean_reason(request)}")
            messages.success(request, _("%(name)s is cancelled.") % {"name": deals})
        return see_other("admin:events_dealset_change", object_id=pk)

    def replace(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Give the set, before it opens, another game and new deals."""
        deals = self._get_set_to_change(request, pk)
        preset, seats = request.POST.get("preset", ""), parse_whole_number(request.POST.get("seats", "")) or 0
        try:
            if preset not in PRESETS or seats not in PRESETS[preset].rules.players:
                messages.error(request, _("This game is not played with so many seats."))
            else:
                services.replace(deals, DailyGame(preset, seats), timezone.now())
                replaced = pgettext("in the log", "replaced")
                log(request, deals, f"{replaced}: {preset}, {seats}")
                messages.success(request, _("%(name)s has new deals and a new seal.") % {"name": deals})
        except Refusal as refusal:
            messages.error(request, refusal.sentence)
        except InvalidRules:
            messages.error(request, _("This game cannot be played in fixed rounds."))
        return see_other("admin:events_dealset_change", object_id=pk)

    def _get_set_to_change(self, request: HttpRequest, pk: int) -> DealSet:
        if not request.user.has_perm("events.change_dealset"):
            raise PermissionDenied
        return get_object_or_404(DealSet, pk=pk)

    def days(self, request: HttpRequest) -> HttpResponse:
        """List the closed days for moderators."""
        self._require_moderator(request)
        played = Count("entries", filter=Q(entries__practice=False))
        sets = _find_closed().annotate(played=played).order_by("-opens_at")[:LISTED_DAYS]
        return self._render(
            request, "admin/events/days.html", title=_("Results of the Daily Deal"), sets=sets
        )

    def day(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Show a closed day for moderators; a POST strikes an entry (`strike`, `reason`) or takes it back (`undo`)."""
        self._require_moderator(request)
        deals = get_object_or_404(_find_closed(), pk=pk)
        if request.method == "POST":
            self._decide(request, deals)
            return see_other("admin:events_day", pk=pk)
        desk = DayDesk(load_field(deals), cast(User, request.user))
        return self._render(request, "admin/events/day.html", title=str(deals), deals=deals, desk=desk)

    def _decide(self, request: HttpRequest, deals: DealSet) -> None:
        key = parse_whole_number(request.POST.get("strike", "") or request.POST.get("undo", "")) or 0
        entry = get_object_or_404(Entry.objects.select_related("user"), pk=key, deals=deals, practice=False)
        if not request.user.has_perm("games.change_report"):
            raise PermissionDenied
        if entry.user is not None and not may_decide(request.user, entry.user):
            raise PermissionDenied
        name = entry.user.username if entry.user else "–"
        if "undo" in request.POST:
            services.unstrike(entry)
            undone = pgettext("in the log", "undone")
            log(request, deals, f"{undone}: {name}")
        elif reason := _clean_reason(request):
            services.strike(entry, reason, timezone.now())
            struck = pgettext("in the log", "struck")
            log(request, deals, f"{struck}: {name}: {reason}")
        else:
            messages.error(request, _("Give a reason."))
            return
        messages.success(request, _("The field and the board are computed again."))

    def _require_moderator(self, request: HttpRequest) -> None:
        if not request.user.has_perm("games.view_report"):
            raise PermissionDenied

    def _render(self, request: HttpRequest, template: str, **context: Any) -> HttpResponse:
        return render(
            request, template, self.admin_site.each_context(request) | {"opts": self.opts} | context
        )


def _find_closed() -> QuerySet[DealSet]:
    return DealSet.objects.filter(closed_at__isnull=False, cancelled_at=None)


def _clean_reason(request: HttpRequest) -> str:
    return " ".join(request.POST.get("reason", "").split())[:MAX_REASON_LENGTH]
