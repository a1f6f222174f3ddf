"""A cached SQLite file with all migrations applied, for tests to copy: migrating takes seconds.

It is in pytest's cache, named by a digest of the site's code.
"""

import fcntl
import hashlib
import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile
from pathlib import Path

from tests.packages import PACKAGES

ROOT = Path(__file__).resolve().parent.parent
CACHE = ROOT / ".pytest_cache" / "migrated"


def copy_to(file: Path) -> None:
    """Write a newly migrated database to `file`."""
    CACHE.mkdir(parents=True, exist_ok=True)
    handle = os.open(CACHE, os.O_RDONLY)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX)  # parallel test processes wait for the first one's migration
        migrated = CACHE / f"{_digest()}.sqlite3"
        if not migrated.exists():
            for outdated in CACHE.glob("*.sqlite3"):
                outdated.unlink()
            _migrate(migrated)
        shutil.copyfile(migrated, file)
    finally:
        os.close(handle)


def _digest() -> str:
    """Return a digest of all code that migrations may use, and of the installed versions."""
    code = sorted(file for package in PACKAGES for file in (ROOT / package).rglob("*.py"))
    digest = hashlib.sha256(f"{sys.version} {sqlite3.sqlite_version}".encode())
    for file in (ROOT / "requirements.txt", *code):
        digest.update(f"{file.relative_to(ROOT)}\n".encode() + file.read_bytes())
    return digest.hexdigest()


def _migrate(file: Path) -> None:
    with tempfile.TemporaryDirectory() as folder:
        fresh = Path(folder) / "fresh.sqlite3"
        env = os.environ | {"VAR_DIR": folder, "DATABASE_URL": f"sqlite:///{fresh}"}
        command = [sys.executable, "manage.py", "migrate", "--verbosity=0", "--no-input"]
        done = subprocess.run(command, cwd=ROOT, env=env, capture_output=True, text=True)
        assert done.returncode == 0, done.stdout + done.stderr
        # The last connection to close has merged the write-ahead log.
        assert not fresh.with_name(f"{fresh.name}-wal").exists()
        partial = file.with_suffix(".partial")
        shutil.move(fresh, partial)
        partial.rename(file)
