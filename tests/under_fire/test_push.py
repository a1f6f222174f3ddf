"""A push service gets each notice through the kill of one of two processes."""

import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.http_client import HttpClient
from tests.push_service import PushService
from tests.server import Site

PEOPLE = 6
TIMEOUT_SECONDS = 250.0  # over the leases of the process that dies and of one slow attempt


@pytest.fixture
def push():
    service = PushService()
    yield service
    service.close()


@pytest.fixture
def site(tmp_path: Path, push: PushService):
    site = Site(tmp_path / "site", PUSH_TEST_ORIGIN=push.origin)
    site.start()
    yield site
    if site.process is not None:
        site.kill()


def wait_until(holds: Callable[[], bool], seconds: float = TIMEOUT_SECONDS) -> None:
    deadline = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < deadline
        time.sleep(0.05)


def test_each_notice_arrives_through_a_kill(site: Site, push: PushService):
    push.delay_seconds = 0.4
    other = subprocess.Popen([sys.executable, "manage.py", "referee"], cwd=site.root, env=site.env)
    try:
        hosts = [HttpClient(site.url).sign_up(f"host{number}") for number in range(PEOPLE)]
        for number in range(PEOPLE):
            guest = HttpClient(site.url).sign_up(f"friend{number}")
            browser = push.add_browser(f"friend{number}")
            quiet = {"challenge": "on", "quiet_from": 0, "quiet_until": 0, "time_zone": "UTC"}
            assert guest.post("/notifications/", **quiet).status == 200
            assert guest.post("/notifications/subscribe", **browser.fields).status == 204
        for number, host in enumerate(hosts):
            # A table of days waits for its host, who has no page open, longer than a lease.
            challenged = host.post(f"/players/friend{number}/challenge", preset="block", seats=2, clock="3d")
            assert "/tables/" in challenged.url, challenged.text
        wait_until(lambda: len(push.deliveries) > 0)
        site.kill()
        wait_until(lambda: len({each.browser.endpoint for each in push.deliveries}) == PEOPLE)
        time.sleep(3)  # for those that nobody should send
    finally:
        other.kill()
        other.wait()
    assert set(push.titles) == {"You are challenged"}
    # One that the killed process had sent and not written down comes again, in the place of the first.
    tags = [each.payload["tag"] for each in push.deliveries]
    assert len(set(tags)) == PEOPLE and len(tags) <= PEOPLE + 1
