from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from games import repository, services
from games.models import Connection
from games.services import connections
from games.time.presence import get_grace_end, load_presence
from tests.games.playing import begin, on_turn, under_way
from tests.times import later

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("frozen_clock")]


@pytest.fixture
def match(alice, bob) -> Any:
    match: Any = begin(alice, bob)
    match.absent = on_turn(match)
    match.waiting = match.seats.exclude(pk=match.absent.pk).get()
    return match


def test_claim_after_a_minute_without_any_socket(match):
    with later(seconds=61):
        after = services.answer_absence(match=match, seat=match.waiting, take="win")

    assert after.result_how == "left"
    assert after.winners == [match.waiting.position]


def test_claim_during_grace_is_refused(match):
    with later(seconds=50), pytest.raises(services.MoveRefused) as refused:
        services.answer_absence(match=match, seat=match.waiting, take="win")

    assert refused.value.code == "grace"


def test_closed_page_leaves_a_minute(match):
    connections.record_open(match=match, seat=match.absent, channel="one")
    connections.record_close(channel="one", clean=True)

    with later(seconds=59), pytest.raises(services.MoveRefused):
        services.answer_absence(match=match, seat=match.waiting, take="win")
    with later(seconds=61):
        assert services.answer_absence(match=match, seat=match.waiting, take="win").result_how == "left"


def test_second_tab_counts_as_present(match):
    connections.record_open(match=match, seat=match.absent, channel="one")
    connections.record_open(match=match, seat=match.absent, channel="two")
    connections.record_close(channel="one", clean=True)

    with later(seconds=19), pytest.raises(services.MoveRefused) as refused:
        services.answer_absence(match=match, seat=match.waiting, take="win")

    assert refused.value.code == "not_absent"


def test_claim_after_reconnect_is_refused(match):
    connections.record_open(match=match, seat=match.absent, channel="one")
    connections.record_close(channel="one", clean=False)

    with later(seconds=70):
        connections.record_open(match=match, seat=match.absent, channel="two")
        with pytest.raises(services.MoveRefused):
            services.answer_absence(match=match, seat=match.waiting, take="win")


def test_sockets_of_dead_process_do_not_count(match):
    connections.record_open(match=match, seat=match.absent, channel="one")
    Connection.objects.update(seen_at=timezone.now() - timedelta(minutes=2))

    with later(seconds=61):
        assert services.answer_absence(match=match, seat=match.waiting, take="win").result_how == "left"


def test_takeover_in_casual_match(match):
    with later(seconds=61):
        after = services.answer_absence(match=match, seat=match.waiting, take="computer")

    match.absent.refresh_from_db()
    assert after.playing
    assert match.absent.taken_over
    assert after.next_action_at is not None


def test_takeover_in_rated_match_is_refused(alice, bob):
    match = begin(alice, bob, rated=True)
    waiting = match.seats.exclude(pk=on_turn(match).pk).get()

    with later(seconds=61), pytest.raises(services.MoveRefused) as refused:
        services.answer_absence(match=match, seat=waiting, take="computer")

    assert refused.value.code == "rated_takeover"


def test_claim_on_own_turn_is_refused(match):
    connections.record_open(match=match, seat=match.absent, channel="one")

    with later(seconds=30), pytest.raises(services.MoveRefused):
        services.answer_absence(match=match, seat=match.absent, take="win")


@pytest.fixture
def timed(alice, bob) -> Any:
    return wait_for_player(under_way(begin(alice, bob, rated=True, clock=(300, 5))))


def wait_for_player(match) -> Any:
    match.absent = on_turn(match)
    match.waiting = match.seats.exclude(pk=match.absent.pk).get()
    return match


@pytest.mark.parametrize(("clock", "grace"), [(60, 20), (180, 20), (300, 30), (600, 60), (3600, 60)])
def test_grace_is_a_tenth_of_the_clock(alice, bob, clock, grace):
    match = wait_for_player(under_way(begin(alice, bob, clock=(clock, 0))))

    with later(seconds=grace - 1), pytest.raises(services.MoveRefused) as refused:
        services.answer_absence(match=match, seat=match.waiting, take="win")
    assert refused.value.code == "grace"
    with later(seconds=grace + 1):
        assert services.answer_absence(match=match, seat=match.waiting, take="win").result_how == "left"


def test_timed_match_has_thirty_seconds_of_grace(timed):
    with later(seconds=29), pytest.raises(services.MoveRefused) as refused:
        services.answer_absence(match=timed, seat=timed.waiting, take="win")
    assert refused.value.code == "grace"

    with later(seconds=31):
        assert services.answer_absence(match=timed, seat=timed.waiting, take="win").result_how == "left"


def test_closed_page_and_lost_line_have_the_same_grace(timed):
    connections.record_open(match=timed, seat=timed.absent, channel="one")
    connections.record_close(channel="one", clean=True)

    with later(seconds=29), pytest.raises(services.MoveRefused):
        services.answer_absence(match=timed, seat=timed.waiting, take="win")
    with later(seconds=31):
        assert services.answer_absence(match=timed, seat=timed.waiting, take="win").result_how == "left"


def test_grace_ends_with_the_clock(alice, bob, browser_of):
    match = under_way(begin(alice, bob, clock=(20, 0)))
    deadline = browser_of(bob).get(f"/games/{match.code}/state.json").json()["deadline"]
    here = load_presence(match, list(match.seats.all()), timezone.now())

    ends = get_grace_end(
        match, list(match.seats.all()), on_turn(match).position, repository.get_value(match), here
    )

    assert ends.strftime("%Y-%m-%dT%H:%M:%SZ") == deadline


def test_grace_starts_twenty_seconds_after_lost_connection(timed):
    connections.record_open(match=timed, seat=timed.absent, channel="one")
    connections.record_close(channel="one", clean=False)

    with later(seconds=19), pytest.raises(services.MoveRefused) as refused:
        services.answer_absence(match=timed, seat=timed.waiting, take="win")
    assert refused.value.code == "not_absent"
    with later(seconds=48), pytest.raises(services.MoveRefused):
        services.answer_absence(match=timed, seat=timed.waiting, take="win")
    with later(seconds=51):
        assert services.answer_absence(match=timed, seat=timed.waiting, take="win").result_how == "left"


def test_ended_process_restarts_grace(timed):
    with later(seconds=25):  # nobody of them has come yet; the other one's server is killed
        connections.record_open(match=timed, seat=timed.waiting, channel="killed")
    with later(seconds=50), pytest.raises(services.MoveRefused) as refused:
        services.answer_absence(match=timed, seat=timed.waiting, take="win")
    assert refused.value.code == "grace"
    with later(seconds=56):
        assert services.answer_absence(match=timed, seat=timed.waiting, take="win").result_how == "left"


def test_page_reload_counts_as_present(timed, browser_of):
    page = browser_of(timed.absent.user)
    for seconds in range(0, 60, 10):
        with later(seconds=seconds):
            page.get(f"/games/{timed.code}/")

    with later(seconds=90), pytest.raises(services.MoveRefused) as refused:
        services.answer_absence(match=timed, seat=timed.waiting, take="win")
    assert refused.value.code == "not_absent"
    with later(seconds=127):
        assert services.answer_absence(match=timed, seat=timed.waiting, take="win").result_how == "left"


def test_form_post_counts_as_present(timed, browser_of):
    with later(seconds=29):
        browser_of(timed.absent.user).post(f"/games/{timed.code}/continue")
    with later(seconds=60), pytest.raises(services.MoveRefused) as refused:
        services.answer_absence(match=timed, seat=timed.waiting, take="win")
    assert refused.value.code == "not_absent"


def poll(page, match):
    page.get(f"/games/{match.code}/sync", {"v": "0v1"}, headers={"hx-request": "true"})


def test_polling_without_socket_counts_as_present(timed, browser_of):
    page = browser_of(timed.absent.user)
    for seconds in range(0, 80, 20):
        with later(seconds=seconds):
            poll(page, timed)
    with later(seconds=104), pytest.raises(services.MoveRefused) as refused:
        services.answer_absence(match=timed, seat=timed.waiting, take="win")
    assert refused.value.code == "not_absent"


def test_polling_beside_a_socket_is_not_recorded(timed, browser_of):
    connections.record_open(match=timed, seat=timed.absent, channel="one")
    with later(seconds=5):
        poll(browser_of(timed.absent.user), timed)
    timed.absent.refresh_from_db()
    assert timed.absent.page_at is None


def test_closed_socket_ends_presence_of_its_page(timed, browser_of):
    browser_of(timed.absent.user).get(f"/games/{timed.code}/")
    with later(seconds=1):
        connections.record_open(match=timed, seat=timed.absent, channel="one")
    with later(seconds=2):
        connections.record_close(channel="one", clean=True)
    with later(seconds=33):
        assert services.answer_absence(match=timed, seat=timed.waiting, take="win").result_how == "left"


def test_closed_socket_ends_presence_despite_earlier_post(timed, browser_of):
    connections.record_open(match=timed, seat=timed.absent, channel="one")
    with later(seconds=1):
        browser_of(timed.absent.user).post(f"/games/{timed.code}/continue")
    with later(seconds=2):
        connections.record_close(channel="one", clean=True)
    with later(seconds=33):
        assert services.answer_absence(match=timed, seat=timed.waiting, take="win").result_how == "left"


def test_absent_player_cannot_claim_against_self(timed):
    with later(seconds=40), pytest.raises(services.MoveRefused) as refused:
        services.answer_absence(match=timed, seat=timed.absent, take="win")
    assert refused.value.code == "own_turn"


def test_timed_match_page_offers_claim(timed, browser_of):
    with later(seconds=31):
        page = browser_of(timed.waiting.user).get(f"/games/{timed.code}/").content.decode()
    assert "Take the win" in page
