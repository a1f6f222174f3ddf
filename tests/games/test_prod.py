"""Prodding the player on turn in a match without a running clock."""

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from games import services
from games.services import connections
from tests.games.playing import begin, legal, on_turn, under_way
from tests.times import later

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("frozen_clock")]


@pytest.fixture
def match(alice, bob) -> Any:
    match: Any = begin(alice, bob)
    match.slow = on_turn(match)
    match.waiting = match.seats.exclude(pk=match.slow.pk).get()
    return match


def stay(match, seconds):
    """Open the slow player's page after `seconds`."""
    with later(seconds=seconds):
        connections.record_open(match=match, seat=match.slow, channel="slow")


def test_claim_three_minutes_after_prod(match, browser_of):
    answer = browser_of(match.waiting.user).post(f"/games/{match.code}/prod")
    assert answer.status_code == 303

    stay(match, 170)
    with later(seconds=178), pytest.raises(services.MoveRefused) as refused:
        services.answer_absence(match=match, seat=match.waiting, take="win")
    assert refused.value.code == "prodded"
    with later(seconds=182):
        assert services.answer_absence(match=match, seat=match.waiting, take="win").result_how == "left"


def test_claim_without_prod_is_refused(match):
    stay(match, 3600)
    with later(seconds=3601), pytest.raises(services.MoveRefused) as refused:
        services.answer_absence(match=match, seat=match.waiting, take="win")
    assert refused.value.code == "not_absent"


def test_player_on_turn_sees_prod_until_moving(match, browser_of):
    services.prod(match=match, seat=match.waiting)
    page = browser_of(match.slow.user).get(f"/games/{match.code}/").content.decode()
    assert f"{match.waiting.name} asks you to move." in page

    services.play(match=match, seat=match.slow, move=legal(match)[0], seen_version=0)
    page = browser_of(match.slow.user).get(f"/games/{match.code}/").content.decode()
    assert "asks you to move" not in page


def test_second_prod_does_not_restart_timeout(match):
    services.prod(match=match, seat=match.waiting)
    with later(seconds=100):
        services.prod(match=match, seat=match.waiting)
    match.refresh_from_db()
    assert match.prodded_at < timezone.now() + timedelta(seconds=1)


def test_prod_keeps_version(match, browser_of):
    answer = browser_of(match.waiting.user).post(
        f"/games/{match.code}/prod", headers={"accept": "application/json"}
    )
    assert (answer.status_code, answer.json()["version"]) == (200, 0)


def test_prod_with_running_clock_is_refused(alice, bob, browser_of):
    match = under_way(begin(alice, bob, clock=(60, 0)))
    waiting = match.seats.exclude(pk=on_turn(match).pk).get()
    answer = browser_of(waiting.user).post(
        f"/games/{match.code}/prod", headers={"accept": "application/json"}
    )
    assert answer.status_code == 422
    assert "no need to ask" in answer.json()["error"]


def test_prod_of_computer_self_or_by_spectator_is_refused(alice, charlie, browser_of):
    match = begin(alice, "club")
    for person, status in ((charlie, 403), (alice, 422)):
        answer = browser_of(person).post(f"/games/{match.code}/prod", headers={"accept": "application/json"})
        assert answer.status_code == status


def test_prod_button_is_offered_while_player_is_present(match, browser_of):
    connections.record_open(match=match, seat=match.slow, channel="slow")
    page = browser_of(match.waiting.user).get(f"/games/{match.code}/").content.decode()
    assert f"Ask {match.slow.name} to move" in page
    assert "to move" not in browser_of(match.slow.user).get(f"/games/{match.code}/").content.decode()
