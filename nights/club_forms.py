"""The forms of a club: its words, and a season."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy

from core.languages import get_base_language, list_base_languages
from nights.club_models import (
    MAX_CLUB_NAME_LENGTH,
    MAX_DESCRIPTION_LENGTH,
    MAX_WORDS_LENGTH,
    Club,
)
from nights.services import ClubPlan


class ClubForm(forms.Form):
    """What the owner says of a club; the fields are those of `ClubPlan`."""

    name = forms.CharField(label=gettext_lazy("Name"), max_length=MAX_CLUB_NAME_LENGTH)
    place = forms.CharField(label=gettext_lazy("Where"), max_length=MAX_WORDS_LENGTH, required=False)
    hours = forms.CharField(label=gettext_lazy("Days and hours"), max_length=MAX_WORDS_LENGTH, required=False)
    language = forms.ChoiceField(label=gettext_lazy("Language"), choices=list_base_languages())
    description = forms.CharField(
        label=gettext_lazy("About the club"),
        max_length=MAX_DESCRIPTION_LENGTH,
        widget=forms.Textarea({"rows": 6}),
        required=False,
    )
    is_open = forms.BooleanField(
        label=gettext_lazy("anybody with an account may join, without an invitation"), required=False
    )
    is_public = forms.BooleanField(
        label=gettext_lazy("public: listed here and found by search engines, with the names in its table"),
        required=False,
    )

    def __init__(self, data: Any = None, *, club: Club | None = None) -> None:
        """Begin with what the club says of itself; a new one is in the page's language."""
        language = get_base_language()
        initial = {name: getattr(club, name) for name in self.base_fields} if club else {"language": language}
        super().__init__(data, initial=initial)
        self.label_suffix = ""

    @property
    def plan(self) -> ClubPlan:
        return ClubPlan(**self.cleaned_data)

    @property
    def sentence(self) -> str:
        """Return the first complaint, with the field that it is about."""
        name, errors = next(iter(self.errors.items()))
        return f"{self.fields[name].label}: {errors[0]}"


class SeasonForm(forms.Form):
    """A span of dates; both days belong to it."""

    name = forms.CharField(label=gettext_lazy("Name"), max_length=MAX_CLUB_NAME_LENGTH)
    first_day = forms.DateField(
        label=gettext_lazy("First day"), widget=forms.DateInput({"type": "date"}, format="%Y-%m-%d")
    )
    last_day = forms.DateField(
        label=gettext_lazy("Last day"), widget=forms.DateInput({"type": "date"}, format="%Y-%m-%d")
    )

    def __init__(self, data: Any = None) -> None:
        super().__init__(data, auto_id="season-%s")
        self.label_suffix = ""
