"""What a stranger asks wrongly costs the log one line."""

import io
import logging

import pytest
from django.contrib.auth import get_user_model
from django.test import Client

from tests.site.configuring import configure

pytestmark = pytest.mark.django_db


@pytest.fixture
def log(monkeypatch):
    # pytest has handlers of its own beside it.
    (handler,) = [each for each in logging.getLogger("django.security").handlers if each.filters]
    assert isinstance(handler, logging.StreamHandler)
    monkeypatch.setattr(handler, "stream", io.StringIO())
    return handler.stream


def test_foreign_host_logs_one_line(log, settings):
    settings.ALLOWED_HOSTS = ["dominoes.example"]
    assert Client().get("/", headers={"host": "elsewhere.example"}).status_code == 400
    assert log.getvalue().count("\n") == 1 and "elsewhere.example" in log.getvalue()


def test_refused_admin_lookup_logs_one_line(log, browser_of):
    boss = get_user_model().objects.create_superuser("the-boss")
    asked = {"password__startswith\nERROR forged": "a"}
    assert browser_of(boss).get("/admin/accounts/user/", asked).status_code == 400
    assert log.getvalue().count("\n") == 1 and "password__startswith ERROR forged" in log.getvalue()


def test_maintenance_logs_nothing(alice, browser_of, caplog):
    configure(maintenance=True)
    made = browser_of(alice).post("/tables/new", {"preset": "draw", "seats": "2", "clock": "300+5"})
    assert made.status_code == 503
    assert not [record for record in caplog.records if record.name == "django.request"]
