"""What the page of a match shows at the end of a round, and at its own."""

import re

import pytest
from django.urls import reverse

from games import repository
from games.engine.tiles import NAMES
from games.services import connections
from tests.games.playing import begin, play
from tests.games.test_table_page import Buttons, frame
from tests.html import collapse_whitespace

pytestmark = pytest.mark.django_db


def test_the_end_of_a_round_lays_all_hands_open(alice, bob):
    match = begin(alice, bob)
    while not repository.get_value(match).ended:
        match = play(match)
    text = frame(match, alice)
    assert match.playing
    opened = re.search(r'<section[^>]*id="round-end".*?</section>', text, re.DOTALL)[0]
    for hand in repository.get_value(match).ended[-1].remaining:
        for tile in hand:
            assert f'aria-label="{NAMES[tile]}"' in opened
    assert Buttons(opened).one("Continue")["form"] == "continue"
    assert play(match) and 'id="round-end"' in frame(match, alice)


def test_while_the_end_of_a_round_is_shown_it_is_still_that_round_and_nobody_is_asked_to_move(alice, bob):
    match = begin(alice, bob)
    while not repository.get_value(match).ended:
        match = play(match)
    for seat in match.seats.all():
        connections.record_open(match=match, seat=seat, channel=seat.name)

    for viewer in (alice, bob):
        text = frame(match, viewer)
        assert "<span>Round 1</span>" in collapse_whitespace(text)
        assert "<span>Round 2</span>" not in collapse_whitespace(text)
        assert "to move" not in text


def test_the_end_of_the_match_offers_what_comes_next(alice, bob, browser_of):
    match = begin(alice, bob, target=5)
    while match.playing:
        match = play(match)
    text = frame(match, alice)
    in_the_ledger, on_the_sheet = Buttons(text).named("Rematch")
    assert in_the_ledger["form"] == on_the_sheet["form"] == "again"
    assert "if-closed" in in_the_ledger["class"], "only one of them is to be seen at a time"
    assert reverse("match-record", args=[match.code]) in text
    assert reverse("match-replay", args=[match.code]) in text
    assert "Rematch" not in frame(match)
