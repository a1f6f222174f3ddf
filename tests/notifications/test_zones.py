"""Time zones by every name that browsers send, and one person's fault costs that person."""

import logging
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo, reset_tzpath

import pytest
from allauth.account.models import EmailAddress
from django.core import mail
from django.utils import timezone
from hypothesis import given
from hypothesis import strategies as st

from accounts import conduct
from accounts.models import User
from core import faults
from core.time_zones import get_zone, list_zones
from games.models import Seat
from lobbies import services as tables
from nights.models import Night
from nights.services import follow_night, remind
from notifications import mails, turns
from notifications.calendars import write_calendar
from notifications.models import Choices
from notifications.quiet_hours import LEAD_TIME, find_end_of_quiet, find_last_before_quiet
from tests.games.playing import begin, on_turn
from tests.lobbies.tables import game
from tests.nights.open_nights import make_open_night

RENAMED = ["Asia/Calcutta", "America/Buenos_Aires", "Europe/Kiev", "Asia/Saigon", "US/Eastern"]


@pytest.fixture(autouse=True)
def at_noon(noon):
    faults._logged.clear()


@pytest.fixture
def without_zones_of_the_system():
    ZoneInfo.clear_cache()
    reset_tzpath(to=())
    yield
    reset_tzpath()
    ZoneInfo.clear_cache()


@pytest.mark.django_db
@pytest.mark.parametrize("name", RENAMED)
def test_renamed_zone_is_stored_and_kept(client, alice, push, name, without_zones_of_the_system):
    client.force_login(alice)
    sent = {"turn": "on", "quiet_from": 23, "quiet_until": 6, "time_zone": name}
    assert client.post("/notifications/", sent).status_code == 303
    assert Choices.objects.get().time_zone == name
    Choices.objects.all().delete()
    client.post("/notifications/subscribe", push.add_browser().fields | {"time_zone": name})
    assert Choices.objects.get().time_zone == name
    assert get_zone(name).utcoffset(datetime(2026, 11, 25)) != timedelta(0)


def test_every_known_zone_can_be_read(without_zones_of_the_system):
    assert len(list_zones()) > 590
    assert [name for name in list_zones() if get_zone(name).key != name] == []


@pytest.mark.parametrize("name", ["", "Mars/Olympus", "../../etc/passwd", "/etc/passwd", "Europe", "a\0b"])
def test_unknown_zone_is_utc(name):
    assert get_zone(name).key == "UTC"


hours = st.integers(0, 23)
moments = st.datetimes(datetime(2026, 1, 1), datetime(2027, 12, 31)).map(lambda at: at.replace(tzinfo=UTC))


@given(
    hours,
    hours,
    st.sampled_from(["America/New_York", "Asia/Calcutta", "Australia/Lord_Howe", "UTC"]),
    moments,
)
def test_quiet_hours_have_two_ends(begin, end, name, moment):
    choices = Choices(quiet_from=begin, quiet_until=end, time_zone=name)

    def is_quiet(at):
        return find_end_of_quiet(choices, at) > at

    before, after = find_last_before_quiet(choices, moment), find_end_of_quiet(choices, moment)
    assert before <= moment <= after
    assert not is_quiet(after)
    if is_quiet(moment):
        assert is_quiet(before + LEAD_TIME) and not is_quiet(before + LEAD_TIME - timedelta(minutes=1))
    else:
        assert before == moment == after


@pytest.mark.django_db
def test_stored_zone_that_nobody_knows_stops_nothing(alice, bob, charlie, push, subscribe, send_due):
    for person in (alice, bob):
        subscribe(person)
        tables.challenge(charlie, person, game())
    Choices.objects.create(user=alice, time_zone="Mars/Olympus")
    send_due()
    assert push.titles == ["You are challenged"] * 2


@pytest.mark.django_db
def test_faulty_match_costs_its_own_notice(
    alice, bob, charlie, push, subscribe, send_due, monkeypatch, noon, caplog
):
    broken, whole = begin(alice, bob), begin(charlie, bob)
    Seat.objects.update(hand_seen_at=timezone.now())
    for person in (alice, bob, charlie):
        subscribe(person)
    tables.challenge(alice, charlie, game())
    noon.shift(timedelta(minutes=20))
    read = turns._get_turn

    def fail(match):
        if match.pk == broken.pk:
            raise ValueError("a rule that nobody knows")
        return read(match)

    monkeypatch.setattr(turns, "_get_turn", fail)
    with caplog.at_level(logging.ERROR):
        for _ in range(3):
            send_due()
    assert sorted(push.titles) == ["You are challenged", "Your turn"]
    assert push.deliveries[0].browser.endpoint.rpartition("/")[2] in (on_turn(whole).user.username, "charlie")
    assert sum(f"match {broken.pk}" in record.message for record in caplog.records) <= 2, (
        "once an hour and place"
    )


@pytest.mark.django_db
def test_faulty_mail_costs_one_person(alice, bob, charlie, monkeypatch):
    for person, other in ((alice, charlie), (bob, charlie)):
        match = begin(person, other)
        Seat.objects.filter(match=match).update(hand_seen_at=timezone.now())
        EmailAddress.objects.create(
            user=on_turn(match).user, email=f"{match.pk}@example.org", verified=True, primary=True
        )
        Choices.objects.create(user=on_turn(match).user, mails=True)
    people = list(Choices.objects.values_list("user", flat=True))
    send = mails._send

    def fail(person, count):
        if person.pk == people[0]:
            raise OSError("no such host")
        send(person, count)

    monkeypatch.setattr(mails, "_send", fail)
    mails.send_mails(timezone.now() + timedelta(hours=4))
    assert len(mail.outbox) == len(people) - 1


@pytest.mark.django_db
def test_faulty_night_costs_its_own_entry_and_reminder(alice, monkeypatch, noon):
    broken = make_open_night(weekday=2, hour=13, name="broken")
    whole = make_open_night(weekday=2, hour=13, name="whole")
    for night in (broken, whole):
        follow_night(alice, night, True)
    find_start = Night.find_start

    def fail(night, now):
        if night.pk == broken.pk:
            raise ValueError("no such hour")
        return find_start(night, now)

    monkeypatch.setattr(Night, "find_start", fail)
    text = write_calendar(alice, "https://example.org/", timezone.now())
    assert "SUMMARY:whole" in text and "broken" not in text and text.endswith("END:VCALENDAR\r\n")
    noon.shift(timedelta(minutes=30))
    remind(timezone.now())
    whole.refresh_from_db()
    assert whole.reminded_for is not None


@pytest.mark.django_db
def test_faulty_ban_keeps_nobody_else_banned(alice, bob, monkeypatch):
    for person in (alice, bob):
        conduct.ban(person, "spam", timezone.now() + timedelta(hours=1))
    unban = conduct.unban

    def fail(person):
        if person.pk == alice.pk:
            raise ValueError("broken")
        unban(person)

    monkeypatch.setattr(conduct, "unban", fail)
    conduct.end_bans(timezone.now() + timedelta(hours=2))
    assert list(User.objects.filter(banned_at=None).values_list("username", flat=True)) == ["bob"]


@pytest.mark.parametrize(("typed", "stored"), [("europe/kiev", "Europe/Kiev"), (" UTC ", "UTC"), ("", "")])
def test_zone_is_stored_as_it_is_written_whatever_its_case(alice, browser_of, typed, stored):
    sent = {"quiet_from": 22, "quiet_until": 8, "time_zone": typed}
    assert browser_of(alice).post("/notifications/", sent).status_code == 303
    assert Choices.objects.get().time_zone == stored
