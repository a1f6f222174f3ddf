"""What is deleted by itself, how long after, and what stays."""

from datetime import timedelta

import pytest
from allauth.usersessions.models import UserSession
from django.contrib.auth import get_user_model
from django.contrib.sessions.models import Session
from django.core.management import call_command
from django.test import Client
from django.utils import timezone

from accounts.addresses import hash_address
from games.models import Report, SeatAddress, Talk
from games.services import talk
from notifications.models import EndpointFailures
from tests.games.playing import begin
from tests.lobbies.tables import make

User = get_user_model()
OLD = timezone.now() - timedelta(days=400)


def purged(capsys):
    call_command("purge")
    return capsys.readouterr().out


def test_guests_who_never_played_go_and_others_stay(alice, capsys):
    def guest(name, seen):
        return User.objects.create_user(name, is_guest=True, last_login=seen, date_joined=OLD)

    guest("gone-owl-1", OLD)
    guest("here-owl-2", timezone.now())
    played = guest("played-owl-3", OLD)
    begin(alice, played)
    User.objects.filter(pk=alice.pk).update(last_login=OLD, date_joined=OLD)

    assert "1 guests" in purged(capsys)
    assert set(User.objects.values_list("username", flat=True)) == {"alice", "here-owl-2", "played-owl-3"}


def test_expired_sessions_go(db, capsys):
    Session.objects.create(session_key="old", session_data="", expire_date=OLD)
    Session.objects.create(session_key="new", session_data="", expire_date=timezone.now() + timedelta(days=1))

    purged(capsys)

    assert list(Session.objects.values_list("session_key", flat=True)) == ["new"]


def test_talk_goes_unless_a_report_of_it_is_open(alice, bob, capsys):
    match = begin(alice, bob)
    lines = [
        talk.say(match=match, user=alice, seat=None, text=text) for text in ("old", "open", "closed", "new")
    ]
    Talk.objects.exclude(text="new").update(at=OLD)
    Report.objects.create(match=match, talk=lines[1], reporter=bob, reason="rude")
    Report.objects.create(match=match, talk=lines[2], reporter=bob, reason="rude", handled_at=OLD)

    purged(capsys)

    assert set(Talk.objects.values_list("text", flat=True)) == {"open", "new"}


def test_the_address_of_a_device_is_stored_hashed_and_not_for_long(alice, capsys):
    browser = Client(REMOTE_ADDR="192.0.2.7")
    browser.post("/accounts/login/", {"login": "alice", "password": "alice's bones"})
    device = UserSession.objects.get()
    assert device.ip == hash_address("192.0.2.7")
    assert "192.0.2.7" not in browser.get("/accounts/export/").content.decode()

    UserSession.objects.update(last_seen_at=timezone.now() - timedelta(days=31))
    purged(capsys)

    device.refresh_from_db()
    assert (device.ip, device.user_agent) == ("::", "")


def test_nor_is_from_where_somebody_came_to_a_table(alice, bob, browser_of, capsys):
    table = make(alice)
    for person in (alice, bob):
        browser_of(person).post(f"/tables/{table.code}/sit", {"seat": "1"}, REMOTE_ADDR="192.0.2.7")
    assert SeatAddress.objects.get(user=bob).address == hash_address("192.0.2.7")

    SeatAddress.objects.update(at=timezone.now() - timedelta(days=31))
    assert "2 addresses at tables" in purged(capsys)

    assert not SeatAddress.objects.exists()


def test_failures_of_endpoints_go_also_when_nobody_is_subscribed(db, capsys):
    for digest, at in (("old", timezone.now() - timedelta(days=15)), ("new", timezone.now())):
        EndpointFailures.objects.create(digest=digest, failures=1, at=at)

    assert "1 failures of endpoints" in purged(capsys)

    assert EndpointFailures.objects.get().digest == "new"


@pytest.mark.parametrize("language", ["en", "ru", "es", "pt"])
def test_everybody_may_read_what_is_kept(client, db, settings, language):
    settings.TALK_KEPT_DAYS = 77
    page = client.get("/privacy/", headers={"accept-language": language}).content.decode()

    assert "77" in page
    assert '<a href="/privacy/"' in page
