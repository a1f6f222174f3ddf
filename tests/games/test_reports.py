"""Reporting a person, and what comes of it; what moderators may open."""

from datetime import timedelta

import pytest
from django.contrib.auth.models import Group
from django.utils import timezone

from accounts import conduct
from games.models import Report
from games.services import talk
from tests.games.playing import begin, play_to_the_end

pytestmark = pytest.mark.django_db
JSON = {"accept": "application/json"}


@pytest.fixture
def moderator(charlie):
    charlie.is_staff = True
    charlie.save()
    charlie.groups.add(Group.objects.get(name="Moderators"))
    return charlie


def test_a_person_is_reported_for_a_reason_out_of_a_list_with_a_match(alice, bob, browser_of):
    match = begin(alice, bob)
    sent = {"reason": "stalling", "text": "three minutes a move", "match": match.code}
    browser_of(alice).post("/players/bob/report", sent)
    report = Report.objects.get()
    assert (report.person, report.match, report.category, report.reporter) == (bob, match, "stalling", alice)


@pytest.mark.parametrize(("name", "reason"), [("bob", "looks"), ("bob", ""), ("alice", "stalling")])
def test_not_without_a_reason_of_the_list_nor_oneself(alice, bob, browser_of, name, reason):
    browser_of(alice).post(f"/players/{name}/report", {"reason": reason})
    assert not Report.objects.exists()


def test_who_reported_reads_the_outcome(alice, bob, moderator, browser_of):
    talk.report_person(person=bob, user=alice, category="leaving", text="", match=None)
    own = "/players/alice/"
    assert "not looked at yet" in browser_of(alice).get(own).content.decode()
    talk.close_reports(Report.objects.all(), moderator, Report.Outcome.ACTED)
    assert "the moderators have acted" in browser_of(alice).get(own).content.decode()
    assert "the moderators have acted" not in browser_of(bob).get(own).content.decode()


@pytest.mark.parametrize(
    "page", ["games/report", "games/talk", "games/match", "lobbies/table", "accounts/user", "accounts/rating"]
)
def test_moderators_open_what_their_desk_needs(moderator, browser_of, page, settings):
    assert browser_of(moderator).get(f"/admin/{page}/").status_code == 200


def test_a_case_gathers_what_there_is_about_a_person(alice, bob, moderator, browser_of):
    match = play_to_the_end(begin(alice, bob, rated=True))
    talk.report_person(person=bob, user=alice, category="rating", text="on purpose", match=match)
    conduct.impose(bob, "warning", by=moderator, reason="first warning")
    page = browser_of(moderator).get(f"/admin/games/report/person/{bob.pk}/").content.decode()
    for said in ("on purpose", "first warning", match.code, "alice"):
        assert said in page
    assert browser_of(alice).get(f"/admin/games/report/person/{bob.pk}/").status_code == 302


def test_matches_since_a_day_are_annulled_from_it(alice, bob, moderator, browser_of):
    match = play_to_the_end(begin(alice, bob, rated=True))
    page = browser_of(moderator)
    page.post(f"/admin/games/report/person/{bob.pk}/", {"since": "2999-01-01"})
    match.refresh_from_db()
    assert match.annulled_at is None
    page.post(f"/admin/games/report/person/{bob.pk}/", {"since": "2020-01-01"})
    match.refresh_from_db()
    assert match.annulled_at is not None


def test_who_is_barred_plays_casual_until_it_is_undone(alice, bob, moderator, browser_of):
    until = timezone.now() + timedelta(days=1)
    sanction = conduct.impose(
        bob, "unrated", by=moderator, reason="farming", until=until, appeal="Write to us."
    )
    answer = browser_of(bob).post("/tables/new", {"preset": "all-fives", "rated": "on"}, headers=JSON)
    assert (answer.status_code, answer.json()["reason"]) == (403, "barred")
    own = browser_of(bob).get("/players/bob/").content.decode()
    assert "farming" in own
    assert "Write to us." in own
    assert "farming" not in browser_of(alice).get("/players/bob/").content.decode()
    conduct.undo(sanction)
    bob.refresh_from_db()
    assert not bob.barred
    assert browser_of(bob).post("/tables/new", {"preset": "all-fives", "rated": "on"}).status_code == 303


def test_undoing_lifts_a_ban(bob, moderator):
    sanction = conduct.impose(bob, "ban", by=moderator, reason="spam")
    assert bob.banned
    conduct.undo(sanction)
    bob.refresh_from_db()
    assert not bob.banned
