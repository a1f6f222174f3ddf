"""A push service gets each notice through the kill of one of two processes."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.http_client import HttpClient
from tests.push_service import PushService
from tests.server import Site
from tests.under_fire.outages import read_rows
from tests.waiting import until

PEOPLE = 4
LEASE_SECONDS = 10
UNSENT = "SELECT COUNT(*) FROM notifications_notice WHERE sent_at IS NULL"


@pytest.fixture
def push():
    service = PushService()
    yield service
    service.close()


@pytest.fixture
def site(tmp_path: Path, push: PushService):
    constants = f"notifications.outbox.LEASE_TTL={LEASE_SECONDS}"
    site = Site(tmp_path / "site", PUSH_TEST_ORIGIN=push.origin, TEST_CONSTANTS=constants)
    site.start()
    yield site
    site.end()


@pytest.fixture
def other_process(site: Site):
    """Run a second process that sends notices, on the same data."""
    command = [sys.executable, "-m", site.module, "referee"]
    other = subprocess.Popen(command, cwd=site.root, env=site.env, stdin=subprocess.PIPE)
    yield other
    other.kill()
    other.communicate()


def test_each_notice_arrives_through_a_kill(site: Site, other_process: subprocess.Popen, push: PushService):
    push.delay_seconds = 0.4
    host = HttpClient(site.url).become_guest()
    for number in range(PEOPLE):
        friend = HttpClient(site.url).sign_up(f"friend{number}")
        browser = push.add_browser(f"friend{number}")
        quiet = {"challenge": "on", "quiet_from": 0, "quiet_until": 0, "time_zone": "UTC"}
        assert friend.post("/notifications/", **quiet).status == 200
        assert friend.post("/notifications/subscribe", **browser.fields).status == 204
    for number in range(PEOPLE):
        # A table of days waits for its host, who has no page open, longer than a lease.
        challenged = host.post(f"/players/friend{number}/challenge", preset="block", seats=2, clock="3d")
        assert "/tables/" in challenged.url, challenged.text
    until(lambda: push.deliveries, "the first notice")
    site.kill()
    until(lambda: len({each.browser.endpoint for each in push.deliveries}) == PEOPLE, "all notices")
    until(lambda: read_rows(site, UNSENT) == [(0,)], "the end of all leases")
    assert set(push.titles) == {"You are challenged"}
    # One that the killed process had sent and not written down comes again, in the place of the first.
    tags = [each.payload["tag"] for each in push.deliveries]
    assert len(set(tags)) == PEOPLE and len(tags) <= PEOPLE + 1
