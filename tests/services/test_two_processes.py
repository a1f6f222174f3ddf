"""Two processes on one PostgreSQL and one Redis."""

import base64
import os
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from uuid import uuid4

import psycopg
import pytest

from boneyard.engine.shuffle import commitment_to
from tests.http_client import HttpClient
from tests.migrated_postgresql import make_template, url_of
from tests.server import Site
from tests.services.redis import Redis
from tests.waiting import attempts, until

# Of two people each. Who did not call off returns to the head of the game's queue, so each race has a game of its own.
RACES = ("all-fives", "block", "draw", "bones", "muggins-200", "fives-and-threes-league")
PRESENCE_SECONDS, GRACE_SECONDS = 6, 3
PRESENCE_CONSTANTS = {
    "games.referee.PRESENCE_RENEWAL_SECONDS": 1,
    "games.models.presence.PRESENCE_TTL": PRESENCE_SECONDS,
    "games.time.presence.PRESENCE_TTL": PRESENCE_SECONDS,
    "games.time.presence.MAX_TIMED_GRACE": GRACE_SECONDS,
}
WAITING = "SELECT COUNT(*) FROM pg_locks WHERE NOT granted AND relation = 'accounts_user'::regclass"
CHECKPOINT_KEY = base64.b64encode(bytes(range(32))).decode()


@contextmanager
def database(template: str = "template1") -> Iterator[str]:
    """Create a database from a template and yield its name; drop it afterwards."""
    name = f"two_{uuid4().hex}"
    with psycopg.connect(os.environ["DATABASE_URL"], autocommit=True) as server:
        server.execute(f'CREATE DATABASE "{name}" TEMPLATE "{template}"')
    try:
        yield name
    finally:
        with psycopg.connect(os.environ["DATABASE_URL"], autocommit=True) as server:
            server.execute(f'DROP DATABASE "{name}" WITH (FORCE)')


@pytest.fixture(scope="module")
def migrated(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Yield the name of a database that is set up, used only as a template."""
    with database(make_template()) as name:
        Site(tmp_path_factory.mktemp("migrated"), DATABASE_URL=url_of(name)).manage("setup")
        yield name


@pytest.fixture
def sites(tmp_path: Path, redis: Redis, migrated: str) -> Iterator[tuple[Site, Site]]:
    with run_sites(tmp_path, redis, migrated) as both:
        yield both


@contextmanager
def run_sites(folder: Path, redis: Redis, migrated: str, **env: str) -> Iterator[tuple[Site, Site]]:
    """Run two processes on a copy of the database `migrated`."""
    redis.start()
    with database(template=migrated) as name:
        env |= {"DATABASE_URL": url_of(name), "REDIS_URL": redis.url, "COMPUTER_PAUSE_MS": "50"}
        env |= {"SECRET_KEY": "of two processes, and of no site", "CHECKPOINT_KEY": CHECKPOINT_KEY}
        both = Site(folder / "0", **env), Site(folder / "1", **env)
        for site in both:  # the database is set up
            site.folder.mkdir()
            site.log.touch()
        with ThreadPoolExecutor(2) as pool:
            list(pool.map(Site.start, both))
        yield both
        for site in both:
            site.end()


def begin_match(*people: HttpClient, game: str = "all-fives") -> str:
    """Start a match by quick play; return its code."""
    for person in people:
        table = person.post(f"/play/{game}/", seats=2, clock="300+5", computer="")
        code = table.url.rstrip("/").rpartition("/")[2]
        person.post(f"/tables/{code}/commit", commitment="")
    # Without commitments the match starts after the wait for them.
    until(lambda: people[0].get(f"/games/{code}/state.json").status == 200, "the match", interval=0.1)
    return code


def test_commitments_and_nonces_arrive_at_either_process(sites):
    one, two = HttpClient(sites[0].url).become_guest(), HttpClient(sites[1].url).become_guest()
    for person, nonce in ((one, "at0"), (two, "at1")):
        table = person.post(
            "/play/draw/", seats=2, clock="180+3", computer="", commitment=commitment_to(nonce)
        )
        code = table.url.rstrip("/").rpartition("/")[2]
    with ThreadPoolExecutor(2) as pool:
        list(
            pool.map(
                lambda each: each[0].post(f"/tables/{code}/nonce", nonce=each[1]),
                ((one, "at0"), (two, "at1")),
            )
        )
    assert get_state(two, code)["status"] == "playing"
    assert get_state(one, code)["you"] == 0


def get_state(person: HttpClient, code: str) -> dict:
    return person.get(f"/games/{code}/state.json").json()


def claim(person: HttpClient, code: str) -> int:
    person.get("/rules/")  # for the CSRF token
    return person.post(f"/games/{code}/absent", accept="application/json", take="win").status


@pytest.fixture
def quick_sites(tmp_path: Path, redis: Redis, migrated: str) -> Iterator[tuple[Site, Site]]:
    """Run two processes that soon take a silent socket for lost, and give little grace."""
    constants = " ".join(f"{name}={seconds}" for name, seconds in PRESENCE_CONSTANTS.items())
    with run_sites(tmp_path, redis, migrated, TEST_CONSTANTS=constants) as both:
        yield both


def test_presence_is_shared_by_processes(quick_sites: tuple[Site, Site]):
    here, there = (HttpClient(site.url).become_guest() for site in quick_sites)
    code = begin_match(here, there)
    waits = {get_state(person, code)["you"]: person for person in (here, there)}
    for _ in attempts("two moves"):  # a first turn ends after 45 seconds
        state = get_state(here, code)
        if len(state["layout"]) >= 2:
            break
        person = waits[state["turn"]]
        move = get_state(person, code)["legal"][0]
        person.post(f"/games/{code}/move", accept="application/json", move=move, version=state["version"])
    absent, other = waits[state["turn"]], waits[1 - state["turn"]]
    socket = absent.open_socket(f"/ws/games/{code}/")
    other_socket = other.open_socket(f"/ws/games/{code}/")

    time.sleep(PRESENCE_SECONDS + GRACE_SECONDS)  # longer than either: a socket's row would be too old
    assert [seat["connected"] for seat in get_state(other, code)["seats"]] == [True, True]
    assert claim(other, code) == 422

    socket.close()
    assert until(lambda: claim(other, code) % 422, "the end of the grace", interval=0.2) == 200
    assert get_state(absent, code)["result"] == {"how": "left", "winners": [1 - state["turn"]]}
    other_socket.close()


def test_abort_and_resignation_race(sites: tuple[Site, Site]):
    for game in RACES:
        people = [HttpClient(site.url).become_guest() for site in sites]
        code = begin_match(*people, game=game)
        for person in people:
            person.get("/rules/")
        with ThreadPoolExecutor(2) as pool:
            answers = [
                pool.submit(
                    person.post, f"/games/{code}/move", accept="application/json", move=move, version=0
                )
                for person, move in zip(people, ("abort", "resign"), strict=True)
            ]
        statuses = [answer.result().status for answer in answers]
        assert sorted(statuses) == [200, 409], [answer.result().text for answer in answers]
        ends = [get_state(person, code)["result"]["how"] for person in people]
        assert set(ends) == {"aborted" if statuses[0] == 200 else "resigned"}
        assert len(people[0].get(f"/games/{code}/record.json").json()["rounds"][0]["moves"]) == 1


def test_stop_does_not_wait_for_hanging_database(sites: tuple[Site, Site]):
    here, _there = sites
    visitor = HttpClient(here.url).become_guest()
    with psycopg.connect(here.env["DATABASE_URL"]) as other, ThreadPoolExecutor(1) as pool:
        other.execute("LOCK TABLE accounts_user")
        asked = pool.submit(visitor.get, "/")
        until(lambda: other.execute(WAITING).fetchone() != (0,), "the request to arrive")
        began = time.monotonic()
        assert here.stop() == 0
        assert time.monotonic() - began < 12  # before it would be aborted
        assert asked.exception() is not None
        other.rollback()
    assert "1 requests were not answered in time" in here.log_text
