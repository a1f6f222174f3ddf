"""What decided the lead is told: at the table, in the list of moves and to those who listen."""

import re

import pytest
from django.utils import translation

from games.engine import matches
from games.engine.perspective import View, perspective
from games.engine.presets import PRESETS
from games.table.public_view import common
from games.wording import lead_sentence
from tests.games.playing import begin

NAMES = ["mara", "bob", "eva", "tiago"]


@pytest.fixture(autouse=True)
def in_english():
    with translation.override("en"):
        yield


def begun(preset: str, seats: int, seed: int, **changes) -> View:
    rules = PRESETS[preset].rules
    rules = rules.replace(**changes) if changes else rules
    return perspective(matches.begin(rules, seats, bytes([seed]) * 32, "a1b2."), None)


def told(view: View) -> str:
    return lead_sentence(view, NAMES)


def some(preset: str, seats: int, **changes) -> list[View]:
    return [begun(preset, seats, seed, **changes) for seed in range(40)]


def test_the_lots_are_all_named():
    for view in some("all-fives", 3):
        sentence = told(view)
        leads, others = sentence.split(", the highest, and leads (")
        assert leads.startswith(f"{NAMES[view.leader]} drew ")
        assert all(name in others for seat, name in enumerate(NAMES[:3]) if seat != view.leader)


def test_a_highest_double_is_named():
    view = next(view for view in some("block-doublet", 2) if view.named is not None and view.leader == 1)
    assert told(view).startswith("bob holds ")
    assert told(view).endswith(", the highest double, and leads")


def test_why_hands_begin_with_more_tiles_than_were_dealt_is_said():
    drawn = [view for view in some("gomuggins", 2) if view.tiles[0] > 7]
    assert drawn
    for view in drawn:
        more = view.tiles[view.leader] - 7
        assert f"each drew {more} tile" in told(view)
        assert told(view).startswith("Nobody was dealt 3-2: ")


def test_who_was_dealt_the_named_tile_holds_it():
    held = [view for view in some("gomuggins", 2) if view.tiles[0] == 7]
    assert {told(view) for view in held} <= {"mara holds 3-2 and leads", "bob holds 3-2 and leads"}


def played_to_the_second_round(preset: str, seats: int) -> View:
    match = matches.begin(PRESETS[preset].rules, seats, bytes(32), "a1b2.")
    while not match.ended:
        match = match.play(match.turn, next(iter(match.legal_moves)))
    return perspective(match, None)


def test_the_winner_of_the_round_before_leads_the_next():
    view = played_to_the_second_round("all-fives", 2)
    assert told(view) == f"{NAMES[view.leader]} won the round before and leads"


def test_a_lead_that_goes_round_is_passed_on():
    view = played_to_the_second_round("fives-and-threes-league", 2)
    assert told(view) == f"The lead passes to {NAMES[view.leader]}"


def test_of_another_match_that_has_the_same_code_nothing_is_told_on():
    for seed in range(5):
        value = matches.begin(PRESETS["all-fives"].rules, 3, bytes([seed]) * 32, "a1b2.")
        assert common("code", value, NAMES[:3], None).lead == f"{told(perspective(value, None))}."


def test_no_line_of_the_note_or_of_the_list_ends_inside_a_tiles_name(alice, bob, browser_of):
    page = browser_of(alice).get(f"/games/{begin(alice, bob).code}/").content.decode()
    told = re.findall(r'<(?:p id="lead-note"|li id="before-1")[^>]*>(.*?)</(?:p|li)>', page)
    assert len(told) == 2
    for sentence in told:
        names = re.findall(r"\d-\d", sentence)
        assert names
        assert all(f"<i>{name}</i>" in sentence for name in names)
