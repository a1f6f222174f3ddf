"""The values that the fields of a table's form take, for the OpenAPI file: from the code that reads them."""

from collections.abc import Callable, Mapping

from accounts.pauses import CallPause, ComputerPause
from boneyard.computer.players import LEVELS
from boneyard.engine.option_kinds import SEATS, Option
from boneyard.engine.presets import PRESETS
from boneyard.engine.rules import OPTIONS
from core.json_schema import Schema, one_of
from lobbies.clocks import CLOCK_CHOICES
from lobbies.form_data import field_of

TICKED = one_of("on", "")
COMMITMENT: Schema = {
    "type": "string",
    "pattern": "^([0-9a-f]{64})?$",
    "description": "SHA-256 of the nonce, in hex; empty to add nothing",
}
NONCE: Schema = {"type": "string", "pattern": "^[0-9a-z]{0,64}$"}
CLOCK: Schema = {
    "type": "string",
    "pattern": r"^(none|[1-9]d|\d{1,5}\+\d{1,3})?$",
    "description": "seconds for the match + seconds for each move, days for each move, or none",
    "examples": list(CLOCK_CHOICES),
}
LEVEL = one_of("", *LEVELS)
SEAT: Schema = {"type": "integer", "minimum": 0, "maximum": SEATS[-1] - 1}


def _whole(option: Option) -> Schema:
    return {"type": "integer", "minimum": option.minimum, "maximum": option.maximum}


def _choice(option: Option) -> Schema:
    return {"enum": [*option.choices]}


def _json(pattern: str, example: str) -> Callable[[Option], Schema]:
    return lambda option: {"type": "string", "pattern": pattern, "examples": [example]}


_SCHEMA_OF: Mapping[str, Callable[[Option], Schema]] = {
    "choice": _choice,
    "optional_choice": lambda option: {"enum": ["null", *option.choices]},
    "flag": lambda option: one_of("true", "false"),
    "number": _whole,
    "optional_number": lambda option: {"anyOf": [_whole(option), one_of("null")]},
    "by_seats": _json(r"^(\d+|\{.*\})$", '{"2": 7, "3": 5, "4": 5}'),
    "players": _json(r"^\[.*\]$", "[2, 3, 4]"),
    "tile": _json(r"^(\d+-\d+|null)$", "6-6"),
    "extras": _json(r"^\{.*\}$", '{"capicua": 30}'),
    "opening": _json(r"^(\{.*\}|null)$", '{"points": 10, "kept": true}'),
    "lone_pips": _json(r"^(\{.*\}|(\d+-\d+ \d+(, )?)*)$", "0-0 25"),
}

RULES: Mapping[str, Schema] = {field_of(option): _SCHEMA_OF[option.kind](option) for option in OPTIONS}
TABLE_FIELDS: Mapping[str, Schema] = {
    **RULES,
    "preset": one_of(*PRESETS),
    "seats": {"enum": list(SEATS)},
    "clock": CLOCK,
    "computers": {
        "type": "string",
        "pattern": f"^(({'|'.join(LEVELS)})?,?)*$",
        "description": "levels by seat, separated by commas; empty for a person",
    },
    "target": {"type": "string", "pattern": r"^(\d{1,7}|none)?$"},
    "variant": {"type": "string", "description": "a variant of the preset (`/rules/PRESET/`)"},
    "rated": TICKED,
    "private": TICKED,
    "call_pause": {"enum": [*CallPause.values]},
    "computer_pause": {"enum": [*ComputerPause.values]},
    "commitment": COMMITMENT,
}
