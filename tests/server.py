"""The real server in a process of its own: `manage.py serve` on a free port, with a database of its own.

It ends with the process that started it, however that ends.
"""

import os
import signal
import socket
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path

from tests import migrated

ROOT = migrated.ROOT
STARTING = 60  # seconds at most


class Site:
    """`start`, then `url`; `stop` and `kill` end the process, after which `start` begins again on the same data."""

    def __init__(self, folder: Path, **env: str) -> None:
        self.folder = folder
        self.log = folder / "server.log"
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        inherited = {
            name: value for name, value in os.environ.items() if name not in ("DATABASE_URL", "REDIS_URL")
        }
        # Tests sign up and in by the dozen, and from one address.
        self.env = inherited | {"VAR_DIR": str(folder), "PORT": str(self.port), "LIMITS": "off"} | env
        self.process: subprocess.Popen[bytes] | None = None
        self._logged_before = 0

    @property
    def said(self) -> str:
        """What it has logged since it was started; the file is that of all starts on this data."""
        return self.log.read_text()[self._logged_before :]

    def manage(self, *arguments: str) -> str:
        """The standard output of a management command on this site's data."""
        command = [sys.executable, "manage.py", *arguments]
        done = subprocess.run(command, cwd=ROOT, env=self.env, capture_output=True, text=True)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    def prepare(self) -> None:
        """`manage.py setup`, on a database that is migrated already."""
        database = self.folder / "boneyard.sqlite3"
        if "DATABASE_URL" not in self.env and not database.exists():
            self.folder.mkdir(parents=True, exist_ok=True)
            migrated.copy_to(database)
        self.manage("setup")

    def start(self) -> None:
        if not self.log.exists():
            self.prepare()
        self._logged_before = len(self.log.read_text()) if self.log.exists() else 0
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "tests.serve"],
                cwd=ROOT,
                env=self.env,
                stdin=subprocess.PIPE,  # closed by the end of this process, and the server ends then
                stdout=log,
                stderr=log,
            )
        deadline = time.monotonic() + STARTING
        while self.url not in self.said:
            assert self.process.poll() is None and time.monotonic() < deadline, self.said
            time.sleep(0.05)

    def stop(self) -> int:
        """Asks it to end, as a restart of the service does; its exit status."""
        return self._end(signal.SIGTERM)

    def kill(self) -> None:
        """As when the machine loses power."""
        self._end(signal.SIGKILL)

    def _end(self, how: signal.Signals) -> int:
        assert self.process is not None
        self.process.send_signal(how)
        status = self.process.wait(30)
        self.process.stdin.close()
        self.process = None
        return status


def free_port() -> int:
    with closing(socket.socket()) as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]
