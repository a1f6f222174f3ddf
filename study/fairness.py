"""The page that checks records, as one file to keep: its scripts and its styles inside, nothing to load."""

import re
from functools import cache

from django.contrib.staticfiles import finders
from django.utils.safestring import SafeString, mark_safe

# In the order in which they need each other; the last one is the page's own.
SCRIPTS = ("tiles", "shuffle", "layout", "settlement", "deal", "match", "record", "page")
STYLES = ("tokens", "base", "page")
_IMPORT = re.compile(r"^import [^;]*;\n", re.MULTILINE)
_EXPORT = re.compile(r"^export (?=(async |)function|const|class)", re.MULTILINE)


@cache
def scripts() -> SafeString:
    """The modules of the check as one script, which a page needs no server for."""
    text = "\n".join(_EXPORT.sub("", _IMPORT.sub("", _read(f"js/verify/{name}.js"))) for name in SCRIPTS)
    return mark_safe(f'<script type="module">\n{text}</script>')  # noqa: S308 - our own files


@cache
def styles() -> SafeString:
    """The styles of such a page."""
    text = "\n".join(_read(f"css/{name}.css") for name in STYLES)
    return mark_safe(f"<style>\n{text}</style>")  # noqa: S308 - our own files


def _read(name: str) -> str:
    path = finders.find(name)
    if path is None:
        raise FileNotFoundError(name)
    with open(path, encoding="utf-8") as file:
        return file.read()
