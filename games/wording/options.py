"""All options in words (`OPTION_WORDS`), and names of presets, goals, values and computer levels."""

import re
from typing import Any

from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext, pgettext_lazy

from boneyard.engine.options import MAX_ROUNDS
from boneyard.engine.presets import PRESETS
from boneyard.engine.rules import Rules
from core.languages import get_base_language

from .dealing import DEAL, LEAD
from .language_cache import cached_by_language
from .match_ending import MATCH
from .option_words import OptionWords, Part
from .playing import TURN
from .preset_titles import TITLES
from .round_ending import EXTRA_NAMES, ROUND
from .scoring import POINTS

_LEVELS = {
    "beginner": pgettext_lazy("computer", "beginner"),
    "casual": pgettext_lazy("computer", "casual"),
    "club": pgettext_lazy("computer", "club"),
    "strong": pgettext_lazy("computer", "strong"),
    "master": pgettext_lazy("computer", "master"),
}

# The parts of the rules, with their options in the order of the rules page.
RULES_PARTS: dict[str, Part] = {
    "deal": DEAL,
    "lead": LEAD,
    "turn": TURN,
    "points": POINTS,
    "round": ROUND,
    "match": MATCH,
}
OPTION_WORDS: dict[str, OptionWords] = {
    key: words
    for part in RULES_PARTS.values()
    for key, words in part.items()
    if isinstance(words, OptionWords)
}

# How titles name a target, with what separates it: ", 31", ", exactly 61" and " (61)"; in Spanish ", a 31" and
# " a 61 justos"; in Portuguese ", até 31" and ", 61 exatos"; in Russian " до 61" and " ровно 61".
_TARGET_IN_TITLE = r",? (?:a |até |до |ровно |exactly )?\(?%s\)?(?: justos| exatos)?(?=,|$)"


def preset_title(preset: str) -> str:
    """Return the title of a preset, by its id, in the active language."""
    titles = TITLES.get(get_base_language())
    return titles[preset] if titles else PRESETS[preset].title


def title_for_target(preset: str, target: int | None) -> str:
    """Return the title of a preset; if it names a target and this is another one, without it: *Fives and Threes*."""
    title, usual = preset_title(preset), PRESETS[preset].rules.target
    return title if target == usual else re.sub(_TARGET_IN_TITLE % usual, "", title)


@cached_by_language
def goal_name(rules: Rules) -> str:
    """Return what ends the match: *first to 100*, *first past 100*, *8 rounds*."""
    if rules.target is None:
        n = rules.rounds or MAX_ROUNDS
        return ngettext("%(n)s round", "%(n)s rounds", n) % {"n": n}
    if rules.goal == "exceed":
        text = _("first past %(n)s loses") if rules.lowest_wins else _("first past %(n)s")
    else:
        text = _("first to %(n)s loses") if rules.lowest_wins else _("first to %(n)s")
    return str(text) % {"n": rules.target}


def short_goal_name(rules: Rules) -> str:
    """Return what ends the match where space is short: *to 61*; `goal_name` where reaching the target does not win."""
    if rules.target is None or rules.lowest_wins or rules.goal == "exceed":
        return goal_name(rules)
    return str(_("to %(n)s")) % {"n": rules.target}


def goal_beside(title: str, rules: Rules, *, short: bool = True) -> str:
    """Return what ends the match, to be said beside a title; "" where the title says so: *Muggins, exactly 61*."""
    is_plain = rules.target is not None and rules.goal != "exceed" and not rules.lowest_wins
    if is_plain and re.search(rf"\b{rules.target}\b", title):
        return ""
    return short_goal_name(rules) if short else goal_name(rules)


def extra_name(extra: str) -> str:
    """Return the form's name of an extra."""
    return str(EXTRA_NAMES[extra])


def level_name(level: str) -> str:
    """Return the name of a computer level."""
    return str(_LEVELS[level])


def option_name(option: str) -> str:
    """Return the name of an option; an unknown one unchanged."""
    return str(OPTION_WORDS[option].name) if option in OPTION_WORDS else option


def choice_name(option: str, value: Any) -> str:
    """Return the form's name of a value of a `choice` option."""
    return str(OPTION_WORDS[option].values[value].name)
