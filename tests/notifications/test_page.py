"""The page of choices, the subscriptions, the mail and the calendar."""

from datetime import UTC, datetime, timedelta

import pytest
import time_machine
from allauth.account.models import EmailAddress
from django.core import mail
from django.utils import timezone

from accounts.models import User
from accounts.personal import delete
from games.models import Seat
from nights.services import follow_night
from notifications import mails
from notifications.models import CHOSEN_KINDS, Choices, Subscription, find_choices
from notifications.services import MAX_SUBSCRIPTIONS
from tests.games.playing import begin, on_turn
from tests.nights.open_nights import make_open_night

pytestmark = pytest.mark.django_db
PAGE = "/notifications/"


@pytest.fixture
def alice_client(client, alice):
    client.force_login(alice)
    return client


def test_page_offers_notices_and_devices(alice_client, alice, subscribe):
    subscribe(alice)
    response = alice_client.get(PAGE)
    assert "Notify me here" in response.text and "Devices that are notified" in response.text
    page = " ".join(response.text.split())
    assert "until you come back you get only the warnings that your time runs out" in page
    assert "only the warning of two hours comes before them" in page


def test_visitors_log_in_first(client):
    assert client.get(PAGE).status_code == 302
    assert client.post("/notifications/subscribe").status_code == 302


def test_choices_are_stored(alice_client, alice):
    sent = {"turn": "on", "quiet_from": 23, "quiet_until": 6, "time_zone": "America/Caracas"}
    assert alice_client.post(PAGE, sent).status_code == 303
    choices = Choices.objects.get(user=alice)
    assert [kind for kind in CHOSEN_KINDS if getattr(choices, kind.value)] == ["turn"]
    assert (choices.quiet_from, choices.quiet_until, choices.time_zone) == (23, 6, "America/Caracas")
    assert not choices.mails


def test_time_beside_quiet_hours_is_that_of_the_zone(alice, alice_client, noon):
    Choices.objects.create(user=alice, time_zone="Asia/Calcutta")
    page = alice_client.get("/notifications/").content.decode()
    assert "Asia/Calcutta, it is 17:30 now" in " ".join(page.split())


@pytest.mark.parametrize("zone", ["../../etc/passwd", "Factory", "localtime", "posixrules", "posix/UTC"])
def test_zone_that_is_no_place_is_refused(alice_client, zone):
    sent = {"quiet_from": 23, "quiet_until": 6, "time_zone": zone}
    assert alice_client.post(PAGE, sent).status_code == 422


@pytest.mark.parametrize("zone", ["UTC", "Etc/UTC", "Etc/GMT+5", "GMT", "CET", "EST5EDT", ""])
def test_zone_that_browsers_send_is_stored_and_stays(alice_client, alice, push, zone):
    sent = {"quiet_from": 23, "quiet_until": 6, "time_zone": zone}
    assert alice_client.post(PAGE, sent).status_code == 303
    alice_client.post("/notifications/subscribe", push.add_browser().fields | {"time_zone": "Asia/Tokyo"})
    assert Choices.objects.get(user=alice).time_zone == (zone or "Asia/Tokyo")


def test_page_says_where_hours_are_until_a_zone_is_stored(alice_client, alice, subscribe, noon):
    subscribe(alice)
    page = " ".join(alice_client.get(PAGE).text.split())
    assert "No time zone is stored, so these are hours of UTC, where it is 12:00 now" in page
    assert "since 25 Nov 2026, 12:00 UTC" in page


def test_browser_is_subscribed(alice_client, alice, push):
    fields = push.add_browser().fields
    agent = (
        "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0 Safari/537.36"
    )
    response = alice_client.post("/notifications/subscribe", fields, HTTP_USER_AGENT=agent)
    assert response.status_code == 204
    assert alice.push_subscriptions.get().device == "Chrome, Linux"


@pytest.mark.parametrize(
    ("before", "sent", "after"),
    [
        (None, "Asia/Tokyo", "Asia/Tokyo"),
        ("", "Asia/Tokyo", "Asia/Tokyo"),
        ("UTC", "Asia/Tokyo", "UTC"),
        ("Europe/Madrid", "Asia/Tokyo", "Europe/Madrid"),
        ("", "Mars/Olympus", ""),
        ("", "Factory", ""),
        ("", "UTC", ""),
    ],
)
def test_quiet_hours_are_those_of_the_first_browser(alice_client, alice, push, before, sent, after):
    if before is not None:
        Choices.objects.create(user=alice, time_zone=before)
    alice_client.post("/notifications/subscribe", push.add_browser().fields | {"time_zone": sent})
    assert find_choices(alice).time_zone == after


@pytest.mark.parametrize(
    "change",
    [{"endpoint": "http://10.0.0.1/1"}, {"key": "AAAA"}, {"key": "B" * 87}, {"secret": ""}, {"secret": "é"}],
)
def test_malformed_subscription_is_refused(alice_client, push, change):
    fields = push.add_browser().fields | change
    assert alice_client.post("/notifications/subscribe", fields).status_code == 400
    assert not Subscription.objects.exists()


def test_number_of_browsers_is_bounded(alice, subscribe):
    for number in range(MAX_SUBSCRIPTIONS + 3):
        subscribe(alice, f"b{number}")
    left = list(alice.push_subscriptions.values_list("endpoint", flat=True))
    assert len(left) == MAX_SUBSCRIPTIONS and left[-1].endswith(f"/b{MAX_SUBSCRIPTIONS + 2}")


def test_browser_belongs_to_its_last_subscriber(alice, bob, subscribe):
    subscribe(alice, "shared")
    subscribe(bob, "shared")
    assert Subscription.objects.get().user == bob


def test_only_ones_own_browser_is_removed(alice_client, bob, alice, subscribe):
    own, other = subscribe(alice), subscribe(bob)
    for row in (own, other):
        alice_client.post("/notifications/unsubscribe", {"subscription": row.pk})
    alice_client.post("/notifications/unsubscribe", {"endpoint": other.endpoint})
    assert list(Subscription.objects.filter(removed_at=None)) == [other]
    page = alice_client.get(PAGE).text
    assert "Devices that are notified" not in page
    removed = Subscription.objects.get(pk=own.pk)
    assert own.endpoint not in str(vars(removed)) and not removed.key and not removed.secret


@pytest.fixture
def night(alice):
    night = make_open_night(weekday=2, hour=19, name="Night; with, signs\\ " + "дома " * 8)
    follow_night(alice, night, True)
    return night


def get_calendar(client) -> str:
    client.post("/notifications/calendar", {"on": "1"})
    address = Choices.objects.get().calendar_token
    client.logout()
    response = client.get(f"/calendar/{address}.ics")
    assert response["Content-Type"].startswith("text/calendar")
    assert "no-store" in response["Cache-Control"]
    return response.content.decode()


def test_calendar_lists_followed_nights(alice_client, night):
    with time_machine.travel(datetime(2026, 11, 26, tzinfo=UTC), tick=False):
        text = get_calendar(alice_client)
    assert all(len(line.encode()) <= 75 for line in text.split("\r\n"))
    lines = text.replace("\r\n ", "").split("\r\n")
    assert "DTSTART:20261202T190000Z" in lines and "RRULE:FREQ=WEEKLY;BYDAY=WE" in lines
    assert [line for line in lines if line.startswith("SUMMARY")][0].startswith(
        "SUMMARY:Night\\; with\\, signs\\\\ дома"
    )
    assert lines[0] == "BEGIN:VCALENDAR" and lines[-2:] == ["END:VCALENDAR", ""]


def test_calendar_address_is_renewed_or_deleted(alice_client, alice, night):
    get_calendar(alice_client)
    old = Choices.objects.get().calendar_token
    alice_client.force_login(alice)
    alice_client.post("/notifications/calendar", {"on": "1"})
    assert alice_client.get(f"/calendar/{old}.ics").status_code == 404
    alice_client.post("/notifications/calendar", {"on": "0"})
    assert Choices.objects.get().calendar_token == ""
    assert alice_client.get("/calendar/.ics").status_code == 404


def test_calendar_is_in_the_language_of_the_page_that_made_it(alice_client, alice):
    follow_night(alice, make_open_night(weekday=2, hour=19, preset="draw"), True)
    alice_client.post("/notifications/calendar", {"on": "1"}, headers={"Accept-Language": "ru"})
    token = Choices.objects.get().calendar_token
    assert "SUMMARY:Вечер «С базаром»" in alice_client.get(f"/calendar/{token}.ics").content.decode()


def test_calendar_is_deleted_with_the_account(alice_client, alice, night):
    get_calendar(alice_client)
    token = Choices.objects.get().calendar_token
    delete(User.objects.get(pk=alice.pk))
    assert alice_client.get(f"/calendar/{token}.ics").status_code == 404


def test_mail_counts_waiting_matches_once_a_day(alice, bob, noon):
    seat = on_turn(begin(alice, bob))
    Seat.objects.update(hand_seen_at=timezone.now())
    EmailAddress.objects.create(user=seat.user, email="a@example.org", verified=True, primary=True)
    Choices.objects.create(user=seat.user, mails=True)
    for hours in (1, 2, 30):
        mails.send_mails(timezone.now() + timedelta(hours=hours))
    assert [message.subject for message in mail.outbox] == ["[Boneyard] 1 match waits for your move."] * 2
    assert mail.outbox[0].to == ["a@example.org"]


def test_mail_is_in_the_language_of_the_page_where_it_was_wanted(alice, bob, browser_of, noon):
    person = on_turn(begin(alice, bob)).user
    Seat.objects.update(hand_seen_at=timezone.now())
    EmailAddress.objects.create(user=person, email="a@example.org", verified=True, primary=True)
    wanted = {"quiet_from": "22", "quiet_until": "8", "time_zone": "UTC", "mails": "on"}
    browser_of(person).post("/notifications/", wanted, headers={"Accept-Language": "ru"})
    mails.send_mails(timezone.now() + timedelta(hours=4))
    assert mail.outbox[0].subject == "[Boneyard] 1 партия ждёт вашего хода."


def test_no_mail_goes_to_an_unconfirmed_address(alice, bob, noon):
    seat = on_turn(begin(alice, bob))
    EmailAddress.objects.create(user=seat.user, email="a@example.org", verified=False, primary=True)
    Choices.objects.create(user=seat.user, mails=True)
    mails.send_mails(timezone.now() + timedelta(hours=1))
    assert mail.outbox == []
