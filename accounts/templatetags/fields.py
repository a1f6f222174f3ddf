"""A form field as the site renders it."""

from typing import Any

from django import template
from django.forms import BoundField

register = template.Library()


@register.inclusion_tag("accounts/_field.html")
def field(field: BoundField, label: str = "", help: str = "") -> dict[str, Any]:
    """Render a field with label, help and errors; `label` and `help` replace the form's own."""
    field.help_text = help or field.help_text  # Django links it and the errors by aria-describedby
    attrs = field.field.widget.attrs
    attrs.pop("placeholder", None)  # the label stays visible
    if field.name == next(iter(field.form.errors), None):
        attrs["autofocus"] = True
    if (
        field.form.is_bound
        and not field.errors
        and getattr(field.field.widget, "input_type", "") == "password"
    ):
        # The server sends no password back; without a reload, htmx keeps the field as it was filled in.
        attrs["hx-preserve"] = "true"
    return {"field": field, "label": label or field.label}
