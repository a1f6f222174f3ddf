"""Parse moves and searches among finished matches."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, get_args

from django import forms
from django.forms import BoundField
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from boneyard.engine.presets import PRESETS
from boneyard.engine.state import MatchEnding
from core.numbers import parse_whole_number
from games import services
from games.repository import Snapshot
from games.seats import Viewer
from games.services import MoveRefused
from games.wording import ending_name, preset_title

MAX_MOVE_LENGTH = 40  # characters
# A page without scripts may be out of date when the reader confirms one of these; they mean the same at any version.
ANY_VERSION_MOVES = {"resign", "abort"}
MAX_CLAIM = 32_767  # the maximum of the database column
MAX_TIME_DIGITS = 13  # of milliseconds since 1970


@dataclass(frozen=True)
class MoveRequest:
    """A move sent by a client. Not a Django form: copying a form's fields took 3 % of a move."""

    move: str
    version: int | None
    claim: int | None
    until_fits: bool = False
    is_late: bool = False

    @classmethod
    def parse(cls, data: Mapping[str, Any]) -> "MoveRequest":
        """Parse a mapping, e.g. `request.POST`. Only `move` and `version` are required; numbers are ASCII digits.

        Call when the move arrives: one that `expires` while it waits for the lock is not late. Raise `MoveRefused`.
        """
        move, version, claim = data.get("move"), parse_whole_number(str(data.get("version"))), None
        if not isinstance(move, str) or not 0 < len(move) <= MAX_MOVE_LENGTH or version is None:
            raise MoveRefused("malformed")
        if data.get("claim") not in (None, ""):
            claim = parse_whole_number(str(data["claim"]))
            if claim is None or claim > MAX_CLAIM:
                raise MoveRefused("malformed")
        until = data.get("until") or ""
        if until not in ("", "fits"):
            raise MoveRefused("malformed")
        is_late = False
        if data.get("expires") not in (None, ""):
            expires_ms = parse_whole_number(str(data["expires"]), MAX_TIME_DIGITS)
            if expires_ms is None:
                raise MoveRefused("malformed")
            is_late = 1000 * timezone.now().timestamp() > expires_ms
        return cls(move, version, claim, until == "fits", is_late)

    def at_any_version(self) -> "MoveRequest":
        """Return the move without its version. Raise `MoveRefused` unless it is one of `ANY_VERSION_MOVES`."""
        if self.move not in ANY_VERSION_MOVES:
            raise MoveRefused("malformed")
        return replace(self, version=None)

    def play(self, *, code: str, user: Viewer) -> Snapshot:
        """Play the move for `user` and return the new snapshot. Raise `MoveRefused` or `Match.DoesNotExist`."""
        return services.play_as(
            code=code,
            user=user,
            move=self.move,
            seen_version=self.version,
            claim=self.claim,
            until_fits=self.until_fits,
            is_late=self.is_late,
        )


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
