"""The data of the create-table form: fields that are missing or repeat their initial value get the game's own."""

from django import forms
from django.http import QueryDict

from boneyard.engine.option_kinds import Option
from boneyard.engine.presets import PRESETS
from boneyard.engine.rules import OPTION, OPTIONS, Rules
from lobbies.fields import MAX_FIELD_LENGTH, PARTS, compose_parts, format_value, parse_seats

FIRST_PRESET = "all-fives"
FIRST_CLOCK = "300+5"
NO_TARGET = "null"  # in the field `target`: only a fixed number of rounds


def field_of(option: Option) -> str:
    """Return the name of an option's field."""
    return "target" if option.name == "target" else f"rule-{option.name}"


def is_known_field(name: str) -> bool:
    """Return whether `name` is a field `rule-OPTION`, or `rule-OPTION-PART` of an option with parts."""
    option, _dash, part = name.removeprefix("rule-").partition("-")
    return option in OPTION and (not part or part in PARTS.get(OPTION[option].kind, ()))


def initial_data(data: QueryDict) -> QueryDict:
    """Return the data of a new form, from the query of an address, which may contain anything."""
    proposed = data.copy()
    if proposed.get("preset") not in PRESETS:
        proposed["preset"] = FIRST_PRESET
    proposed.setdefault("clock", FIRST_CLOCK)
    return proposed


def reset_for_other_game(data: QueryDict) -> QueryDict:
    """Return the data; if another game was chosen, with that game's rules, target and, if needed, seats."""
    preset = data.get("preset", "")
    if preset not in PRESETS or data.get("initial-preset", preset) == preset:
        return data
    reset = data.copy()
    for name in list(reset):
        if name.startswith(("rule-", "initial-rule-")) or name in ("target", "variant"):
            del reset[name]
    players = PRESETS[preset].rules.players
    if reset.get("seats", "") not in map(str, players):
        reset["seats"] = str(players[0])
    return reset


def complete_data(data: QueryDict, rules: Rules, preset: str) -> QueryDict:
    """Fill the data with the game's own values: for missing fields and for those that repeat their initial value."""
    full = data.copy()
    seats, written = entered_seats(data, rules), rules.as_dict()
    full["initial-preset"] = preset
    full["clock"] = data.get("clock", "").strip()[:16] or FIRST_CLOCK
    full["target"] = (data.get("target", "").strip() or data.get("rule-target", "").strip())[
        :MAX_FIELD_LENGTH
    ]
    if not data.get("seats", "").strip():
        full["seats"] = str(seats)
    for option in OPTIONS:
        if option.name in ("players", "target"):
            continue
        name, usual = field_of(option), format_value(option, written[option.name], seats)
        text = data.get(name)
        if text is None and option.kind in PARTS:
            text = full[name] = compose_parts(option, data) or usual
        if text is None or text.strip() == data.get(f"initial-{name}"):
            full[name] = usual
        full[f"initial-{name}"] = usual
    return full


def propose(preset: str, rules: Rules, seats: int) -> dict[str, str]:
    """Return the query of an address whose form proposes these rules."""
    own, written = PRESETS[preset].rules.as_dict(), rules.as_dict()
    changed = [option for option in OPTIONS if written[option.name] != own[option.name]]
    return {"preset": preset, "seats": str(seats)} | {
        field_of(option): NO_TARGET
        if option.name == "target" and rules.target is None
        else format_value(option, written[option.name], seats)
        for option in changed
        if option.name != "players"
    }


def entered_seats(data: QueryDict, rules: Rules) -> int:
    """Return the number of seats to render the form for."""
    try:
        return parse_seats(data.get("seats", ""), rules)
    except forms.ValidationError:
        return rules.players[0]
