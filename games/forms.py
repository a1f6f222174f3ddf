"""Forms that search among finished matches."""

from typing import Any, get_args

from django import forms
from django.forms import BoundField
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from boneyard.engine.presets import PRESETS
from boneyard.engine.state import MatchEnding
from games.wording import ending_name, preset_title

Choices = list[tuple[str, str | Promise]]
ANY = gettext_lazy("any")


def _with_any(choices: Choices, label: str | Promise = ANY) -> Choices:
    return [("", label), *choices]


def _preset_choices() -> Choices:
    """Return the presets by name. Called for each form because the names are translated."""
    presets = ((name, preset_title(name)) for name in PRESETS)
    return _with_any([*presets, ("house", _("house rules"))], _("Every game"))


def _name_input(placeholder: str | Promise) -> forms.TextInput:
    """Return an input for a player's name with a placeholder."""
    return forms.TextInput(attrs={"placeholder": placeholder, "autocapitalize": "off", "spellcheck": "false"})


class MatchesForm(forms.Form):
    """A search among one player's finished matches."""

    # Always visible, labelled by their first option.
    ALWAYS_VISIBLE = (
        "player",
        "preset",
        "result",
        "against",
    )

    preset = forms.ChoiceField(label=gettext_lazy("Game"), required=False, choices=_preset_choices)
    how = forms.ChoiceField(
        label=gettext_lazy("Ended by"),
        required=False,
        choices=lambda: _with_any([(how, ending_name(how)) for how in get_args(MatchEnding)]),
    )
    result = forms.ChoiceField(
        label=gettext_lazy("Result"),
        required=False,
        choices=_with_any(
            [("won", gettext_lazy("won")), ("lost", gettext_lazy("lost"))], gettext_lazy("Any result")
        ),
    )
    against = forms.CharField(
        label=gettext_lazy("Against"),
        max_length=150,
        required=False,
        widget=_name_input(gettext_lazy("Against anybody")),
    )
    rated = forms.ChoiceField(
        label=gettext_lazy("Rated"),
        required=False,
        choices=_with_any([("yes", gettext_lazy("rated")), ("no", gettext_lazy("casual"))]),
    )
    since = forms.DateField(
        label=gettext_lazy("From"), required=False, widget=forms.DateInput(attrs={"type": "date"})
    )
    until = forms.DateField(
        label=gettext_lazy("To"), required=False, widget=forms.DateInput(attrs={"type": "date"})
    )

    def clean(self) -> dict[str, Any]:
        super().clean()
        cleaned = self.cleaned_data
        since, until = cleaned.get("since"), cleaned.get("until")
        if since and until and until < since:
            self.add_error("until", _("The last day is before the first."))
        return cleaned

    @property
    def basic_fields(self) -> list[BoundField]:
        return [field for field in self if field.name in self.ALWAYS_VISIBLE]

    @property
    def further_fields(self) -> list[BoundField]:
        return [field for field in self if field.name not in self.ALWAYS_VISIBLE]

    @property
    def has_further_values(self) -> bool:
        return any(field.errors or field.value() for field in self.further_fields)


class ArchiveForm(MatchesForm):
    """A search among all finished matches."""

    player = forms.CharField(
        label=gettext_lazy("Player"),
        max_length=150,
        required=False,
        widget=_name_input(gettext_lazy("Any player")),
    )
    field_order = ["player"]

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean()
        if cleaned.get("result") and not cleaned.get("player"):
            self.add_error("result", _("Name the player whose result it is."))
        return cleaned
