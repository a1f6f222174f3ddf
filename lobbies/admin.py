import json
from contextlib import suppress
from typing import Any, cast
from urllib.parse import urlencode

from django import forms
from django.conf import settings
from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied, ValidationError
from django.db import transaction
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import path, reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext

from accounts.models import User
from boneyard.engine.errors import InvalidRules
from boneyard.engine.presets import PRESETS
from core.admin_rights import WithoutAdd, WithoutChange
from core.http import see_other
from games.admin.matches import PresetColumn, PresetFilter
from games.wording import invalid_rules_sentence, preset_title
from lobbies import services, site_games
from lobbies.forms import TableForm, sentence_of
from lobbies.models import ClubNight, SiteGame, Sitting, Table

SEAT_FIELDS = ("position", "user", "level", "rating")


class SittingInline(WithoutAdd, admin.TabularInline):
    model = Sitting
    fields = SEAT_FIELDS
    readonly_fields = SEAT_FIELDS
    can_delete = False


@admin.register(Table)
class TableAdmin(PresetColumn, WithoutAdd, WithoutChange, admin.ModelAdmin):
    """Read-only list of tables."""

    list_display = ["code", "game", "host", "seats", "rated", "private", "status", "created_at"]
    list_filter = ["status", PresetFilter, "rated", "private"]
    exclude = ["preset"]
    readonly_fields = ["game"]
    list_select_related = ["host"]
    search_fields = ["code", "host__username"]
    inlines = [SittingInline]
    actions = ["close"]

    @admin.action(description=gettext_lazy("Close the open tables"), permissions=["close"])
    def close(self, request: HttpRequest, chosen: QuerySet[Table]) -> None:
        """Close those of the tables that are open, except where the moderator sits."""
        own = Sitting.objects.filter(user=request.user.pk).values("table")
        for table in services.close_tables(chosen.exclude(pk__in=own).exclude(host=request.user.pk)):
            self.log_change(request, table, pgettext("in the log", "closed"))
            messages.success(request, _("%(code)s is closed.") % {"code": table.code})

    def has_close_permission(self, request: HttpRequest) -> bool:
        return request.user.has_perm("games.change_match")


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
    list_display = ["__str__", "game", "readers"]

    @admin.display(description=gettext_lazy("game"), ordering="preset")
    def game(self, night: ClubNight) -> str:
        return preset_title(night.preset) if night.preset else _("any game")

    @admin.display(description=gettext_lazy("language"), ordering="language")
    def readers(self, night: ClubNight) -> str:
        return dict(settings.LANGUAGES).get(night.language, _("every language"))


class SiteGameForm(forms.ModelForm):
    """A game of this site; its rules as JSON, which the create-table form writes."""

    preset = forms.ChoiceField(label=gettext_lazy("Derived from"))

    class Meta:
        model = SiteGame
        fields = ["slug", "title", "about", "preset", "seats", "rules", "offered"]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["preset"].choices = [(name, preset_title(name)) for name in PRESETS]  # type: ignore[attr-defined]

    def clean(self) -> dict[str, Any]:
        data = cast(dict[str, Any], super().clean())
        if self.errors:
            return data
        try:
            rules = site_games.check(data["preset"], data["seats"], data["rules"])
        except InvalidRules as fault:
            self.add_error("rules", invalid_rules_sentence(fault))
        except ValueError:
            self.add_error(
                "rules", _("These are the rules of %(name)s.") % {"name": preset_title(data["preset"])}
            )
        else:
            data["rules"] = rules.written()
        return data


@admin.register(SiteGame)
class SiteGameAdmin(admin.ModelAdmin):
    """Games of this site: made by the create-table form, exported and imported as JSON."""

    form = SiteGameForm
    list_display = ["__str__", "slug", "base", "seats", "offered", "fault"]
    actions = ["export"]
    change_list_template = "admin/lobbies/site_games.html"

    @admin.display(description=gettext_lazy("derived from"), ordering="preset")
    def base(self, game: SiteGame) -> str:
        return preset_title(game.preset) if game.preset in PRESETS else game.preset

    @admin.display(description=gettext_lazy("unknown to this release"), empty_value="")
    def fault(self, game: SiteGame) -> str:
        return site_games.find_fault(game)

    def get_urls(self) -> list[Any]:
        view = self.admin_site.admin_view
        return [
            path("compose/", view(self.compose), name="lobbies_sitegame_compose"),
            path("import/", view(self.import_json), name="lobbies_sitegame_import"),
            *super().get_urls(),
        ]

    def get_changeform_initial_data(self, request: HttpRequest) -> dict[str, Any]:
        initial: dict[str, Any] = dict(request.GET.items())
        with suppress(ValueError):
            initial["rules"] = json.loads(request.GET.get("rules", "null"))
        return initial

    def compose(self, request: HttpRequest) -> HttpResponse:
        """Take the rules of the create-table form to the form of a new game."""
        if not self.has_add_permission(request):
            raise PermissionDenied
        form = TableForm(request.POST, cast(User, request.user))
        if not form.is_valid():
            messages.error(request, sentence_of(form))
            return see_other("table-new")
        game = form.game
        if not game.changed:
            messages.error(
                request, _("These are the rules of %(name)s.") % {"name": preset_title(game.preset)}
            )
            return see_other("table-new")
        query = {"preset": game.preset, "seats": game.seats, "rules": json.dumps(game.rules.as_dict())}
        return see_other(f"{reverse('admin:lobbies_sitegame_add')}?{urlencode(query)}")

    def import_json(self, request: HttpRequest) -> HttpResponse:
        """Save the games of a JSON text."""
        if not (self.has_add_permission(request) and self.has_change_permission(request)):
            raise PermissionDenied
        text = request.POST.get("json", "")
        if request.method == "POST":
            try:
                games = site_games.import_games(text)
            except InvalidRules as fault:
                messages.error(request, invalid_rules_sentence(fault))
            except (ValueError, TypeError, ValidationError):
                messages.error(request, _("This is not an export of games."))
            else:
                with transaction.atomic():
                    for game in games:
                        game.save()
                        self.log_change(request, game, pgettext("in the log", "imported"))
                messages.success(request, _("Imported: %(n)s.") % {"n": len(games)})
                return see_other("admin:lobbies_sitegame_changelist")
        context = self.admin_site.each_context(request) | {
            "title": _("Import"),
            "json": text,
            "opts": self.opts,
        }
        return render(request, "admin/lobbies/import.html", context)

    @admin.action(description=gettext_lazy("Export as JSON"), permissions=["view"])
    def export(self, request: HttpRequest, chosen: QuerySet[SiteGame]) -> HttpResponse:
        headers = {"Content-Disposition": 'attachment; filename="games.json"'}
        return HttpResponse(
            site_games.export_games(list(chosen)), content_type="application/json", headers=headers
        )
