"""Names of presets, options, option values and computer levels."""

import re
from collections.abc import Mapping
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import get_language, ngettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from boneyard.engine.options import MAX_ROUNDS
from boneyard.engine.presets import PRESETS
from boneyard.engine.rules import Rules

from .language_cache import cached_by_language
from .preset_titles import TITLES

_LEVELS = {
    "beginner": pgettext_lazy("computer", "beginner"),
    "casual": pgettext_lazy("computer", "casual"),
    "club": pgettext_lazy("computer", "club"),
    "strong": pgettext_lazy("computer", "strong"),
    "master": pgettext_lazy("computer", "master"),
}

_OPTIONS = {
    "set": _("Set"),
    "players": _("Players"),
    "partners": _("Four seats play in pairs"),
    "hand_size": _("Tiles in a hand"),
    "max_same_suit": _("Most tiles of one suit in a hand"),
    "max_doubles": _("Most doubles in a hand"),
    "first_lead": _("Who leads first"),
    "lead_tile": _("The tile that leads"),
    "lead_draws": _("Draws for the tile that leads"),
    "lead_with": _("What may be led"),
    "next_lead": _("Who leads later rounds"),
    "next_lead_after_block": _("Who leads after a block"),
    "spinner": _("Spinner"),
    "draw": _("Drawing"),
    "reserve": _("Tiles that stay in the boneyard"),
    "pass": _("Passing"),
    "many_ends": _("Several tiles in one turn"),
    "two_doubles": _("Two doubles in one turn"),
    "count": _("Points of a play"),
    "claims": _("Claiming points"),
    "call_last": _("The points of the last tile can be called"),
    "partners_out": _("When a pair is out"),
    "out_bonus": _("Bonus for going out"),
    "partner_pips": _("The partner's pips"),
    "out_points": _("Points for the last tile"),
    "blocked_bonus": _("Bonus after a block"),
    "blocked_winner": _("Who wins a block"),
    "blocked_tie": _("A tie after a block"),
    "bonus_unit": _("How bonuses are counted"),
    "blocked_unit": _("How a bonus for a block is counted"),
    "bonus_ceiling": _("Ceiling for bonuses"),
    "extras": _("Points beside the pips"),
    "opening": _("Points to open with"),
    "lone_pips": _("What a tile counts that is left alone"),
    "team_difference": _("Pairs score only the difference"),
    "target": _("First to"),
    "goal": _("What a score needs"),
    "exact": _("The target must be hit exactly"),
    "past_target": _("After points past the target"),
    "finish": _("When the match ends"),
    "lowest_wins": _("The lowest score wins"),
    "extra_rounds": _("Rounds after a tie"),
    "rounds": _("Rounds of the match"),
}

_EXTRAS = {
    "capicua": _("Out with a tile that fits both ends (capicúa)"),
    "capicua_blank": _("The same with a blank half"),
    "chucha": _("Out with 0-0 (chuchazo)"),
    "pass_lead": _("The seat after the leader passes"),
    "pass_round": _("All others pass"),
    "block": _("Winning a block"),
    "rounds": _("For the first rounds won, by number"),
}

_LEADERS = {
    "winner": _("the winner of the round"),
    "first": _("as in the first round"),
    "rotate": _("the next seat"),
}

_UNITS = {
    "pips": _("pip for pip"),
    "nearest_five": _("to the nearest five"),
    "fifths_nearest": _("to the nearest five, divided by five"),
    "fifths_up": _("divided by five, rounded up"),
    "one": _("a round is worth one"),
}

_CHOICES: Mapping[str, Mapping[Any, Promise | str]] = {
    "set": {6: _("double-six"), 9: _("double-nine"), 12: _("double-twelve")},
    "first_lead": {
        "lot": _("by lot"),
        "highest_double": _("the highest double"),
        "lowest_double": _("the lowest double"),
        "double_from_1": _("1-1, else 2-2 and so on, 0-0 last"),
        "tile": _("a named tile"),
    },
    "lead_with": {
        "any": _("any tile"),
        "named": _("only the tile that won the lead"),
        "scoring": _("a tile that scores"),
    },
    "next_lead": _LEADERS,
    "next_lead_after_block": _LEADERS,
    "spinner": {
        "none": pgettext_lazy("spinner", "none"),
        "first": _("the first double"),
        "first_enclosed": _("the first double enclosed"),
        "first_open": _("the first double, open at once"),
        "cross": _("the lead, all four sides at once"),
        "every": _("every double"),
    },
    "draw": {
        "none": pgettext_lazy("drawing", "never"),
        "until_playable": _("until a tile fits"),
        "free": _("at will"),
    },
    "pass": {
        "stuck": _("only when stuck"),
        "free": _("at will, when nothing can be drawn"),
        "always": _("at will, at any moment"),
    },
    "count": {
        "none": pgettext_lazy("points", "none"),
        "fives": _("the count, if a multiple of five"),
        "fives_by_one": _("a point for each five"),
        "fives_threes": _("a point for each five and each three"),
        "matching": _("two or three when both ends match"),
    },
    "claims": {"automatic": _("scored automatically"), "muggins": _("claimed, or called by others")},
    "out_bonus": {
        "opponents": _("the pips of the others, less the partner's"),
        "losers": _("the pips of the others"),
        "table": _("the pips in all hands"),
        "own": _("the others write their own pips"),
        "none": pgettext_lazy("bonus", "none"),
    },
    "blocked_bonus": {
        "total": _("the pips of the others"),
        "difference": _("those less one's own"),
        "chain": _("each over each heavier"),
        "table": _("the pips in all hands"),
        "own": _("the others write their own pips"),
        "none": pgettext_lazy("bonus", "none"),
    },
    "blocked_winner": {
        "side": _("the lightest hands together"),
        "hand": _("the lightest single hand"),
        "closer": _("whoever closed it, or the next seat"),
    },
    "blocked_tie": {
        "lightest_tile": _("the lightest tile wins"),
        "nobody": _("nobody wins"),
        "leader": _("whoever led wins"),
        "closer": _("whoever closed it wins"),
        "carry": _("kept for the next winner"),
    },
    "bonus_unit": _UNITS,
    "blocked_unit": {None: _("as other bonuses"), **_UNITS},
    "lead_draws": {"reserve": _("as far as the reserve allows"), "all": _("until it is found")},
    "partner_pips": {
        "bonus": _("less in the bonus"),
        "score": _("taken from the score"),
        "score_unit": _("taken from the score, counted as bonuses are"),
    },
    "partners_out": {"one": _("when one partner is out"), "both": _("when both partners are out")},
    "goal": {"reach": _("reaching the target"), "exceed": _("exceeding the target")},
    "past_target": {
        "award": _("only those are refused"),
        "round": _("nothing more in that round"),
    },
    "finish": {"at_once": _("at once"), "round_end": _("when a round ends")},
    "extra_rounds": {"one": _("one more"), "players": _("one for each seat")},
}

# How titles name a target, with what separates it: ", 31", ", exactly 61" and " (61)"; in Spanish ", a 31" and
# " a 61 justos"; in Russian " до 61" and " ровно 61".
_TARGET_IN_TITLE = r",? (?:a |до |ровно |exactly )?\(?%s\)?(?: justos)?(?=,|$)"


def preset_title(preset: str) -> str:
    """Return the title of a preset, by its id, in the active language."""
    titles = TITLES.get((get_language() or "")[:2])
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


def extra_name(extra: str) -> str:
    """Return the form's name of an extra."""
    return str(_EXTRAS[extra])


def level_name(level: str) -> str:
    """Return the name of a computer level."""
    return str(_LEVELS[level])


def option_name(option: str) -> str:
    """Return the name of an option; an unknown one unchanged."""
    return str(_OPTIONS.get(option, option))


def choice_name(option: str, value: Any) -> str:
    """Return the form's name of a value of a `choice` option."""
    return str(_CHOICES[option][value])
