"""A player on turn whom no clock hurries can be asked to move, and three minutes later the others go on."""

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from games import services
from games.services import connections
from tests.games.playing import begin, legal, on_turn, under_way
from tests.times import later

pytestmark = pytest.mark.django_db


@pytest.fixture
def match(alice, bob) -> Any:
    match: Any = begin(alice, bob)
    match.slow = on_turn(match)
    match.waiting = match.seats.exclude(pk=match.slow.pk).get()
    return match


def stay(match, seconds):
    """The slow one's page is open at that time."""
    with later(seconds=seconds):
        connections.record_open(match=match, seat=match.slow, channel="slow")


def test_who_is_here_and_was_asked_can_be_claimed_against_after_three_minutes(match, browser_of):
    answer = browser_of(match.waiting.user).post(f"/games/{match.code}/prod")
    assert answer.status_code == 303

    stay(match, 170)
    with later(seconds=178), pytest.raises(services.MoveRefused) as refused:
        services.answer_absence(match=match, seat=match.waiting, take="win")
    assert refused.value.code == "prodded"
    with later(seconds=182):
        assert services.answer_absence(match=match, seat=match.waiting, take="win").result_how == "left"


def test_nobody_goes_on_without_a_player_who_was_not_asked(match):
    stay(match, 3600)
    with later(seconds=3601), pytest.raises(services.MoveRefused) as refused:
        services.answer_absence(match=match, seat=match.waiting, take="win")
    assert refused.value.code == "not_absent"


def test_the_player_on_turn_reads_who_asks_and_a_move_answers(match, browser_of):
    services.prod(match=match, seat=match.waiting)
    page = browser_of(match.slow.user).get(f"/games/{match.code}/").content.decode()
    assert f"{match.waiting.name} asks you to move." in page

    services.play(match=match, seat=match.slow, move=legal(match)[0], seen_version=0)
    page = browser_of(match.slow.user).get(f"/games/{match.code}/").content.decode()
    assert "asks you to move" not in page


def test_asking_again_does_not_begin_the_three_minutes_anew(match):
    services.prod(match=match, seat=match.waiting)
    with later(seconds=100):
        services.prod(match=match, seat=match.waiting)
    match.refresh_from_db()
    assert match.prodded_at < timezone.now() + timedelta(seconds=1)


def test_asking_touches_no_version(match, browser_of):
    answer = browser_of(match.waiting.user).post(
        f"/games/{match.code}/prod", headers={"accept": "application/json"}
    )
    assert (answer.status_code, answer.json()["version"]) == (200, 0)


def test_before_ones_first_play_one_may_be_asked_though_there_are_clocks(alice, bob, browser_of):
    match: Any = begin(alice, bob, clock=(300, 5))
    absent = on_turn(match)
    waiting = match.seats.exclude(pk=absent.pk).get()
    for seat in (absent, waiting):
        connections.record_open(match=match, seat=seat, channel=f"seat {seat.position}")
    assert browser_of(waiting.user).post(f"/games/{match.code}/prod").status_code == 303
    with later(minutes=3, seconds=1):
        connections.renew(timezone.now())
        assert services.answer_absence(match=match, seat=waiting, take="win").result_how == "left"


def test_where_a_clock_runs_nobody_need_be_asked(alice, bob, browser_of):
    match = under_way(begin(alice, bob, clock=(60, 0)))
    waiting = match.seats.exclude(pk=on_turn(match).pk).get()
    answer = browser_of(waiting.user).post(
        f"/games/{match.code}/prod", headers={"accept": "application/json"}
    )
    assert answer.status_code == 422
    assert "no need to ask" in answer.json()["error"]


def test_nor_a_computer_nor_oneself_nor_by_spectators(alice, charlie, browser_of):
    match = begin(alice, "club")
    for person, status in ((charlie, 403), (alice, 422)):
        answer = browser_of(person).post(f"/games/{match.code}/prod", headers={"accept": "application/json"})
        assert answer.status_code == status


def test_the_others_find_the_button_while_the_player_is_here(match, browser_of):
    connections.record_open(match=match, seat=match.slow, channel="slow")
    page = browser_of(match.waiting.user).get(f"/games/{match.code}/").content.decode()
    assert f"Ask {match.slow.name} to move" in page
    assert "to move" not in browser_of(match.slow.user).get(f"/games/{match.code}/").content.decode()
