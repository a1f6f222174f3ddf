"""The admin of the week's programme and of sets of deals; it shows no deal."""

from django import forms
from django.contrib import admin
from django.utils.translation import gettext_lazy

from boneyard.engine.presets import PRESETS
from core.admin_rights import ReadOnly
from events.models import DealSet, ProgrammeDay
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
    form = ProgrammeForm
    list_display = ["weekday", "game", "seats"]


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
