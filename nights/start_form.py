"""The form of a night's start: local time with its zone, once or every week."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from core.time_zones import UTC_NAME, get_zone, list_zones
from nights.models import Night

START_FORMAT = "%Y-%m-%dT%H:%M"  # of `datetime-local`


def find_local_start(night: Night) -> str:
    """Return when the night begins next, as the form writes it."""
    return f"{night.get_next_start().astimezone(get_zone(night.zone)):{START_FORMAT}}"


def build_start_field(help_text: Any = "") -> forms.DateTimeField:
    """Return the field of a local time, which Django reads in the zone of the site."""
    return forms.DateTimeField(
        label=gettext_lazy("When"),
        input_formats=[START_FORMAT, "%Y-%m-%d %H:%M"],
        widget=forms.DateTimeInput({"type": "datetime-local"}, format=START_FORMAT),
        error_messages={
            "invalid": gettext_lazy("When: write the date and the hour, such as 2026-11-27 20:30.")
        },
        help_text=help_text,
    )


def place_in_zone(start: datetime, zone: str) -> datetime:
    """Return when it is that time in a zone, in UTC, of a time that `build_start_field` has read."""
    return start.replace(tzinfo=get_zone(zone)).astimezone(UTC)


class StartForm(forms.Form):
    """`starts_at` of the cleaned data is `start`, in its zone."""

    start = build_start_field()
    weekly = forms.BooleanField(label=gettext_lazy("every week"), required=False)
    zone = forms.CharField(label=gettext_lazy("Time zone"), max_length=60, initial=UTC_NAME, required=False)

    def clean_zone(self) -> str:
        zone: str = self.cleaned_data["zone"] or UTC_NAME
        if zone not in list_zones():
            raise forms.ValidationError(_("Time zone: write it like Europe/Madrid."))
        return zone

    def clean(self) -> dict[str, Any]:
        data: dict[str, Any] = super().clean() or self.cleaned_data
        if not self.errors:
            data["starts_at"] = place_in_zone(data["start"], data["zone"])
        return data

    @property
    def sentence(self) -> str:
        """Return the first complaint."""
        for name, errors in self.errors.items():
            label = str(self.fields[name].label) if name in self.fields else ""
            text = str(errors[0])
            return text if text.startswith(f"{label}:") or not label else f"{label}: {text}"
        return ""
