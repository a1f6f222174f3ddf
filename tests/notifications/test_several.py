"""Not too many notices, none too late, and none for nothing: backlogs, outages, pages in view."""

from datetime import timedelta

import pytest
from django.utils import timezone

from accounts.models import User
from games.models import Match, Seat
from games.time import outages
from games.time.day_clocks import DAY_SECONDS
from live import open_sockets
from lobbies import services as tables
from notifications.models import Notice
from tests.games.playing import begin, on_turn
from tests.lobbies.tables import game
from tests.notifications.conftest import pass_the_turn_around
from tests.notifications.test_push import at_noon  # noqa: F401

pytestmark = pytest.mark.django_db


def test_outage_neither_reads_a_notice_nor_sends_it_again(alice, bob, push, subscribe, send_due, noon):
    match = begin(alice, bob)
    Seat.objects.update(hand_seen_at=timezone.now())
    noon.shift(timedelta(minutes=20))
    seat = on_turn(match)
    subscribe(seat.user)
    Seat.objects.filter(pk=seat.pk).update(page_at=timezone.now() - timedelta(minutes=15))
    Match.objects.update(turn_began_at=timezone.now() - timedelta(minutes=10))
    outages.record_beat()
    send_due()
    assert push.titles == ["Your turn"]
    outages.record_beat()
    noon.shift(timedelta(minutes=30))
    outages.clear_cache()  # the process was killed, another one starts
    outages.record_beat()
    for _ in range(3):
        noon.shift(timedelta(seconds=30))
        send_due()
    assert push.titles == ["Your turn"] and Notice.objects.unread().count() == 1
    outages.clear_cache()


def test_turn_is_notified_although_the_beginning_is_unread(begin_of_days, push, subscribe, send_due, noon):
    match = begin_of_days(3)
    seat = match.seats.exclude(pk=on_turn(match).pk).get()
    Seat.objects.filter(pk=seat.pk).update(hand_seen_at=None, page_at=None)
    subscribe(seat.user)
    noon.shift(timedelta(seconds=30))
    send_due()
    assert push.titles == ["Your match has begun"]
    noon.shift(timedelta(minutes=1))
    pass_the_turn_around(match, seat.user)
    for _ in range(3):
        noon.shift(timedelta(minutes=10))
        send_due()
    assert push.titles == ["Your match has begun", "Your turn"]
    assert len({delivery.payload["tag"] for delivery in push.deliveries}) == 1
    assert [delivery.headers["ttl"] for delivery in push.deliveries] == ["86400"] * 2, "of days"


@pytest.mark.parametrize(("clock", "ttl"), [((300, 5), "300"), ((3 * DAY_SECONDS, 0), "604800")])
def test_challenge_is_kept_as_long_as_it_waits(alice, bob, push, subscribe, send_due, clock, ttl):
    subscribe(bob)
    tables.challenge(alice, bob, game(clock=clock))
    send_due()
    assert [delivery.headers["ttl"] for delivery in push.deliveries] == [ttl]
    assert push.deliveries[0].payload["body"].endswith("· 3 days a move") is (clock[0] > 300)


@pytest.mark.parametrize("is_in_view", [True, False])
def test_challenge_is_not_pushed_while_a_page_that_names_it_is_in_view(
    alice, bob, push, subscribe, send_due, is_in_view
):
    subscribe(bob)
    tables.challenge(alice, bob, game())
    owner = f"user {bob.pk}"
    open_sockets.note_view(owner, True)
    if not is_in_view:
        open_sockets.note_view(owner, False)
    for _ in range(2):
        send_due()
        open_sockets._pages_in_view.clear()
    assert push.titles == ([] if is_in_view else ["You are challenged"])


def test_several_turns_at_once_are_one_notice(begin_of_days, push, subscribe, send_due, noon, client):
    matches = [begin_of_days(3) for _ in range(3)]
    user = on_turn(matches[0]).user
    for match in matches:
        assert on_turn(match).user == user
    Seat.objects.update(page_at=None)
    subscribe(user)
    subscribe(user, "second")
    noon.shift(timedelta(minutes=20))
    for _ in range(3):
        send_due()
        noon.shift(timedelta(minutes=5))
    assert push.titles == ["Your turn"] * 2, "one for each device"
    payload = push.deliveries[0].payload
    assert payload["body"] == "3 matches wait for your move." and payload["badge"] == 3
    assert not Notice.objects.filter(sent_at=None).exists()
    assert {len(row.delivered) for row in Notice.objects.all()} == {2}
    client.force_login(user)
    assert client.get(payload["url"])["Location"] == "/"


def test_several_ends_at_once_are_one_notice(begin_of_days, push, subscribe, send_due, noon, alice):
    for _ in range(2):
        begin_of_days(3)
    subscribe(alice)
    User.objects.update(seen_at=None)
    Match.objects.update(status=Match.Status.FINISHED, result_how="aborted", ended_at=timezone.now())
    send_due()
    assert push.titles == ["While you were away"]
    assert push.deliveries[0].payload["body"] == "2 matches have ended."


def test_end_without_a_winner_names_the_other(begin_of_days, push, subscribe, send_due, noon, alice):
    begin_of_days(3)
    subscribe(alice)
    User.objects.update(seen_at=None)
    Match.objects.update(status=Match.Status.FINISHED, result_how="aborted", ended_at=timezone.now())
    send_due()
    assert push.deliveries[0].payload["body"].startswith("bob · All Fives · called off")


def test_challenges_of_one_person_give_one_notice_in_ten_minutes(alice, bob, push, subscribe, send_due, noon):
    subscribe(bob)
    for preset in ("all-fives", "draw", "block"):
        tables.challenge(alice, bob, game(preset))
        send_due()
    assert len(push.deliveries) == 1
    noon.shift(timedelta(minutes=11))
    tables.challenge(alice, bob, game("draw"))
    send_due()
    assert len(push.deliveries) == 2
