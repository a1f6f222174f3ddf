"""Banning: out at once, not in again, and told why."""

from datetime import timedelta

import pytest
import time_machine
from django.contrib.auth import get_user_model
from django.utils import timezone

from accounts import conduct, ranking

User = get_user_model()


@pytest.fixture
def told(monkeypatch, django_capture_on_commit_callbacks):
    """Record what was broadcast."""
    heard = []
    monkeypatch.setattr("live.broadcast._send", lambda group, message: heard.append((group, message["type"])))
    return heard


def test_the_open_browser_is_shown_out_with_the_reason(browser_of, alice):
    browser = browser_of(alice)
    conduct.ban(alice, "played with two accounts")

    answer = browser.get("/preferences/")

    assert answer.status_code == 403
    assert "This account is closed: played with two accounts" in answer.content.decode()
    assert browser.get("/preferences/").status_code == 200  # as nobody
    assert "_auth_user_id" not in browser.session


def test_polling_page_reloads_with_the_reason(browser_of, alice):
    browser = browser_of(alice)
    conduct.ban(alice, "spam")

    part = browser.get("/", headers={"HX-Request": "true"})
    assert (part.status_code, part["HX-Refresh"], part.content) == (403, "true", b"")
    assert "This account is closed: spam" in browser.get("/").content.decode()


def test_what_a_banned_browser_sends_is_not_done(browser_of, alice):
    browser = browser_of(alice)
    conduct.ban(alice, "")
    answer = browser.post("/preferences/", {"theme": "dark", "tiles": "ivory", "pips": "ink", "volume": 1})
    assert answer.status_code == 403
    assert User.objects.get().theme == "system"


def test_a_ban_is_told_in_json_to_whoever_asks_for_json(browser_of, alice):
    browser = browser_of(alice)
    conduct.ban(alice, "spam")
    answer = browser.get("/accounts/export/", headers={"Accept": "application/json"})
    assert answer.json() == {"error": "This account is closed: spam", "reason": "forbidden"}


def test_logging_in_is_refused_with_the_reason(browser_of, alice):
    conduct.ban(alice, "spam")
    browser = browser_of()
    answer = browser.post("/accounts/login/", {"login": "alice", "password": "alice's bones"}, follow=True)
    assert "This account is closed: spam" in answer.content.decode()
    assert "_auth_user_id" not in browser.session


def test_who_does_not_know_the_password_is_not_told(browser_of, alice):
    conduct.ban(alice, "spam")
    answer = browser_of().post("/accounts/login/", {"login": "alice", "password": "wrong"}, follow=True)
    assert "spam" not in answer.content.decode()


def test_open_sockets_hear_of_it(alice, told, django_capture_on_commit_callbacks):
    with django_capture_on_commit_callbacks(execute=True):
        conduct.ban(alice, "spam")
    assert told == [(f"user.{alice.pk}", "session.ended")]


def test_a_ban_that_is_lifted_lets_the_person_in_again(browser_of, alice):
    conduct.ban(alice, "spam")
    conduct.unban(alice)
    browser = browser_of()
    browser.post("/accounts/login/", {"login": "alice", "password": "alice's bones"})
    assert browser.session["_auth_user_id"] == str(alice.pk)
    assert (alice.banned, alice.banned_reason) == (False, "")


def test_muting_for_a_time(alice):
    assert not alice.muted
    conduct.mute(alice, timezone.now() + timedelta(hours=1))
    assert User.objects.get().muted
    conduct.mute(alice, timezone.now() - timedelta(seconds=1))
    assert not User.objects.get().muted
    conduct.mute(alice, None)
    assert User.objects.get().muted_until is None


def test_a_ban_with_a_term_ends_by_itself(browser_of, alice, bob):
    until = timezone.now() + timedelta(days=7)
    conduct.impose(alice, "ban", by=bob, reason="spam", until=until, appeal="Write to us.")
    browser = browser_of()
    answer = browser.post("/accounts/login/", {"login": "alice", "password": "alice's bones"}, follow=True)
    told = answer.content.decode()
    assert "This account is closed until" in told and "spam. How to appeal: Write to us." in told
    with time_machine.travel(until + timedelta(seconds=1)):
        browser.post("/accounts/login/", {"login": "alice", "password": "alice's bones"})
        assert browser.session["_auth_user_id"] == str(alice.pk)


def test_the_end_of_a_ban_brings_the_person_back_to_the_leaderboards(alice, bob):
    until = timezone.now() + timedelta(days=7)
    conduct.impose(alice, "ban", by=bob, reason="spam", until=until)
    assert ranking.find_welcome([alice.pk]) == set()
    with time_machine.travel(until + timedelta(seconds=1)):
        assert ranking.find_welcome([alice.pk]) == {alice.pk}
        conduct.end_bans(timezone.now())
    alice.refresh_from_db()
    assert (alice.banned_at, alice.banned_until) == (None, None)


@pytest.mark.parametrize("first", [0, 1])
def test_undoing_one_of_two_leaves_the_other(alice, bob, first):
    week, month = (timezone.now() + timedelta(days=days) for days in (7, 30))
    imposed = [
        conduct.impose(alice, "mute", by=bob, reason=reason, until=until)
        for reason, until in (("shouting", week), ("insults", month))
    ]
    conduct.undo(imposed[first])
    assert User.objects.get(pk=alice.pk).muted_until == (month, week)[first]
    conduct.undo(imposed[1 - first])
    assert not User.objects.get(pk=alice.pk).muted
