"""What people send: a move, and searches among finished matches."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, get_args

from django import forms
from django.forms import BoundField
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from core.numbers import parse_whole_number
from games import services
from games.engine.presets import PRESETS
from games.engine.state import MatchEnding
from games.repository import Snapshot
from games.seats import Viewer
from games.services import MoveRefused
from games.wording import ending_name, preset_title

MAX_MOVE_LENGTH = 40  # characters
MAX_CLAIM = 32_767  # what the column of a claim holds


@dataclass(frozen=True)
class MoveRequest:
    """A move as it is sent. None of Django's forms: no page is made of it, and each of those copies its fields, which
    took a thirtieth of a move."""

    move: str
    version: int
    claim: int | None

    @classmethod
    def read(cls, sent: Mapping[str, Any]) -> "MoveRequest":
        """From a form or any other mapping of these names; `claim` may be missing or empty. Numbers are whole, from 0,
        in plain digits. Raises MoveRefused."""
        move, version, claim = sent.get("move"), parse_whole_number(str(sent.get("version"))), None
        if not isinstance(move, str) or not 0 < len(move) <= MAX_MOVE_LENGTH or version is None:
            raise MoveRefused("malformed")
        if sent.get("claim") not in (None, ""):
            claim = parse_whole_number(str(sent["claim"]))
            if claim is None or claim > MAX_CLAIM:
                raise MoveRefused("malformed")
        return cls(move, version, claim)

    def play(self, *, code: str, user: Viewer) -> Snapshot:
        """Play it for `user`; the match as it is then. Raises MoveRefused, and `Match.DoesNotExist`."""
        return services.play_as(
            code=code, user=user, move=self.move, seen_version=self.version, claim=self.claim
        )


Choices = list[tuple[str, str | Promise]]
ANY = gettext_lazy("any")


def _any(choices: Choices, word: str | Promise = ANY) -> Choices:
    return [("", word), *choices]


def _games() -> Choices:
    """The presets by name; asked for with each form, as the names are in the reader's language."""
    presets = ((name, preset_title(name)) for name in PRESETS)
    return _any([*presets, ("house", _("house rules"))], _("Every game"))


def _name_or(anybody: str | Promise) -> forms.TextInput:
    """For a player's name; `anybody` stands in it while it is empty."""
    return forms.TextInput(attrs={"placeholder": anybody, "autocapitalize": "off", "spellcheck": "false"})


class MatchesForm(forms.Form):
    """What to look for among one player's finished matches."""

    # What is asked for most; they say themselves what they are.
    IN_LINE = (
        "player",
        "preset",
        "result",
        "against",
    )

    preset = forms.ChoiceField(label=gettext_lazy("Game"), required=False, choices=_games)
    how = forms.ChoiceField(
        label=gettext_lazy("Ended by"),
        required=False,
        choices=lambda: _any([(how, ending_name(how)) for how in get_args(MatchEnding)]),
    )
    result = forms.ChoiceField(
        label=gettext_lazy("Result"),
        required=False,
        choices=_any(
            [("won", gettext_lazy("won")), ("lost", gettext_lazy("lost"))], gettext_lazy("Any result")
        ),
    )
    against = forms.CharField(
        label=gettext_lazy("Against"),
        max_length=150,
        required=False,
        widget=_name_or(gettext_lazy("Against anybody")),
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

    def clean(self) -> dict[str, Any]:
        super().clean()
        cleaned = self.cleaned_data
        since, until = cleaned.get("since"), cleaned.get("until")
        if since and until and until < since:
            self.add_error("until", _("The last day is before the first."))
        return cleaned

    @property
    def in_line(self) -> list[BoundField]:
        return [field for field in self if field.name in self.IN_LINE]

    @property
    def further(self) -> list[BoundField]:
        return [field for field in self if field.name not in self.IN_LINE]

    @property
    def has_further_values(self) -> bool:
        return any(field.errors or field.value() for field in self.further)


class ArchiveForm(MatchesForm):
    """The same among everybody's."""

    player = forms.CharField(
        label=gettext_lazy("Player"),
        max_length=150,
        required=False,
        widget=_name_or(gettext_lazy("Any player")),
    )
    field_order = ["player"]

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean()
        if cleaned.get("result") and not cleaned.get("player"):
            self.add_error("result", _("Name the player whose result it is."))
        return cleaned
