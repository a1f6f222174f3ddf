"""Open nights: when they take place, who sees them, what directors change; and what became of club nights."""

import re
from datetime import UTC, datetime, timedelta
from importlib import import_module
from zoneinfo import ZoneInfo

import pytest
import time_machine
from django.apps import apps
from django.utils import translation
from hypothesis import given
from hypothesis import strategies as st

from accounts.models import User
from core.time_zones import list_zones
from lobbies.models import ClubNight, NightFollower
from nights import services
from nights.models import Night
from nights.occurrences import DURATION, find_start
from nights.open_models import Follower
from nights.refusals import NightRefused
from nights.tonight import find_followed, find_nights
from nights.wording import format_start
from tests.html import collapse_whitespace
from tests.nights.conftest import address, press
from tests.nights.open_nights import make_open_night

pytestmark = pytest.mark.django_db
NOW = datetime(2026, 11, 27, 19, 0, tzinfo=UTC)  # a Friday

FORM = {
    "name": "Tiles at nine",
    "format": "open",
    "preset": "all-fives",
    "start": "2026-11-27T21:10",
    "zone": "Europe/Madrid",
    "weekly": "on",
    "audience": "public",
}


@pytest.fixture
def friday(host):
    """Return a weekly night at 21:10 of Madrid that `host` has made."""
    Night.objects.filter(host=None).delete()
    plan = services.NightPlan(
        name="Tiles at nine",
        format="open",
        place="phones",
        preset="all-fives",
        starts_at=datetime(2026, 11, 27, 20, 10, tzinfo=UTC),
        zone="Europe/Madrid",
        weekly=True,
        audience="public",
        language="es",
    )
    return services.make(host, plan, NOW)


@pytest.fixture(autouse=True)
def at_seven():
    with time_machine.travel(NOW, tick=False) as clock:
        yield clock


def page(browser, where) -> str:
    return collapse_whitespace(
        browser.get(where if isinstance(where, str) else address(where)).content.decode()
    )


# When


@given(
    st.datetimes(datetime(2026, 1, 1), datetime(2027, 1, 1)),
    st.sampled_from(sorted(list_zones())),
    st.integers(0, 400),
    st.sets(st.integers(0, 60), max_size=5),
)
def test_weekly_night_keeps_its_local_hour_over_a_year(first, name, days, skipped_weeks):
    zone = ZoneInfo(name)
    start = first.replace(microsecond=0, tzinfo=zone).astimezone(UTC)
    local = start.astimezone(zone).replace(tzinfo=None)
    skipped = {(local + timedelta(weeks=week)).date() for week in skipped_weeks}
    now = start + timedelta(days=days, minutes=17)
    every = [(local + timedelta(weeks=week)).replace(tzinfo=zone) for week in range(80)]
    expected = next(
        each.astimezone(UTC)
        for each in every
        if each.astimezone(UTC) + DURATION > now
        and each.astimezone(UTC).astimezone(zone).date() not in skipped
    )
    assert find_start(start, zone, True, skipped, now) == expected


def test_night_of_one_date_is_over_after_its_hour(alice):
    night = make_open_night(starts_at=NOW, weekly=False, preset="draw")
    services.follow_night(alice, night, True)
    assert night.find_start(NOW + timedelta(minutes=59)) == NOW
    services.remind(NOW + timedelta(minutes=59))
    assert [row.night for row in find_followed(alice)] == [night]
    services.remind(NOW + timedelta(minutes=60))
    night.refresh_from_db()
    assert night.status == Night.Status.OVER and find_followed(alice) == []


# Made at /nights/new


def test_open_night_is_made_by_form_and_draws_nothing(desk, host):
    answer = desk.post("/nights/new", FORM, headers={"Accept-Language": "es"})
    night = Night.objects.get(host=host)
    assert answer["Location"] == address(night)
    assert (night.starts_at, night.weekly) == (datetime(2026, 11, 27, 20, 10, tzinfo=UTC), True)
    assert (night.status, night.language, night.rounds, night.seal) == ("open", "es", 0, "")
    for part in ("wall/", "sheets/", "draws.json"):
        assert desk.get(address(night) + part).status_code == 404
    for act in ("people", "draw", "finish", "open", "entry"):
        assert press(desk, night, act).status_code == 404
    assert desk.get(address(night) + "night.json").json()["tables"] == []
    assert desk.get(address(night) + "card.png").status_code == 200


def test_open_night_in_the_past_is_refused(desk, host):
    answer = desk.post("/nights/new", {**FORM, "weekly": "", "start": "2026-11-27T18:00"})
    assert answer.status_code == 422 and not Night.objects.filter(host=host).exists()


def test_drawn_night_needs_rounds(desk):
    assert desk.post("/nights/new", {**FORM, "format": "partners", "rounds": ""}).status_code == 422


def test_drawn_night_has_no_addresses_of_open_ones(desk, evening):
    for act in ("follow", "dismiss", "skip", "start"):
        assert press(desk, evening, act).status_code == 404


# Who sees it


def test_page_says_when_and_takes_who_comes(friday, alice, browser_of, at_seven):
    browser = browser_of(alice)
    shown = page(browser, friday)
    assert "Tiles at nine" in shown and "Friday, 21:10 (Madrid)" in shown and "in 1 h 10 min" in shown
    assert 'action="/play/' not in shown and "The next dates" not in shown
    answer = browser.post(address(friday, "follow"), {"on": "1", "page": "night"})
    assert answer["Location"] == address(friday)
    shown = page(browser, friday)
    assert "Not any more" in shown and "1 person is coming" in shown
    at_seven.shift(timedelta(minutes=70))
    assert re.search(r'action="/play/all-fives/".*?Play now', page(browser, friday))
    browser.post(address(friday, "follow"), {"on": "0", "page": "night"})
    assert not Follower.objects.exists()


def test_lobby_shows_public_nights_of_accounts(friday, host, alice):
    def titles() -> list[str]:
        with translation.override("es"):
            return [night.title for night in find_nights(find_followed(alice), NOW)]

    assert find_nights([], NOW) == [], "another language"
    assert titles() == ["Tiles at nine"]
    for fields in ({"audience": "unlisted"}, {"audience": "club"}, {"status": "cancelled"}):
        Night.objects.filter(pk=friday.pk).update(**fields)
        assert titles() == []
        friday.save()
    User.objects.filter(pk=host.pk).update(is_guest=True)
    assert titles() == []
    services.follow_night(alice, friday, True)
    assert titles() == ["Tiles at nine"]


def test_night_of_a_hidden_club_is_not_in_the_lobby(friday, host):
    club = services.make_club(host, services.ClubPlan("Nine", "es"), NOW)
    Night.objects.filter(pk=friday.pk).update(club=club)
    with translation.override("es"):
        assert len(find_nights([], NOW)) == 1
        services.set_club_hidden(club, True)
        assert find_nights([], NOW) == []


def test_night_for_members_is_not_followed_by_others(friday, host, alice, browser_of):
    club = services.make_club(host, services.ClubPlan("Nine", "es"), NOW)
    Night.objects.filter(pk=friday.pk).update(club=club, audience="club")
    assert browser_of(alice).post(address(friday, "follow"), {"on": "1"}).status_code == 404


# What directors change


def test_director_skips_a_date(friday, desk, alice, browser_of):
    assert press(browser_of(alice), friday, "skip", date="2026-11-27").status_code == 303
    assert press(desk, friday, "skip", date="today").status_code == 303
    friday.refresh_from_db()
    assert friday.skipped == ""
    press(desk, friday, "skip", date="2026-11-27")
    friday.refresh_from_db()
    assert friday.find_start(NOW) == datetime(2026, 12, 4, 20, 10, tzinfo=UTC)
    shown = page(desk, friday)
    assert "Takes place after all" in shown and "2026-11-27 is skipped" in shown
    press(desk, friday, "skip", date="2026-11-27", on="0")
    friday.refresh_from_db()
    assert friday.find_start(NOW) == datetime(2026, 11, 27, 20, 10, tzinfo=UTC)


def test_director_changes_the_hour(friday, desk):
    fields = {"start": "2026-11-28T22:45", "zone": "Europe/Madrid", "weekly": "on"}
    stale = {**fields, "version": 7}
    answer = desk.post(address(friday, "start"), stale, headers={"Accept": "application/json"})
    assert answer.status_code == 409
    press(desk, friday, "start", **{**fields, "zone": "Nowhere"})
    press(desk, friday, "start", start="2026-11-26T22:45", zone="Europe/Madrid")
    friday.refresh_from_db()
    assert friday.starts_at == datetime(2026, 11, 27, 20, 10, tzinfo=UTC)
    press(desk, friday, "start", **fields)
    friday.refresh_from_db()
    assert friday.starts_at == datetime(2026, 11, 28, 21, 45, tzinfo=UTC)
    assert "was 2026-11-27 21:10 Europe/Madrid" in page(desk, friday)


def test_cancelled_night_reminds_nobody(friday, desk, alice):
    services.follow_night(alice, friday, True)
    press(desk, friday, "cancel")
    friday.refresh_from_db()
    assert friday.status == Night.Status.CANCELLED and find_followed(alice) == []
    assert "This night was cancelled" in page(desk, friday)
    assert press(desk, friday, "skip", date="2026-12-04").status_code == 303
    with pytest.raises(NightRefused):
        services.follow_night(alice, friday, True)


# The way from club nights, and back


def test_club_nights_become_open_nights_and_go_back(alice):
    migration = import_module("nights.migrations.0005_club_nights")
    Night.objects.all().delete()
    reminded = datetime(2026, 11, 25, 19, tzinfo=UTC)
    row = ClubNight.objects.create(weekday=2, hour=19, preset="draw", language="ru", reminded_for=reminded)
    NightFollower.objects.create(night=row, user=alice, dismissed_for=reminded)
    migration.move(apps, None)
    (night,) = Night.objects.all()
    assert not ClubNight.objects.exists() and not NightFollower.objects.exists()
    assert night.find_start(NOW) == reminded + timedelta(weeks=1) and night.reminded_for == reminded
    assert (night.language, night.title, night.followers.get().dismissed_for) == (
        "ru",
        "Draw night",
        reminded,
    )
    make_open_night(starts_at=NOW, weekly=False, name="once")
    migration.move_back(apps, None)
    (back,) = ClubNight.objects.all()
    assert (back.weekday, back.hour, back.preset, back.language) == (2, 19, "draw", "ru")
    assert back.followers.get().user == alice and not Night.objects.exists()


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", "Wednesday 2 December, 19:00"),
        ("es", "miércoles 2 de diciembre, 19:00"),
        ("pt", "quarta-feira, 2 de dezembro, 19:00"),
        ("ru", "среда, 2 декабря, 19:00"),
    ],
)
def test_a_start_has_the_commas_of_its_language(language, said):
    night = Night(starts_at=datetime(2026, 12, 2, 19, tzinfo=UTC), zone="UTC")
    with translation.override(language):
        assert format_start(night) == said
