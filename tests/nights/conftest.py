"""A night of eight with its host, for tests of pages."""

from collections.abc import Iterator
from datetime import UTC, datetime

import pytest
import time_machine
from django.test import Client

from accounts.models import User
from nights import services
from nights.models import Night

NOW = datetime(2026, 11, 27, 19, 0, tzinfo=UTC)
NAMES = ["Ana", "Luis", "Rosa", "Nuria", "Pedro", "Carmen", "Hugo", "<b>Inés</b>"]


@pytest.fixture(autouse=True)
def _on_friday() -> Iterator[None]:
    """Let each test begin at NOW, which its dates are around."""
    with time_machine.travel(NOW):
        yield


@pytest.fixture
def no_open_nights(db):
    """Delete the open nights that a new site has."""
    Night.objects.filter(format="open").delete()


@pytest.fixture
def host():
    return User.objects.create_user("hanna", password="a-long-one-1")


@pytest.fixture
def evening(host):
    """Return an open night with eight people who are here."""
    plan = services.NightPlan(
        name="Friday pairs",
        format="partners",
        place="wood",
        preset="dominican",
        starts_at=NOW,
        zone="America/Santo_Domingo",
    )
    night = services.make(host, plan, NOW)
    services.open_to_people(night, host, 0, NOW)
    services.add_names(night, host, 1, "\n".join(NAMES), NOW)
    night.refresh_from_db()
    return night


@pytest.fixture
def desk(host):
    """Return the host's browser."""
    browser = Client()
    browser.force_login(host)
    return browser


def address(night: Night, *parts: str) -> str:
    return night.get_absolute_url() + "/".join(parts)


def press(browser: Client, night: Night, act: str, **fields):
    """Send an act's form with the night's present version."""
    night.refresh_from_db()
    return browser.post(address(night, act), {"version": night.version, **fields})
