"""The page that checks records, as one file to keep: its scripts and its styles inside, nothing to load."""

import re
from functools import cache

from django.contrib.staticfiles import finders
from django.utils.safestring import SafeString, mark_safe

# In the order in which they need each other; the last one is the page's own.
SCRIPTS = ("tiles", "shuffle", "layout", "settlement", "deal", "match", "record", "page")
STYLES = ("tokens", "base", "page")
_IMPORT = re.compile(r'^import (\{[^}]*\}) from "\./(\w+)\.js";', re.MULTILINE)
_EXPORT = re.compile(r"^export (?=(?:async )?(?:function|const|class) (\w+))", re.MULTILINE)


@cache
def scripts() -> SafeString:
    """The modules of the check as one script, which a page needs no server for: each in a scope of its own."""
    text = "\n".join(_module(name) for name in SCRIPTS)
    return mark_safe(f'<script type="module">\nconst modules = {{}};\n{text}\n</script>')  # noqa: S308 - our own files


def _module(name: str) -> str:
    text = _read(f"js/verify/{name}.js")
    exported = ", ".join(_EXPORT.findall(text))
    body = _EXPORT.sub("", _IMPORT.sub(r"const \1 = modules.\2;", text))
    return f"modules.{name} = (() => {{\n{body}\nreturn {{ {exported} }};\n}})();"


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
