import json
from collections.abc import Sequence
from contextlib import suppress
from typing import Any, cast
from urllib.parse import urlencode

from django import forms
from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied, ValidationError
from django.db import transaction
from django.db.models import QuerySet
from django.forms.fields import InvalidJSONInput
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import path, reverse
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext

from accounts.models import User
from boneyard.engine.errors import InvalidRules
from boneyard.engine.presets import PRESETS
from boneyard.engine.rules import Rules
from core.admin_rights import WithoutAdd, WithoutChange
from core.http import HtmxHttpRequest, see_other
from core.numbers import parse_whole_number
from games.admin.matches import PresetColumn, PresetFilter
from games.wording import describe_rules, game_title, invalid_rules_sentence, preset_title
from lobbies import services, site_games
from lobbies.form_data import propose
from lobbies.form_page import PageForm
from lobbies.forms import sentence_of
from lobbies.models import SiteGame, Sitting, Table
from lobbies.views import form_page

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


class RulesInWords(forms.HiddenInput):
    """The rules of a game, which are chosen in the form of a new table, as sentences with a link to it."""

    input_type = "hidden"
    is_hidden = False  # a row of its own in the form
    title = ""
    sentences: Sequence[str] = ()
    address = ""

    def render(self, name: str, value: Any, attrs: Any = None, renderer: Any = None) -> SafeString:
        lines = format_html_join("", "<li>{}</li>", ((sentence,) for sentence in self.sentences))
        words = '{}<div class="rules-in-words"><p>{}</p><ul>{}</ul><p><a href="{}">{}</a></p></div>'
        field = super().render(name, value, attrs, renderer)
        return format_html(words, field, self.title, lines, self.address, _("Choose other rules"))


class RulesField(forms.JSONField):
    """Rules as JSON, which may be nested without end: that is refused like other nonsense."""

    def to_python(self, value: Any) -> Any:
        try:
            return super().to_python(value)
        except RecursionError as error:
            raise ValidationError(self.error_messages["invalid"], code="invalid") from error

    def bound_data(self, data: Any, initial: Any) -> Any:
        try:
            return super().bound_data(data, initial)
        except RecursionError:
            return InvalidJSONInput(data)


class SiteGameForm(forms.ModelForm):
    """A game of this site; its rules come from the form of a new table."""

    preset = forms.ChoiceField(widget=forms.HiddenInput)
    rules = RulesField(label=gettext_lazy("Rules"), widget=RulesInWords)

    class Meta:
        model = SiteGame
        fields = ["slug", "title", "about", "rules", "preset", "seats", "offered"]
        widgets = {"seats": forms.HiddenInput}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["preset"].choices = [(name, preset_title(name)) for name in PRESETS]  # type: ignore[attr-defined]
        self._describe(cast(RulesInWords, self.fields["rules"].widget))

    def _describe(self, widget: RulesInWords) -> None:
        """Set what the widget shows; nothing of rules that cannot be read, which `clean` refuses."""
        widget.address = reverse("table-new")
        preset, seats = str(self["preset"].value()), parse_whole_number(str(self["seats"].value()))
        with suppress(ValueError, TypeError, RecursionError, InvalidRules):
            rules = Rules.from_dict(json.loads(self["rules"].value()))
            if preset not in PRESETS or seats not in rules.players:
                return
            query = propose(preset, rules, seats) | (
                {"site_game": self.instance.slug} if self.instance.pk else {}
            )
            widget.address = f"{widget.address}?{urlencode(query)}"
            widget.title = game_title(None, rules.as_dict(), seats, preset)
            widget.sentences = [sentence.text for sentence in describe_rules(rules, seats)]

    def clean(self) -> dict[str, Any]:
        site_games.lock()  # before the address is compared, too; the admin's transaction saves
        data = cast(dict[str, Any], super().clean())
        if {"preset", "seats", "rules"} & set(self.errors):
            self.add_error("rules", _("Choose the rules in the form of a new table."))
            return data
        try:
            rules = site_games.check(data["preset"], data["seats"], data["rules"], self.instance.slug)
        except (InvalidRules, ValueError) as fault:
            self.add_error("rules", _refuse(fault, data["preset"]))
        else:
            data["rules"] = rules.written()
        return data


def _refuse(fault: Exception, preset: str) -> str:
    """Return why rules cannot be those of a game of this site."""
    if isinstance(fault, InvalidRules):
        return invalid_rules_sentence(fault)
    if isinstance(fault, site_games.SameRules):
        return _("“%(name)s” has these rules already.") % {"name": fault.game}
    return _("These are the rules of %(name)s.") % {"name": preset_title(preset)}


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

    def add_view(self, request: HttpRequest, form_url: str = "", extra_context: Any = None) -> HttpResponse:
        """Begin with the rules, in the form of a new table."""
        if request.method == "GET" and "rules" not in request.GET and self.has_add_permission(request):
            messages.info(request, _("Choose the rules, then press “Make it a game of this site”."))
            return see_other("table-new")
        return super().add_view(request, form_url, extra_context)

    def get_changeform_initial_data(self, request: HttpRequest) -> dict[str, Any]:
        initial: dict[str, Any] = dict(request.GET.items())
        with suppress(ValueError, RecursionError):
            initial["rules"] = json.loads(request.GET.get("rules", "null"))
        return initial

    def compose(self, request: HttpRequest) -> HttpResponse:
        """Take the rules of the create-table form to the form of a new game, or to the game `site_game`.

        Where they are refused, the form keeps what was chosen.
        """
        slug = request.POST.get("site_game", "")
        if not (self.has_change_permission(request) if slug else self.has_add_permission(request)):
            raise PermissionDenied
        if request.method != "POST":
            return see_other("table-new")
        form = PageForm(request.POST, cast(User, request.user))
        if not form.is_valid():
            return form_page(cast(HtmxHttpRequest, request), form, 422, refusal=sentence_of(form))
        game = form.game
        row = get_object_or_404(SiteGame, slug=slug) if slug else None
        try:
            if row is None:
                rules = site_games.check(game.preset, game.seats, game.rules.as_dict())
            else:
                with transaction.atomic():
                    site_games.lock()
                    site_games.change_rules(row, game.preset, game.seats, game.rules)
        except (InvalidRules, ValueError) as fault:
            return form_page(cast(HtmxHttpRequest, request), form, 422, refusal=_refuse(fault, game.preset))
        if row is None:
            query = {"preset": game.preset, "seats": game.seats, "rules": json.dumps(rules.as_dict())}
            return see_other(f"{reverse('admin:lobbies_sitegame_add')}?{urlencode(query)}")
        self.log_change(request, row, pgettext("in the log", "rules changed"))
        messages.success(request, _("The rules of “%(name)s” are changed.") % {"name": row})
        return see_other("admin:lobbies_sitegame_change", row.pk)

    def import_json(self, request: HttpRequest) -> HttpResponse:
        """Save the games of a JSON text."""
        if not (self.has_add_permission(request) and self.has_change_permission(request)):
            raise PermissionDenied
        text = request.POST.get("json", "")
        if request.method == "POST":
            try:
                games = self._save_imported(request, text)
            except (InvalidRules, site_games.SameRules) as fault:
                messages.error(request, _refuse(fault, ""))
            except (ValueError, TypeError, RecursionError, ValidationError):
                messages.error(request, _("This is not an export of games."))
            else:
                messages.success(request, _("Imported: %(n)s.") % {"n": len(games)})
                return see_other("admin:lobbies_sitegame_changelist")
        context = self.admin_site.each_context(request) | {
            "title": _("Import"),
            "json": text,
            "opts": self.opts,
        }
        return render(request, "admin/lobbies/import.html", context)

    @transaction.atomic
    def _save_imported(self, request: HttpRequest, text: str) -> list[SiteGame]:
        site_games.lock()
        games = site_games.import_games(text)
        for game in games:
            game.save()
            self.log_change(request, game, pgettext("in the log", "imported"))
        return games

    @admin.action(description=gettext_lazy("Export as JSON"), permissions=["view"])
    def export(self, request: HttpRequest, chosen: QuerySet[SiteGame]) -> HttpResponse:
        headers = {"Content-Disposition": 'attachment; filename="games.json"'}
        return HttpResponse(
            site_games.export_games(list(chosen)), content_type="application/json", headers=headers
        )
