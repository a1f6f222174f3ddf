"""Open nights: the front page, reminders, the admin and personal data."""

import re
from datetime import UTC, datetime, timedelta

import pytest
from django.utils import translation

from accounts.personal import delete, export_data
from lobbies import context
from lobbies.nights import describe_time_until
from nights import services
from nights.models import Night
from nights.open_models import Follower
from nights.tonight import find_followed, find_nights, find_reminders
from tests.games.playing import begin
from tests.html import collapse_whitespace
from tests.nights.open_nights import make_open_night

pytestmark = pytest.mark.django_db
WEDNESDAY = datetime(2026, 11, 25, tzinfo=UTC)
START = WEDNESDAY.replace(hour=19)
MONDAY = WEDNESDAY - timedelta(days=2)
MINUTE = timedelta(minutes=1)


@pytest.fixture
def night() -> Night:
    Night.objects.all().delete()
    return make_open_night(weekday=2, hour=19, preset="all-fives")


@pytest.fixture
def clock(monkeypatch):
    """Return a function that sets the time of the pages."""

    def set_to(now: datetime) -> None:
        for module in ("lobbies.views", "lobbies.context", "nights.views.open_nights"):
            monkeypatch.setattr(f"{module}.timezone.now", lambda: now)

    return set_to


def page(browser, address: str = "/") -> str:
    return collapse_whitespace(browser.get(address).content.decode())


def test_new_site_has_two_nights():
    rows = Night.objects.filter(format="open", zone="UTC", weekly=True)
    assert {(row.starts_at.weekday(), row.starts_at.hour, row.preset) for row in rows} == {
        (2, 19, "all-fives"),
        (6, 17, "draw"),
    }


@pytest.mark.parametrize(
    ("now", "start"),
    [
        (START - timedelta(days=2), START),
        (START, START),
        (START + 59 * MINUTE, START),
        (START + 60 * MINUTE, START + timedelta(days=7)),
        (START + timedelta(days=4), START + timedelta(days=7)),
    ],
)
def test_night_lasts_an_hour_each_week(night, now, start):
    assert night.find_start(now) == start


@pytest.mark.parametrize("day", range(7))
@pytest.mark.parametrize("hour", [0, 12, 23])
def test_start_is_never_more_than_a_week_away(day, hour):
    starts_at = MONDAY + timedelta(days=day, hours=hour)
    night = Night(starts_at=starts_at, zone="UTC", weekly=True)
    for hours in range(7 * 24):
        now = WEDNESDAY + timedelta(hours=hours, minutes=30)
        start = night.find_start(now)
        assert (start.weekday(), start.hour) == (day, hour)
        assert -timedelta(hours=1) < start - now <= timedelta(days=7)


@pytest.mark.parametrize(
    ("left", "words"),
    [
        (timedelta(days=3, hours=5), "in 3 days"),
        (timedelta(days=1, hours=1), "in 25 h 0 min"),
        (timedelta(minutes=61), "in 1 h 1 min"),
        (timedelta(seconds=30), "in 0 min"),
    ],
)
def test_time_left_in_words(left, words):
    assert describe_time_until(left) == words


def test_front_page_counts_down_to_the_night(night, clock, browser_of):
    clock(START - timedelta(hours=3))
    shown = page(browser_of())
    assert "All Fives night" in shown and "Wednesday, 19:00 UTC" in shown and "in 3 h 0 min" in shown
    clock(START + MINUTE)
    shown = page(browser_of()).partition('id="nights-title"')[2]
    assert "on now" in shown
    assert re.search(r'action="/play/all-fives/".*?name="clock" value="300\+5"', shown)


def test_front_page_without_nights_says_nothing(night, browser_of):
    night.delete()
    assert "Club nights" not in page(browser_of())


def test_night_of_a_language_is_for_its_readers(night, alice):
    night.language = "es"
    night.save()
    assert find_nights([], START) == []
    with translation.override("es"):
        assert len(find_nights([], START)) == 1
    services.follow_night(alice, night, True)
    assert [each.is_followed for each in find_nights(find_followed(alice), START)] == [True]


@pytest.mark.parametrize(
    ("fields", "title"),
    [
        ({"name": "The club's own"}, "The club's own"),
        ({"preset": "draw"}, "Draw night"),
        ({"preset": "", "language": "es"}, "Evening in Español"),
        ({"preset": ""}, "Club night"),
    ],
)
def test_night_is_named(night, fields, title):
    assert Night(**fields).title == title


def test_followers_are_reminded_in_the_hour_before(night, clock, alice, bob, browser_of):
    browser = browser_of(alice)
    assert browser.post(f"/nights/{night.code}/follow", {"on": "1"}).status_code == 303
    clock(START - 61 * MINUTE)
    assert "Not this week" not in page(browser, "/learn/")
    clock(START - 40 * MINUTE)
    told = page(browser, "/learn/")
    assert re.search(
        r'begins ?<time data-countdown datetime="2026-11-25T19:00:00\+00:00"[^>]*>in 40 min</time>', told
    )
    assert "Not this week" not in page(browser_of(bob), "/learn/")
    clock(START + MINUTE)
    assert "has begun" in page(browser, "/watch/")
    clock(START + 60 * MINUTE)
    assert "Not this week" not in page(browser, "/learn/")


def test_reminder_can_be_closed_for_a_week(night, clock, alice, browser_of):
    services.follow_night(alice, night, True)
    browser = browser_of(alice)
    clock(START - MINUTE)
    browser.post(f"/nights/{night.code}/dismiss")
    assert "Not this week" not in page(browser, "/learn/")
    assert find_reminders(find_followed(alice), START + timedelta(days=7)) != []


def test_night_can_be_unfollowed(night, alice, browser_of):
    browser = browser_of(alice)
    browser.post(f"/nights/{night.code}/follow", {"on": "1"})
    browser.post(f"/nights/{night.code}/follow", {"on": "1"})
    assert "1 person is coming" in page(browser) and "You are coming" in page(browser)
    browser.post(f"/nights/{night.code}/follow", {"on": "0"})
    assert not Follower.objects.exists()


def test_visitor_who_follows_becomes_a_guest(night, browser_of):
    browser = browser_of()
    answer = browser.post(f"/nights/{night.code}/follow", {"on": "1"})
    guest = Follower.objects.get().user
    assert guest.is_guest and answer["Location"] == "/#nights-title"
    shown = page(browser)
    assert f"every page here reminds you, the guest {guest.username}, in this browser" in shown
    assert "Stop reminding me</button>" in shown and 'href="/notifications/"' in shown


def test_reminder_is_explained_to_those_who_have_one(night, alice, browser_of):
    browser = browser_of(alice)
    assert "every page here reminds you" not in page(browser)
    services.follow_night(alice, night, True)
    assert "In the hour before, every page here reminds you." in page(browser)


def test_open_pages_are_notified_once(night, alice, bob, monkeypatch):
    notified = []
    monkeypatch.setattr("nights.services.open_nights.notify_people", lambda people: notified.extend(people))
    services.follow_night(alice, night, True)
    notified.clear()
    services.remind(START - 61 * MINUTE)
    assert notified == []
    services.remind(START - 59 * MINUTE)
    services.remind(START - 58 * MINUTE)
    assert notified == [alice.pk]
    services.remind(START + timedelta(days=7))
    assert notified == [alice.pk] * 2


def test_personal_data_lists_and_forgets_nights(night, alice):
    services.follow_night(alice, night, True)
    (row,) = export_data(alice)["nights"]["followed"]
    starts = datetime.fromisoformat(row.pop("starts"))
    assert (starts.weekday(), starts.hour) == (2, 19)
    assert row == {"night": night.code, "game": "all-fives", "name": "", "zone": "UTC", "weekly": True}
    delete(alice)
    assert not Follower.objects.exists()


def test_admin_makes_a_night(night, admin_client):
    form = {"start": "2026-11-27T24:00", "zone": "Europe/Moscow", "weekly": "on", "preset": "kozel"}
    form |= {"language": "ru", "name": "", "skipped": "2026-12-25"}
    add = "/admin/nights/opennight/add/"
    assert "such as 2026-11-27 20:30" in admin_client.post(add, form).content.decode()
    assert admin_client.post(add, form | {"start": "2026-11-27T18:30"}).status_code == 302
    made = Night.objects.get(preset="kozel")
    assert (made.starts_at, made.host, made.seal) == (datetime(2026, 11, 27, 15, 30, tzinfo=UTC), None, "")
    change = f"/admin/nights/opennight/{made.pk}/change/"
    assert 'T18:30"' in admin_client.get(change).content.decode()
    assert admin_client.post(change, form | {"start": "2026-11-28T19:15"}).status_code == 302
    made.refresh_from_db()
    assert made.starts_at == datetime(2026, 11, 28, 16, 15, tzinfo=UTC)
    assert made.code and made.skipped == "2026-12-25"


def test_reminder_is_not_at_a_match_of_that_nights_game(night, clock, alice, bob, browser_of):
    services.follow_night(alice, night, True)
    clock(START + MINUTE)
    other = begin(alice, bob, preset="draw")
    same = begin(alice, bob, preset="all-fives", code="samegame00")
    browser = browser_of(alice)
    assert "Not this week" in page(browser, other.get_absolute_url())
    assert "Not this week" not in page(browser, same.get_absolute_url())
    assert "Not this week" in context.notices(alice, "", other.code)
    assert "Not this week" not in context.notices(alice, "", same.code)


def test_notices_wait_in_the_account_menu_of_a_match(night, clock, alice, bob, browser_of, monkeypatch):
    monkeypatch.setattr("operators.site_settings.get_announcement", lambda: "Maintenance tonight")
    services.follow_night(alice, night, True)
    clock(START - MINUTE)
    match = begin(alice, bob, preset="draw")
    before_main, _main, main = page(browser_of(alice), match.get_absolute_url()).partition("<main")
    for notice in ("Maintenance tonight", 'id="nights"', 'id="waits"'):
        assert notice in before_main.partition('class="menu"')[2] and notice not in main
    assert "Maintenance tonight" in page(browser_of(), match.get_absolute_url()).partition("<main")[2]
