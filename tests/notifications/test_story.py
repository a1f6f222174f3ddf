"""Somebody who has used none of it: two browsers, a log-out, another zone, a match of days. What came when."""

from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from games import services
from games.models import Match, Seat
from games.time.day_clocks import DAY_SECONDS
from notifications.models import Choices
from tests.games.playing import begin, on_turn, play
from tests.notifications.conftest import NOON, pass_the_turn_around

pytestmark = pytest.mark.django_db
AGENTS = {
    "laptop": "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0 Safari/537.36",
    "phone": "Mozilla/5.0 (Android 15; Mobile; rv:140.0) Gecko/140.0 Firefox/140.0",
}


@pytest.fixture
def diary(push, monkeypatch):
    """Return what came, as (hours after NOON, device, title)."""
    entries: list[tuple[float, str, str]] = []
    take = push.take

    def take_and_write(path, headers, body):
        status = take(path, headers, body)
        hours = (timezone.now() - NOON) / timedelta(hours=1)
        entries.append((hours, path.removeprefix("/"), push.deliveries[-1].payload["title"]))
        return status

    monkeypatch.setattr(push, "take", take_and_write)
    return entries


def log_in(user, device: str, push, zone: str) -> Client:
    browser = Client(HTTP_USER_AGENT=AGENTS[device])
    password = {"login": user.username, "password": f"{user.username}'s bones"}
    assert browser.post("/accounts/login/", password).status_code == 302
    key = browser.get("/notifications/key").json()["key"]
    sent = push.add_browser(device).fields | {"time_zone": zone, "server_key": key}
    assert browser.post("/notifications/subscribe", sent).status_code == 204
    return browser


def test_notices_of_a_match_of_days_come_when_and_where_they_should(alice, bob, push, send_due, noon, diary):
    match = begin(alice, bob, clock=(DAY_SECONDS, 0))
    for _ in range(8):
        match = play(match)
    reader = on_turn(match).user
    other = match.seats.exclude(user=reader).get()
    laptop = log_in(reader, "laptop", push, "Asia/Calcutta")
    phone = log_in(reader, "phone", push, "Asia/Calcutta")
    assert Choices.objects.get(user=reader).time_zone == "Asia/Calcutta"
    page = phone.get("/notifications/").text
    assert "Chrome, Linux" in page and "Firefox, Android" in page and page.count("this one") == 1

    # The page of the match says that it is their turn; of the next one both devices are told.
    Seat.objects.update(hand_seen_at=timezone.now())
    laptop.get(match.get_absolute_url())
    noon.shift(timedelta(minutes=10))
    send_due()
    assert diary == []
    match = pass_the_turn_around(match, reader)
    noon.shift(timedelta(minutes=50))
    send_due()
    assert sorted(diary) == [(1.0, "laptop", "Your turn"), (1.0, "phone", "Your turn")]

    # The phone is logged out from the laptop's list, and the zone changes: it is evening there.
    laptop.post("/accounts/sessions/")
    sent = {
        "turn": "on",
        "hours_left": "on",
        "ended": "on",
        "quiet_from": 22,
        "quiet_until": 8,
        "time_zone": "Europe/Kiev",
    }
    assert laptop.post("/notifications/", sent).status_code == 303
    assert phone.get("/notifications/").status_code == 302

    # Their bank is empty: a day is left, until 13:00 UTC, 15:00 in Kyiv.
    deadline = timezone.now() + timedelta(days=1)
    Seat.objects.filter(match=match, user=reader).update(clock_ms=DAY_SECONDS * 1000)
    Match.objects.filter(pk=match.pk).update(turn_began_at=timezone.now(), next_action_at=deadline)
    for hours in (6, 12, 21, 22, 23, 24, 25):
        noon.move_to(NOON + timedelta(hours=hours, minutes=30))
        send_due()
    services.advance(Match.objects.get(pk=match.pk), timezone.now())
    assert Match.objects.get(pk=match.pk).result_how == "time"
    for hours in (26, 27, 40, 72):
        noon.move_to(NOON + timedelta(hours=hours))
        send_due()

    assert diary[2:] == [
        (23.5, "laptop", "2 hours left for your move"),
        (26.0, "laptop", "Your match has ended"),
    ]
    assert push.deliveries[-1].payload["body"] == f"{other.user.username} won on time · All Fives"
