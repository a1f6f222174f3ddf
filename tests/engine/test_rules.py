import json
import pickle
import re
from pathlib import Path

import pytest
from hypothesis import given

from boneyard.engine import presets
from boneyard.engine.errors import InvalidRules
from boneyard.engine.matches import begin
from boneyard.engine.presets import FAMILIES, PRESETS
from boneyard.engine.rules import DEFAULTS, OPTIONS, Rules
from boneyard.engine.tiles import parse

from .positions import SECRET, rules_of
from .reference.options import DEFAULTS as IN_DOCS
from .reference.options import EVERY_OPTION, SWITCHES, WORDS
from .strategies import house_rules

ROOT = Path(__file__).parents[2]
ROWS = json.loads(Path(presets.__file__).with_name("presets.json").read_text())
RULES_DOC = (ROOT / "docs" / "rules.md").read_text()


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row["id"])
def test_preset_equals_its_json(row):
    preset = PRESETS[row["id"]]
    assert json.dumps(preset.rules.written(), sort_keys=True) == json.dumps(row["rules"], sort_keys=True)
    assert (preset.title, preset.rating_pool, preset.source) == (
        row["title"],
        row["rating_pool"],
        row["source"],
    )


@pytest.mark.parametrize("preset", PRESETS.values(), ids=lambda preset: preset.id)
def test_preset_has_its_row_in_the_docs(preset):
    rules = preset.rules
    seats = ", ".join(map(str, rules.players)) + (" (pairs)" if rules.partners else "")
    rated = preset.rated_targets
    others = [f"{rated.start}–{rated.end}"] if rated.end else [*map(str, rated.usual)]
    targets = f" ({', '.join(others)})" if others else ""
    assert (
        f"\n| `{preset.id}` | {preset.title} | {seats} | {rules.target}{targets} "
        f"| `{preset.rating_pool}` | {preset.source} |\n" in RULES_DOC
    ), "docs/rules.md, The presets"


def in_docs(value: object) -> str:
    """Return an option's value as docs/rules.md writes it."""
    if isinstance(value, dict) and list(value) == ["2", "3", "4"]:
        return ", ".join(map(str, value.values()))
    if isinstance(value, list):
        return ", ".join(map(str, value))
    if isinstance(value, dict):
        return f"`{json.dumps(value)}`"
    return value if isinstance(value, str) else json.dumps(value)


def differences(rules: Rules, others: Rules) -> str:
    """Return the values in which `rules` differ, as a row of docs/rules.md lists them."""
    there = others.as_dict()
    return "; ".join(
        f"`{name}` {in_docs(value)}" for name, value in rules.as_dict().items() if value != there[name]
    )


@pytest.mark.parametrize("preset", PRESETS.values(), ids=lambda preset: preset.id)
def test_docs_say_how_presets_differ(preset):
    rows = [differences(preset.rules, PRESETS["all-fives"].rules)] if preset.id != "all-fives" else []
    for row in rows + [differences(earlier, preset.rules) for earlier in preset.earlier]:
        assert f"\n| `{preset.id}` | {row} |\n" in RULES_DOC


def test_rating_families():
    assert FAMILIES == (
        "muggins", "draw", "block", "fives-and-threes", "sebastopol", "latin", "cuban", "jamaican", "kozel",
        "five-up", "bergen",
    )  # fmt: skip


@given(house_rules())
def test_rules_round_trip(rules):
    data = json.loads(json.dumps(rules.as_dict()))
    assert Rules.from_dict(data) == rules
    assert list(data) == [option.name for option in OPTIONS]
    assert pickle.loads(pickle.dumps(rules)) == rules
    assert rules.replace() == rules


def test_options_are_those_of_the_docs():
    assert f"these {len(OPTIONS)} options" in RULES_DOC
    assert EVERY_OPTION == sorted(option.name for option in OPTIONS)
    assert IN_DOCS == DEFAULTS
    for option in OPTIONS:
        if option.kind in ("choice", "optional_choice") and option.name != "set":
            none = {None} if option.kind == "optional_choice" else set()
            assert set(WORDS[option.name]) == {*option.choices} | none
    assert set(SWITCHES) == {option.name for option in OPTIONS if option.kind == "flag"}


def test_options_describe_preset_values():
    by_name = {option.name: option for option in OPTIONS}
    assert by_name["set"].choices == (6, 9, 12)
    assert by_name["pass"].attribute == "pass_"
    assert by_name["target"].kind == "optional_number" and by_name["target"].minimum == 1
    assert by_name["rounds"].maximum == 999
    for preset in PRESETS.values():
        for name, value in preset.rules.as_dict().items():
            if by_name[name].kind == "choice":
                assert value in by_name[name].choices


# preset, changes, the option in the error
IMPOSSIBLE = [
    ("all-fives", {"hand_size": {"2": 15, "3": 5, "4": 5}}, "hand_size"),
    ("all-fives", {"hand_size": {"2": 7, "3": 10, "4": 5}}, "hand_size"),
    ("all-fives", {"hand_size": {"2": 7, "3": 5, "4": 8}}, "hand_size"),
    ("all-fives", {"reserve": {"2": 15, "3": 0, "4": 0}}, "reserve"),
    ("fives-and-threes", {"reserve": {"2": 0, "3": 8, "4": 0}}, "reserve"),
    ("all-fives", {"lead_with": "named"}, "lead_with"),
    ("sebastopol", {"lead_tile": "6-5"}, "spinner"),
    ("sebastopol", {"lead_with": "any"}, "spinner"),
    ("sebastopol", {"next_lead": "winner"}, "spinner"),
    ("sebastopol", {"next_lead_after_block": "rotate"}, "spinner"),
    ("sebastopol", {"first_lead": "lot", "lead_tile": None, "lead_with": "any"}, "spinner"),
    ("block", {"spinner": "cross"}, "spinner"),
    ("draw", {"claims": "muggins"}, "claims"),
    ("draw", {"many_ends": True}, "many_ends"),
    ("draw", {"lead_with": "scoring"}, "lead_with"),
    ("fives-and-threes", {"lead_with": "scoring"}, "lead_with"),
    ("fives-and-threes", {"many_ends": True}, "many_ends"),
    ("all-fives", {"exact": True}, "exact"),
    ("all-fives", {"exact": True, "finish": "at_once", "bonus_ceiling": 80}, "exact"),
    ("all-fives", {"lowest_wins": True, "finish": "at_once"}, "lowest_wins"),
    ("all-fives", {"lowest_wins": True, "finish": "at_once", "exact": True}, "lowest_wins"),
    ("fives-and-threes-pairs", {"finish": "at_once"}, "team_difference"),
    ("fives-and-threes-pairs", {"partners": False}, "team_difference"),
    ("fives-and-threes-pairs", {"players": [2, 4]}, "team_difference"),
    ("all-fives", {"lead_tile": "3-2"}, "lead_tile"),
    ("gomuggins", {"lead_tile": "7-2"}, "lead_tile"),
    ("gomuggins", {"lead_tile": None}, "lead_tile"),
    ("gomuggins", {"max_same_suit": 2}, "max_same_suit"),
    ("gomuggins", {"hand_size": {"2": 10, "3": 7, "4": 7}}, "max_same_suit"),
    ("all-fives", {"bonus_ceiling": 0}, "bonus_ceiling"),
    ("block", {"bonus_ceiling": 99}, "bonus_ceiling"),
    ("block", {"bonus_ceiling": 100, "goal": "exceed"}, "bonus_ceiling"),
    ("all-fives", {"target": 0}, "target"),
    ("draw", {"out_bonus": "none", "blocked_bonus": "none"}, "count"),
    (
        "bones",
        {
            "out_bonus": "none", "blocked_bonus": "none", "out_points": 101, "exact": True,
            "finish": "at_once", "count": "none", "target": 100,
        },
        "count",
    ),
    ("all-fives", {"goal": "exceed", "exact": True, "finish": "at_once"}, "goal"),
    ("all-fives", {"lead_draws": "all"}, "lead_draws"),
    ("gomuggins", {"blocked_unit": "pips"}, "blocked_unit"),
    ("kozel", {"blocked_unit": "pips"}, "blocked_unit"),
    ("muggins-200", {"blocked_unit": "one"}, "blocked_unit"),
    ("muggins-200", {"blocked_unit": None, "bonus_unit": "one"}, "bonus_unit"),
    ("jamaican-partner", {"blocked_unit": "pips"}, "blocked_unit"),
    ("big-six", {"blocked_unit": "one"}, "opening"),
    ("muggins-200", {"partner_pips": "score"}, "partner_pips"),
    ("muggins-200-pairs", {"out_bonus": "losers"}, "partner_pips"),
    ("muggins-200-pairs", {"partners_out": "both"}, "partner_pips"),
    ("muggins-200-pairs", {"team_difference": True}, "partner_pips"),
    ("muggins-200", {"past_target": "round"}, "past_target"),
    ("muggins-200", {"claims": "automatic"}, "call_last"),
    ("all-fives", {"partners_out": "both"}, "partners_out"),
    ("draw", {"target": None}, "target"),
    ("bones", {"target": None, "rounds": 8}, "target"),
    ("gomuggins", {"target": None, "rounds": 8}, "target"),
    ("draw", {"rounds": 1000}, "rounds"),
]  # fmt: skip


@pytest.mark.parametrize(("preset", "changes", "option"), IMPOSSIBLE)
def test_conflict_names_the_option(preset, changes, option):
    with pytest.raises(InvalidRules) as refusal:
        rules_of(preset, **changes)
    assert refusal.value.option == option
    assert refusal.value.params["option"] == option


NO_VALUES = [
    ("set", 7), ("set", "6"), ("set", True), ("set", 6.0), ("set", None), ("players", []), ("players", [1]),
    ("players", [2, 2]), ("players", 2), ("players", "234"), ("players", [True]), ("partners", 1),
    ("partners", None), ("hand_size", 7), ("hand_size", {"2": 7, "3": 5}), ("hand_size", {"2": 7, "3": 5, "4": 0}),
    ("hand_size", {"2": 7, "3": 5, "4": 5, "5": 5}), ("hand_size", {"2": True, "3": 5, "4": 5}),
    ("hand_size", {2: 7, 3: 5, 4: 5}), ("max_same_suit", 0), ("max_same_suit", "4"), ("first_lead", "dice"),
    ("lead_tile", "2-3"), ("lead_tile", 5), ("lead_tile", ""), ("lead_with", "all"), ("next_lead", "loser"),
    ("next_lead_after_block", None), ("spinner", "second"), ("draw", "sometimes"), ("reserve", 0),
    ("reserve", {"2": -1, "3": 0, "4": 0}), ("pass", "never"), ("many_ends", "false"), ("count", "sevens"),
    ("claims", "loud"), ("out_bonus", "all"), ("out_points", -1), ("out_points", 0.5), ("blocked_bonus", ""),
    ("blocked_tie", "dealer"), ("bonus_unit", "tens"), ("bonus_ceiling", -5), ("team_difference", 0),
    ("target", -1), ("target", 1e9), ("target", 10**30), ("target", "100"), ("target", True), ("exact", "no"),
    ("finish", "later"), ("lowest_wins", None), ("extra_rounds", 2),
]  # fmt: skip


@pytest.mark.parametrize(("option", "value"), NO_VALUES)
def test_invalid_value_names_the_option(option, value):
    with pytest.raises(InvalidRules) as refusal:
        Rules.from_dict(PRESETS["all-fives"].rules.as_dict() | {option: value})
    assert refusal.value.option == option


@pytest.mark.parametrize("option", [option.name for option in OPTIONS if option.name not in DEFAULTS])
def test_missing_option_is_refused(option):
    data = PRESETS["all-fives"].rules.as_dict()
    del data[option]
    with pytest.raises(InvalidRules) as refusal:
        Rules.from_dict(data)
    assert (refusal.value.option, refusal.value.code) == (option, "missing_option")


def test_unknown_option_is_refused():
    with pytest.raises(InvalidRules) as refusal:
        Rules.from_dict(PRESETS["all-fives"].rules.as_dict() | {"jokers": 2})
    assert (refusal.value.option, refusal.value.code) == ("jokers", "unknown_option")


@pytest.mark.parametrize("data", [None, [], "all-fives", 6])
def test_rules_must_be_an_object(data):
    with pytest.raises(InvalidRules):
        Rules.from_dict(data)


def test_players_in_any_order():
    assert rules_of(players=[4, 2]).players == (2, 4)


def test_accepted_combinations():
    rules = rules_of("sebastopol", players=[2, 4], hand_size={"2": 14, "3": 1, "4": 7}, lead_tile="4-4")
    assert rules.lead_tile == parse("4-4")
    # Values for a number of seats that the rules do not allow are not checked.
    assert rules_of(players=[2], hand_size={"2": 7, "3": 20, "4": 20}).hand_size.at(3) == 20
    assert rules_of("draw", out_bonus="none", blocked_bonus="none", out_points=1).out_points == 1
    assert rules_of("draw", hand_size={"2": 1, "3": 1, "4": 1}).hand_size.at(2) == 1


@pytest.mark.parametrize(("preset", "seats"), [("sebastopol", 2), ("all-fives", 5), ("all-fives", 1)])
def test_seats_must_be_allowed_by_the_rules(preset, seats):
    with pytest.raises(InvalidRules) as refusal:
        begin(PRESETS[preset].rules, seats, SECRET, "")
    assert refusal.value.option == "players"


def test_browser_verifier_has_the_same_options_and_defaults():
    script = (ROOT / "static" / "js" / "verify" / "options.js").read_text()
    (written,) = re.findall(r"^const DEFAULTS = (\{.*?\});$", script, re.M | re.S)
    data = re.sub(r"(\w+):", r'"\1":', written).replace(",\n}", "\n}")
    assert json.loads(data) == DEFAULTS
    (values,) = re.findall(r"^const OPTIONS = (\{.*?\});$", script, re.M | re.S)
    assert re.findall(r"^  (\w+):", values, re.M) == [option.name for option in OPTIONS]
    for option in OPTIONS:
        words = [choice for choice in option.choices if isinstance(choice, str)]
        assert " ".join(words) in script
