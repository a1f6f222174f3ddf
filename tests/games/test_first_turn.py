"""The time of first turns: 45 seconds without a clock, then the match is called off, or the clock runs."""

from datetime import datetime, timedelta

import pytest
from django.utils import timezone

from games import services
from games.referee import process_due_matches
from games.services import connections
from tests.games.playing import begin, legal, on_turn, play
from tests.times import later

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("frozen_clock")]


@pytest.fixture
def match(alice, bob):
    return begin(alice, bob, rated=True, clock=(60, 5))


def read_deadline(match, browser) -> datetime:
    return datetime.fromisoformat(browser.get(f"/games/{match.code}/state.json").json()["deadline"])


def play_a_tile(match):
    return play(match, next(move for move in legal(match) if move not in ("draw", "pass")))


def test_deadline_is_end_of_first_turn(match, browser_of, bob):
    ends = match.turn_began_at + timedelta(seconds=45)
    assert abs(read_deadline(match, browser_of(bob)) - ends) <= timedelta(seconds=1)
    assert abs(match.next_action_at - ends) <= timedelta(seconds=1)


def test_play_within_first_turn_costs_no_clock(match):
    for _ in range(2):
        seat = on_turn(match)
        with later(seconds=44):
            process_due_matches()
            match = play_a_tile(match)
        seat.refresh_from_db()
        assert (seat.clock_ms, seat.slow_turns) == (60_000, 0)


def test_match_is_called_off_if_nobody_has_had_a_turn(match):
    slow = on_turn(match)
    with later(seconds=44):
        process_due_matches()
        match.refresh_from_db()
        assert match.playing
    with later(seconds=46):
        process_due_matches()

    match.refresh_from_db()
    last = match.moves.latest("number")
    assert (match.result_how, last.text, last.seat, match.rating_order) == (
        "aborted",
        "abort",
        slow.position,
        None,
    )


def test_page_and_replay_say_that_first_turn_ran_out(match, browser_of, alice, bob):
    slow = on_turn(match).user
    other = bob if slow == alice else alice
    with later(seconds=46):
        process_due_matches()
        pages = {user: browser_of(user).get(f"/games/{match.code}/").text for user in (slow, other)}
        replay = browser_of(other).get(f"/games/{match.code}/replay/?move=1").text

    assert "Your 45 seconds for the first turn ran out." in pages[slow]
    told = f"{slow.username}&#x27;s 45 seconds for the first turn ran out"
    assert f"{told}." in pages[other] and told in replay
    for page in (*pages.values(), replay):
        assert "called the match off" not in page
    assert all("Nobody loses rating" in page for page in pages.values())


def test_match_called_off_by_a_player_names_the_player(match, browser_of, alice, bob):
    caller, other = on_turn(match).user, match.seats.exclude(pk=on_turn(match).pk).get().user
    with later(seconds=20):
        services.play(match=match, seat=on_turn(match), move="abort", seen_version=0)
        page = browser_of(other).get(f"/games/{match.code}/").text
    assert f"{caller.username} called the match off." in page
    assert "seconds for the first turn" not in page


def test_move_after_the_first_turns_time_is_refused(match):
    seat, move = on_turn(match), legal(match)[0]
    with later(seconds=46), pytest.raises(services.MoveRefused) as refused:
        services.play(match=match, seat=seat, move=move, seen_version=0)
    assert refused.value.reason == "stale"
    match.refresh_from_db()
    assert match.result_how == "aborted"


def test_clock_runs_after_first_turn_once_somebody_has_played(match, browser_of, bob):
    match = play_a_tile(match)
    second = on_turn(match)
    began = match.turn_began_at
    assert abs(match.next_action_at - began - timedelta(seconds=105)) <= timedelta(seconds=1)
    with later(seconds=50):
        clock = (
            browser_of(bob).get(f"/games/{match.code}/state.json").json()["seats"][second.position]["clock"]
        )
        ends = read_deadline(match, browser_of(bob))
        assert 54 <= clock <= 56
        assert abs(ends - began - timedelta(seconds=105)) <= timedelta(seconds=1)
        play_a_tile(match)
    second.refresh_from_db()
    assert 59_000 <= second.clock_ms <= 61_000  # about 5 s used, and 5 s of increment


def test_second_player_loses_by_time_after_first_turn(match):
    match = play_a_tile(match)
    with later(seconds=106):
        process_due_matches()
    match.refresh_from_db()
    assert match.result_how == "time"


def test_untimed_match_is_not_called_off(alice, bob):
    match = begin(alice, bob)
    with later(seconds=500):
        process_due_matches()
        match.refresh_from_db()
        assert match.playing and match.next_action_at is None


def test_timed_match_has_no_prod(match):
    waiting = match.seats.exclude(pk=on_turn(match).pk).get()
    with pytest.raises(services.MoveRefused) as refused:
        services.prod(match=match, seat=waiting)
    assert refused.value.code == "no_need_to_prod"


def test_third_calling_off_by_time_costs_the_match(alice, bob):
    results: list[str] = []
    while len(results) < 3:
        match = begin(alice, bob, rated=True, clock=(60, 5))
        if on_turn(match).user != alice:
            continue
        connections.record_hand_sent(on_turn(match))
        with later(seconds=46):
            services.advance(match, timezone.now())
        match.refresh_from_db()
        results.append(match.result_how)
    assert results == ["aborted", "aborted", "resigned"]


def test_page_shows_time_of_first_turn(match, browser_of):
    page = browser_of(on_turn(match).user).get(f"/games/{match.code}/").content.decode()
    assert "<b>Your turn</b> <time data-until" in page
