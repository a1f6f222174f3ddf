"""A field of a form as our pages show it."""

from typing import Any

from django import template
from django.forms import BoundField

register = template.Library()


@register.inclusion_tag("accounts/_field.html")
def field(field: BoundField, label: str = "", help: str = "") -> dict[str, Any]:
    """The field with its label, its help and what is wrong with it; `label` and `help` instead of the form's own."""
    field.help_text = help or field.help_text  # Django ties it, and the errors, to the field by their ids
    field.field.widget.attrs.pop("placeholder", None)  # the label says it, and stays
    return {"field": field, "label": label or field.label}
