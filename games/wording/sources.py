"""The sources of the presets: their names, the sentences that are played, and whose sentence is whose.

The data is in sources.json. Quoted words stay in their language.

>>> [quotation.words for quotation in quotations("gomuggins", "lead_draws", "all")]
['players each draw another tile from the boneyard until somebody has it']
"""

import json
from collections.abc import Iterable
from importlib.resources import files
from typing import Any, NamedTuple

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from boneyard.engine.presets import PRESETS, Preset

# Translatable phrases in the sources of the presets.
_SOURCE_PHRASES = (
    gettext_noop("a mobile game's rule sheet"),
    gettext_noop("a Russian page on Muggins"),
    gettext_noop("played by two pairs"),
    gettext_noop("the variant of one point for five pips"),
    gettext_noop("groups of four"),
    gettext_noop("the league rules of the English pubs"),
    gettext_noop("no drawing, the lead rotates, exactly 61"),
    gettext_noop("a leaflet on dominoes"),
    gettext_noop("two couples"),
    gettext_noop("two teams"),
    gettext_noop("a network Muggins description"),
    gettext_noop("a how-to-play page on Muggins"),
    gettext_noop("after pagat"),
    gettext_noop("two Dominican rule sheets on GitHub"),
    gettext_noop("a Caribbean rule sheet on GitHub"),
    gettext_noop("a regional rule table on GitHub"),
    gettext_noop("two open-source Козёл engines"),
    gettext_noop("gambiter.com copy"),
    gettext_noop("best in pairs"),
    gettext_noop("a Brazilian championship’s rules on livrozilla.com"),
    gettext_noop("a provincial tournament’s rules"),
    gettext_noop("an Indonesian page"),
    gettext_noop("as its players tell it"),
    gettext_noop("25 to begin, 125 to lose"),
)


class Quotation(NamedTuple):
    """A sentence of a source in its own language; `source` is translatable (`translate_source`).

    `in_pairs`: it applies to play in pairs only.
    """

    words: str
    language: str
    source: str
    in_pairs: bool = False


_DATA = json.loads(files(__package__).joinpath("sources.json").read_text("utf-8"))
_ATTRIBUTIONS: dict[str, dict[str, str]] = _DATA["attributions"]


def _key(preset: str, option: str, value: Any) -> tuple[str, str, str]:
    return preset, option, json.dumps(value, sort_keys=True)


def _load_quotations() -> dict[tuple[str, str, str], list[Quotation]]:
    found: dict[tuple[str, str, str], list[Quotation]] = {}
    for row in _DATA["quotations"]:
        quotation = Quotation(row["words"], row["language"], row["source"], row.get("in_pairs", False))
        for preset in row["presets"]:
            for option, value in row["options"].items():
                found.setdefault(_key(preset, option, value), []).append(quotation)
    return found


_QUOTATIONS = _load_quotations()


def source_text(preset: Preset) -> str:
    """Return the source of a preset with its phrases translated."""
    return translate_source(preset.source)


def translate_source(text: str) -> str:
    """Return the name of a source with its phrases translated."""
    for phrase in _SOURCE_PHRASES:
        text = text.replace(phrase, _(phrase))
    return text


def quotations(preset: str, option: str, value: Any) -> tuple[Quotation, ...]:
    """Return the sentences behind this value, as in a record, of a preset's option: its own or a variant's."""
    return tuple(_QUOTATIONS.get(_key(preset, option, value), ()))


def quotations_of_rules(preset: str, seats: int, options: Iterable[str]) -> tuple[Quotation, ...]:
    """Return the sentences behind the preset's own values of these options, for this number of seats."""
    rules = PRESETS[preset].rules
    own, in_pairs = rules.as_dict(), rules.in_pairs(seats)
    found = (each for option in options for each in quotations(preset, option, own[option]))
    return tuple(dict.fromkeys(each for each in found if in_pairs or not each.in_pairs))


def attribution(preset: str, options: Iterable[str]) -> str:
    """Return the source of the preset's values of these options, where it has several sources; else ""."""
    named = _ATTRIBUTIONS.get(preset, {})
    sources = dict.fromkeys(named[option] for option in options if option in named)
    return translate_source("; ".join(sources))
