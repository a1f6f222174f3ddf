"""Two processes behind nginx with deploy/nginx.conf."""

import re
import socket
from collections.abc import Iterator
from http.client import HTTPConnection, RemoteDisconnected
from pathlib import Path

import pytest

from tests.http_client import HttpClient
from tests.server import Site
from tests.services.nginx import Nginx
from tests.services.test_two_processes import begin_match, get_state, migrated, sites
from tests.waiting import attempts, until

__all__ = ["migrated", "sites"]

MAX_MATCHES = 30  # until both processes have had one
SOCKETS = re.compile(r"^boneyard_sockets (\d+)", re.MULTILINE)
MOVES = re.compile(r'^boneyard_answers_total\{status="200",view="match-move"\} (\d+)', re.MULTILINE)


@pytest.fixture
def proxy(tmp_path_factory: pytest.TempPathFactory, sites: tuple[Site, Site]) -> Iterator[Nginx]:
    nginx = Nginx(tmp_path_factory.mktemp("nginx"), sites)
    until(lambda: answers(nginx.port), "nginx to start", status=nginx.log.read_text)
    until(lambda: HttpClient(nginx.url).get("/healthz").status == 200, "a process behind nginx")
    yield nginx
    nginx.stop()


def answers(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


@pytest.fixture
def lone_proxy(tmp_path: Path) -> Iterator[Nginx]:
    """Yield an nginx whose processes are not running, for what it answers alone."""
    nginx = Nginx(tmp_path, [Site(tmp_path), Site(tmp_path)])
    until(lambda: answers(nginx.port), "nginx to start", status=nginx.log.read_text)
    yield nginx
    nginx.stop()


def test_unknown_host_is_disconnected(lone_proxy: Nginx):
    connection = HTTPConnection("127.0.0.1", lone_proxy.port)
    with pytest.raises(RemoteDisconnected):
        connection.request("GET", "/", headers={"Host": "elsewhere.example"})
        connection.getresponse()


def test_static_files_are_not_sniffed(lone_proxy: Nginx):
    script = HttpClient(lone_proxy.url).get("/static/js/site.js")
    assert script.status == 200
    assert script.headers["X-Content-Type-Options"] == "nosniff"


def test_metrics_of_each_process_are_local(sites: tuple[Site, Site], proxy: Nginx):
    assert HttpClient(proxy.url).get("/metrics").status == 404
    for number in (1, 2):
        answer = HttpClient(proxy.metrics_url).get(f"/{number}/metrics")
        assert answer.status == 200 and "boneyard_sockets" in answer.text
    assert HttpClient(proxy.metrics_url).get("/1/").status == 404


def read_counter(what: re.Pattern[str], site: Site) -> int:
    found = what.search(HttpClient(site.url).get("/metrics").text)
    return int(found[1]) if found else 0


def move(person: HttpClient, code: str, state: dict) -> int:
    return person.post(
        f"/games/{code}/move", accept="application/json", move=state["legal"][0], version=state["version"]
    ).status


def on_turn(people: list[HttpClient], code: str) -> tuple[HttpClient, dict]:
    states = [(person, get_state(person, code)) for person in people]
    return next((person, state) for person, state in states if state["turn"] == state["you"])


def find_home(sites: tuple[Site, Site], sockets: int) -> tuple[Site, Site]:
    """Return the process that has all these sockets, and the other one."""
    for _ in attempts(f"{sockets} sockets", interval=0.05):
        had = [read_counter(SOCKETS, site) for site in sites]
        if sum(had) == sockets:
            break
    assert 0 in had, f"the sockets are at both: {had}"
    return (sites[0], sites[1]) if had[0] else (sites[1], sites[0])


def test_pages_of_a_match_share_one_process(sites: tuple[Site, Site], proxy: Nginx):
    people = [HttpClient(proxy.url).become_guest() for _ in range(2)]
    homes: set[Site] = set()
    for _ in range(MAX_MATCHES):
        if len(homes) == 2:
            break
        code = begin_match(*people)
        with people[0].open_socket(f"/ws/games/{code}/"), people[1].open_socket(f"/ws/games/{code}/"):
            home, other = find_home(sites, 2)
            homes.add(home)
            before = read_counter(MOVES, home), read_counter(MOVES, other)
            mover, state = on_turn(people, code)
            assert move(mover, code, state) == 200
            assert (read_counter(MOVES, home), read_counter(MOVES, other)) == (before[0] + 1, before[1])
            mover.post(f"/games/{code}/move", move="resign", version=1)
        for person in people:
            person.get("/rules/")  # for the CSRF token
    assert homes == set(sites)


def test_match_moves_to_the_other_process(sites: tuple[Site, Site], proxy: Nginx):
    people = [HttpClient(proxy.url).become_guest() for _ in range(2)]
    code = begin_match(*people)
    for person in people:
        person.get("/rules/")
    with people[0].open_socket(f"/ws/games/{code}/"):
        home, other = find_home(sites, 1)
        home.kill()
    with people[0].open_socket(f"/ws/games/{code}/") as socket:
        for _ in range(4):
            mover, state = on_turn(people, code)
            assert move(mover, code, state) == 200
        for _ in attempts("the last move"):
            if f'data-version="{state["version"] + 1}"' in socket.recv(timeout=10):
                break
    home.start()
    with people[0].open_socket(f"/ws/games/{code}/"):
        assert find_home(sites, 1) == (home, other)
