"""The form of a person's choices."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from core.time_zones import find_zone_name
from notifications.models import CHOSEN_KINDS, LAST_HOUR, Choices

HOURS = [(hour, f"{hour}:00") for hour in range(LAST_HOUR + 1)]


class ChoicesForm(forms.ModelForm):
    """Kinds of notices, quiet hours and mail; the mail only with a confirmed address."""

    quiet_from = forms.TypedChoiceField(label=_("quiet from"), choices=HOURS, coerce=int)
    quiet_until = forms.TypedChoiceField(label=_("until"), choices=HOURS, coerce=int)

    class Meta:
        model = Choices
        fields = [*(kind.value for kind in CHOSEN_KINDS), "quiet_from", "quiet_until", "time_zone", "mails"]

    def __init__(self, *args: Any, has_address: bool, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if not has_address:
            del self.fields["mails"]
        self.kinds = [self[kind.value] for kind in CHOSEN_KINDS]

    def clean_time_zone(self) -> str:
        zone: str = self.cleaned_data["time_zone"]
        name = find_zone_name(zone) if zone else ""
        if name is None:
            raise forms.ValidationError(_("Name a time zone like Europe/Madrid."))
        return name
