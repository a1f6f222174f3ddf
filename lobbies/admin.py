from typing import Any

from django import forms
from django.conf import settings
from django.contrib import admin
from django.http import HttpRequest
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games.engine.presets import PRESETS
from games.wording import preset_title
from lobbies.models import ClubNight, Sitting, Table

SEAT_FIELDS = ("position", "user", "level", "rating")


class SittingInline(admin.TabularInline):
    model = Sitting
    fields = SEAT_FIELDS
    readonly_fields = SEAT_FIELDS
    can_delete = False

    def has_add_permission(self, request: HttpRequest, obj: Table | None = None) -> bool:
        return False


@admin.register(Table)
class TableAdmin(admin.ModelAdmin):
    """Read-only list of tables."""

    list_display = ["code", "preset", "host", "seats", "rated", "private", "status", "created_at"]
    list_filter = ["status", "preset", "rated", "private"]
    list_select_related = ["host"]
    search_fields = ["code", "host__username"]
    inlines = [SittingInline]

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Table | None = None) -> bool:
        return False


class ClubNightForm(forms.ModelForm):
    """The game and the language as choices."""

    preset = forms.ChoiceField(label=gettext_lazy("Game"), required=False)
    language = forms.ChoiceField(
        label=gettext_lazy("Language"),
        required=False,
        choices=[("", gettext_lazy("every language")), *settings.LANGUAGES],
        help_text=gettext_lazy("Only readers of this language see the night."),
    )

    class Meta:
        model = ClubNight
        fields = ["weekday", "hour", "preset", "language", "name"]
        help_texts = {"name": gettext_lazy("Without a name it is called after its game or language.")}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        games = [(preset, preset_title(preset)) for preset in PRESETS]
        self.fields["preset"].choices = [("", _("any game")), *games]  # type: ignore[attr-defined]


@admin.register(ClubNight)
class ClubNightAdmin(admin.ModelAdmin):
    """The weekly hours at which people meet."""

    form = ClubNightForm
    list_display = ["__str__", "weekday", "hour", "preset", "language", "name"]
