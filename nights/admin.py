"""The admin of nights and clubs: to look at, to hide what a club says, to make open nights of the site.

It shows no personal link or invitation.
"""

from datetime import date
from typing import Any

from django import forms
from django.conf import settings
from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext

from boneyard.engine.presets import PRESETS
from core.admin_rights import ReadOnly
from core.languages import list_base_languages
from core.time_zones import UTC_NAME, list_zones
from games.wording import preset_title
from nights import services
from nights.club_models import Club, Membership
from nights.models import Act, Night, OpenNight
from nights.open_models import MAX_NIGHT_NAME_LENGTH
from nights.start_form import build_start_field, find_local_start, place_in_zone
from nights.wording import format_start


class ActInline(ReadOnly, admin.TabularInline):
    model = Act
    fields = ["at", "user", "kind", "about", "before", "after"]
    readonly_fields = ["at", "user", "kind", "about", "before", "after"]
    extra = 0


@admin.register(Night)
class NightAdmin(ReadOnly, admin.ModelAdmin):
    list_display = ["__str__", "status", "starts_at", "host"]
    list_filter = ["status"]
    search_fields = ["name", "code"]
    inlines = [ActInline]


class OpenNightForm(forms.ModelForm):
    """The start in local time; the game and the language as choices."""

    start = build_start_field(gettext_lazy("In the night’s own time zone."))
    zone = forms.ChoiceField(label=gettext_lazy("Time zone"), initial=UTC_NAME)
    preset = forms.ChoiceField(label=gettext_lazy("Game"), required=False)
    language = forms.ChoiceField(
        label=gettext_lazy("Language"),
        required=False,
        choices=[("", gettext_lazy("every language")), *list_base_languages()],
        help_text=gettext_lazy("Only readers of this language see the night."),
    )
    name = forms.CharField(
        label=gettext_lazy("Name"),
        max_length=MAX_NIGHT_NAME_LENGTH,
        required=False,
        help_text=gettext_lazy("Without a name it is called after its game or language."),
    )
    skipped = forms.CharField(
        label=gettext_lazy("Skipped dates"),
        required=False,
        help_text=gettext_lazy("Such as 2026-12-25 2027-01-01: a weekly night does not take place then."),
    )

    class Meta:
        model = OpenNight
        fields = ["zone", "weekly", "preset", "language", "name", "skipped"]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        fields: Any = self.fields
        fields["preset"].choices = [("", _("any game")), *((name, preset_title(name)) for name in PRESETS)]
        fields["zone"].choices = [(name, name) for name in sorted(list_zones() | {UTC_NAME})]
        if self.instance.pk is None:
            self.initial.setdefault("weekly", True)
        else:
            self.initial["start"] = find_local_start(self.instance)

    def clean_skipped(self) -> str:
        try:
            days = sorted(map(date.fromisoformat, self.cleaned_data["skipped"].split()))
        except ValueError:
            raise forms.ValidationError(_("Write dates such as 2026-12-25.")) from None
        return " ".join(day.isoformat() for day in days)

    def clean(self) -> dict[str, Any]:
        data: dict[str, Any] = super().clean() or self.cleaned_data
        if not self.errors:
            self.instance.starts_at = place_in_zone(data["start"], data["zone"])
        return data


@admin.register(OpenNight)
class OpenNightAdmin(admin.ModelAdmin):
    """Hours at which people meet, of the site and of its people."""

    form = OpenNightForm
    fields = ["start", "zone", "weekly", "skipped", "preset", "language", "name"]
    list_display = ["__str__", "start", "game", "readers", "host", "status"]

    def get_queryset(self, request: HttpRequest) -> QuerySet[OpenNight]:
        return super().get_queryset(request).filter(format="open")

    def save_model(self, request: HttpRequest, night: OpenNight, form: Any, change: bool) -> None:
        services.save_for_site(night, timezone.now())

    @admin.display(description=gettext_lazy("begins"), ordering="starts_at")
    def start(self, night: OpenNight) -> str:
        return format_start(night)

    @admin.display(description=gettext_lazy("game"), ordering="preset")
    def game(self, night: OpenNight) -> str:
        return night.game_title or _("any game")

    @admin.display(description=gettext_lazy("language"), ordering="language")
    def readers(self, night: OpenNight) -> str:
        return dict(settings.LANGUAGES).get(night.language, _("every language"))


class MembershipInline(ReadOnly, admin.TabularInline):
    model = Membership
    fields = ["user", "role", "joined_at"]
    readonly_fields = ["user", "role", "joined_at"]
    extra = 0


@admin.register(Club)
class ClubAdmin(ReadOnly, admin.ModelAdmin):
    """The words of clubs; moderators hide a page from everybody but its members."""

    list_display = ["name", "place", "is_public", "is_hidden", "created_at"]
    list_filter = ["is_hidden", "is_public", "language"]
    search_fields = ["name", "slug", "place", "description"]
    actions = ["hide", "show"]
    inlines = [MembershipInline]

    def has_moderate_permission(self, request: HttpRequest) -> bool:
        """Return whether the reader may hide what people write."""
        return request.user.has_perm("games.change_talk")

    @admin.action(description=gettext_lazy("Hide"), permissions=["moderate"])
    def hide(self, request: HttpRequest, chosen: QuerySet[Club]) -> None:
        self._set_hidden(request, chosen, True, pgettext("in the log", "hidden"))

    @admin.action(description=gettext_lazy("Show again"), permissions=["moderate"])
    def show(self, request: HttpRequest, chosen: QuerySet[Club]) -> None:
        """Show them again, but for those of which the moderator is a member."""
        others = chosen.exclude(memberships__user=request.user.pk)
        self._set_hidden(request, others, False, pgettext("in the log", "shown again"))

    def _set_hidden(self, request: HttpRequest, chosen: QuerySet[Club], hidden: bool, logged: str) -> None:
        for club in chosen:
            services.set_club_hidden(club, hidden)
            self.log_change(request, club, logged)
