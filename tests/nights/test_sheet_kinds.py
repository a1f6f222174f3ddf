"""The kinds of score sheets: data for every game of the site and for games on paper."""

import json

import pytest
from django.test import Client

from boneyard.engine.presets import PRESETS
from nights.sheet_kinds import PLAIN_KINDS, list_kinds

KINDS = {kind.name: kind for kind in list_kinds()}


def test_every_game_has_a_sheet():
    added_up = {name for name, preset in PRESETS.items() if preset.rules.reset == "none"}
    assert set(KINDS) == {*added_up, *(kind.name for kind in PLAIN_KINDS)}
    assert set(PRESETS) - added_up == {"six-love-partner", "six-love-cutthroat"}
    assert all(kind.sides and (kind.target or kind.doubles) for kind in KINDS.values())


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("dominican", {"sides": [2], "inPairs": [2], "target": 200, "byPips": True, "unit": 0}),
        ("all-fives", {"sides": [2, 3, 4], "inPairs": [], "target": 100, "byPips": False, "unit": 1}),
        ("muggins-200", {"target": 200, "unit": 5}),
        ("muggins-exact-61", {"exact": True, "unit": 1}),
        ("kozel", {"lowest": True, "byPips": False}),
        ("jamaican-partner", {"target": 6, "byPips": False}),  # a point for a win, not for pips
        ("brazilian-pairs", {"target": 6, "byPips": False, "extras": []}),
        ("gaple", {"target": 201, "byPips": True, "sides": [4]}),
        ("mexican-train", {"lowest": True, "doubles": 12, "target": None, "sides": [2, 3, 4, 5, 6, 7, 8]}),
    ],
)
def test_sheet_follows_the_rules_of_its_game(name, expected):
    data = KINDS[name].to_json()
    assert {key: data[key] for key in expected} == expected


def test_extras_are_those_of_the_game():
    assert {extra["name"] for extra in KINDS["dominican"].to_json()["extras"]} >= {"capicua"}
    assert KINDS["venezuelan"].to_json()["extras"] == []


@pytest.mark.django_db
def test_page_has_every_kind_and_says_what_it_needs_without_scripts():
    page = Client().get("/score/").content.decode()
    assert page.count("data-kind=") == len(KINDS)
    assert "so it needs scripts" in page and "paper-sheet" in page
    assert json.dumps(KINDS["kozel"].to_json()).replace('"', "&quot;") in page
