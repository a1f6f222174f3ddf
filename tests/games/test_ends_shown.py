"""Tests of the match page at the end of a round and of the match."""

import re

import pytest
from django.urls import reverse

from boneyard.engine.tiles import NAMES
from games import repository
from games.services import connections
from tests.games.playing import begin, play
from tests.games.test_table_page import Buttons, render_frame
from tests.html import collapse_whitespace

pytestmark = pytest.mark.django_db


def test_round_end_shows_all_hands(alice, bob):
    match = begin(alice, bob)
    while not repository.get_value(match).ended:
        match = play(match)
    text = render_frame(match, alice)
    assert match.playing
    opened = re.search(r'<section[^>]*id="round-end".*?</section>', text, re.DOTALL)[0]
    for hand in repository.get_value(match).ended[-1].remaining:
        for tile in hand:
            assert f'aria-label="{NAMES[tile]}"' in opened
    assert Buttons(opened).one("Continue")["form"] == "continue"
    assert play(match) and 'id="round-end"' in render_frame(match, alice)


def test_round_end_keeps_its_number_and_asks_no_move(alice, bob):
    match = begin(alice, bob)
    while not repository.get_value(match).ended:
        match = play(match)
    for seat in match.seats.all():
        connections.record_open(match=match, seat=seat, channel=seat.name)

    for viewer in (alice, bob):
        text = render_frame(match, viewer)
        assert "<span>Round 1</span>" in collapse_whitespace(text)
        assert "<span>Round 2</span>" not in collapse_whitespace(text)
        assert "to move" not in text


def test_match_end_offers_rematch_record_and_replay(alice, bob, browser_of):
    match = begin(alice, bob, target=5)
    while match.playing:
        match = play(match)
    text = render_frame(match, alice)
    in_the_ledger, on_the_sheet = Buttons(text).named("Rematch")
    assert in_the_ledger["form"] == on_the_sheet["form"] == "again"
    assert "if-closed" in in_the_ledger["class"], "only one is visible at a time"
    assert reverse("match-record", args=[match.code]) in text
    assert reverse("match-replay", args=[match.code]) in text
    assert "Rematch" not in render_frame(match)


@pytest.mark.parametrize(("preset", "counts"), [("all-fives", True), ("bergen", False)])
def test_count_is_shown_only_where_ends_are_added(alice, bob, preset, counts):
    match = begin(alice, bob, preset=preset)
    texts = ""
    for _ in range(5):
        match = play(match)
        texts += render_frame(match, alice)
    assert ("<span>Count</span>" in texts) == counts
    assert "line-end" in texts
