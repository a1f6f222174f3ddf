"""A real server process for tests: `manage.py serve` on a free port with its own database.

It exits with the process that started it.
"""

import atexit
import os
import shutil
import signal
import socket
import sqlite3
import subprocess
import sys
import tempfile
from contextlib import closing
from datetime import UTC, datetime, timedelta
from functools import cache
from pathlib import Path

from tests import migrated_database, seeds
from tests.waiting import until

ROOT = migrated_database.ROOT
START_TIMEOUT_SECONDS = 60
NIGHTS_BEGIN_IN = timedelta(days=2, hours=5)


class Site:
    """A server process. After `stop` or `kill`, `start` runs it again on the same data."""

    module = "tests.serve"
    root = ROOT  # of the code that is served

    def __init__(self, folder: Path, **env: str) -> None:
        self.folder = folder
        self.log = folder / "server.log"
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        inherited = {
            name: value for name, value in os.environ.items() if name not in ("DATABASE_URL", "REDIS_URL")
        }
        # Many tests sign up and log in from one address.
        own = {"VAR_DIR": str(folder), "PORT": str(self.port), "LIMITS": "off", "EXHIBITIONS": "off"}
        # A busy machine may need more than a first turn's 45 seconds.
        own |= {"PROCESSES": "1", "FIRST_TURN_MS": "600000"}
        self.env = inherited | own | env
        self.process: subprocess.Popen[bytes] | None = None
        self._logged_before = 0

    @property
    def database(self) -> Path:
        """Return the file of the database, if it is this site's own."""
        return self.folder / "boneyard.sqlite3"

    @property
    def log_text(self) -> str:
        """Return the log since the last start, or `resume`."""
        return self.log.read_text()[self._logged_before :]

    @property
    def web_processes(self) -> list[int]:
        """Return the IDs of the processes that answer: with PROCESSES above 1 the children, else the server itself."""
        pid = self.process.pid
        if self.env["PROCESSES"] == "1":
            return [pid]
        return [int(each) for each in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]

    def manage(self, *arguments: str) -> str:
        """Run a management command on this site's data and return its standard output."""
        command = [sys.executable, "manage.py", *arguments]
        done = subprocess.run(command, cwd=self.root, env=self.env, capture_output=True, text=True)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    def prepare(self) -> None:
        """Run `manage.py setup`, or copy what it makes of an empty folder, once for all sites of this process."""
        is_empty = not self.folder.exists() or not any(self.folder.iterdir())
        if self.root == ROOT and "DATABASE_URL" not in self.env and is_empty:
            shutil.copytree(_make_folder(), self.folder, dirs_exist_ok=True)
        else:
            self.manage("setup")

    def draw_for_test(self) -> None:
        """Let the server draw what follows from SEED and the running test."""
        if self.folder.exists():
            seeds.write_key(self.folder, seeds.derive_key(seeds.current_test()))

    def resume(self) -> None:
        """Serve the running test, with its own deals and log; start if a test before has ended the process."""
        if self.log.exists():
            self.draw_for_test()
        if self.process is None or self.process.poll() is not None:
            self.start()
        else:
            self._logged_before = len(self.log.read_text())

    def start(self) -> None:
        if not self.log.exists():
            self.prepare()
        if not (self.folder / seeds.SEED_FILE).exists():
            self.draw_for_test()
        self._logged_before = len(self.log.read_text()) if self.log.exists() else 0
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                [sys.executable, "-m", self.module],
                cwd=self.root,
                env=self.env,
                stdin=subprocess.PIPE,  # closes with this process, and so stops the server
                stdout=log,
                stderr=log,
            )

        def is_ready() -> bool:
            assert self.process is not None and self.process.poll() is None, self.log_text
            return self.url in self.log_text

        until(is_ready, "the server to start", seconds=START_TIMEOUT_SECONDS, status=lambda: self.log_text)

    def stop(self) -> int:
        """Send SIGTERM, as a service restart does, and return the exit status."""
        return self._terminate(signal.SIGTERM)

    def kill(self) -> None:
        """Send SIGKILL, to simulate a power failure."""
        self._terminate(signal.SIGKILL)

    def end(self) -> None:
        """Kill the server, if it runs."""
        if self.process is not None:
            self.kill()

    def _terminate(self, signal_number: signal.Signals) -> int:
        assert self.process is not None
        self.process.send_signal(signal_number)
        status = self.process.wait(30)
        self.process.stdin.close()
        self.process = None
        return status


@cache
def _make_folder() -> Path:
    """Return a folder that `manage.py setup` has prepared: keys, and a migrated database with the puzzles."""
    folder = Path(tempfile.mkdtemp(prefix="boneyard-site-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    site = Site(folder / "var")
    site.folder.mkdir()
    migrated_database.copy_to(site.folder / "boneyard.sqlite3")
    site.manage("setup")
    set_nights(site.database, NIGHTS_BEGIN_IN)
    return site.folder


def set_nights(database: Path, begin_in: timedelta) -> None:
    """Let every night begin so long from now.

    Those of a new site are on at one hour of two days a week, and pages then show more.
    """
    starts_at = f"{datetime.now(UTC) + begin_in:%Y-%m-%d %H:%M:%S}"
    with closing(sqlite3.connect(database)) as connection, connection:
        connection.execute("UPDATE nights_night SET starts_at = ?", [starts_at])


def free_port() -> int:
    with closing(socket.socket()) as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]
