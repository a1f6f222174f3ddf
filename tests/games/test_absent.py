from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from games import repository, services
from games.models import Connection
from games.presence import get_grace_end, load_presence
from games.services import connections
from tests.games.playing import begin, on_turn, under_way
from tests.times import later

pytestmark = pytest.mark.django_db


@pytest.fixture
def match(alice, bob) -> Any:
    match: Any = begin(alice, bob)
    match.absent = on_turn(match)
    match.waiting = match.seats.exclude(pk=match.absent.pk).get()
    return match


def test_who_never_came_can_be_claimed_against_after_a_minute(match):
    with later(seconds=61):
        after = services.answer_absence(match=match, seat=match.waiting, take="win")

    assert after.result_how == "left"
    assert after.winners == [match.waiting.position]


def test_nobody_goes_on_without_a_player_before_the_grace_has_run_out(match):
    with later(seconds=50), pytest.raises(services.MoveRefused) as refused:
        services.answer_absence(match=match, seat=match.waiting, take="win")

    assert refused.value.code == "grace"


def test_a_closed_page_gives_fifteen_seconds(match):
    connections.record_open(match=match, seat=match.absent, channel="one")
    connections.record_close(channel="one", clean=True)

    with later(seconds=14), pytest.raises(services.MoveRefused):
        services.answer_absence(match=match, seat=match.waiting, take="win")
    with later(seconds=16):
        assert services.answer_absence(match=match, seat=match.waiting, take="win").result_how == "left"


def test_a_second_tab_is_presence(match):
    connections.record_open(match=match, seat=match.absent, channel="one")
    connections.record_open(match=match, seat=match.absent, channel="two")
    connections.record_close(channel="one", clean=True)

    with later(seconds=19), pytest.raises(services.MoveRefused) as refused:
        services.answer_absence(match=match, seat=match.waiting, take="win")

    assert refused.value.code == "not_absent"


def test_coming_back_resumes(match):
    connections.record_open(match=match, seat=match.absent, channel="one")
    connections.record_close(channel="one", clean=False)

    with later(seconds=70):
        connections.record_open(match=match, seat=match.absent, channel="two")
        with pytest.raises(services.MoveRefused):
            services.answer_absence(match=match, seat=match.waiting, take="win")


def test_a_dead_server_leaves_sockets_that_count_for_nobody(match):
    connections.record_open(match=match, seat=match.absent, channel="one")
    Connection.objects.update(seen_at=timezone.now() - timedelta(minutes=2))

    with later(seconds=61):
        assert services.answer_absence(match=match, seat=match.waiting, take="win").result_how == "left"


def test_a_computer_plays_on_in_a_casual_match(match):
    with later(seconds=61):
        after = services.answer_absence(match=match, seat=match.waiting, take="computer")

    match.absent.refresh_from_db()
    assert after.playing
    assert match.absent.taken_over
    assert after.next_action_at is not None


def test_not_in_a_rated_one(alice, bob):
    match = begin(alice, bob, rated=True)
    waiting = match.seats.exclude(pk=on_turn(match).pk).get()

    with later(seconds=61), pytest.raises(services.MoveRefused) as refused:
        services.answer_absence(match=match, seat=waiting, take="computer")

    assert refused.value.code == "rated_takeover"


def test_never_while_it_is_somebody_elses_turn(match):
    connections.record_open(match=match, seat=match.absent, channel="one")

    with later(seconds=30), pytest.raises(services.MoveRefused):
        services.answer_absence(match=match, seat=match.absent, take="win")


@pytest.fixture
def timed(alice, bob) -> Any:
    match: Any = begin(alice, bob, rated=True, clock=(300, 5))
    match.absent = on_turn(match)
    match.waiting = match.seats.exclude(pk=match.absent.pk).get()
    return match


def test_in_a_timed_match_thirty_seconds_are_the_grace(timed):
    with later(seconds=29), pytest.raises(services.MoveRefused) as refused:
        services.answer_absence(match=timed, seat=timed.waiting, take="win")
    assert refused.value.code == "grace"

    with later(seconds=31):
        assert services.answer_absence(match=timed, seat=timed.waiting, take="win").result_how == "left"


def test_in_a_timed_match_the_grace_is_ten_seconds_after_the_page_was_closed(timed):
    connections.record_open(match=timed, seat=timed.absent, channel="one")
    connections.record_close(channel="one", clean=True)

    with later(seconds=9), pytest.raises(services.MoveRefused):
        services.answer_absence(match=timed, seat=timed.waiting, take="win")
    with later(seconds=11):
        assert services.answer_absence(match=timed, seat=timed.waiting, take="win").result_how == "left"


def test_never_longer_than_the_clock(alice, bob, browser_of):
    match = under_way(begin(alice, bob, clock=(20, 0)))
    deadline = browser_of(bob).get(f"/games/{match.code}/state.json").json()["deadline"]
    here = load_presence(match, list(match.seats.all()), timezone.now())

    ends = get_grace_end(match, list(match.seats.all()), on_turn(match).position, repository.get_value(match), here)

    assert ends.strftime("%Y-%m-%dT%H:%M:%SZ") == deadline


def test_a_lost_line_is_presence_for_twenty_seconds_and_the_grace_counts_from_then(timed):
    connections.record_open(match=timed, seat=timed.absent, channel="one")
    connections.record_close(channel="one", clean=False)

    with later(seconds=19), pytest.raises(services.MoveRefused) as refused:
        services.answer_absence(match=timed, seat=timed.waiting, take="win")
    assert refused.value.code == "not_absent"
    with later(seconds=48), pytest.raises(services.MoveRefused):
        services.answer_absence(match=timed, seat=timed.waiting, take="win")
    with later(seconds=51):
        assert services.answer_absence(match=timed, seat=timed.waiting, take="win").result_how == "left"


def test_a_server_that_ended_begins_the_grace_anew(timed):
    with later(seconds=25):  # nobody of them has come yet; the other one's server is killed
        connections.record_open(match=timed, seat=timed.waiting, channel="killed")
    with later(seconds=50), pytest.raises(services.MoveRefused) as refused:
        services.answer_absence(match=timed, seat=timed.waiting, take="win")
    assert refused.value.code == "grace"
    with later(seconds=56):
        assert services.answer_absence(match=timed, seat=timed.waiting, take="win").result_how == "left"


def test_without_scripts_who_reloads_is_here(timed, browser_of):
    page = browser_of(timed.absent.user)
    for seconds in range(0, 60, 10):
        with later(seconds=seconds):
            page.get(f"/games/{timed.code}/")

    with later(seconds=90), pytest.raises(services.MoveRefused) as refused:
        services.answer_absence(match=timed, seat=timed.waiting, take="win")
    assert refused.value.code == "not_absent"
    with later(seconds=127):
        assert services.answer_absence(match=timed, seat=timed.waiting, take="win").result_how == "left"


def test_a_form_without_scripts_is_presence_too(timed, browser_of):
    with later(seconds=29):
        browser_of(timed.absent.user).post(f"/games/{timed.code}/continue")
    with later(seconds=60), pytest.raises(services.MoveRefused) as refused:
        services.answer_absence(match=timed, seat=timed.waiting, take="win")
    assert refused.value.code == "not_absent"


def test_where_no_socket_comes_through_a_page_that_asks_by_itself_is_presence(timed, browser_of):
    page = browser_of(timed.absent.user)
    for seconds in range(0, 80, 20):
        with later(seconds=seconds):
            page.get(f"/games/{timed.code}/sync", {"v": "0v1"})
    with later(seconds=104), pytest.raises(services.MoveRefused) as refused:
        services.answer_absence(match=timed, seat=timed.waiting, take="win")
    assert refused.value.code == "not_absent"


def test_beside_a_socket_it_is_none(timed, browser_of):
    connections.record_open(match=timed, seat=timed.absent, channel="one")
    with later(seconds=5):
        browser_of(timed.absent.user).get(f"/games/{timed.code}/sync", {"v": "0v1"})
    timed.absent.refresh_from_db()
    assert timed.absent.page_at is None


def test_a_page_with_a_socket_ends_with_the_socket(timed, browser_of):
    browser_of(timed.absent.user).get(f"/games/{timed.code}/")
    with later(seconds=1):
        connections.record_open(match=timed, seat=timed.absent, channel="one")
    with later(seconds=2):
        connections.record_close(channel="one", clean=True)
    with later(seconds=13):
        assert services.answer_absence(match=timed, seat=timed.waiting, take="win").result_how == "left"


def test_a_page_with_a_socket_ends_with_it_when_a_form_was_posted_meanwhile(timed, browser_of):
    connections.record_open(match=timed, seat=timed.absent, channel="one")
    with later(seconds=1):
        browser_of(timed.absent.user).post(f"/games/{timed.code}/continue")
    with later(seconds=2):
        connections.record_close(channel="one", clean=True)
    with later(seconds=13):
        assert services.answer_absence(match=timed, seat=timed.waiting, take="win").result_how == "left"


def test_the_absent_one_cannot_take_it_from_themselves(timed):
    with later(seconds=40), pytest.raises(services.MoveRefused) as refused:
        services.answer_absence(match=timed, seat=timed.absent, take="win")
    assert refused.value.code == "own_turn"


def test_the_page_of_a_timed_match_offers_the_claim(timed, browser_of):
    with later(seconds=31):
        page = browser_of(timed.waiting.user).get(f"/games/{timed.code}/").content.decode()
    assert "Take the win" in page
