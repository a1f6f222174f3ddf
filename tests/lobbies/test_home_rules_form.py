"""Options that are objects on the form: fields of their own, or JSON from a program; targets that stay rated."""

import json

import pytest

from boneyard.engine.presets import PRESETS
from lobbies.models import Table
from tests.html import collapse_whitespace
from tests.lobbies.test_form import fields_of, preview


def made(browser, preset: str, **fields: str) -> Table:
    answer = browser.post("/tables/new", {"preset": preset, "clock": "300+5"} | fields)
    assert answer.status_code == 303, collapse_whitespace(answer.content.decode())
    return Table.objects.get()


def refused(browser, preset: str, **fields: str) -> str:
    answer = browser.post("/tables/new", {"preset": preset, "clock": "300+5"} | fields)
    assert answer.status_code == 422
    return collapse_whitespace(answer.content.decode())


def test_extras_have_a_field_each(alice, browser_of):
    browser = browser_of(alice)
    fields = fields_of(browser.get("/tables/new?preset=dominican").content.decode())
    assert fields["rule-extras-capicua"] == "25"
    assert fields["rule-extras-block"] == ""
    row = made(browser, **(fields | {"rule-extras-capicua": "30", "rule-extras-rounds": "100, 50"}))
    extras = row.rules["extras"]
    assert (extras["capicua"], extras["chucha"], extras["rounds"]) == (30, 25, [100, 50])
    assert row.changed


def test_all_extras_can_be_removed(alice, browser_of):
    browser = browser_of(alice)
    fields = fields_of(browser.get("/tables/new?preset=dominican").content.decode())
    empty = {name: "" for name in fields if name.startswith("rule-extras-")}
    assert made(browser, **(fields | empty)).rules.get("extras", {}) == {}


@pytest.mark.parametrize(
    ("option", "fields", "value"),
    [
        ("opening", {"rule-opening-points": "12", "rule-opening-kept": "1"}, {"points": 12, "kept": True}),
        ("opening", {"rule-opening": '{"points": 12, "kept": false}'}, {"points": 12, "kept": False}),
        ("lone_pips", {"rule-lone_pips": "0-0 25, 6-6 50"}, {"0-0": 25, "6-6": 50}),
        ("lone_pips", {"rule-lone_pips": '{"6-6": 50}'}, {"6-6": 50}),
        ("extras", {"rule-extras": '{"block": 10}'}, {"block": 10}),
        ("max_doubles", {"rule-max_doubles": "4"}, 4),
        ("two_doubles", {"rule-two_doubles": "true"}, True),
        ("blocked_tie", {"rule-blocked_tie": "carry"}, "carry"),
    ],
)
def test_each_option_can_be_a_house_rule(alice, browser_of, option, fields, value):
    assert made(browser_of(alice), "draw", **fields).rules[option] == value


@pytest.mark.parametrize(
    ("preset", "fields", "sentence"),
    [
        ("draw", {"rule-extras": '{"luck": 5}'}, "Points beside the pips: "),
        ("draw", {"rule-extras": "{"}, "Points beside the pips: a whole number from 0 to 1000000."),
        ("all-fives", {"rule-extras-capicua": "25"}, "a capicúa needs a line of two ends: no spinner."),
        ("draw", {"rule-extras-pass_round": "25"}, "passes bring points only where nobody draws"),
        ("draw", {"rule-opening-points": "3x"}, "Points to open with: a whole number from 1 to 1000000."),
        ("draw", {"rule-opening-points": "101"}, "Points to open with: more than the target."),
        (
            "draw",
            {"rule-lone_pips": "9-9 5"},
            "What a tile counts that is left alone: this tile is not in the set.",
        ),
        ("draw", {"rule-out_bonus": "own", "rule-blocked_bonus": "own"}, "the lowest score must win."),
        ("draw", {"rule-lone_pips": "0-0 25 6-6"}, "What a tile counts that is left alone: "),
        ("draw", {"rule-lone_pips": "0-0 25 0-0 30"}, "What a tile counts that is left alone: "),
        ("draw", {"rule-lone_pips": ", ".join(["6-6 50"] * 20)}, "What a tile counts that is left alone: "),
        ("draw", {"rule-call_last": "true"}, "only where points are claimed."),
        ("all-fives", {"target": "null"}, "First to: give a target, or a number of rounds."),
        ("draw", {"rule-rounds": "1000"}, "Rounds of the match: "),
    ],
)
def test_invalid_option_is_refused_by_name(alice, browser_of, preset, fields, sentence):
    assert sentence in refused(browser_of(alice), preset, **fields)


def test_rated_target_stays_rated(alice, browser_of):
    browser = browser_of(alice)
    told = preview(browser, preset="all-fives", target="150", rated="on")
    assert "it casual" not in told
    row = made(browser, "all-fives", target="150", rated="on")
    assert (row.rated, row.changed, row.rules["target"]) == (True, False, 150)
    assert json.loads(json.dumps(row.rules)) == PRESETS["all-fives"].rules.replace(target=150).written()


@pytest.mark.parametrize(("preset", "target"), [("all-fives", "19"), ("all-fives", "501"), ("kozel", "125")])
def test_other_target_is_casual(alice, browser_of, preset, target):
    assert "This target makes it casual." in preview(
        browser_of(alice), preset=preset, target=target, rated="on"
    )


def test_rated_targets_are_offered(alice, browser_of):
    page = collapse_whitespace(browser_of(alice).get("/tables/new?preset=all-fives").content.decode())
    for target in (50, 100, 150, 200, 250):
        assert f'<option value="{target}"></option>' in page


@pytest.mark.parametrize(
    ("query", "label"),
    [
        ("preset=block", "First past"),
        ("preset=all-fives", "First to"),
        ("preset=block&rule-goal=reach", "First to"),
    ],
)
def test_label_of_the_target_says_whether_it_must_be_exceeded(alice, browser_of, query, label):
    page = collapse_whitespace(browser_of(alice).get(f"/tables/new?{query}").content.decode())
    assert f'<label class="field">{label} <input type="text" name="target"' in page or (
        f'<label class="field">{label}<input type="text" name="target"' in page
    )
