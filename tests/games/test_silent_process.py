"""One of several processes is killed or stands still while another keeps time: people who sat at it do not pay."""

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from threading import Event

import pytest
import time_machine
from django.db import connection, transaction
from django.utils import timezone

from games import outages, repository, services
from games.clocks import remaining
from games.models import Match, Process
from games.referee import process_due_matches
from games.services import connections
from tests.games.playing import begin, on_turn, under_way

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def start():
    """The moment from which seconds count."""
    return timezone.now()


@pytest.fixture
def process(monkeypatch):
    """A function: from now on we are the process of this name, which is new or goes on."""

    def become(name: str) -> None:
        outages.clear_cache()
        monkeypatch.setattr(outages, "PROCESS_KEY", name)
        monkeypatch.setattr(connections, "PROCESS_KEY", name)

    return become


@pytest.fixture
def pass_time(start):
    """A function: beats of this process from one second to another, and the referee's look at what is due."""

    def beats(since: float, until: float) -> None:
        for tenths in range(int(since * 10), int(until * 10) + 1, 2):
            with time_machine.travel(start + timedelta(seconds=tenths / 10), tick=False):
                outages.record_beat()
                process_due_matches()

    return beats


@pytest.fixture
def match(alice, bob, start, process, pass_time):
    """A match with 60 seconds for each, the player on turn at the process `silent`, which speaks for the last time."""
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
    return remaining(match, seat, seat.position, repository.get_value(match), moment)


def test_clocks_stand_still_until_the_player_has_found_another_process(match, start, pass_time):
    pass_time(0.2, 12)
    assert left_at(start + timedelta(seconds=12)) == pytest.approx(60, abs=1.5)
    with time_machine.travel(start + timedelta(seconds=12), tick=False):
        connections.record_open(match=match, seat=on_turn(match), channel="two")
    pass_time(12.2, 22)
    assert left_at(start + timedelta(seconds=22)) == pytest.approx(50, abs=1.5)


def test_who_closes_the_page_that_was_found_again_gains_nothing_by_it(match, start, pass_time):
    pass_time(0.2, 5)
    with time_machine.travel(start + timedelta(seconds=5), tick=False):
        connections.record_open(match=match, seat=on_turn(match), channel="two")
        connections.record_close(channel="two", clean=True)
    pass_time(5.2, 15)
    assert left_at(start + timedelta(seconds=15)) == pytest.approx(50, abs=1.5)


def test_who_sits_at_a_living_process_too_gains_nothing_either(match, start, process, pass_time):
    with time_machine.travel(start + timedelta(seconds=0.2), tick=False):
        connections.record_open(match=match, seat=on_turn(match), channel="two")
    pass_time(0.4, 10)
    assert left_at(start + timedelta(seconds=10)) == pytest.approx(50, abs=0.5)


def test_whoever_moves_by_pages_alone_has_come_back_with_the_first(match, start, pass_time):
    pass_time(0.2, 5)
    with time_machine.travel(start + timedelta(seconds=5), tick=False):
        connections.record_page_load(match, on_turn(match))
    pass_time(5.2, 15)
    assert left_at(start + timedelta(seconds=15)) == pytest.approx(50, abs=1.5)


def test_who_does_not_come_back_has_the_rest_of_the_clock_and_no_more(match, start, pass_time):
    pass_time(0.2, 85)
    assert Match.objects.get().playing
    assert not Process.objects.filter(key="silent").exists()
    pass_time(85.2, 92)
    assert Match.objects.get().result_how == "time"


def test_the_others_cannot_claim_what_the_outage_took(match, start, pass_time):
    waiting = match.seats.exclude(pk=on_turn(match).pk).get()
    pass_time(0.2, 45)
    with (
        time_machine.travel(start + timedelta(seconds=45), tick=False),
        pytest.raises(services.MoveRefused) as refused,
    ):
        services.answer_absence(match=match, seat=waiting, take="win")
    assert refused.value.code == "grace"


def test_a_process_that_goes_on_after_standing_still_gives_back_the_rest_once(
    match, start, process, pass_time
):
    pass_time(0.2, 9.4)
    process("silent")
    pass_time(9.8, 20)
    assert left_at(start + timedelta(seconds=20)) == pytest.approx(50, abs=0.5)


def test_where_all_were_away_nothing_is_given_back_twice(match, start, pass_time):
    pass_time(0.2, 0.4)
    outages.clear_cache()
    pass_time(30, 40)
    # The process that did not come back with the other one is silent from then on; its sockets were taken for lost.
    assert left_at(start + timedelta(seconds=40)) == pytest.approx(50, abs=1.5)


def test_people_of_one_match_at_two_silent_processes_are_given_the_time_once(
    match, start, process, pass_time
):
    process("silent too")
    with time_machine.travel(start, tick=False):
        connections.record_open(match=match, seat=match.seats.exclude(pk=on_turn(match).pk).get(), channel="two")
        outages.record_beat()
    process("living")
    pass_time(0.2, 12)
    assert left_at(start + timedelta(seconds=12)) == pytest.approx(60, abs=1.5)


@pytest.mark.skipif(connection.vendor == "sqlite", reason="SQLite locks no rows")
def test_nobody_waits_for_the_match_that_a_frozen_process_holds(match, start, pass_time):
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


def test_other_matches_pay_as_ever(match, start, charlie, django_user_model, pass_time):
    dora = django_user_model.objects.create_user("dora")
    other = under_way(begin(charlie, dora, clock=(60, 0)))
    Match.objects.filter(pk=other.pk).update(turn_began_at=start)
    pass_time(0.2, 12)
    assert Match.objects.get(pk=other.pk).turn_began_at == start


def test_a_living_process_says_so_often_and_writes_no_more(process, django_assert_num_queries, db):
    process("living")
    outages.record_beat()
    with django_assert_num_queries(2):  # the looks at the common beat, and at those who are silent
        outages.record_beat()
    assert Process.objects.get().key == "living"
