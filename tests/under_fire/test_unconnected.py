"""Two processes on one SQLite file, without Redis."""

import sqlite3
import time
from contextlib import closing

from dominoes_site.unconnected import MESSAGE
from tests.server import Site


def wait_for_beat(site: Site) -> None:
    """Wait until the process has written its heartbeat."""
    deadline = time.monotonic() + 60
    with closing(sqlite3.connect(site.folder / "boneyard.sqlite3")) as database:
        while not database.execute("SELECT count(*) FROM games_process").fetchone()[0]:
            assert time.monotonic() < deadline, site.log_text
            time.sleep(0.05)


def test_second_process_warns_at_start(site: Site):
    wait_for_beat(site)
    assert MESSAGE not in site.log_text
    second = Site(site.folder)
    second.start()
    try:
        assert MESSAGE in second.log_text
    finally:
        second.kill()
