"""The kinds of score sheets: data for every game of the site and for games on paper."""

import json

import pytest
from django.http import QueryDict
from django.test import Client

from boneyard.engine.presets import PRESETS
from nights.sheet_kinds import PLAIN_KINDS, list_kinds
from nights.written_sheet import WrittenSheet, read_sheet

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
        ("forty-two", {"sides": [2], "inPairs": [2], "target": 7, "byPips": False}),
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


def write(**fields: object) -> WrittenSheet:
    data = QueryDict(mutable=True)
    for name, value in fields.items():
        data.setlist(name, [str(each) for each in value] if isinstance(value, list) else [str(value)])
    return read_sheet(data, list_kinds())


def test_train_without_scripts_has_a_row_for_each_double_and_the_lowest_sum_wins():
    names = ["Ann", "Bob", "", "Dan"]
    points = [each for _round in range(13) for each in (0, 10, 20, 5)]
    sheet = write(game="mexican-train", sides=4, name=names, point=points)
    assert [hand.title for hand in sheet.hands] == [f"{double}-{double}" for double in range(12, -1, -1)]
    assert sheet.sums == (0, 130, 260, 65)
    assert sheet.outcome == "Ann wins, 0 – 130 – 260 – 65."
    assert write(game="mexican-train", sides=4, name=names, point=points[:-4]).outcome == ""


def test_equal_sums_share_a_train_and_play_on_to_a_target():
    shared = write(game="chickenfoot", sides=2, point=[7, 7] * 10)
    assert shared.outcome == "Side 1, Side 2 share it, 70 – 70."
    assert write(game="points", sides=2, point=[100, 100]).outcome == ""


def test_forty_two_is_for_two_pairs():
    sheet = write(game="forty-two", point=["1", "0"] * 7)
    assert sheet.names == ("Pair 1", "Pair 2") and sheet.outcome == "Pair 1 wins, 7 – 0."
    assert write(game="forty-two-250", point=["210", "42", "42", "0"]).winners == (0,)


@pytest.mark.parametrize(
    ("fields", "sums"),
    [
        ({}, (0, 0)),
        ({"game": "no such", "sides": "99"}, (0, 0)),
        ({"game": "points", "sides": "²"}, (0, 0)),
        ({"point": ["12", "five", "−3", "1e9"]}, (9, 0)),
        ({"point": ["1"] * 5000}, (60, 60)),
        ({"point": ["999999999", "7"]}, (0, 7)),
    ],
)
def test_odd_values_are_left_out(fields, sums):
    assert write(**fields).sums == sums


def test_points_stay_with_their_sides_when_another_one_joins():
    sheet = write(game="points", columns=2, sides=3, point=[10, 20, 30, 40])
    assert sheet.sums == (40, 60, 0)
    assert write(game="points", columns=3, sides=2, point=[10, 20, 5, 30, 40, 5]).sums == (40, 60)
    assert write(game="points", columns="x", sides=2, point=[10, 20]).sums == (10, 20)


def test_only_hands_that_have_a_row_are_added_up():
    sheet = write(game="mexican-train-9", sides=2, point=[1, 2] * 12)
    assert (len(sheet.hands), sheet.sums) == (10, (10, 20))


def test_points_that_are_no_number_are_marked():
    first = write(point=["five", "3"]).hands[0]
    assert [field.is_wrong for field in first.fields] == [True, False]
    assert first.fields[0].text == "five"


def test_nobody_has_won_while_an_entry_is_wrong():
    assert write(game="points", sides=2, point=["500", "3"]).outcome
    assert not write(game="points", sides=2, point=["500", "3", "five", "0"]).outcome


def test_page_says_that_an_entry_is_wrong(client, db):
    said = "The marked entries are not whole numbers."
    assert said in client.get("/score/?game=points&sides=2&point=five&point=3").content.decode()
    assert said not in client.get("/score/?game=points&sides=2&point=5&point=3").content.decode()


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("language", "words"),
    [("", "Ann wins"), ("/ru", "Побеждает Ann"), ("/es", "Gana Ann"), ("/pt", "Ann vence")],
)
def test_page_without_scripts_adds_up_in_each_language(language, words):
    address = f"{language}/score/?game=mexican-train-9&sides=2&name=Ann&name=Bob"
    page = Client().get(address + "&point=1&point=2" * 10).content.decode()
    sheet = page.partition('class="written-sheet"')[2].partition("</form>")[0]
    assert words in sheet and "10 – 20" in sheet and 'value="Ann"' in sheet
    assert sheet.count('name="point"') == 20
