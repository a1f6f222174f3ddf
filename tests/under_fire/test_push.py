"""A push service gets each notice through the kill of one of two processes."""

import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from tests.http_client import HttpClient
from tests.push_service import PushService
from tests.server import Site
from tests.under_fire.outages import read_rows
from tests.waiting import until

PEOPLE = 4
# On a busy machine a delivery takes seconds: one that outlives its lease is made twice.
LEASE_SECONDS, RUN_SECONDS = 20, 10
RESEND_SECONDS = 180  # the second attempt has a lease of its own
UNSENT = "SELECT COUNT(*) FROM notifications_notice WHERE sent_at IS NULL"


@pytest.fixture
def push():
    service = PushService()
    yield service
    service.close()


@pytest.fixture
def site(tmp_path: Path, push: PushService):
    constants = (
        f"notifications.outbox.LEASE_TTL={LEASE_SECONDS} notifications.delivery.RUN_SECONDS={RUN_SECONDS}"
    )
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
    is_complete = lambda: len({each.browser.endpoint for each in push.deliveries}) == PEOPLE  # noqa: E731
    until(is_complete, "all notices", seconds=RESEND_SECONDS)
    until(lambda: read_rows(site, UNSENT) == [(0,)], "the end of all leases", seconds=RESEND_SECONDS)
    assert set(push.titles) == {"You are challenged"}
    # Those that the killed process had sent, several at a time, and not written down come again in their place.
    tags = Counter(each.payload["tag"] for each in push.deliveries)
    assert len(tags) == PEOPLE and max(tags.values()) <= 2
