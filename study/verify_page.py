"""Build the assets of the verify page, inlined so that the saved page works offline."""

import re
from collections.abc import Mapping
from functools import cache
from typing import Any

from django.contrib.staticfiles import finders
from django.utils.safestring import SafeString, mark_safe

from boneyard.engine.presets import PRESETS

# In the order of their imports.
SCRIPTS = (
    "tiles", "validation", "shuffle", "layout", "legal", "settlement", "options", "preset", "deal", "state", "match",
    "record", "page",
)  # fmt: skip
STYLES = ("tokens", "base", "page", "verify")
ICONS = {"good": "check", "bad": "warn"}
_IMPORT = re.compile(r'^import (\{[^}]*\}) from "\./(\w+)\.js";', re.MULTILINE)
_EXPORT = re.compile(r"^export (?=(?:async )?(?:function|const|class) (\w+))", re.MULTILINE)


@cache
def scripts() -> SafeString:
    """Bundle the modules into one script, each in its own function scope."""
    text = "\n".join(_module(name) for name in SCRIPTS)
    return mark_safe(f'<script type="module">\nconst modules = {{}};\n{text}\n</script>')  # noqa: S308 - our own files


def _module(name: str) -> str:
    text = _read(f"js/verify/{name}.js")
    exported = ", ".join(_EXPORT.findall(text))
    body = _EXPORT.sub("", _IMPORT.sub(r"const \1 = modules.\2;", text))
    return f"modules.{name} = (() => {{\n{body}\nreturn {{ {exported} }};\n}})();"


@cache
def styles() -> SafeString:
    """Return the styles as one style element."""
    text = "\n".join(_read(f"css/{name}.css") for name in STYLES)
    return mark_safe(f"<style>\n{text}</style>")  # noqa: S308 - our own files


@cache
def icons() -> SafeString:
    """Return the icons as inline SVG: a saved page has no sprite."""
    sprite = _read("img/icons.svg")
    svgs = []
    for outcome, name in ICONS.items():
        symbol = re.search(rf'<symbol id="{name}" viewBox="0 0 20 20">(.*?)</symbol>', sprite)
        if symbol is None:
            raise LookupError(name)
        svgs.append(
            f'<svg class="icon is-{outcome}" viewBox="0 0 20 20" aria-hidden="true">{symbol[1]}</svg>'
        )
    return mark_safe("".join(svgs))  # noqa: S308 - our own files


@cache
def preset_rules() -> dict[str, Any]:
    """Return the options of the first preset, and for each preset how its options differ from them.

    Each entry also lists the rated targets, the differences of earlier versions of the preset, and its variants.
    """
    default_options = next(iter(PRESETS.values())).rules.as_dict()
    presets = {}
    for preset in PRESETS.values():
        options = preset.rules.as_dict()
        presets[preset.id] = {
            "differing": _differences(options, default_options),
            "targets": preset.rated_targets._asdict(),
            "earlier": [_differences(rules.as_dict(), options) for rules in preset.earlier],
            "variants": preset.variants,
            "together": preset.together,
        }
    return {"usual": default_options, "games": presets}


def _differences(options: Mapping[str, Any], default_options: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in options.items() if value != default_options[name]}


def _read(name: str) -> str:
    path = finders.find(name)
    if path is None:
        raise FileNotFoundError(name)
    with open(path, encoding="utf-8") as file:
        return file.read()
