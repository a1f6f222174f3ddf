"""An outage of the server costs no player clock time."""

import signal
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing

import pytest

from tests.http_client import HttpClient
from tests.server import Site
from tests.under_fire.test_kill import sit_down

CLOCK_SECONDS = 10  # the shortest: an outage that costs time ends the match
OUTAGE_SECONDS = 12
# Beyond the time outside the outage: that from the last heartbeat, which a busy machine delays, to the outage.
MAX_CHARGED_SECONDS = 2.5
TIME_COLUMNS = {
    "games_heartbeat": ["at"],
    "games_match": ["started_at", "turn_began_at"],
    "games_connection": ["seen_at"],
}


def on_turn(people: list[HttpClient], code: str) -> tuple[HttpClient, dict]:
    """Return the player on turn, and their state.json."""
    for person in people:
        state = person.get(f"/games/{code}/state.json").json()
        assert state["status"] == "playing", state["result"]
        if state["turn"] == state["you"]:
            return person, state
    raise AssertionError("nobody is on turn")


def begin_with_running_clocks(site: Site) -> tuple[str, list[HttpClient]]:
    """Return a match with the shortest clock in which all have played, so that clocks run, and its players."""
    code, people = sit_down(site, clock=f"{CLOCK_SECONDS}+0")
    person, state = on_turn(people, code)
    while len(state["layout"]) < 2:  # no clock runs in a first turn
        move = {"move": state["legal"][0], "version": state["version"]}
        person.post(f"/games/{code}/move", accept="application/json", **move)
        person, state = on_turn(people, code)
    return code, people


class Stopwatch:
    """The clock of the player on turn against the time that passes for the test outside the outage."""

    def __init__(self, people: list[HttpClient], code: str) -> None:
        self._began = time.monotonic()  # no later than the server's look at the clock
        _person, state = on_turn(people, code)
        self._clock = clock_of(state)

    def assert_outage_was_free(self, state: dict) -> None:
        served = time.monotonic() - self._began - OUTAGE_SECONDS
        assert self._clock - clock_of(state) < served + MAX_CHARGED_SECONDS


def clock_of(state: dict) -> float:
    return state["seats"][state["turn"]]["clock"]


def freeze(site: Site) -> None:
    """Stop the process at a moment in which it does not lock the database for all others, as SQLite does."""
    with closing(
        sqlite3.connect(site.folder / "boneyard.sqlite3", isolation_level=None, timeout=0)
    ) as database:
        while True:
            site.process.send_signal(signal.SIGSTOP)
            try:
                database.execute("BEGIN IMMEDIATE")
                database.execute("ROLLBACK")
                return
            except sqlite3.OperationalError:
                site.process.send_signal(signal.SIGCONT)
                time.sleep(0.05)


def let_pass(site: Site, seconds: int) -> None:
    """Make the time pass for a stopped server, by changing its rows."""
    with closing(sqlite3.connect(site.folder / "boneyard.sqlite3", isolation_level=None)) as database:
        for table, columns in TIME_COLUMNS.items():
            for column in columns:
                database.execute(
                    f"UPDATE {table} SET {column} = strftime('%Y-%m-%d %H:%M:%f', {column}, '-{seconds} seconds')"
                )


def test_killed_server_costs_no_clock_time(site: Site):
    code, people = begin_with_running_clocks(site)
    stopwatch = Stopwatch(people, code)
    site.kill()
    time.sleep(OUTAGE_SECONDS)
    site.start()
    person, after = on_turn(people, code)
    stopwatch.assert_outage_was_free(after)
    answer = person.post(
        f"/games/{code}/move", accept="application/json", move=after["legal"][0], version=after["version"]
    )
    assert answer.status == 200, answer.text


def test_frozen_server_costs_no_clock_time(site: Site):
    code, people = begin_with_running_clocks(site)
    stopwatch = Stopwatch(people, code)
    site.process.send_signal(signal.SIGSTOP)
    time.sleep(OUTAGE_SECONDS)
    site.process.send_signal(signal.SIGCONT)
    _person, after = on_turn(people, code)
    stopwatch.assert_outage_was_free(after)


def test_win_cannot_be_claimed_after_outage(site: Site):
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
def second_site(site: Site) -> Iterator[Site]:
    """Start a second process on the same data."""
    other = Site(site.folder, COMPUTER_PAUSE_MS="100")
    other.log = site.folder / "second_site.log"
    other.log.touch()
    other.start()
    yield other
    other.kill()


@pytest.mark.parametrize("how", [signal.SIGSTOP, signal.SIGKILL], ids=["frozen", "killed"])
def test_failed_process_costs_its_players_no_clock_time(site: Site, second_site: Site, how: signal.Signals):
    code, people = begin_with_running_clocks(site)
    person, _state = on_turn(people, code)
    with person.open_socket(f"/ws/games/{code}/") as socket:
        socket.recv(timeout=10)
        time.sleep(1)  # a heartbeat
        stopwatch = Stopwatch(people, code)
        site.process.send_signal(how) if how == signal.SIGKILL else freeze(site)
        time.sleep(OUTAGE_SECONDS)
        for player in people:
            player.url = second_site.url
        person, after = on_turn(people, code)
    stopwatch.assert_outage_was_free(after)
    answer = person.post(
        f"/games/{code}/move", accept="application/json", move=after["legal"][0], version=after["version"]
    )
    assert answer.status == 200, answer.text
