"""House rules: differences of a table from its preset, as a sentence and as chips."""

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, pgettext_lazy

from boneyard.engine.presets import PRESETS
from boneyard.engine.rules import OPTIONS, Rules
from boneyard.engine.tiles import NAMES

from .effects import affects_play
from .options import choice_name, option_name, preset_title, title_for_target
from .preset_titles import site_title
from .sources import source_text
from .speech import extra_word

_CLAUSES: dict[str, dict[Any, Any]] = {
    "set": {
        6: gettext_lazy("the set is the double-six"),
        9: gettext_lazy("the set is the double-nine"),
        12: gettext_lazy("the set is the double-twelve"),
    },
    "partners": {True: gettext_lazy("in pairs"), False: gettext_lazy("each for themselves")},
    "first_lead": {
        "lot": gettext_lazy("the first lead is drawn by lot"),
        "highest_double": gettext_lazy("the highest double leads first"),
        "lowest_double": gettext_lazy("the lowest double leads first"),
        "double_from_1": gettext_lazy("1-1 leads first, else 2-2 and so on, 0-0 last"),
    },
    "lead_with": {
        "any": gettext_lazy("any tile may be led"),
        "named": gettext_lazy("the tile that won the lead must be led"),
        "scoring": gettext_lazy("a tile that scores must be led"),
    },
    "next_lead": {
        "winner": gettext_lazy("whoever went out leads next"),
        "first": gettext_lazy("each lead is found like the first"),
        "rotate": gettext_lazy("the lead goes round"),
    },
    "next_lead_after_block": {
        "winner": gettext_lazy("the winner of a block leads next"),
        "first": gettext_lazy("after a block the lead is found like the first"),
        "rotate": gettext_lazy("after a block the lead goes round"),
    },
    "spinner": {
        "none": gettext_lazy("there is no spinner"),
        "first": gettext_lazy("the first double is the spinner"),
        "first_enclosed": gettext_lazy("the first enclosed double is the spinner"),
        "first_open": gettext_lazy("the first double is open on all four sides"),
        "cross": gettext_lazy("the lead is open on all four sides"),
        "every": gettext_lazy("every double branches"),
    },
    "draw": {
        "none": gettext_lazy("nobody draws"),
        "until_playable": gettext_lazy("one draws until a tile fits"),
        "free": gettext_lazy("one draws at will"),
    },
    "pass": {
        "stuck": gettext_lazy("one passes only when stuck"),
        "free": gettext_lazy("one may pass at will"),
        "always": gettext_lazy("one may pass at any moment"),
    },
    "many_ends": {
        True: gettext_lazy("several tiles may be laid in one turn"),
        False: gettext_lazy("one tile is laid in a turn"),
    },
    "two_doubles": {
        True: gettext_lazy("two doubles may be laid in one turn"),
        False: gettext_lazy("two doubles take two turns"),
    },
    "count": {
        "none": gettext_lazy("plays score nothing"),
        "fives": gettext_lazy("plays score multiples of five"),
        "fives_by_one": gettext_lazy("plays score a point for each five"),
        "fives_threes": gettext_lazy("plays score a point for each five and each three"),
        "matching": gettext_lazy("plays score when both ends match"),
    },
    "claims": {
        "automatic": gettext_lazy("points are scored automatically"),
        "muggins": gettext_lazy("points count only when claimed"),
    },
    "out_bonus": {
        "opponents": gettext_lazy("going out scores the pips of the others, less the partner's"),
        "losers": gettext_lazy("going out scores the pips of the others"),
        "table": gettext_lazy("going out scores the pips in all hands"),
        "own": gettext_lazy("when somebody goes out the others write their own pips"),
        "none": gettext_lazy("going out brings no bonus"),
    },
    "blocked_bonus": {
        "total": gettext_lazy("a block scores the pips of the others"),
        "difference": gettext_lazy("a block scores the pips of the others less one's own"),
        "chain": gettext_lazy("in a block each scores over each heavier hand"),
        "table": gettext_lazy("a block scores the pips in all hands"),
        "own": gettext_lazy("in a block the losers write their own pips"),
        "none": gettext_lazy("a block brings no bonus"),
    },
    "blocked_winner": {
        "side": gettext_lazy("the lightest hands together win a block"),
        "hand": gettext_lazy("the lightest single hand wins a block"),
        "closer": gettext_lazy("a block is between whoever closed it and the next seat"),
    },
    "blocked_tie": {
        "lightest_tile": gettext_lazy("the lightest tile breaks a tie in a block"),
        "nobody": gettext_lazy("nobody wins a tied block"),
        "leader": gettext_lazy("whoever led wins a tied block"),
        "closer": gettext_lazy("whoever closed a tied block wins it"),
        "carry": gettext_lazy("a tied block is kept for the next winner"),
    },
    "lead_draws": {
        "reserve": gettext_lazy("the draws for the lead leave the reserve"),
        "all": gettext_lazy("one draws for the lead until the tile is found"),
    },
    "call_last": {
        True: gettext_lazy("the last tile can be called"),
        False: gettext_lazy("the last tile cannot be called"),
    },
    "partners_out": {
        "one": gettext_lazy("one partner who is out ends the round"),
        "both": gettext_lazy("a pair is out when both partners are"),
    },
    "partner_pips": {
        "bonus": gettext_lazy("the partner's pips lessen the bonus"),
        "score": gettext_lazy("the partner's pips are taken from the score"),
        "score_unit": gettext_lazy("the partner's pips are taken from the score, counted as bonuses are"),
    },
    "blocked_unit": {
        None: gettext_lazy("a bonus for a block counts as others do"),
        "pips": gettext_lazy("a bonus for a block counts pip for pip"),
        "nearest_five": gettext_lazy("a bonus for a block is rounded to the nearest five"),
        "fifths_nearest": gettext_lazy(
            "a bonus for a block is rounded to the nearest five and divided by five"
        ),
        "fifths_up": gettext_lazy("a bonus for a block is divided by five and rounded up"),
        "one": gettext_lazy("a block is worth one"),
    },
    "goal": {
        "reach": gettext_lazy("reaching the target is enough"),
        "exceed": gettext_lazy("the target must be exceeded"),
    },
    "past_target": {
        "award": gettext_lazy("points past the target cost nothing more"),
        "round": gettext_lazy("points past the target cost the rest of the round"),
    },
    "bonus_unit": {
        "pips": gettext_lazy("bonuses count pip for pip"),
        "nearest_five": gettext_lazy("bonuses are rounded to the nearest five"),
        "fifths_nearest": gettext_lazy("bonuses are rounded to the nearest five and divided by five"),
        "fifths_up": gettext_lazy("bonuses are divided by five and rounded up"),
        "one": gettext_lazy("a round is worth one"),
    },
    "team_difference": {
        True: gettext_lazy("only the difference of a round is scored"),
        False: gettext_lazy("both pairs score"),
    },
    "exact": {
        True: gettext_lazy("the target must be hit exactly"),
        False: gettext_lazy("the target may be passed"),
    },
    "finish": {
        "at_once": gettext_lazy("the match ends the moment the target is reached"),
        "round_end": gettext_lazy("the match ends with a round"),
    },
    "lowest_wins": {
        True: gettext_lazy("the lowest score wins"),
        False: gettext_lazy("the best score wins"),
    },
    "extra_rounds": {
        "one": gettext_lazy("a tie takes one more round"),
        "players": gettext_lazy("a tie takes as many rounds as there are seats"),
    },
}

_CHIPS = {
    ("claims", "muggins"): pgettext_lazy("house rule", "points are called"),
    ("partners", True): pgettext_lazy("house rule", "in pairs"),
    ("spinner", "none"): pgettext_lazy("house rule", "no spinner"),
    ("draw", "none"): pgettext_lazy("house rule", "no drawing"),
    ("draw", "free"): pgettext_lazy("house rule", "drawing at will"),
    ("spinner", "every"): pgettext_lazy("house rule", "every double branches"),
    ("set", 6): pgettext_lazy("house rule", "double-six"),
    ("set", 9): pgettext_lazy("house rule", "double-nine"),
    ("set", 12): pgettext_lazy("house rule", "double-twelve"),
    ("two_doubles", True): pgettext_lazy("house rule", "two doubles at once"),
    ("exact", True): pgettext_lazy("house rule", "exact"),
    ("lowest_wins", True): pgettext_lazy("house rule", "lowest wins"),
}


def rules_sentence(rules: Rules, seats: int, preset: str) -> str:
    """Return the game in one sentence: its preset and the differences."""
    changes = [
        _clause(rules, seats, option) for option in changed_options(rules, PRESETS[preset].rules, seats)
    ]
    title = preset_title(preset)
    if not changes:
        return _("%(game)s, as written.") % {"game": title}
    if PRESETS[preset].is_offered_with(rules):
        params = {"game": title, "changes": _join_clauses(changes), "source": source_text(PRESETS[preset])}
        return _("%(game)s, as written in %(source)s, with this choice: %(changes)s.") % params
    return _("%(game)s, but %(changes)s.") % {"game": title, "changes": _join_clauses(changes)}


def house_rules(rules: Rules, base: Rules, seats: int, *, with_target: bool = True) -> list[str]:
    """Return the differences from a preset with this many seats, in a few words each."""
    # A match without a target has a number of rounds, which is named.
    with_target = with_target and rules.target is not None
    changed = changed_options(rules, base, seats)
    return [_chip(rules, seats, option) for option in changed if option != "target" or with_target]


@lru_cache(1000)
def nearest_preset(rules: Rules, seats: int) -> str:
    """Return the first preset for this many seats with the fewest different options for them."""
    played = [preset for preset in PRESETS if seats in PRESETS[preset].rules.players]
    return min(
        played or PRESETS,
        key=lambda preset: sum(1 for _ in changed_options(rules, PRESETS[preset].rules, seats)),
    )


def game_title(preset: str | None, options: Rules | Mapping[str, Any], seats: int, base: str = "") -> str:
    """Return the title of the preset, or of the site's game with these rules, or of house rules.

    House rules are named after `base`, the preset that they change. If it is unknown, they are named after the nearest
    one with the number of rounds or the first difference.
    """
    if preset:
        return preset_title(preset)
    rules = options if isinstance(options, Rules) else Rules.from_dict(options)
    if title := site_title(rules, seats):
        return title
    if base in PRESETS:
        title = title_for_target(base, rules.target)
        changed = set(changed_options(rules, PRESETS[base].rules, seats))
        return _("%(game)s, house rules") % {"game": title} if changed - {"target"} else title
    nearest = nearest_preset(rules, seats)
    title = title_for_target(nearest, rules.target)
    options_changed = changed_options(rules, PRESETS[nearest].rules, seats)
    first = sorted(options_changed, key=lambda option: option != "rounds")[:1]
    return ", ".join([title, *(_chip(rules, seats, option) for option in first)])


def house_chips(rules: Rules, seats: int, base: str = "") -> list[str]:
    """Return the differences from `base`, else from the nearest preset with this many seats, in a few words each."""
    changed = base if base in PRESETS else nearest_preset(rules, seats)
    return house_rules(rules, PRESETS[changed].rules, seats)


def changed_options(rules: Rules, base: Rules, seats: int) -> Iterator[str]:
    """Yield the options whose difference has an effect with this many seats."""
    for option in OPTIONS:
        # The clause of `first_lead` names the tile.
        is_named = option.name == "lead_tile" and rules.first_lead != base.first_lead
        if not is_named and affects_play(option.name, rules, base, seats):
            yield option.name


def variant_clause(preset: str, changes: Mapping[str, Any], seats: int) -> str:
    """Return what a variant of a preset changes: *the set is the double-nine*."""
    base = PRESETS[preset].rules
    # The values alone are worded, so they need not be valid rules by themselves.
    written = {**base.as_dict(), **changes}
    return _join_clauses([_clause_of(name, written[name], seats) for name in changes])


def _join_clauses(clauses: Sequence[str]) -> str:
    if len(clauses) == 1:
        return clauses[0]
    first = clauses[0]
    for clause in clauses[1:-1]:
        first = _("%(first)s, %(next)s") % {"first": first, "next": clause}
    return _("%(first)s, and %(last)s") % {"first": first, "last": clauses[-1]}


def _clause(rules: Rules, seats: int, option: str) -> str:
    if option in ("first_lead", "lead_tile") and rules.lead_tile is not None:
        return _("%(tile)s leads first") % {"tile": NAMES[rules.lead_tile]}
    return _clause_of(option, rules.as_dict()[option], seats)


def _clause_of(option: str, value: Any, seats: int) -> str:
    if option in _CLAUSES:
        return str(_CLAUSES[option][value])
    n = value[str(seats)] if option in ("hand_size", "reserve") else value
    if option == "hand_size":
        return ngettext("each hand is dealt %(n)s tile", "each hand is dealt %(n)s tiles", n) % {"n": n}
    if option == "reserve":
        if not n:
            return _("every tile can be drawn")
        return ngettext("the last tile is never drawn", "the last %(n)s tiles are never drawn", n) % {"n": n}
    if option == "max_same_suit":
        if n is None:
            return _("no deal is shuffled again")
        return _("no hand is dealt more than %(n)s tiles of one suit") % {"n": n}
    if option == "out_points":
        return ngettext("the last tile scores %(n)s point", "the last tile scores %(n)s points", n) % {"n": n}
    if option == "bonus_ceiling":
        if n is None:
            return _("bonuses have no ceiling")
        return _("a bonus lifts a score to %(n)s at the most") % {"n": n}
    if option == "max_doubles":
        if n is None:
            return _("a hand may have any number of doubles")
        return _("no hand is dealt more than %(n)s doubles") % {"n": n}
    if option == "rounds":
        if n is None:
            return _("the match has no fixed number of rounds")
        return ngettext("the match has %(n)s round", "the match has %(n)s rounds", n) % {"n": n}
    if option == "target" and n is None:
        return _("to no target")
    if option == "extras":
        return _extras_clause(value)
    if option == "opening":
        return _opening_clause(value)
    if option == "lone_pips":
        return _lone_pips_clause(value)
    return _("to %(n)s") % {"n": n}


def _extras_clause(extras: Mapping[str, Any]) -> str:
    """Return *points beside the pips: capicúa 25, …*."""
    if not extras:
        return _("no points beside the pips")
    return _("points beside the pips: %(extras)s") % {"extras": list_extras(extras)}


def list_extras(extras: Mapping[str, Any]) -> str:
    """Return the values of the option `extras` as a list in words."""
    return ", ".join(
        f"{extra_word(name)} {'/'.join(map(str, worth)) if isinstance(worth, list) else worth}"
        for name, worth in extras.items()
    )


def _opening_clause(opening: Mapping[str, Any] | None) -> str:
    if opening is None:
        return _("any points open a score")
    if opening["kept"]:
        return _("a score opens with %(points)s, less is kept") % opening
    return _("a score opens with %(points)s, less is lost") % opening


def _lone_pips_clause(lone: Mapping[str, int]) -> str:
    if not lone:
        return _("every hand counts its pips")
    return ", ".join(_("%(tile)s alone counts %(n)s") % {"tile": tile, "n": n} for tile, n in lone.items())


def _chip(rules: Rules, seats: int, option: str) -> str:
    value = rules.as_dict()[option]
    if option in ("extras", "opening", "lone_pips"):
        return _clause(rules, seats, option)
    if isinstance(value, dict):
        value = value[str(seats)]
    if (option, value) in _CHIPS:
        return str(_CHIPS[option, value])
    if option in ("target", "rounds"):
        return _clause(rules, seats, option)
    if option == "reserve" and value:
        return ngettext("%(n)s kept back", "%(n)s kept back", value) % {"n": value}
    if value is None or value is False:
        word = _("no")
    elif value is True:
        word = _("yes")
    elif isinstance(value, int) and option != "set" or option == "lead_tile":
        word = str(value)
    else:
        word = choice_name(option, value)
    return _("%(option)s: %(value)s") % {"option": option_name(option), "value": word}
