"""The options and their values, as docs/rules.md has them, "The options". conflicts.py has their conflicts."""

import json
import re
from pathlib import Path

from tests.engine.reference.tiles import parse_tile, whole_set

SPECIFICATION = (Path(__file__).parents[3] / "docs" / "rules.md").read_text()
TABLES = SPECIFICATION.partition("\n## The options\n")[2].partition("\n`count` turns a count")[0]
# The column of values by option: "`one` (default), `both`".
COLUMN: dict[str, str] = dict(re.findall(r"^\| `(\w+)` \| (.+?) \| .+ \|$", TABLES, re.M))


def _read(value: str) -> object:
    """Return a value as in a record: a word, or JSON."""
    word = value.removeprefix("`").removesuffix("`")
    return word if word.isidentifier() and word != value else json.loads(word)


def _words(column: str) -> list:
    return [_read(value) for value in column.replace(" (default)", "").split(", ")]


DEFAULTS: dict = {
    option: _read(value)
    for option, column in COLUMN.items()
    for value in re.findall(r"(\S+) \(default\)", column)
}
WORDS = {
    option: _words(column)
    for option, column in COLUMN.items()
    if re.fullmatch(r"(?:`\w+`(?: \(default\))?(?:, )?)+", column)
}
WORDS["blocked_unit"] = [None, *WORDS["bonus_unit"]]
SWITCHES = [option for option, column in COLUMN.items() if column in ("true, false", "false (default), true")]
EVERY_OPTION = sorted(COLUMN)
CAPICUAS = ["capicua", "capicua_blank", "capicua_double"]
EXTRAS = [*CAPICUAS, "double", "chucha", "pass_lead", "pass_round", "block"]


def wrong_values(rules: dict) -> list[str]:
    """Return one sentence for each option that is missing, unknown or has an invalid value."""
    if sorted({**DEFAULTS, **rules}) != EVERY_OPTION:
        return ["an option is missing or unknown"]
    rules = {**DEFAULTS, **rules}
    wrong = [f"{option} has no such value" for option in WORDS if rules[option] not in WORDS[option]]
    wrong += [f"{option} is true or false" for option in SWITCHES if type(rules[option]) is not bool]
    return wrong + _numbers(rules) + _tables(rules) + _objects(rules)


def is_whole_number(value: object, minimum: int) -> bool:
    return type(value) is int and value >= minimum


def in_set(text: object, highest: int) -> bool:
    try:
        return parse_tile(str(text)) in whole_set(highest)
    except ValueError:
        return False


def _numbers(rules: dict) -> list[str]:
    wrong = []
    if type(rules["set"]) is not int or rules["set"] not in (6, 9, 12):
        wrong.append("set is 6, 9 or 12")
    if not is_whole_number(rules["out_points"], 0):
        wrong.append("out_points is a number")
    if rules["rounds"] is not None and not (is_whole_number(rules["rounds"], 1) and rules["rounds"] <= 999):
        wrong.append("rounds is a number from 1 to 999 or null")
    limited = (("bonus_ceiling", 1), ("max_same_suit", 3), ("max_doubles", 2), ("target", 1))
    for option, minimum in limited:
        if rules[option] is not None and not is_whole_number(rules[option], minimum):
            wrong.append(f"{option} is a number from {minimum} or null")
    return wrong


def _tables(rules: dict) -> list[str]:
    wrong = []
    players = rules["players"]
    if not isinstance(players, list) or not players or sorted(set(players) & {2, 3, 4}) != sorted(players):
        wrong.append("players are some of 2, 3, 4")
    for option, minimum in (("hand_size", 1), ("reserve", 0)):
        sizes = rules[option]
        if not isinstance(sizes, dict) or sorted(sizes) != ["2", "3", "4"]:
            wrong.append(f"{option} is given for 2, 3 and 4")
        elif not all(is_whole_number(size, minimum) for size in sizes.values()):
            wrong.append(f"{option} is a number of tiles")
    return wrong


def _objects(rules: dict) -> list[str]:
    wrong = []
    if not _are_extras(rules["extras"]):
        wrong.append("extras are numbers by name, and a list of at most ten for rounds")
    opening = rules["opening"]
    if opening is not None and not _is_opening(opening):
        wrong.append("opening is null or has points from 1 and kept")
    pips = rules["lone_pips"]
    if not isinstance(pips, dict) or not all(is_whole_number(number, 1) for number in pips.values()):
        wrong.append("lone_pips are numbers from 1 by tile")
    return wrong


def _are_extras(extras: object) -> bool:
    if not isinstance(extras, dict) or not set(extras) <= {*EXTRAS, "rounds"}:
        return False
    rounds = extras.get("rounds", [])
    if not isinstance(rounds, list) or len(rounds) > 10:
        return False
    numbers = [*rounds, *(value for name, value in extras.items() if name != "rounds")]
    return all(is_whole_number(number, 0) for number in numbers)


def _is_opening(opening: object) -> bool:
    return (
        isinstance(opening, dict)
        and sorted(opening) == ["kept", "points"]
        and is_whole_number(opening["points"], 1)
        and type(opening["kept"]) is bool
    )
