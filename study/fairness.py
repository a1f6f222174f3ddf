"""The page that checks records, as one file to keep: its scripts and its styles inside, nothing to load."""

import re
from collections.abc import Mapping
from functools import cache
from typing import Any

from django.contrib.staticfiles import finders
from django.utils.safestring import SafeString, mark_safe

from games.engine.presets import PRESETS

# In the order in which they need each other; the last one is the page's own.
SCRIPTS = (
    "tiles", "shape", "shuffle", "layout", "legal", "together", "options", "settlement", "deal", "table", "match",
    "record", "page",
)  # fmt: skip
STYLES = ("tokens", "base", "page", "verify")
SIGNS = {"good": "check", "bad": "warn"}  # the icon of each outcome of a record
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


@cache
def signs() -> SafeString:
    """The icons of the outcomes themselves: a page on its own has no sprite."""
    sprite = _read("img/icons.svg")
    found = []
    for outcome, name in SIGNS.items():
        drawn = re.search(rf'<symbol id="{name}" viewBox="0 0 20 20">(.*?)</symbol>', sprite)
        if drawn is None:
            raise LookupError(name)
        found.append(
            f'<svg class="icon is-{outcome}" viewBox="0 0 20 20" aria-hidden="true">{drawn[1]}</svg>'
        )
    return mark_safe("".join(found))  # noqa: S308 - our own files


@cache
def presets() -> dict[str, Any]:
    """The options of one preset; by the id of each what it has otherwise, its other targets, and what its earlier
    versions had otherwise."""
    usual = next(iter(PRESETS.values())).rules.as_dict()
    games = {}
    for preset in PRESETS.values():
        own = preset.rules.as_dict()
        games[preset.id] = {
            "differing": _differing(own, usual),
            "targets": preset.rated_targets,
            "earlier": [_differing(rules.as_dict(), own) for rules in preset.earlier],
        }
    return {"usual": usual, "games": games}


def _differing(options: Mapping[str, Any], usual: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in options.items() if value != usual[name]}


def _read(name: str) -> str:
    path = finders.find(name)
    if path is None:
        raise FileNotFoundError(name)
    with open(path, encoding="utf-8") as file:
        return file.read()
