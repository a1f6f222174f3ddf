"""Two processes on one SQLite file, without Redis."""

import sqlite3
import time
from contextlib import closing
from pathlib import Path

from dominoes_site.unconnected import MESSAGE
from tests.server import Site


def wait_for_beat(site: Site) -> None:
    """Wait until the process has written its heartbeat."""
    deadline = time.monotonic() + 60
    with closing(sqlite3.connect(site.folder / "boneyard.sqlite3")) as database:
        while not database.execute("SELECT count(*) FROM games_process").fetchone()[0]:
            assert time.monotonic() < deadline, site.log_text
            time.sleep(0.05)


def test_second_process_warns_at_start(tmp_path: Path):
    first, second = Site(tmp_path / "var"), Site(tmp_path / "var")
    first.start()
    try:
        wait_for_beat(first)
        assert MESSAGE not in first.log_text
        second.start()
        assert MESSAGE in second.log_text
    finally:
        for site in (first, second):
            if site.process is not None:
                site.kill()
