"""Slow turns: counting, and the warning after the third one in ten matches."""

from datetime import timedelta

import pytest
import time_machine
from django.utils import timezone

from games import services
from games.time.pace import is_slow_player
from tests.games.playing import begin, legal, on_turn, play_and_resign, under_way
from tests.html import collapse_whitespace

pytestmark = pytest.mark.django_db

WARNING = "More than twice in your last ten matches you let most of the clock run in one turn."


def play_turn_and_resign(match, seconds):
    """Move after `seconds`, resign, and return the seat."""
    seat = on_turn(match)
    move = next(move for move in legal(match) if move != "draw")
    with time_machine.travel(timezone.now() + timedelta(seconds=seconds), tick=False):
        services.play(match=match, seat=seat, move=move, seen_version=match.version)
        match.refresh_from_db()
        services.play(match=match, seat=seat, move="resign", seen_version=match.version)
    seat.refresh_from_db()
    return seat


@pytest.mark.parametrize(("seconds", "slow"), [(149, 0), (151, 1)])
def test_slow_turn_is_counted(alice, bob, seconds, slow):
    assert play_turn_and_resign(under_way(begin(alice, bob, clock=(300, 5))), seconds).slow_turns == slow


def test_expired_clock_counts_as_slow_turn(alice, bob):
    match = under_way(begin(alice, bob, clock=(300, 5)))
    seat = on_turn(match)
    with time_machine.travel(timezone.now() + timedelta(seconds=301)):
        services.advance(match, timezone.now())
    seat.refresh_from_db()
    assert seat.slow_turns == 1


def test_slow_turn_without_clock_is_not_counted(alice, bob):
    assert play_turn_and_resign(begin(alice, bob), 3000).slow_turns == 0


def slow_matches(alice, other, number):
    for each in range(number):
        match = play_and_resign(begin(alice, other, clock=(300, 5), seed=f"slow {each}"))
        match.seats.filter(user=alice).update(slow_turns=1)


def test_warning_after_third_slow_turn_in_ten_matches(alice, bob, browser_of):
    slow_matches(alice, bob, 2)
    assert not is_slow_player(alice)
    slow_matches(alice, bob, 1)
    browser = browser_of(alice)
    ended = alice.seats.latest("match__ended_at").match
    for page in ("/", "/players/alice/", f"/games/{ended.code}/"):
        assert WARNING in collapse_whitespace(browser.get(page).content.decode()), page
    assert WARNING not in collapse_whitespace(browser_of(bob).get("/players/alice/").content.decode())
    assert WARNING not in collapse_whitespace(browser_of(bob).get(f"/games/{ended.code}/").content.decode())


def test_slow_turns_expire_after_ten_matches(alice, bob):
    slow_matches(alice, bob, 3)
    for each in range(8):
        play_and_resign(begin(alice, bob, clock=(300, 5), seed=f"quick {each}"))
    assert not is_slow_player(alice)
