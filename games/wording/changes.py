"""Which options of a table differ from its game's, and whether its source allows their values.

>>> from boneyard.engine.presets import PRESETS
>>> preset = PRESETS["all-fives"]
>>> mark_options(preset, preset.rules.replace(spinner="first_open", draw="none", target=150), 2)
{'spinner': 'allowed', 'draw': 'house', 'target': 'target'}
"""

from collections.abc import Iterator
from typing import Any, Literal

from boneyard.engine.presets import Preset
from boneyard.engine.rules import OPTION, OPTIONS, Rules

from .effects import affects_play, drop_idle_changes

Mark = Literal["target", "allowed", "house"]


def changed_options(rules: Rules, base: Rules, seats: int) -> Iterator[str]:
    """Yield the options whose difference has an effect with this many seats."""
    rules = drop_idle_changes(rules, base, seats)
    for option in OPTIONS:
        # The clause of `first_lead` names the tile.
        is_named = option.name == "lead_tile" and rules.first_lead != base.first_lead
        if not is_named and affects_play(option.name, rules, base, seats):
            yield option.name


def mark_options(preset: Preset, rules: Rules, seats: int) -> dict[str, Mark]:
    """Return of each option that differs whether it is the target, as the source allows, or a house rule."""
    changed = list(changed_options(rules, preset.rules, seats))
    if preset.variants_in(rules) is not None:
        return {name: _mark(name, is_allowed=True) for name in changed}
    written = rules.as_dict()
    allowed = {name for name in changed if _is_allowed(preset, name, written[name], seats)}
    for group in preset.together:
        chosen = {name for name, value in group.items() if name in allowed and written[name] == value}
        if chosen and chosen != {name for name in group if preset.rules.as_dict()[name] != group[name]}:
            allowed -= chosen
    return {name: _mark(name, is_allowed=name in allowed) for name in changed}


def _mark(option: str, *, is_allowed: bool) -> Mark:
    return "target" if option == "target" else "allowed" if is_allowed else "house"


def _is_allowed(preset: Preset, option: str, value: Any, seats: int) -> bool:
    """Return whether the source names this value; of hands and reserves, with this many seats."""
    shown = value_at(value, option, seats)
    return any(value_at(each, option, seats) == shown for each in preset.variants.get(option, ()))


def value_at(value: Any, option: str, seats: int) -> Any:
    """Return a value of an option, as in a record, for this many seats."""
    return value[str(seats)] if OPTION[option].kind == "by_seats" else value
