"""A PostgreSQL database with all migrations applied, for tests to copy: made once a server, by the first that asks."""

import os
import subprocess
import sys
from urllib.parse import urlsplit

import psycopg

from tests.migrated_database import ROOT

NAME = "migrated"
PARTIAL = "migrating"
LOCK_NUMBER = 85  # of the advisory lock that the others wait for


def make_template() -> str:
    """Return the name of the database, to which nobody connects: PostgreSQL copies no database that is in use."""
    with psycopg.connect(os.environ["DATABASE_URL"], autocommit=True) as server:
        server.execute("SELECT pg_advisory_lock(%s)", [LOCK_NUMBER])
        if not server.execute("SELECT 1 FROM pg_database WHERE datname = %s", [NAME]).fetchone():
            server.execute(f"CREATE DATABASE {PARTIAL}")
            _migrate(url_of(PARTIAL))
            server.execute(f"ALTER DATABASE {PARTIAL} RENAME TO {NAME}")
    return NAME


def url_of(name: str) -> str:
    """Return the URL of another database of this server."""
    return urlsplit(os.environ["DATABASE_URL"])._replace(path=f"/{name}").geturl()


def _migrate(url: str) -> None:
    command = [sys.executable, "manage.py", "migrate", "--verbosity=0", "--no-input"]
    env = os.environ | {"DATABASE_URL": url}
    done = subprocess.run(command, cwd=ROOT, env=env, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
