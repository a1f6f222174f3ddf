"""Rows that this release cannot use cost themselves alone."""

import logging
from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from boneyard.engine.presets import PRESETS
from core import broken_rows
from events import services
from events.duties import keep_days
from events.models import DealSet, ProgrammeDay
from lobbies import site_games
from lobbies.models import SiteGame
from tests.events.playing import open_today, play_rounds, start

BROKEN = [{"preset": "of-the-future"}, {"rules": {"rule_of_the_future": True}}, {"rules": []}]
IDS = ["preset", "rule", "no rules"]


@pytest.fixture
def break_today():
    def change(changes):
        deals = open_today()
        DealSet.objects.filter(pk=deals.pk).update(**changes)
        return DealSet.objects.get(pk=deals.pk)

    return change


@pytest.fixture
def site_game():
    rules = PRESETS["all-fives"].rules
    values = {"preset": "all-fives", "seats": 2}
    good = SiteGame.objects.create(
        slug="good", title={"en": "Good Fives"}, about={}, rules=rules.replace(target=777).written(), **values
    )
    bad = SiteGame.objects.create(
        slug="bad", title={"en": "Bad Fives"}, about={}, rules=rules.replace(target=778).written(), **values
    )
    site_games.cache({}, ttl_seconds=-1)
    return good, bad


@pytest.mark.django_db
@pytest.mark.parametrize("changes", BROKEN, ids=IDS)
def test_broken_set_of_deals_costs_its_own_pages(break_today, changes, alice, browser_of):
    deals = break_today(changes)

    for address in ("/daily/", f"/daily/{deals.day}/"):
        answer = browser_of(alice).get(address)
        assert answer.status_code == 200 and "cannot be shown" in answer.text
    for address in (f"/daily/{deals.day}.json", f"/daily/{deals.day}/1/", f"/daily/{deals.day}/card.png"):
        assert browser_of(alice).get(address).status_code == 404
    assert browser_of(alice).post("/daily/start").status_code == 404
    for address in ("/", "/daily/boards/", "/fairness/"):
        assert browser_of(alice).get(address).status_code == 200


@pytest.mark.django_db
@pytest.mark.parametrize("changes", BROKEN, ids=IDS)
def test_broken_set_keeps_no_other_from_opening_and_closing(break_today, changes, alice, caplog):
    deals = break_today(changes)
    DealSet.objects.update(
        day=deals.day - timedelta(days=1), name="daily-before", closes_at=timezone.now() - timedelta(days=1)
    )
    today = open_today()
    play_rounds(start(today, alice))
    DealSet.objects.filter(pk=today.pk).update(closes_at=timezone.now() - timedelta(hours=1))

    with caplog.at_level(logging.ERROR):
        for _ in range(3):
            keep_days(timezone.now())
            services.has_waiting_house(timezone.now())

    today.refresh_from_db()
    assert today.closed
    assert DealSet.objects.filter(day=today.day + timedelta(days=1)).exists()
    assert [record.message.count("daily-before") for record in caplog.records] == [1]


@pytest.mark.django_db
def test_broken_day_of_the_programme_is_passed_over(caplog):
    day = timezone.now().date()
    ProgrammeDay.objects.create(weekday=day.weekday(), preset="of-the-future", seats=2)

    assert services.seal_day(day, timezone.now()).preset in PRESETS
    assert f"day {day.weekday()} of the programme: preset of-the-future" in caplog.text


@pytest.mark.django_db
@pytest.mark.parametrize("changes", BROKEN, ids=IDS)
def test_broken_site_game_is_left_out(site_game, changes, alice, browser_of):
    SiteGame.objects.filter(slug="bad").update(**changes)
    browser = browser_of(alice)

    for address in ("/", "/rules/", "/tables/new"):
        page = browser.get(address)
        assert page.status_code == 200 and "Bad Fives" not in page.text, address
    assert "Good Fives" in browser.get("/rules/").text
    good, bad = site_game
    assert browser.get(good.get_absolute_url()).status_code == 200
    assert browser.get(bad.get_absolute_url()).status_code == 404


@pytest.mark.django_db(transaction=True)
def test_broken_rows_are_named_in_health_admin_and_log(
    site_game, break_today, django_user_model, browser_of, caplog
):
    SiteGame.objects.filter(slug="bad").update(preset="of-the-future")
    deals = break_today({"rules": {"rule_of_the_future": True}})
    broken_rows.clear_cache()

    health = browser_of().get("/healthz")
    assert health.status_code == 200
    lines = health.content.decode().splitlines()
    assert lines[0] == "ok" and len(lines) == 3
    assert any(line.startswith(f"broken: set of deals {deals.name}: rules") for line in lines)
    assert any("site game bad" in line and "of-the-future" in line for line in lines)
    assert deals.name in caplog.text
    browser = browser_of(django_user_model.objects.create_superuser("admin"))
    assert f"set of deals {deals.name}" in browser.get("/admin/").text
    for name in ("events_dealset", "lobbies_sitegame"):
        page = browser.get(reverse(f"admin:{name}_changelist"))
        assert page.status_code == 200 and "of" in page.text
    assert browser.get(reverse("admin:events_dealset_change", args=[deals.pk])).status_code == 200
    bad = SiteGame.objects.get(slug="bad")
    assert browser.get(reverse("admin:lobbies_sitegame_change", args=[bad.pk])).status_code == 200
