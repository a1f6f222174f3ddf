"""Reporting a person, and what comes of it; what moderators may open."""

import pytest
from django.contrib.auth.models import Group

from games.models import Report
from games.services import talk
from tests.games.playing import begin

pytestmark = pytest.mark.django_db


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
