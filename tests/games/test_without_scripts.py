"""The page of a match without scripts: it refreshes itself, which keeps its player present."""

import re
from datetime import timedelta

import pytest
import time_machine
from django.utils import timezone

from games.time.clocks import format_clock
from games.time.presence import PAGE_PRESENCE_TTL, load_presence
from tests.games.playing import begin, on_turn, play, play_to_the_end, under_way

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("frozen_clock")]

REFRESH = re.compile(r'<meta http-equiv="refresh"\s+content="(\d+)">')


def page_of(browser, match, query: str = "") -> str:
    return browser.get(match.get_absolute_url() + query).content.decode()


def refresh_seconds(page: str) -> int | None:
    found = REFRESH.search(page)
    return int(found[1]) if found else None


def test_page_refreshes_sooner_while_waiting(alice, bob, browser_of):
    match = begin(alice, bob)
    thinking = on_turn(match).user
    waiting = bob if thinking == alice else alice
    assert refresh_seconds(page_of(browser_of(waiting), match)) == 8
    assert refresh_seconds(page_of(browser_of(thinking), match)) == 30


def test_page_refreshes_soon_while_a_computer_moves(alice, browser_of):
    match = begin(alice, "casual")
    if on_turn(match).user == alice:
        match = play(match)
    assert refresh_seconds(page_of(browser_of(alice), match)) == 3


def test_refresh_keeps_the_chosen_tile(alice, bob, browser_of):
    page = page_of(browser_of(alice), begin(alice, bob), "?tile=6-4")
    assert "url=" not in page[page.index('http-equiv="refresh"') :][:60]


def test_refresh_can_be_switched_off(alice, bob, browser_of):
    match = begin(alice, bob)
    page = page_of(browser_of(alice), match)
    assert f'href="{match.get_absolute_url()}">Look again</a>' in page
    assert '<a href="?still=1">' in page
    still = page_of(browser_of(alice), match, "?still=1")
    assert refresh_seconds(still) is None
    assert "Look again</a>" in still


def test_talk_stays_open_after_a_message(alice, bob, browser_of):
    browser, match = browser_of(alice), begin(alice, bob)
    page = page_of(browser, match)
    assert 'id="chat">' in page
    assert 'name="back" value="talk"' in page
    answer = browser.post(f"{match.get_absolute_url()}say", {"text": "well played", "back": "talk"})
    assert answer.status_code == 303
    address = answer.headers["Location"].removeprefix(match.get_absolute_url()).partition("#")[0]
    talking = page_of(browser, match, address)
    assert 'id="chat" open>' in talking
    assert "well played" in talking
    assert 'href="?talk=1&amp;still=1"' in talking
    assert refresh_seconds(page_of(browser, match, "?talk=1&still=1")) is None


def test_ended_match_does_not_refresh(alice, bob, browser_of):
    match = play_to_the_end(begin(alice, bob))
    page = page_of(browser_of(alice), match)
    assert refresh_seconds(page) is None
    assert f'href="{match.get_absolute_url()}">Look again</a>' in page
    assert "reloads by itself" not in page


def test_spectator_of_an_ended_match_has_no_refresh_link(alice, bob, browser_of, charlie):
    page = page_of(browser_of(charlie), play_to_the_end(begin(alice, bob)))
    assert "Look again" not in page


def test_refreshing_page_keeps_player_present(alice, bob, browser_of):
    match = begin(alice, bob)
    browser, start = browser_of(alice), timezone.now()
    for seconds in range(0, 300, 30):
        with time_machine.travel(start + timedelta(seconds=seconds), tick=False):
            assert refresh_seconds(page_of(browser, match)) < PAGE_PRESENCE_TTL.total_seconds()
        with time_machine.travel(start + timedelta(seconds=seconds + 29), tick=False):
            here = load_presence(match, list(match.seats.all()), timezone.now())
            assert match.seats.get(user=alice).position in here.seats


def test_clock_on_page_equals_state_json(alice, bob, browser_of):
    match = under_way(begin(alice, bob, clock=(300, 0)))
    for _ in range(2):
        match = play(match)
    browser = browser_of(alice)
    with time_machine.travel(match.turn_began_at + timedelta(seconds=100), tick=False):
        page = page_of(browser, match)
        clocks = [
            seat["clock"] for seat in browser.get(match.get_absolute_url() + "state.json").json()["seats"]
        ]
    assert min(clocks) <= 200
    assert all(f">{format_clock(clock)}</span>" in page for clock in clocks)
