"""Nights are reminded of: to the accounts on their list and the members of their club, in the hours of a known zone."""

from datetime import timedelta

import pytest
from django.utils import timezone

from accounts.models import User
from nights import services as nights
from nights.models import Entry, Night
from notifications.evenings import find_reminders
from notifications.models import Choices, Notice
from notifications.wording import describe_evening
from tests.notifications.conftest import NOON

pytestmark = pytest.mark.django_db
BEGINS = NOON + timedelta(hours=5)  # 13:00 in Caracas


@pytest.fixture
def hanna():
    return User.objects.create_user("hanna")


@pytest.fixture
def evening(hanna, noon):
    """Return a night of hanna's club."""
    club = nights.make_club(hanna, nights.ClubPlan("Los Compadres", "es", place="Calle 5"), NOON)
    plan = nights.NightPlan("Friday", "singles", "wood", "block", BEGINS, "America/Caracas", club=club)
    return nights.make(hanna, plan, NOON)


def join(night: Night, user: User, status: str = "here") -> None:
    number = night.entries.count() + 1
    fields = {"name": user.username, "secret": f"secret-{number}", "added_at": NOON}
    Entry.objects.create(night=night, number=number, user=user, status=status, **fields)


def test_people_of_a_night_and_members_are_reminded_once_three_hours_ahead(
    evening, hanna, alice, bob, charlie, push, subscribe, send_due, noon
):
    join(evening, alice)
    join(evening, bob, "gone")
    join(evening, hanna)
    for person in (hanna, alice, bob, charlie):
        subscribe(person)
    noon.shift(timedelta(hours=1, minutes=59))
    send_due()
    assert push.deliveries == []
    for _ in range(3):
        noon.shift(timedelta(minutes=1))
        send_due()
    assert push.titles == ["Friday", "Friday"]
    assert {notice.user for notice in Notice.objects.all()} == {hanna, alice}
    assert list(find_reminders(timezone.now())) == []
    assert {notice.target for notice in Notice.objects.all()} == {evening.get_absolute_url()}


def test_night_without_a_club_reminds_its_own_people_alone(
    evening, hanna, alice, bob, push, subscribe, send_due, noon
):
    Night.objects.update(club=None, place="phones")
    join(evening, alice)
    for person in (hanna, alice, bob):
        subscribe(person)
    noon.shift(timedelta(hours=3, minutes=59))
    send_due()
    assert push.deliveries == []
    noon.shift(timedelta(minutes=1))
    send_due()
    assert [notice.user for notice in Notice.objects.all()] == [alice]


@pytest.mark.parametrize("status", [Night.Status.CANCELLED, Night.Status.PLAYING, Night.Status.OVER])
def test_night_that_does_not_begin_any_more_is_not_reminded_of(
    evening, hanna, push, subscribe, send_due, noon, status
):
    subscribe(hanna)
    Choices.objects.create(user=hanna, quiet_from=0, quiet_until=15, time_zone="UTC")
    noon.shift(timedelta(hours=2))
    send_due()
    assert push.deliveries == [] and Notice.objects.count() == 1  # until the end of the quiet hours
    Night.objects.update(status=status)
    noon.shift(timedelta(hours=2))
    send_due()
    assert push.deliveries == [] and not Notice.objects.exists()


def test_who_wants_no_reminders_of_nights_gets_none(evening, hanna, push, subscribe, send_due, noon):
    subscribe(hanna)
    Choices.objects.create(user=hanna, night=False)
    noon.shift(timedelta(hours=3))
    send_due()
    assert push.deliveries == []


@pytest.mark.parametrize(
    ("place", "zone", "expected"),
    [
        ("wood", "America/Caracas", "Begins at 13:00 · Calle 5"),
        ("wood", "America/Santo_Domingo", "Begins at 13:00 · Calle 5"),
        ("wood", "Europe/Madrid", "Begins at 13:00 (Caracas) · Calle 5"),
        ("wood", "", "Begins at 13:00 (Caracas) · Calle 5"),
        ("phones", "Europe/Madrid", "Begins at 18:00"),
        ("phones", "America/Caracas", "Begins at 13:00"),
        ("phones", "", "Begins at 13:00 (Caracas)"),
    ],
)
def test_hour_is_that_of_the_tables_and_on_phones_the_readers(evening, place, zone, expected):
    evening.place = place
    assert describe_evening(evening, zone) == expected
