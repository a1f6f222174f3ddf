"""Tests of the sentence that explains who leads a round."""

import re

import pytest
from django.utils import translation

from boneyard.engine import matches
from boneyard.engine.perspective import View, perspective
from boneyard.engine.presets import PRESETS
from games import repository
from games.table.public_view import get_public_view
from games.wording import lead_sentence, next_lead_sentence
from tests.games.playing import begin, play

NAMES = ["mara", "bob", "eva", "tiago"]


@pytest.fixture(autouse=True)
def in_english():
    with translation.override("en"):
        yield


def view_before_lead(preset: str, seats: int, seed: int, **changes) -> View:
    rules = PRESETS[preset].rules
    rules = rules.replace(**changes) if changes else rules
    return perspective(matches.begin(rules, seats, bytes([seed]) * 32, "a1b2."), None)


def sentence_for(view: View) -> str:
    return lead_sentence(view, NAMES)


def views_before_lead(preset: str, seats: int, **changes) -> list[View]:
    return [view_before_lead(preset, seats, seed, **changes) for seed in range(40)]


def test_all_lots_are_named():
    for view in views_before_lead("all-fives", 3):
        sentence = sentence_for(view)
        leads, others = sentence.split(", the highest, and leads (")
        # A lot is often in the other's hand: the lots are a shuffle of their own.
        assert leads.startswith(f"Before the deal {NAMES[view.leader]} drew ")
        assert all(name in others for seat, name in enumerate(NAMES[:3]) if seat != view.leader)


def test_highest_double_is_named():
    view = next(
        view for view in views_before_lead("block-doublet", 2) if view.named is not None and view.leader == 1
    )
    assert sentence_for(view).startswith("bob holds ")
    assert sentence_for(view).endswith(", the highest double, and leads")


def test_draws_for_the_lead_tile_are_explained():
    drawn = [view for view in views_before_lead("gomuggins", 2) if view.tiles[0] > 7]
    assert drawn
    for view in drawn:
        more = view.tiles[view.leader] - 7
        assert f"each drew {more} tile" in sentence_for(view)
        assert sentence_for(view).startswith("Nobody was dealt 3-2: ")


def test_holder_of_the_lead_tile_leads():
    held = [view for view in views_before_lead("gomuggins", 2) if view.tiles[0] == 7]
    assert {sentence_for(view) for view in held} <= {"mara holds 3-2 and leads", "bob holds 3-2 and leads"}


def played_to_the_second_round(preset: str, seats: int) -> View:
    match = matches.begin(PRESETS[preset].rules, seats, bytes(32), "a1b2.")
    while not match.ended:
        match = match.play(match.turn, next(iter(match.legal_moves)))
    return perspective(match, None)


def test_winner_of_the_round_before_leads():
    view = played_to_the_second_round("all-fives", 2)
    assert sentence_for(view) == f"{NAMES[view.leader]} won the round before and leads"


def test_winner_leads_the_next_round_while_the_last_is_displayed():
    view = played_to_the_second_round("all-fives", 2)
    assert next_lead_sentence(view, NAMES) == f"{NAMES[view.leader]} won the round and leads the next one"
    own_names = ["" if seat == view.leader else name for seat, name in enumerate(NAMES)]
    assert next_lead_sentence(view, own_names) == "You won the round and lead the next one"
    rotating = played_to_the_second_round("fives-and-threes-league", 2)
    assert next_lead_sentence(rotating, NAMES) == sentence_for(rotating)
    # It says so, too, where the winner of the round leads the next one.
    assert sentence_for(rotating) == f"The lead passes to {NAMES[rotating.leader]}"
    decided = played_to_the_second_round("bergen", 2)
    assert next_lead_sentence(decided, NAMES) == f"Next round · {sentence_for(decided)}"


@pytest.mark.django_db
def test_round_panel_says_who_leads_the_next_round(alice, bob, browser_of):
    match = begin(alice, bob, preset="all-fives")
    while not repository.get_value(match).ended:
        match = play(match)
    leader = repository.get_value(match).round.leader
    page = browser_of((alice, bob)[leader]).get(match.get_absolute_url()).content.decode()
    (panel,) = re.findall(r'<section id="round-end".*?</section>', page, re.DOTALL)
    assert "You won the round and lead the next one." in panel
    assert "the round before" not in panel


def test_rotating_lead_is_passed_on():
    view = played_to_the_second_round("fives-and-threes-league", 2)
    assert sentence_for(view) == f"The lead passes to {NAMES[view.leader]}"


def test_lead_sentence_is_not_cached_by_code_alone():
    for seed in range(5):
        value = matches.begin(PRESETS["all-fives"].rules, 3, bytes([seed]) * 32, "a1b2.")
        assert (
            get_public_view("code", value, NAMES[:3], None).lead
            == f"{sentence_for(perspective(value, None))}."
        )


def test_lines_do_not_break_inside_tile_names(alice, bob, browser_of):
    page = browser_of(alice).get(f"/games/{begin(alice, bob).code}/").content.decode()
    sentences = re.findall(r'<(?:p id="lead-note"|li id="before-1")[^>]*>(.*?)</(?:p|li)>', page)
    assert len(sentences) == 2
    for sentence in sentences:
        names = re.findall(r"\d-\d", sentence)
        assert names
        assert all(f"<i>{name}</i>" in sentence for name in names)
