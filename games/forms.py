"""What people fill in: searches among finished matches."""

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games.engine.presets import PRESETS
from games.wording import preset_title


def _any(choices: list[tuple]) -> list[tuple]:
    return [("", gettext_lazy("any")), *choices]


class MatchesForm(forms.Form):
    """What to look for among one player's finished matches."""

    against = forms.CharField(label=gettext_lazy("Against"), max_length=150, required=False)
    preset = forms.ChoiceField(label=gettext_lazy("Game"), required=False)
    how = forms.ChoiceField(
        label=gettext_lazy("Ended by"),
        required=False,
        choices=_any(
            [
                ("target", gettext_lazy("reaching the target")),
                ("rounds", gettext_lazy("the last round")),
                ("resigned", gettext_lazy("resigning")),
                ("time", gettext_lazy("the clock")),
                ("left", gettext_lazy("leaving")),
                ("aborted", gettext_lazy("being called off")),
            ]
        ),
    )
    result = forms.ChoiceField(
        label=gettext_lazy("Result"),
        required=False,
        choices=_any([("won", gettext_lazy("won")), ("lost", gettext_lazy("lost"))]),
    )
    rated = forms.ChoiceField(
        label=gettext_lazy("Rated"),
        required=False,
        choices=_any([("yes", gettext_lazy("rated")), ("no", gettext_lazy("casual"))]),
    )
    since = forms.DateField(
        label=gettext_lazy("From"), required=False, widget=forms.DateInput(attrs={"type": "date"})
    )
    until = forms.DateField(
        label=gettext_lazy("To"), required=False, widget=forms.DateInput(attrs={"type": "date"})
    )

    def __init__(self, *args, **kwargs) -> None:
        super().__init__(*args, **kwargs)
        self.fields["preset"].choices = _any(
            [(name, preset_title(name)) for name in PRESETS] + [("house", _("house rules"))]
        )

    def clean(self) -> dict:
        cleaned = super().clean()
        since, until = cleaned.get("since"), cleaned.get("until")
        if since and until and until < since:
            self.add_error("until", _("The last day is before the first."))
        return cleaned


class ArchiveForm(MatchesForm):
    """The same among everybody's."""

    player = forms.CharField(label=gettext_lazy("Player"), max_length=150, required=False)
    field_order = ["player"]

    def clean(self) -> dict:
        cleaned = super().clean()
        if cleaned.get("result") and not cleaned.get("player"):
            self.add_error("result", _("Name the player whose result it is."))
        return cleaned
