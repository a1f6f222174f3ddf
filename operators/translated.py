"""A text in every language of the site: a model field, its form field, and how a reader's text is chosen."""

from collections.abc import Mapping
from typing import Any

from django import forms
from django.db import models
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe
from django.utils.text import capfirst

from core.languages import get_base_language, list_base_languages

Texts = Mapping[str, str]  # by language code


def get_own_text(texts: Texts, language: str = "") -> str:
    """Return the text in `language` (default: the active one), else ""."""
    return texts.get(get_base_language(language), "")


def choose_text(texts: Texts, language: str = "") -> str:
    """Return the text in `language` (default: the active one), else in the first language that has one, else ""."""
    return get_own_text(texts, language) or texts.get(find_other_language(texts), "")


def find_other_language(texts: Texts) -> str:
    """Return the first language that has a text, for readers in whose language there is none; "" if none has."""
    return next((code for code, _name in list_base_languages() if texts.get(code)), "")


def find_foreign_language(texts: Texts) -> str:
    """Return the language of `choose_text` if it is not the active one, else ""."""
    return "" if get_own_text(texts) else find_other_language(texts)


class TranslatedWidget(forms.MultiWidget):
    """One input for each language, labelled with its name."""

    def __init__(self, widget: type[forms.Widget], attrs: dict[str, Any]) -> None:
        inputs: dict[str, forms.Widget | type[forms.Widget]] = {
            code: widget(attrs=attrs | {"lang": code, "aria-label": name})
            for code, name in list_base_languages()
        }
        super().__init__(inputs)

    def _render(self, template_name: str, context: dict[str, Any], renderer: Any = None) -> SafeString:
        lines = (
            (widget["attrs"]["lang"], renderer.render(widget["template_name"], {"widget": widget}))
            for widget in context["widget"]["subwidgets"]
        )
        line = '<span class="translated-line"><b aria-hidden="true">{}</b>{}</span>'
        joined = format_html_join("\n", line, ((code, mark_safe(html)) for code, html in lines))  # noqa: S308  Django's
        return format_html('<div class="translated-texts">{}</div>', joined)

    def decompress(self, value: Texts | None) -> list[str]:
        return [(value or {}).get(code, "") for code, _name in list_base_languages()]


class TranslatedFormField(forms.MultiValueField):
    """A text in every language; a language may stay empty."""

    def __init__(self, *, max_length: int | None, lines: int, **options: Any) -> None:
        options.pop("encoder", None)
        options.pop("decoder", None)
        widget, attrs = (
            (forms.Textarea, {"rows": lines, "cols": 80}) if lines > 1 else (forms.TextInput, {"size": 80})
        )
        options["widget"] = TranslatedWidget(widget, attrs)
        fields = [
            forms.CharField(required=False, max_length=max_length) for _language in list_base_languages()
        ]
        super().__init__(fields=fields, require_all_fields=False, **options)

    def compress(self, data_list: list[str]) -> dict[str, str]:
        pairs = zip(list_base_languages(), data_list or [], strict=False)
        return {code: text for (code, _name), text in pairs if text}


class TranslatedField(models.JSONField):
    """A text in every language, stored as an object by language code."""

    def __init__(self, *args: Any, max_length: int | None = None, lines: int = 1, **options: Any) -> None:
        self.text_length, self.lines = max_length, lines
        options.setdefault("default", dict)
        super().__init__(*args, **options)

    def formfield(self, **options: Any) -> Any:
        options.pop("form_class", None)
        options.pop("widget", None)
        defaults = {
            "required": not self.blank,
            "label": capfirst(self.verbose_name),
            "help_text": self.help_text,
        }
        return TranslatedFormField(max_length=self.text_length, lines=self.lines, **defaults | options)
