"""The admin of the week's programme and of sets of deals; it shows no deal."""

from typing import Any

from django import forms
from django.contrib import admin
from django.http import HttpRequest, HttpResponse
from django.utils.dates import WEEKDAYS
from django.utils.translation import gettext_lazy

from boneyard.engine.presets import PRESETS
from core.admin_rights import ReadOnly
from events.models import DealSet, ProgrammeDay
from events.programme import WEEK
from games.admin.matches import PresetColumn
from games.wording import preset_title


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
    list_display = ["name", "game", "seats", "opens_at", "closes_at", "closed_at"]
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
    ]
