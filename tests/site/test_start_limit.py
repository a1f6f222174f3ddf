"""A `setup` that hangs ends, so that the unit starts it again; a migration that runs is let alone."""

import os
import socket
import subprocess
import sys
from contextlib import closing
from pathlib import Path

from tests.server import ROOT, Site


def run_setup(folder: Path, **env: str) -> subprocess.CompletedProcess[str]:
    reads, writes = os.pipe()  # it ends with its standard input
    with os.fdopen(reads), os.fdopen(writes, "w"):
        return subprocess.run(
            [sys.executable, "-m", "tests.serve", "setup"],
            cwd=ROOT,
            env=Site(folder, **env).env,
            stdin=reads,
            capture_output=True,
            text=True,
            timeout=100,
        )


def test_setup_ends_where_a_database_says_nothing(tmp_path: Path):
    """The other end takes the connection, and never answers."""
    with closing(socket.create_server(("127.0.0.1", 0))) as silent:
        done = run_setup(
            tmp_path,
            DATABASE_URL=f"postgres://boneyard@127.0.0.1:{silent.getsockname()[1]}/boneyard?connect_timeout=90",
            TEST_CONSTANTS="dominoes_site.start_limit.MAX_START_SECONDS=5",
        )
    assert done.returncode == 1
    assert "most recent call first" in done.stderr and "_migrate" in done.stderr, done.stderr


def test_long_migrations_are_not_ended(tmp_path: Path):
    """All of them, on a new database, take far longer than this limit."""
    limits = "dominoes_site.start_limit.MAX_START_SECONDS=1.5"
    done = run_setup(tmp_path, TEST_CONSTANTS=limits)
    assert "call_command" not in done.stderr, done.stderr
