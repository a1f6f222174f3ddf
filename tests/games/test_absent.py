from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.utils import timezone

from games import services
from games.models import Connection
from games.services import connections
from tests.games.playing import begin, on_turn

pytestmark = pytest.mark.django_db


def later(**span):
    return time_machine.travel(timezone.now() + timedelta(**span), tick=False)


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


def test_not_before(match):
    with later(seconds=50), pytest.raises(services.MoveRefused) as refused:
        services.answer_absence(match=match, seat=match.waiting, take="win")

    assert refused.value.error.code == "grace"


def test_a_closed_page_gives_fifteen_seconds_after_the_five_for_reloading(match):
    connections.opened(match=match, seat=match.absent, channel="one")
    connections.closed(channel="one", clean=True)

    with later(seconds=18), pytest.raises(services.MoveRefused):
        services.answer_absence(match=match, seat=match.waiting, take="win")
    with later(seconds=21):
        assert services.answer_absence(match=match, seat=match.waiting, take="win").result_how == "left"


def test_a_second_tab_is_presence(match):
    connections.opened(match=match, seat=match.absent, channel="one")
    connections.opened(match=match, seat=match.absent, channel="two")
    connections.closed(channel="one", clean=True)

    with later(seconds=40), pytest.raises(services.MoveRefused) as refused:
        services.answer_absence(match=match, seat=match.waiting, take="win")

    assert refused.value.error.code == "not_absent"


def test_coming_back_resumes(match):
    connections.opened(match=match, seat=match.absent, channel="one")
    connections.closed(channel="one", clean=False)

    with later(seconds=70):
        connections.opened(match=match, seat=match.absent, channel="two")
        with pytest.raises(services.MoveRefused):
            services.answer_absence(match=match, seat=match.waiting, take="win")


def test_a_dead_server_leaves_sockets_that_count_for_nobody(match):
    connections.opened(match=match, seat=match.absent, channel="one")
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

    assert refused.value.error.code == "rated_takeover"


def test_never_while_it_is_somebody_elses_turn(match):
    connections.opened(match=match, seat=match.absent, channel="one")

    with later(seconds=30), pytest.raises(services.MoveRefused):
        services.answer_absence(match=match, seat=match.absent, take="win")
