"""The step that binds browsers to sessions, and its way back."""

from datetime import timedelta
from importlib import import_module
from types import SimpleNamespace

import pytest
from allauth.usersessions.models import UserSession
from django.apps import apps
from django.db import connection
from django.test import Client
from django.utils import timezone

from notifications.models import Kind, Notice, Subscription

pytestmark = pytest.mark.django_db
migration = import_module("notifications.migrations.0004_devices_and_deadlines")
SCHEMA = SimpleNamespace(connection=connection)
CHROME = "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0 Safari/537.36"
FIREFOX = "Mozilla/5.0 (Android 15; Mobile; rv:140.0) Gecko/140.0 Firefox/140.0"


def log_in(agent: str) -> Client:
    browser = Client(HTTP_USER_AGENT=agent)
    browser.post("/accounts/login/", {"login": "alice", "password": "alice's bones"})
    return browser


def add(user, name: str, device: str) -> Subscription:
    return Subscription.objects.create(user=user, endpoint=f"https://push.example/{name}", device=device)


@pytest.fixture
def browsers(alice):
    """Return the old and the new log-in of Chrome, and that of Firefox, which was logged out."""
    found = [log_in(CHROME), log_in(CHROME), log_in(FIREFOX)]
    UserSession.objects.update(created_at=timezone.now() - timedelta(days=1))
    first = UserSession.objects.order_by("pk").first()
    UserSession.objects.filter(pk=first.pk).update(created_at=timezone.now() - timedelta(days=2))
    found[2].post("/accounts/logout/")
    return found


def test_browser_is_bound_to_the_newest_session_that_it_may_be(alice, browsers):
    chrome, firefox = add(alice, "chrome", "Chrome, Linux"), add(alice, "firefox", "Firefox, Android")
    migration.bind_to_sessions(apps, SCHEMA)
    chrome.refresh_from_db()
    assert chrome.session == browsers[1].session.session_key
    assert not Subscription.objects.filter(pk=firefox.pk).exists(), "it was logged out"


def test_session_whose_browser_is_not_stored_any_more_may_be_any(alice, browsers):
    UserSession.objects.update(user_agent="")
    firefox = add(alice, "firefox", "Firefox, Android")
    migration.bind_to_sessions(apps, SCHEMA)
    firefox.refresh_from_db()
    assert firefox.session == browsers[1].session.session_key


def test_session_that_began_after_the_subscription_is_another(alice, browsers):
    UserSession.objects.update(created_at=timezone.now() + timedelta(minutes=1))
    add(alice, "chrome", "Chrome, Linux")
    migration.bind_to_sessions(apps, SCHEMA)
    assert not Subscription.objects.exists()


def test_way_back_leaves_what_the_earlier_release_knows(alice):
    now = timezone.now()
    kinds = [(Kind.TURN, None), (Kind.TURN, now), (Kind.ENDED, None), (Kind.TEST, None)]
    for number, (kind, read_at) in enumerate(kinds):
        Notice.objects.create(
            user=alice,
            kind=kind,
            key=f"match:{number}",
            target="/",
            created_at=now,
            due_at=now,
            read_at=read_at,
        )
    add(alice, "kept", "")
    Subscription.objects.filter(pk=add(alice, "removed", "").pk).update(removed_at=now)
    migration.delete_unknown(apps, SCHEMA)
    assert [row.key for row in Notice.objects.all()] == ["match:0"]
    assert [row.endpoint for row in Subscription.objects.all()] == ["https://push.example/kept"]
