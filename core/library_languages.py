"""Sentences of libraries that have a language under another code, and of a language before its region."""

import gettext
from collections.abc import Iterable
from pathlib import Path

import django
from django.apps import apps
from django.conf import settings
from django.utils.translation import to_locale, trans_real

from core.languages import get_base_language

# The site's Portuguese is Brazil's; in Django `pt` is Portugal's, and allauth has no `pt`.
LIBRARY_LOCALES = {"pt": "pt_BR"}


def load_library_locales() -> None:
    """Put the libraries' sentences of `LIBRARY_LOCALES` under the site's own of the same language.

    A language of a region gets its base's sentences over the libraries', and its own over both.
    """
    folders = [Path(django.__file__).parent / "conf"]
    folders += [Path(app.path) for app in reversed(list(apps.get_app_configs()))]
    for language, locale in LIBRARY_LOCALES.items():
        _merge(language, [folder / "locale" for folder in folders], locale)
        _merge(language, settings.LOCALE_PATHS, to_locale(language))
    for code, _name in settings.LANGUAGES:
        base = get_base_language(code)
        if code != base:
            _merge(code, settings.LOCALE_PATHS, to_locale(base))
            _merge(code, settings.LOCALE_PATHS, to_locale(code))


def _merge(language: str, folders: Iterable[Path], locale: str) -> None:
    for folder in folders:
        file = folder / locale / "LC_MESSAGES" / "django.mo"
        if file.is_file():
            # Opened here: found by gettext, `pt_BR` would add `pt` to the fallbacks of every language.
            with file.open("rb") as opened:
                trans_real.translation(language).merge(gettext.GNUTranslations(opened))
