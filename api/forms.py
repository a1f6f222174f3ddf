"""The form of a new token."""

from datetime import datetime, timedelta

from django import forms
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from api.models import MAX_TOKEN_NAME_LENGTH
from api.scopes import SCOPE_NAMES

MONTH_DAYS, YEAR_DAYS = 30, 365
LIFETIMES = [
    (str(MONTH_DAYS), _("in 30 days")),
    (str(YEAR_DAYS), _("in a year")),
    ("", pgettext_lazy("a token ends", "never")),
]


class TokenForm(forms.Form):
    name = forms.CharField(
        label=_("What it is for"), max_length=MAX_TOKEN_NAME_LENGTH, help_text=_("So that you know it later.")
    )
    scopes = forms.MultipleChoiceField(
        label=_("What it may do"),
        choices=[(scope.value, name) for scope, name in SCOPE_NAMES.items()],
        widget=forms.CheckboxSelectMultiple,
    )
    days = forms.ChoiceField(
        label=_("When it ends"), choices=LIFETIMES, required=False, initial=str(MONTH_DAYS)
    )

    @property
    def ends_at(self) -> datetime | None:
        days = self.cleaned_data["days"]
        return timezone.now() + timedelta(days=int(days)) if days else None
