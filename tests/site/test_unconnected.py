"""Several processes without Redis: the log, /healthz and the admin say so."""

import logging
import time
from datetime import timedelta

import pytest
from django.contrib.auth import get_user_model
from django.utils import timezone

from core.siblings import SIBLINGS
from dominoes_site import health, unconnected
from games.models import Process
from games.time import outages

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def alone(settings, monkeypatch):
    settings.REDIS_URL = ""
    monkeypatch.setattr(unconnected, "_since", None)
    monkeypatch.setattr(unconnected, "_is_logged", False)
    monkeypatch.setattr(health, "CHECKS", [health.Check("redis missing", unconnected.check_health)])


@pytest.fixture
def neighbour():
    now = timezone.now() + timedelta(hours=1)  # beats on
    return Process.objects.create(key="another", at=now, mended_at=now)


def wait_for_overlap(monkeypatch):
    monkeypatch.setattr(unconnected, "_since", time.monotonic() - unconnected.OVERLAP_SECONDS - 1)


def test_own_beat_is_no_neighbour():
    outages.record_beat()
    assert not unconnected.has_live_neighbour()


def test_sibling_is_no_neighbour():
    now = timezone.now() + timedelta(hours=1)
    Process.objects.create(key=f"{SIBLINGS.group}abcd", at=now, mended_at=now)
    assert not unconnected.has_live_neighbour()


def test_restart_is_not_reported(neighbour, caplog):
    unconnected.check()
    assert unconnected.has_live_neighbour() and not unconnected.is_lasting()
    assert not caplog.records


def test_lasting_neighbour_is_logged_once(neighbour, caplog, monkeypatch):
    wait_for_overlap(monkeypatch)
    with caplog.at_level(logging.ERROR):
        unconnected.check()
        unconnected.check()
    assert [record.getMessage() for record in caplog.records] == [unconnected.MESSAGE]
    neighbour.delete()
    unconnected.check()
    assert not unconnected.is_lasting()


def test_redis_connects_them(neighbour, settings):
    settings.REDIS_URL = "redis://localhost/0"
    assert not unconnected.has_live_neighbour()


def test_first_page_of_admin_warns(neighbour, monkeypatch, browser_of):
    boss = get_user_model().objects.create_superuser("the-boss")
    assert "Set REDIS_URL" not in browser_of(boss).get("/admin/").content.decode()
    wait_for_overlap(monkeypatch)
    assert "Set REDIS_URL" in browser_of(boss).get("/admin/").content.decode()


@pytest.mark.django_db(transaction=True)
def test_health_says_what_is_missing(neighbour, monkeypatch, client):
    assert client.get("/healthz").content == b"ok\n"
    wait_for_overlap(monkeypatch)
    answer = client.get("/healthz")
    assert (answer.status_code, answer.content) == (503, b"redis missing\n")
