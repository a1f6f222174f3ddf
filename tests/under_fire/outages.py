"""Clocks of matches through an outage, and rows of a site's database."""

import signal
import sqlite3
import time
from contextlib import closing
from typing import Any

from tests.http_client import HttpClient
from tests.server import Site
from tests.under_fire.playing import on_turn, play_first_legal, sit_down
from tests.waiting import attempts, until

CLOCK_SECONDS = 10  # the shortest
# Beyond the time outside the outage: that from the last heartbeat, which a busy machine delays, to the outage.
MAX_CHARGED_SECONDS = 2.5
TIME_COLUMNS = {
    "games_heartbeat": ["at"],
    "games_process": ["at", "mended_at"],
    "games_match": ["started_at", "turn_began_at", "next_action_at"],
    "games_connection": ["seen_at"],
}


def begin_with_running_clocks(site: Site) -> tuple[str, list[HttpClient]]:
    """Return a match with the shortest clock in which all have played, so that clocks run, and its players."""
    code, people = sit_down(site, clock=f"{CLOCK_SECONDS}+0")
    for _ in attempts("two moves"):  # no clock runs in a first turn
        person, state = on_turn(people, code)
        if len(state["layout"]) >= 2:
            break
        play_first_legal(person, code, state)
    return code, people


class Stopwatch:
    """The clock of the player on turn against the time that passes for the test outside the outage."""

    def __init__(self, people: list[HttpClient], code: str) -> None:
        self._began = time.monotonic()  # no later than the server's look at the clock
        _person, state = on_turn(people, code)
        self._clock = clock_of(state)

    def assert_outage_was_free(self, state: dict[str, Any], measured_seconds: float) -> None:
        """Check what an outage cost, of which the test has waited for `measured_seconds`."""
        served = time.monotonic() - self._began - measured_seconds
        assert self._clock - clock_of(state) < served + MAX_CHARGED_SECONDS


def clock_of(state: dict[str, Any]) -> float:
    return state["seats"][state["turn"]]["clock"]


def read_rows(site: Site, query: str) -> list[tuple[Any, ...]]:
    with closing(sqlite3.connect(site.database)) as database:
        return database.execute(query).fetchall()


def let_pass(site: Site, seconds: int) -> None:
    """Make the time pass for a stopped server, by changing its rows."""
    with closing(sqlite3.connect(site.database, isolation_level=None)) as database:
        for table, columns in TIME_COLUMNS.items():
            for column in columns:
                database.execute(
                    f"UPDATE {table} SET {column} = strftime('%Y-%m-%d %H:%M:%f', {column}, '-{seconds} seconds')"
                )


def freeze(site: Site) -> None:
    """Stop the process at a moment in which it does not lock the database for all others, as SQLite does."""
    with closing(sqlite3.connect(site.database, isolation_level=None, timeout=0)) as database:
        for _ in attempts("a moment without a transaction", interval=0.05):
            site.process.send_signal(signal.SIGSTOP)
            try:
                database.execute("BEGIN IMMEDIATE")
                database.execute("ROLLBACK")
                return
            except sqlite3.OperationalError:
                site.process.send_signal(signal.SIGCONT)


def wait_for_beats(site: Site, processes: int = 1) -> None:
    """Wait until so many processes have written a heartbeat from now on."""
    now = f"strftime('%Y-%m-%d %H:%M:%f', {time.time()}, 'unixepoch')"
    until(
        lambda: read_rows(site, f"SELECT COUNT(*) FROM games_process WHERE at > {now}")[0][0] >= processes,
        f"heartbeats of {processes} processes",
        status=lambda: site.log_text,
    )
