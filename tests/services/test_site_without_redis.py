"""The site while Redis is away."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.http_client import HttpClient
from tests.server import Site
from tests.services.redis import Redis
from tests.waiting import attempts


@pytest.fixture
def site(tmp_path: Path, redis: Redis) -> Iterator[Site]:
    site = Site(tmp_path, REDIS_URL=redis.url, LIMITS="on", COMPUTER_PAUSE_MS="50")
    redis.start()
    site.start()
    yield site
    site.kill()


def test_site_works_without_redis(site: Site, redis: Redis):
    redis.stop()
    HttpClient(site.url).sign_up("hedvig")
    again = HttpClient(site.url)
    again.get("/accounts/login/")
    assert again.post("/accounts/login/", login="hedvig", password="ninety-nine bones").status == 200
    guest = HttpClient(site.url).become_guest()
    table = guest.post("/play/all-fives/", seats=2, clock="none", computer="beginner")
    code = table.url.rstrip("/").rpartition("/")[2]
    with guest.open_socket(f"/ws/games/{code}/") as socket:
        frames = [socket.recv(timeout=10) for _ in range(2)]
        assert any("Updates are delayed just now" in frame for frame in frames)
        assert play_until(guest, code, moves=6) >= 6
        redis.start()
        for _ in attempts("the notice to go"):
            frame = socket.recv(timeout=15)
            if 'id="pace"' in frame:
                break
        assert "Updates are delayed" not in frame


def test_healthz_reports_redis_outage(site: Site, redis: Redis):
    visitor = HttpClient(site.url)
    assert visitor.get("/healthz").text == "ok\n"
    redis.stop()
    answer = visitor.get("/healthz")
    assert (answer.status, answer.text) == (503, "redis\n")


def play_until(person: HttpClient, code: str, moves: int) -> int:
    """Play legal moves against the computer until there are this many; return the number of moves."""
    version = 0
    for _ in attempts(f"{moves} moves", interval=0.05):
        if version >= moves:
            break
        state = person.get(f"/games/{code}/state.json").json()
        version = state["version"]
        if state["turn"] == state["you"]:
            answer = person.post(
                f"/games/{code}/move", accept="application/json", move=state["legal"][0], version=version
            )
            assert answer.status == 200, json.dumps(answer.json())
    return version
