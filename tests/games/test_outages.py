"""Nobody pays for the site's own absence, nor for a system clock that was set. The beats are those of the referee."""

from datetime import timedelta

import pytest
from django.utils import timezone

from games import outages, repository, services
from games.clocks import remaining_seconds
from games.models import Connection, Heartbeat, Match
from games.presence import load_presence
from games.referee import process_due_matches
from games.services import connections
from tests.games.playing import begin, legal, on_turn, play, under_way
from tests.times import later

# What a process knows of the beat, it knows after the commit.
pytestmark = pytest.mark.django_db(transaction=True)


def left_on_clock(match: Match) -> float | None:
    seat = on_turn(match)
    return remaining_seconds(match, seat, seat.position, repository.get_value(match), timezone.now())


def last_beat(seconds: float = 0) -> None:
    """The last beat of a process that ended there."""
    with later(seconds=seconds):
        outages.record_beat()
    outages.clear_cache()


def beats_went_on() -> None:
    """There was a beat a moment ago."""
    Heartbeat.objects.update(at=timezone.now())


def seats_here(match: Match) -> frozenset[int]:
    return load_presence(match, list(match.seats.all()), timezone.now()).seats


def test_a_long_outage_costs_no_clock(alice, bob):
    match = under_way(begin(alice, bob, clock=(10, 0)))
    last_beat()
    with later(seconds=70):
        outages.record_beat()
        assert left_on_clock(match) == pytest.approx(10, abs=1)
        process_due_matches()
        match.refresh_from_db()
        assert match.playing
    with later(seconds=81):
        beats_went_on()
        process_due_matches()
    match.refresh_from_db()
    assert match.result_how == "time"


def test_what_was_used_before_the_outage_stays_used(alice, bob):
    match = under_way(begin(alice, bob, clock=(60, 0)))
    last_beat(20)
    with later(seconds=300):
        outages.record_beat()
        assert left_on_clock(match) == pytest.approx(40, abs=1)


def test_an_outage_is_given_back_once(alice, bob):
    match = under_way(begin(alice, bob, clock=(60, 0)))
    last_beat(20)
    with later(seconds=300):
        outages.record_beat()
        outages.clear_cache()  # another process
        outages.record_beat()
        outages.compensate()
        assert left_on_clock(match) == pytest.approx(40, abs=1)


def test_whoever_moves_first_does_not_find_the_match_lost(alice, bob):
    match = under_way(begin(alice, bob, clock=(10, 0)))
    last_beat()
    move = next(move for move in legal(match) if move not in ("draw", "pass"))
    with later(seconds=70):
        match = play(match, move)
    assert match.playing
    assert match.moves.latest("number").text == move


def test_a_page_that_comes_first_does_not_end_it_either(alice, bob, browser_of):
    match = under_way(begin(alice, bob, clock=(10, 0)))
    last_beat()
    with later(seconds=70):
        state = browser_of(alice).get(f"/games/{match.code}/state.json").json()
    assert state["status"] == "playing"


def test_a_turn_that_began_after_the_last_beat_begins_with_the_return(alice, bob):
    match = under_way(begin(alice, bob, clock=(60, 0)))
    last_beat(0)
    with later(seconds=0.3):
        Match.objects.update(turn_began_at=timezone.now(), next_action_at=timezone.now() + timedelta(60))
    with later(seconds=50):
        outages.record_beat()
        assert left_on_clock(match) == 60
        process_due_matches()
        match.refresh_from_db()
        assert match.next_action_at == timezone.now() + timedelta(seconds=60)


def test_pauses_and_waits_have_their_rest(alice, bob, charlie):
    match = begin(alice, bob, charlie, preset="muggins-200")
    match = play(match)
    wait = match.wait_until - timezone.now()
    last_beat()
    with later(seconds=30):
        outages.record_beat()
        match.refresh_from_db()
        assert match.wait_until - timezone.now() == pytest.approx(wait, abs=timedelta(seconds=0.3))
        assert match.turn_began_at == match.wait_until
        with pytest.raises(services.MoveRefused):
            play(match)


def test_grace_counts_from_the_return(alice, bob):
    match = begin(alice, bob)
    absent = on_turn(match)
    waiting = match.seats.exclude(pk=absent.pk).get()
    connections.record_open(match=match, seat=absent, channel="one")
    last_beat(5)
    with later(seconds=75):
        outages.record_beat()
        beats_went_on()
        assert seats_here(match) == {absent.position}  # a lost line may be mended
    with later(seconds=96):
        beats_went_on()
    with later(seconds=96), pytest.raises(services.MoveRefused) as refused:
        services.answer_absence(match=match, seat=waiting, take="win")
    assert refused.value.code == "grace"
    with later(seconds=75 + 20 + 61):
        beats_went_on()
        assert services.answer_absence(match=match, seat=waiting, take="win").result_how == "left"


def test_who_was_gone_before_has_the_rest_of_the_grace(alice, bob):
    match = begin(alice, bob)
    absent = on_turn(match)
    waiting = match.seats.exclude(pk=absent.pk).get()
    last_beat(40)
    with later(seconds=400), pytest.raises(services.MoveRefused) as refused:
        services.answer_absence(match=match, seat=waiting, take="win")
    assert refused.value.params["seconds"] == pytest.approx(20, abs=2)


def test_a_process_that_was_frozen_still_has_its_sockets(alice, bob):
    match = under_way(begin(alice, bob, clock=(10, 0)))
    absent = on_turn(match)
    connections.record_open(match=match, seat=absent, channel="one")
    outages.record_beat()
    with later(seconds=90):
        outages.record_beat()
        assert seats_here(match) == {absent.position}
        assert left_on_clock(match) == pytest.approx(10, abs=1)


def test_a_process_that_lives_says_so_of_sockets_taken_for_lost(alice, bob):
    match = begin(alice, bob)
    seat = on_turn(match)
    connections.record_open(match=match, seat=seat, channel="one")
    last_beat()
    with later(seconds=20):
        outages.record_beat()
        assert Connection.objects.get().closed_at is not None
        connections.renew(timezone.now())
        assert seats_here(match) == {seat.position}
    assert Connection.objects.count() == 1


@pytest.mark.parametrize("hours", [1, -1])
def test_a_clock_that_jumps_costs_nobody_anything(hours, alice, bob):
    match = under_way(begin(alice, bob, clock=(60, 0)))
    connections.record_open(match=match, seat=on_turn(match), channel="one")
    outages.record_beat()
    with later(seconds=hours * 3600):
        outages.record_beat()
        assert left_on_clock(match) == pytest.approx(60, abs=1)
        assert len(seats_here(match)) == 1
        process_due_matches()
        match.refresh_from_db()
        assert match.playing
    with later(seconds=hours * 3600 + 62):
        beats_went_on()
        process_due_matches()
    match.refresh_from_db()
    assert match.result_how == "time"


def test_computers_go_on_after_the_clock_was_set_back(alice):
    match = begin("club", alice)
    while not on_turn(match).computer:
        match = play(match)
    outages.record_beat()
    with later(seconds=-3600):
        outages.record_beat()
        match.refresh_from_db()
        assert match.next_action_at <= timezone.now() + timedelta(seconds=2)


def test_no_beat_no_outage(alice, bob):
    match = under_way(begin(alice, bob, clock=(10, 0)))
    with later(seconds=11):
        outages.compensate()
        process_due_matches()
    match.refresh_from_db()
    assert match.result_how == "time"


def test_a_move_looks_for_the_beat_once_a_second_at_most(alice, bob, django_assert_num_queries):
    outages.record_beat()
    with django_assert_num_queries(0):
        outages.compensate()
