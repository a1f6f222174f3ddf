"""Old and new values in the admin's log: stored beside the names of changed fields, told in the reader's language."""

from collections.abc import Iterable, Mapping
from typing import Any

from django import forms
from django.http import HttpRequest
from django.utils.text import Truncator, capfirst
from django.utils.translation import gettext as _
from django.utils.translation import override

MAX_VALUE_CHARACTERS = 80
NOTHING = "–"
Change = tuple[str, Any, Any]  # language or "", old and new value


class LoggedValues:
    """A mixin for model admins whose log has the values before and after a change."""

    def construct_change_message(
        self, request: HttpRequest, form: forms.Form, formsets: Iterable[Any], add: bool = False
    ) -> list[dict[str, dict[str, Any]]]:
        message: list[dict[str, dict[str, Any]]]
        message = super().construct_change_message(request, form, formsets, add)  # type: ignore[misc]
        if form.changed_data and not add:
            with override(None):
                message[0]["changed"]["values"] = [_list_changes(form, name) for name in form.changed_data]
        return message


def describe_values(changed: Mapping[str, Any]) -> str:
    """Return the changes of fields as "Field: old → new", or "" where the log has no values."""
    lines = []
    for label, changes in zip(changed["fields"], changed.get("values", ()), strict=False):
        for language, old, new in changes:
            where = f" ({language})" if language else ""
            lines.append(f"{translate_label(label)}{where}: {_show(old)} → {_show(new)}")
    return "; ".join(lines)


def translate_label(label: str) -> str:
    """Return the name of a field in the active language.

    Django stores it with a capital letter; the catalogues have most of them without.
    """
    translated = str(_(label))
    return translated if translated != label else str(capfirst(_(label[:1].lower() + label[1:])))


def _list_changes(form: forms.Form, name: str) -> list[Change]:
    """Return the changes of a field, one for each language of a text in several."""
    old, new = form.initial.get(name), form.cleaned_data.get(name)
    if isinstance(old, dict) or isinstance(new, dict):
        before, after = old or {}, new or {}
        return [
            (language, before.get(language, ""), after.get(language, ""))
            for language in sorted({*before, *after})
            if before.get(language) != after.get(language)
        ]
    choices = dict(getattr(form.fields[name], "choices", ()))
    return [("", _store(old, choices), _store(new, choices))]


def _store(value: Any, choices: Mapping[Any, Any]) -> Any:
    """Return a value as it is kept in the log: a flag, or a text."""
    if isinstance(value, bool):
        return value
    if isinstance(value, list | tuple):
        return ", ".join(str(choices.get(each, each)) for each in value)
    if value is None:
        return ""
    return ", ".join(str(choices.get(value, value)).split("\n"))


def _show(value: Any) -> str:
    if isinstance(value, bool):
        return _("Yes") if value else _("No")
    return (
        Truncator(_(value)).chars(MAX_VALUE_CHARACTERS) if value else NOTHING
    )  # names of choices are translated
