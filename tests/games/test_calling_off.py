"""Calling off a rated match after the hand was seen: twice a day for nothing, then at the price of the match."""

from datetime import timedelta

import pytest
from django.utils import timezone

from accounts.models import Rating
from games.models import Move
from games.services import rerating
from tests.games.playing import begin, play, play_to_the_end

pytestmark = pytest.mark.django_db

LOOKS = ["/games/{}/", "/games/{}/state.json", "/games/{}/sync"]


def call_off(browser, match, look=LOOKS[0]):
    if look:
        browser.get(look.format(match.code))
    browser.post(f"/games/{match.code}/move", {"move": "abort", "version": match.version})
    match.refresh_from_db()
    return match.result_how


@pytest.mark.parametrize("look", LOOKS)
def test_the_third_of_a_day_is_a_resignation_and_rated(alice, bob, browser_of, look):
    browser = browser_of(alice)
    matches = [begin(alice, bob, rated=True, seed=f"{number}") for number in range(4)]

    ended = [call_off(browser, match, look) for match in matches]

    assert ended == ["aborted", "aborted", "resigned", "resigned"]
    assert [match.rating_order is not None for match in matches] == [False, False, True, True]
    assert matches[2].moves.get().text == "resign"
    assert Rating.objects.get(user=alice).value < 1500 < Rating.objects.get(user=bob).value
    assert rerating.recompute() == []


def test_the_page_says_so_beforehand(alice, bob, browser_of):
    browser = browser_of(alice)
    for number in range(2):
        page = browser.get(begin(alice, bob, rated=True, seed="fresh").get_absolute_url()).content.decode()
        assert "it counts as resigning" not in page
        call_off(browser, begin(alice, bob, rated=True, seed=f"{number}"))

    page = browser.get(begin(alice, bob, rated=True).get_absolute_url()).content.decode()

    assert "it counts as resigning" in page


def test_who_has_not_seen_the_hand_calls_off_for_nothing(alice, bob, browser_of):
    ended = [
        call_off(browser_of(alice), begin(alice, bob, rated=True, seed=f"{n}"), look="") for n in range(4)
    ]

    assert ended == ["aborted"] * 4


def test_casual_matches_other_people_and_yesterday_do_not_count(alice, bob, charlie, browser_of):
    browser = browser_of(alice)
    for number in range(3):
        call_off(browser, begin(alice, bob, seed=f"casual {number}"))
        call_off(browser_of(charlie), begin(bob, charlie, rated=True, seed=f"other {number}"))
    call_off(browser, begin(alice, bob, rated=True, seed="yesterday"))
    call_off(browser, begin(alice, bob, rated=True, seed="yesterday too"))
    Move.objects.update(at=timezone.now() - timedelta(days=1))

    assert call_off(browser, begin(alice, bob, rated=True)) == "aborted"


def test_after_ones_first_play_it_is_refused_as_ever(alice, bob, browser_of):
    for number in range(2):
        call_off(browser_of(alice), begin(alice, bob, rated=True, seed=f"{number}"))
    match = play(begin(alice, bob, rated=True))
    mover = match.moves.get().seat

    call_off(browser_of([alice, bob][mover]), match)

    assert match.playing


def test_of_three_the_others_play_on_and_the_match_is_rated(alice, bob, charlie, browser_of):
    browser = browser_of(alice)
    for number in range(2):
        call_off(browser, begin(alice, bob, rated=True, seed=f"{number}"))
    match = begin(alice, bob, charlie, preset="draw", rated=True)

    call_off(browser, match)
    assert match.playing
    play_to_the_end(match)

    match.refresh_from_db()
    assert match.rating_order is not None
    assert Rating.objects.get(user=alice, pool=match.pool).value < 1500
