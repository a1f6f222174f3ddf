"""House rules: differences of a table from its preset, as a sentence and as chips."""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

from django.utils.translation import gettext as _

from boneyard.engine.presets import PRESETS
from boneyard.engine.rules import Rules

from .changes import changed_options, mark_options, value_at
from .option_words import NO
from .options import OPTION_WORDS, preset_title, title_for_target
from .preset_titles import site_title
from .sources import source_text


def rules_sentence(rules: Rules, seats: int, preset: str) -> str:
    """Return the game in one sentence: its preset and the differences."""
    changed = list(changed_options(rules, PRESETS[preset].rules, seats))
    changes = [_clause(rules, seats, option) for option in changed]
    title = preset_title(preset)
    if not changes:
        return _("%(game)s, as written.") % {"game": title}
    if changed == ["target"]:
        return f"{title}, {changes[0]}."
    if PRESETS[preset].is_offered_with(rules):
        params = {"game": title, "changes": _join_clauses(changes), "source": source_text(PRESETS[preset])}
        return _("%(game)s, as written in %(source)s, with this choice: %(changes)s.") % params
    return _("%(game)s, but %(changes)s.") % {"game": title, "changes": _join_clauses(changes)}


def house_rules(
    rules: Rules, base: Rules, seats: int, *, with_target: bool = True, with_rounds: bool = True
) -> list[str]:
    """Return the differences from a preset with this many seats, in a few words each."""
    # A match without a target has a number of rounds, which is named.
    with_target = with_target and rules.target is not None
    changed = changed_options(rules, base, seats)
    named = {"target": with_target, "rounds": with_rounds}
    return [name_difference(rules, seats, option) for option in changed if named.get(option, True)]


@lru_cache(1000)
def nearest_preset(rules: Rules, seats: int) -> str:
    """Return the first preset for this many seats with the fewest different options for them."""
    played = [preset for preset in PRESETS if seats in PRESETS[preset].rules.players]
    return min(
        played or PRESETS,
        key=lambda preset: sum(1 for _ in changed_options(rules, PRESETS[preset].rules, seats)),
    )


def game_title(
    preset: str | None,
    options: Rules | Mapping[str, Any],
    seats: int,
    base: str = "",
    *,
    with_rounds: bool = True,
) -> str:
    """Return the title of the preset, or of the site's game with these rules, or of house rules.

    House rules are named after `base`, the preset that they change. If it is unknown, they are named after the nearest
    one with the number of rounds or the first difference; only with their title if that is the number of rounds and it
    is said elsewhere (not `with_rounds`).
    """
    if preset:
        return preset_title(preset)
    rules = options if isinstance(options, Rules) else Rules.from_dict(options)
    if title := site_title(rules, seats):
        return title
    if base in PRESETS:
        title = title_for_target(base, rules.target)
        has_house_rules = "house" in mark_options(PRESETS[base], rules, seats).values()
        return _("%(game)s, house rules") % {"game": title} if has_house_rules else title
    nearest = nearest_preset(rules, seats)
    title = title_for_target(nearest, rules.target)
    options_changed = changed_options(rules, PRESETS[nearest].rules, seats)
    first = sorted(options_changed, key=lambda option: option != "rounds")[:1]
    if first == ["rounds"] and not with_rounds:
        return title
    return ", ".join([title, *(name_difference(rules, seats, option) for option in first)])


def house_chips(rules: Rules, seats: int, base: str = "") -> list[str]:
    """Return the differences from `base`, else from the nearest preset with this many seats, in a few words each.

    Rounds that end the match stand beside the score, not among them.
    """
    changed = base if base in PRESETS else nearest_preset(rules, seats)
    return house_rules(rules, PRESETS[changed].rules, seats, with_rounds=rules.target is not None)


def variant_clause(changes: Mapping[str, Any], seats: int) -> str:
    """Return what a variant of a preset changes: *the set is the double-nine*."""
    return _join_clauses([_clause_of(name, value, seats) for name, value in changes.items()])


def _join_clauses(clauses: Sequence[str]) -> str:
    if len(clauses) == 1:
        return clauses[0]
    first = clauses[0]
    for clause in clauses[1:-1]:
        first = _("%(first)s, %(next)s") % {"first": first, "next": clause}
    return _("%(first)s, and %(last)s") % {"first": first, "last": clauses[-1]}


def _clause(rules: Rules, seats: int, option: str) -> str:
    if option == "first_lead" and rules.lead_tile is not None:
        option = "lead_tile"
    return _clause_of(option, rules.as_dict()[option], seats)


def _clause_of(option: str, value: Any, seats: int) -> str:
    words = OPTION_WORDS[option]
    if words.clause is None:
        return str(words.values[value].clause)
    return words.clause(value_at(value, option, seats))


def name_difference(rules: Rules, seats: int, option: str) -> str:
    """Return the value of an option in a few words: *no spinner*."""
    words, value = OPTION_WORDS[option], value_at(rules.as_dict()[option], option, seats)
    if chip := words.chip(value) or (words.values and words.values[value].chip):
        return str(chip)
    shown = NO if value is None else words.values[value].name if words.values else value
    return _("%(option)s: %(value)s") % {"option": words.name, "value": shown}
