"""Reports of persons, their outcome, and the moderators' pages."""

from datetime import timedelta

import pytest
from django.contrib.admin.models import LogEntry
from django.contrib.auth import get_user_model
from django.utils import timezone

from accounts import conduct
from accounts.models import KnownBrowser, Rating
from dominoes_site.keeping import purge
from games.models import Report
from games.services import rerating, talk
from tests.games.playing import begin, play_and_resign, play_to_the_end
from tests.html import collapse_whitespace

pytestmark = pytest.mark.django_db
JSON = {"accept": "application/json"}


def test_report_person_with_category_and_match(alice, bob, browser_of):
    match = begin(alice, bob)
    sent = {"reason": "stalling", "text": "three minutes a move", "match": match.code}
    browser_of(alice).post("/players/bob/report", sent)
    report = Report.objects.get()
    assert (report.person, report.match, report.category, report.reporter) == (bob, match, "stalling", alice)


@pytest.mark.parametrize(("name", "reason"), [("bob", "looks"), ("bob", ""), ("alice", "stalling")])
def test_report_without_category_or_of_self_is_refused(alice, bob, browser_of, name, reason):
    browser_of(alice).post(f"/players/{name}/report", {"reason": reason})
    assert not Report.objects.exists()


@pytest.mark.parametrize("code", ["cnowhere00", "the second one"])
def test_report_of_an_unknown_match_is_refused_and_keeps_what_was_typed(alice, bob, browser_of, code):
    sent = {"reason": "stalling", "text": "three minutes a move", "match": code}
    answer = browser_of(alice).post("/players/bob/report", sent)
    page = collapse_whitespace(answer.content.decode())
    assert answer.status_code == 422 and "There is no match with this code." in page
    assert '<option value="stalling" selected>' in page
    assert 'value="three minutes a move"' in page and f'value="{code}"' in page
    assert not Report.objects.exists()


def test_code_of_a_reported_match_may_have_capitals_and_spaces(alice, bob, browser_of):
    match = begin(alice, bob)
    sent = {"reason": "stalling", "match": f" {match.code.upper()}"}
    browser_of(alice).post("/players/bob/report", sent)
    assert Report.objects.get().match == match


def test_reporter_sees_the_outcome(alice, bob, moderator, browser_of):
    talk.report_person(person=bob, user=alice, category="leaving", text="", match=None)
    own = "/players/alice/"
    assert "not looked at yet" in browser_of(alice).get(own).content.decode()
    talk.close_reports(Report.objects.all(), moderator, Report.Outcome.ACTED)
    assert "the moderators have acted" in browser_of(alice).get(own).content.decode()
    assert "the moderators have acted" not in browser_of(bob).get(own).content.decode()


@pytest.mark.parametrize(
    "page", ["games/report", "games/talk", "games/match", "lobbies/table", "accounts/user", "accounts/rating"]
)
def test_moderators_may_open_their_pages(moderator, browser_of, page, settings):
    assert browser_of(moderator).get(f"/admin/{page}/").status_code == 200


def test_case_page_content(alice, bob, moderator, browser_of):
    match = play_and_resign(begin(alice, bob, rated=True))
    talk.report_person(person=bob, user=alice, category="rating", text="on purpose", match=match)
    conduct.impose(bob, "warning", by=moderator, reason="first warning")
    page = collapse_whitespace(
        browser_of(moderator).get(f"/admin/games/report/person/{bob.pk}/").content.decode()
    )
    for said in ("on purpose", "first warning", match.code):
        assert said in page
    alices = f'<a href="{case(alice)}">alice</a>'
    reports, _, results = page.partition("Opponents and partners")
    assert alices in reports, "the reporter is named"
    assert alices in results.partition("Latest matches")[0]
    assert "alice, bob" in results and "by resignation" in results
    assert "1 rated match" in reports
    assert "of 100" not in reports, "of one match, a completion says nothing"
    assert browser_of(alice).get(f"/admin/games/report/person/{bob.pk}/").status_code == 302


def test_annul_matches_since_a_day(alice, bob, moderator, browser_of):
    match = play_to_the_end(begin(alice, bob, rated=True))
    page = browser_of(moderator)
    page.post(f"/admin/games/report/person/{bob.pk}/", {"since": "2999-01-01", "sure": "yes"})
    match.refresh_from_db()
    assert match.annulled_at is None
    preview = page.post(f"/admin/games/report/person/{bob.pk}/", {"since": "2020-01-01"}).content.decode()
    match.refresh_from_db()
    assert match.code in preview and match.annulled_at is None
    page.post(
        f"/admin/games/report/person/{bob.pk}/", {"since": "2020-01-01", "sure": "yes", "why": "farming"}
    )
    match.refresh_from_db()
    assert match.annulled_at is not None


def test_barred_player_plays_casual_until_undone(alice, bob, moderator, browser_of):
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


def test_lobby_shows_sanction_and_appeal(alice, bob, moderator, browser_of):
    conduct.impose(bob, "warning", by=moderator, reason="Insults.", appeal="Write to us.")
    lobby = collapse_whitespace(browser_of(bob).get("/").content.decode())
    assert "Warning: Insults.<br>How to appeal: Write to us." in lobby
    assert "Insults." not in browser_of(alice).get("/").content.decode()


def test_closed_report_is_confirmed(alice, bob, moderator, browser_of):
    report = talk.report_person(person=bob, user=alice, category="rating", text="", match=None)
    chosen = {"action": "close", "_selected_action": [report.pk]}
    answer = browser_of(moderator).post("/admin/games/report/", chosen, follow=True)
    assert "Answered: 1." in answer.content.decode()


def test_undo_lifts_ban(bob, moderator):
    sanction = conduct.impose(bob, "ban", by=moderator, reason="spam")
    assert bob.banned
    conduct.undo(sanction)
    bob.refresh_from_db()
    assert not bob.banned


def case(person):
    return f"/admin/games/report/person/{person.pk}/"


def test_moderator_note_can_be_deleted(alice, bob, moderator, browser_of):
    desk = browser_of(moderator)
    desk.post(case(bob), {"note": "same phrases as the one of May"})
    assert "same phrases" in desk.get(case(bob)).content.decode()
    assert "same phrases" not in browser_of(bob).get("/players/bob/").content.decode()
    desk.post(case(bob), {"note_out": bob.notes.get().pk})
    assert not bob.notes.exists()
    said = [entry.change_message for entry in LogEntry.objects.order_by("pk")]
    assert said == ["note: same phrases as the one of May", "note taken out: same phrases as the one of May"]
    desk.post(case(bob), {"note": " \u3164 "})
    assert not bob.notes.exists()


def test_actions_are_undone_from_case_and_logged(alice, bob, moderator, browser_of):
    desk = browser_of(moderator)
    match = play_to_the_end(begin(alice, bob, rated=True))
    before = {seat.user: seat.rating_after for seat in match.seats.all()}
    for kind in ("warning", "mute", "unrated", "ban"):
        until = timezone.now() + timedelta(days=1)
        sanction = conduct.impose(bob, kind, by=moderator, reason="farming", until=until)
        page = desk.post(case(bob), {"undo": sanction.pk}, follow=True).content.decode()
        assert "undone." in page
        bob.refresh_from_db()
        assert not (bob.banned or bob.muted or bob.barred)
        assert not conduct.in_force(bob).exists()
    report = talk.report_person(person=bob, user=alice, category="rating", text="", match=None)
    talk.close_reports(Report.objects.all(), moderator, Report.Outcome.NOTHING)
    desk.post(case(bob), {"reopen": report.pk})
    report.refresh_from_db()
    assert (report.handled_at, report.outcome) == (None, "")
    desk.post(case(bob), {"since": "2020-01-01", "sure": "yes"})
    rerating.recompute_pending()
    assert not Rating.objects.exists()
    desk.post(case(bob), {"restore": match.code})
    rerating.recompute_pending()
    assert {seat.user: seat.rating_after for seat in match.seats.all()} == before
    assert LogEntry.objects.filter(user=moderator).count() == 8


@pytest.mark.parametrize("day", ["", "2026-02-31", "yesterday"])
def test_invalid_day_annuls_nothing(alice, bob, moderator, browser_of, day):
    match = play_to_the_end(begin(alice, bob, rated=True))
    assert browser_of(moderator).post(case(bob), {"since": day}).status_code == 303
    match.refresh_from_db()
    assert match.annulled_at is None


def test_moderator_may_not_act_on_staff_or_self(alice, moderator, browser_of):
    boss = get_user_model().objects.create_superuser("the-boss")
    ban = conduct.impose(moderator, "unrated", by=boss, reason="x", until=timezone.now() + timedelta(days=1))
    desk = browser_of(moderator)
    assert desk.post(case(moderator), {"undo": ban.pk}).status_code == 403
    chosen = {"action": "undo", "_selected_action": [ban.pk]}
    desk.post("/admin/accounts/sanction/", chosen)
    ban.refresh_from_db()
    assert ban.undone_at is None


def test_case_shows_shared_browsers(alice, bob, moderator, browser_of):
    play_to_the_end(begin(alice, bob))
    shared = browser_of()
    for person in (alice, bob):
        shared.post("/accounts/login/", {"login": person.username, "password": f"{person.username}'s bones"})
        shared.post("/accounts/logout/")
    page = collapse_whitespace(browser_of(moderator).get(case(bob)).content.decode())
    section = page.partition("With the same browser")[2].partition("</ul>")[0]
    assert f'<a href="{case(alice)}">alice</a>(was an opponent)' in section
    stored = KnownBrowser.objects.get(user=bob).key
    assert stored not in shared.cookies["known"].value
    purge(timezone.now() + timedelta(days=400))
    assert not KnownBrowser.objects.exists()


def test_hiding_lines_is_logged(alice, bob, moderator, browser_of):
    match = begin(alice, bob)
    line = talk.say(match=match, user=bob, seat=match.seats.get(user=bob), text="you cheat")
    for action in ("hide", "show"):
        browser_of(moderator).post("/admin/games/talk/", {"action": action, "_selected_action": [line.pk]})
    said = [entry.get_change_message() for entry in LogEntry.objects.order_by("pk")]
    assert said == ["hidden", "shown again"]


def test_report_link_at_seat_names_the_match(alice, bob, browser_of):
    match = begin(alice, bob)
    page = browser_of(alice).get(f"/games/{match.code}/").content.decode()
    assert f'href="/players/bob/?match={match.code}"' in page
    profile = browser_of(alice).get(f"/players/bob/?match={match.code}").content.decode()
    assert f'value="{match.code}"' in profile
