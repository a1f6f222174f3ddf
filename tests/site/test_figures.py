"""The figures of each hour and their plots."""

from datetime import timedelta

import pytest
from django.contrib.admin.models import LogEntry
from django.utils import timezone
from django.utils.formats import date_format

from dominoes_site import figures
from events.models import ProgrammeDay
from games.models import Match
from games.services import talk
from operators.figures import get_hour, load_bars
from operators.models import HourlyFigure
from tests.games.playing import begin, play_to_the_end

pytestmark = pytest.mark.django_db


def sums(now, days=1):
    return {name: sum(bar.value for bar in load_bars(name, days, now)) for name in figures.NAMES}


def test_hour_is_counted_once_however_often(alice, bob):
    now = timezone.now()
    play_to_the_end(begin(alice, bob, rated=True))
    talk.report_person(person=bob, user=alice, category="talk", text="", match=None)
    for _ in range(3):
        figures.record(now)
    counted = sums(now)
    assert (counted["matches"], counted["rated"], counted["reports"], counted["players"]) == (1, 1, 1, 2)
    assert sums(now, 90)["matches"] == 1


def test_pushes_of_every_process_are_added(monkeypatch):
    now = timezone.now()
    for counts in ((5, 9), (2, 2)):  # two processes, each twice
        monkeypatch.setattr(figures, "_counted", {"pushes": 0.0, "errors": 0.0})
        for total in counts:
            monkeypatch.setattr(figures, "_count_pushes", lambda total=total: float(total))
            figures.record(now)
    assert sums(now)["pushes"] == 11


def test_old_figures_are_deleted():
    now = timezone.now()
    figures.record(now - timedelta(days=100))
    figures.record(now)
    assert not HourlyFigure.objects.filter(hour__lt=now - timedelta(days=92)).exists()


@pytest.mark.parametrize("days", ["1", "7", "90", "nonsense"])
def test_staff_see_plots(days, boss, alice, browser_of):
    figures.record(timezone.now())
    page = browser_of(boss).get("/admin/figures/", {"days": days}).content.decode()
    assert page.count('<svg class="figure-bars"') == len(figures.NAMES)
    assert browser_of(alice).get("/admin/figures/").status_code == 302


def test_figures_are_exported(boss, browser_of):
    text = browser_of(boss).get("/admin/figures/", {"format": "csv"}).content.decode()
    assert text.startswith("\ufefffrom,"), "spreadsheets take it for UTF-8"
    lines = text.removeprefix("\ufeff").splitlines()
    assert lines[0].split(",") == ["from", *figures.NAMES]
    assert len(lines) == 25


def test_people_and_matches_are_exported(alice, bob, boss, browser_of):
    match = play_to_the_end(begin(alice, bob))
    running = begin(alice, bob, seed="running")
    browser = browser_of(boss)
    chosen = {"action": "export", "_selected_action": [alice.pk]}
    assert browser.post("/admin/accounts/user/", chosen).json()["name"] == "alice"
    chosen = {"action": "export", "_selected_action": [match.pk, running.pk]}
    records = browser.post("/admin/games/match/", chosen).content.decode()
    assert records.count("\n") == 1 and match.code in records
    entry = LogEntry.objects.get(content_type__model="match")
    assert (entry.user, entry.change_message) == (boss, f"exported: 1: {match.code}")
    assert f"exported: 1: {match.code}" in browser.get("/admin/admin/logentry/").content.decode()
    assert Match.objects.count() == 2


def test_plots_name_their_hours_and_have_a_table(boss, browser_of):
    now = timezone.now()
    figures.record(now)
    HourlyFigure.objects.filter(name="guests", hour=get_hour(now)).update(value=37)
    answer = browser_of(boss).get("/admin/figures/")
    page, hour = answer.content.decode(), date_format(get_hour(now), "TIME_FORMAT")
    assert f"<title>{hour}: 37</title>" in page
    assert len(answer.context["ticks"]) == 4 and len(answer.context["rows"]) == 24
    assert answer.context["rows"][-1][0] == hour and "37" in answer.context["rows"][-1]
    week = browser_of(boss).get("/admin/figures/", {"days": "7"})
    assert len(week.context["ticks"]) == 7 and date_format(now, "MONTH_DAY_FORMAT") in week.content.decode()


def test_new_site_shows_the_built_in_week(boss, browser_of):
    browser, listing = browser_of(boss), "/admin/events/programmeday/"
    week = browser.get(listing).context["week"]
    assert [(title, seats) for _day, title, seats, _own in week][:2] == [("All Fives", 2), ("Block", 2)]
    assert not any(own for *_rest, own in week)
    ProgrammeDay.objects.create(weekday=1, preset="cuban", seats=4)
    chosen = browser.get(listing).context["week"][1]
    assert chosen[2:] == (4, True) and chosen[1] != "Block"
