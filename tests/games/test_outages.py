"""Compensation of outages and system clock changes, detected by the referee's heartbeats."""

from datetime import timedelta

import pytest
from django.utils import timezone

from games import services
from games.models import Connection, Heartbeat, Match
from games.referee import process_due_matches
from games.services import connections
from games.time import outages
from games.time.presence import load_presence
from tests.games.playing import begin, legal, on_turn, play, seconds_left, under_way
from tests.times import later

# The heartbeat is cached after the commit.
pytestmark = pytest.mark.django_db(transaction=True)


def write_last_beat(seconds: float = 0) -> None:
    """Write the last heartbeat of a process that ends after `seconds`."""
    with later(seconds=seconds):
        outages.record_beat()
    outages.clear_cache()


def set_current_beat() -> None:
    """Set the heartbeat to now, as if there had been no outage."""
    Heartbeat.objects.update(at=timezone.now())


def present_seats(match: Match) -> frozenset[int]:
    return load_presence(match, list(match.seats.all()), timezone.now()).seats


def test_long_outage_costs_no_clock_time(alice, bob):
    match = under_way(begin(alice, bob, clock=(10, 0)))
    write_last_beat()
    with later(seconds=70):
        outages.record_beat()
        assert seconds_left(match) == pytest.approx(10, abs=1)
        process_due_matches()
        match.refresh_from_db()
        assert match.playing
    with later(seconds=81):
        set_current_beat()
        process_due_matches()
    match.refresh_from_db()
    assert match.result_how == "time"


def test_time_used_before_outage_stays_used(alice, bob):
    match = under_way(begin(alice, bob, clock=(60, 0)))
    write_last_beat(20)
    with later(seconds=300):
        outages.record_beat()
        assert seconds_left(match) == pytest.approx(40, abs=1)


def test_outage_is_compensated_once(alice, bob):
    match = under_way(begin(alice, bob, clock=(60, 0)))
    write_last_beat(20)
    with later(seconds=300):
        outages.record_beat()
        outages.clear_cache()  # another process
        outages.record_beat()
        outages.compensate()
        assert seconds_left(match) == pytest.approx(40, abs=1)


def test_first_move_after_outage_is_accepted(alice, bob):
    match = under_way(begin(alice, bob, clock=(10, 0)))
    write_last_beat()
    move = next(move for move in legal(match) if move not in ("draw", "pass"))
    with later(seconds=70):
        match = play(match, move)
    assert match.playing
    assert match.moves.latest("number").text == move


def test_first_page_after_outage_does_not_end_match(alice, bob, browser_of):
    match = under_way(begin(alice, bob, clock=(10, 0)))
    write_last_beat()
    with later(seconds=70):
        state = browser_of(alice).get(f"/games/{match.code}/state.json").json()
    assert state["status"] == "playing"


def test_turn_begun_after_last_beat_restarts(alice, bob):
    match = under_way(begin(alice, bob, clock=(60, 0)))
    write_last_beat(0)
    with later(seconds=0.3):
        Match.objects.update(turn_began_at=timezone.now(), next_action_at=timezone.now() + timedelta(60))
    with later(seconds=50):
        outages.record_beat()
        assert seconds_left(match) == 60
        process_due_matches()
        match.refresh_from_db()
        assert match.next_action_at == timezone.now() + timedelta(seconds=60)


def test_pauses_keep_their_remaining_time(alice, bob, charlie):
    match = begin(alice, bob, charlie, preset="muggins-200")
    match = play(match)
    wait = match.wait_until - timezone.now()
    write_last_beat()
    with later(seconds=30):
        outages.record_beat()
        match.refresh_from_db()
        assert match.wait_until - timezone.now() == pytest.approx(wait, abs=timedelta(seconds=0.3))
        assert match.turn_began_at == match.wait_until
        with pytest.raises(services.MoveRefused):
            play(match)


def test_grace_restarts_after_outage(alice, bob):
    match = begin(alice, bob)
    absent = on_turn(match)
    waiting = match.seats.exclude(pk=absent.pk).get()
    connections.record_open(match=match, seat=absent, channel="one")
    write_last_beat(5)
    with later(seconds=75):
        outages.record_beat()
        set_current_beat()
        assert present_seats(match) == {absent.position}  # a lost connection may reconnect
    with later(seconds=96):
        set_current_beat()
    with later(seconds=96), pytest.raises(services.MoveRefused) as refused:
        services.answer_absence(match=match, seat=waiting, take="win")
    assert refused.value.code == "grace"
    with later(seconds=75 + 20 + 61):
        set_current_beat()
        assert services.answer_absence(match=match, seat=waiting, take="win").result_how == "left"


def test_earlier_absence_keeps_remaining_grace(alice, bob):
    match = begin(alice, bob)
    absent = on_turn(match)
    waiting = match.seats.exclude(pk=absent.pk).get()
    write_last_beat(40)
    with later(seconds=400), pytest.raises(services.MoveRefused) as refused:
        services.answer_absence(match=match, seat=waiting, take="win")
    assert refused.value.params["seconds"] == pytest.approx(20, abs=2)


def test_frozen_process_keeps_its_sockets(alice, bob):
    match = under_way(begin(alice, bob, clock=(10, 0)))
    absent = on_turn(match)
    connections.record_open(match=match, seat=absent, channel="one")
    outages.record_beat()
    with later(seconds=90):
        outages.record_beat()
        assert present_seats(match) == {absent.position}
        assert seconds_left(match) == pytest.approx(10, abs=1)


def test_live_process_renews_closed_sockets(alice, bob):
    match = begin(alice, bob)
    seat = on_turn(match)
    connections.record_open(match=match, seat=seat, channel="one")
    write_last_beat()
    with later(seconds=20):
        outages.record_beat()
        assert Connection.objects.get().closed_at is not None
        connections.renew(timezone.now())
        assert present_seats(match) == {seat.position}
    assert Connection.objects.count() == 1


@pytest.mark.parametrize("hours", [1, -1])
def test_system_clock_jump_costs_no_clock_time(hours, alice, bob):
    match = under_way(begin(alice, bob, clock=(60, 0)))
    connections.record_open(match=match, seat=on_turn(match), channel="one")
    outages.record_beat()
    with later(seconds=hours * 3600):
        outages.record_beat()
        assert seconds_left(match) == pytest.approx(60, abs=1)
        assert len(present_seats(match)) == 1
        process_due_matches()
        match.refresh_from_db()
        assert match.playing
    with later(seconds=hours * 3600 + 62):
        set_current_beat()
        process_due_matches()
    match.refresh_from_db()
    assert match.result_how == "time"


def test_computers_continue_after_system_clock_set_back(alice):
    match = begin("club", alice)
    while not on_turn(match).computer:
        match = play(match)
    outages.record_beat()
    with later(seconds=-3600):
        outages.record_beat()
        match.refresh_from_db()
        assert match.next_action_at <= timezone.now() + timedelta(seconds=2)


def test_no_compensation_without_heartbeat(alice, bob):
    match = under_way(begin(alice, bob, clock=(10, 0)))
    with later(seconds=11):
        outages.compensate()
        process_due_matches()
    match.refresh_from_db()
    assert match.result_how == "time"


def test_move_reads_heartbeat_at_most_once_a_second(alice, bob, django_assert_num_queries):
    outages.record_beat()
    with django_assert_num_queries(0):
        outages.compensate()
