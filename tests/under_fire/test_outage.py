"""The server is away, or stands still, for longer than anybody's clock: nobody pays for it."""

import signal
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing

import pytest

from tests.http_client import HttpClient
from tests.server import Site
from tests.under_fire.test_kill import sit_down

CLOCK = 10  # seconds, the shortest
AWAY = 12
TIMES = {
    "games_heartbeat": ["at"],
    "games_match": ["started_at", "turn_began_at"],
    "games_connection": ["seen_at"],
}


def on_turn(people: list[HttpClient], code: str) -> tuple[HttpClient, dict]:
    """Who is on turn, and what they see."""
    for person in people:
        state = person.get(f"/games/{code}/state.json").json()
        assert state["status"] == "playing", state["result"]
        if state["turn"] == state["you"]:
            return person, state
    raise AssertionError("nobody is on turn")


def with_running_clocks(site: Site) -> tuple[str, list[HttpClient]]:
    """A match with the shortest clock, in which everybody has played: nobody's clock runs before that."""
    code, people = sit_down(site, clock=f"{CLOCK}+0")
    person, state = on_turn(people, code)
    while state["deadline"] is None:
        move = {"move": state["legal"][0], "version": state["version"]}
        person.post(f"/games/{code}/move", accept="application/json", **move)
        person, state = on_turn(people, code)
    return code, people


def let_pass(site: Site, seconds: int) -> None:
    """So much time, for a server that is not there."""
    with closing(sqlite3.connect(site.folder / "boneyard.sqlite3", isolation_level=None)) as database:
        for table, columns in TIMES.items():
            for column in columns:
                database.execute(
                    f"UPDATE {table} SET {column} = strftime('%Y-%m-%d %H:%M:%f', {column}, '-{seconds} seconds')"
                )


def test_a_killed_server_takes_nothing_from_a_clock(site: Site):
    code, people = with_running_clocks(site)
    _person, before = on_turn(people, code)
    site.kill()
    time.sleep(AWAY)
    site.start()
    person, after = on_turn(people, code)
    assert after["seats"][after["turn"]]["clock"] > before["seats"][before["turn"]]["clock"] - 2
    answer = person.post(
        f"/games/{code}/move", accept="application/json", move=after["legal"][0], version=after["version"]
    )
    assert answer.status == 200, answer.text


def test_a_server_that_stood_still_takes_nothing_from_a_clock(site: Site):
    code, people = with_running_clocks(site)
    _person, before = on_turn(people, code)
    site.process.send_signal(signal.SIGSTOP)
    time.sleep(AWAY)
    site.process.send_signal(signal.SIGCONT)
    _person, after = on_turn(people, code)
    assert after["seats"][after["turn"]]["clock"] > before["seats"][before["turn"]]["clock"] - 2


def test_the_first_one_back_cannot_claim_the_match(site: Site):
    code, people = sit_down(site)
    person, _state = on_turn(people, code)
    other = next(visitor for visitor in people if visitor is not person)
    with person.open_socket(f"/ws/games/{code}/") as socket:
        socket.recv(timeout=10)
        site.kill()
    let_pass(site, 70)
    site.start()
    answer = other.post(f"/games/{code}/absent", accept="application/json", take="win")
    assert answer.status == 422, answer.text


@pytest.fixture
def beside(site: Site) -> Iterator[Site]:
    """A second process on the same data."""
    other = Site(site.folder, COMPUTER_PAUSE_MS="100")
    other.log = site.folder / "beside.log"
    other.log.touch()
    other.start()
    yield other
    other.kill()


@pytest.mark.parametrize("how", [signal.SIGSTOP, signal.SIGKILL], ids=["frozen", "killed"])
def test_who_sat_at_one_of_two_processes_pays_nothing_for_its_end(
    site: Site, beside: Site, how: signal.Signals
):
    code, people = with_running_clocks(site)
    person, _state = on_turn(people, code)
    with person.open_socket(f"/ws/games/{code}/") as socket:
        socket.recv(timeout=10)
        time.sleep(1)  # a beat
        person, before = on_turn(people, code)
        site.process.send_signal(how)
        time.sleep(AWAY)
        for player in people:
            player.url = beside.url
        person, after = on_turn(people, code)
    assert after["seats"][after["turn"]]["clock"] > before["seats"][before["turn"]]["clock"] - 2.5
    answer = person.post(
        f"/games/{code}/move", accept="application/json", move=after["legal"][0], version=after["version"]
    )
    assert answer.status == 200, answer.text
