"""Compensation for players connected to a process that is killed or frozen while another one runs."""

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from threading import Event

import pytest
import time_machine
from django.db import connection, transaction
from django.utils import timezone

from games import repository, services
from games.models import Match, Process
from games.referee import process_due_matches
from games.services import connections
from games.time import outages
from games.time.clocks import remaining_seconds
from tests.games.playing import begin, on_turn, under_way

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def start():
    """Return the time from which the tests count seconds."""
    return timezone.now()


@pytest.fixture
def process(monkeypatch):
    """Return a function that switches to the process of a name."""

    def become(name: str) -> None:
        outages.clear_cache()
        monkeypatch.setattr(outages, "PROCESS_KEY", name)
        monkeypatch.setattr(connections, "PROCESS_KEY", name)

    return become


@pytest.fixture
def pass_time(start):
    """Return a function that runs heartbeats and the referee from one second to another."""

    def beats(since: float, until: float) -> None:
        for tenths in range(int(since * 10), int(until * 10) + 1, 4):  # as often as a process writes
            with time_machine.travel(start + timedelta(seconds=tenths / 10), tick=False):
                outages.record_beat()
                process_due_matches()

    return beats


@pytest.fixture
def match(alice, bob, start, process, pass_time):
    """Start a match with 60 s each, the player on turn at the process `silent` after its last heartbeat."""
    process("silent")
    match = under_way(begin(alice, bob, clock=(60, 0)))
    with time_machine.travel(start, tick=False):
        connections.record_open(match=match, seat=on_turn(match), channel="one")
        outages.record_beat()
        Match.objects.update(turn_began_at=start, next_action_at=start + timedelta(seconds=60))
    process("living")
    return match


def left_at(moment) -> float | None:
    match = Match.objects.get()
    seat = on_turn(match)
    return remaining_seconds(match, seat, seat.position, repository.get_value(match), moment)


def test_clock_stops_until_player_reconnects_elsewhere(match, start, pass_time):
    pass_time(0.2, 12)
    assert left_at(start + timedelta(seconds=12)) == pytest.approx(60, abs=1.5)
    with time_machine.travel(start + timedelta(seconds=12), tick=False):
        connections.record_open(match=match, seat=on_turn(match), channel="two")
    pass_time(12.2, 22)
    assert left_at(start + timedelta(seconds=22)) == pytest.approx(50, abs=1.5)


def test_closing_the_reconnected_page_gains_nothing(match, start, pass_time):
    pass_time(0.2, 5)
    with time_machine.travel(start + timedelta(seconds=5), tick=False):
        connections.record_open(match=match, seat=on_turn(match), channel="two")
        connections.record_close(channel="two", clean=True)
    pass_time(5.2, 15)
    assert left_at(start + timedelta(seconds=15)) == pytest.approx(50, abs=1.5)


def test_second_socket_at_live_process_gains_nothing(match, start, process, pass_time):
    with time_machine.travel(start + timedelta(seconds=0.2), tick=False):
        connections.record_open(match=match, seat=on_turn(match), channel="two")
    pass_time(0.4, 10)
    assert left_at(start + timedelta(seconds=10)) == pytest.approx(50, abs=0.5)


def test_page_load_counts_as_return(match, start, pass_time):
    pass_time(0.2, 5)
    with time_machine.travel(start + timedelta(seconds=5), tick=False):
        connections.record_page([on_turn(match)])
    pass_time(5.2, 15)
    assert left_at(start + timedelta(seconds=15)) == pytest.approx(50, abs=1.5)


def test_absent_player_keeps_remaining_clock_only(match, start, pass_time):
    pass_time(0.2, 85)
    assert Match.objects.get().playing
    assert not Process.objects.filter(key="silent").exists()
    pass_time(85.2, 92)
    assert Match.objects.get().result_how == "time"


def test_claim_cannot_use_compensated_time(match, start, pass_time):
    waiting = match.seats.exclude(pk=on_turn(match).pk).get()
    pass_time(0.2, 45)
    with (
        time_machine.travel(start + timedelta(seconds=45), tick=False),
        pytest.raises(services.MoveRefused) as refused,
    ):
        services.answer_absence(match=match, seat=waiting, take="win")
    assert refused.value.code == "grace"


def test_resumed_process_compensates_the_rest_once(match, start, process, pass_time):
    pass_time(0.2, 9.4)
    process("silent")
    pass_time(9.8, 20)
    assert left_at(start + timedelta(seconds=20)) == pytest.approx(50, abs=0.5)


def test_outage_of_all_processes_is_compensated_once(match, start, pass_time):
    pass_time(0.2, 0.4)
    outages.clear_cache()
    pass_time(30, 40)
    # The process that did not resume stays silent; its sockets were closed.
    assert left_at(start + timedelta(seconds=40)) == pytest.approx(50, abs=1.5)


def test_two_silent_processes_of_a_match_compensate_once(match, start, process, pass_time):
    process("silent too")
    with time_machine.travel(start, tick=False):
        connections.record_open(
            match=match, seat=match.seats.exclude(pk=on_turn(match).pk).get(), channel="two"
        )
        outages.record_beat()
    process("living")
    pass_time(0.2, 12)
    assert left_at(start + timedelta(seconds=12)) == pytest.approx(60, abs=1.5)


@pytest.mark.skipif(connection.vendor == "sqlite", reason="SQLite locks no rows")
def test_match_locked_by_frozen_process_is_skipped(match, start, pass_time):
    held, done = Event(), Event()

    def freeze() -> None:
        with transaction.atomic():
            Match.objects.select_for_update().get()
            held.set()
            assert done.wait(20)
        connection.close()

    with ThreadPoolExecutor(1) as frozen:
        freezing = frozen.submit(freeze)
        held.wait(20)
        pass_time(0.2, 3)
        done.set()
        freezing.result()
    assert Process.objects.get(key="living").at > start + timedelta(seconds=2)


def test_other_matches_are_not_extended(match, start, charlie, django_user_model, pass_time):
    dora = django_user_model.objects.create_user("dora")
    other = under_way(begin(charlie, dora, clock=(60, 0)))
    Match.objects.filter(pk=other.pk).update(turn_began_at=start)
    pass_time(0.2, 12)
    assert Match.objects.get(pk=other.pk).turn_began_at == start


def test_heartbeat_of_live_process_reads_only(process, django_assert_num_queries, db):
    process("living")
    outages.record_beat()
    with django_assert_num_queries(2):  # the common heartbeat, and the silent processes
        outages.record_beat()
    assert Process.objects.get().key == "living"
