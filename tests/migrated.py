"""A new site's SQLite file: migrated once for the code as it stands, and copied wherever a test begins with nothing.

All migrations take seconds, a copy takes none. The file lies in pytest's cache, under a digest of the whole site's
code: of other code it is another file.
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

ROOT = Path(__file__).resolve().parent.parent
CACHE = ROOT / ".pytest_cache" / "migrated"
CODE = ["accounts", "dominoes_site", "games", "live", "lobbies", "study"]


def copy_to(file: Path) -> None:
    """A database of its own at `file`, as `manage.py migrate` leaves a new one."""
    CACHE.mkdir(parents=True, exist_ok=True)
    handle = os.open(CACHE, os.O_RDONLY)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX)  # tests that run side by side wait for the first one's
        migrated = CACHE / f"{_digest()}.sqlite3"
        if not migrated.exists():
            for outdated in CACHE.glob("*.sqlite3"):
                outdated.unlink()
            _make(migrated)
        shutil.copyfile(migrated, file)
    finally:
        os.close(handle)


def _digest() -> str:
    """Of everything that migrations may use, the releases of what is installed among it."""
    code = sorted(file for app in CODE for file in (ROOT / app).rglob("*.py"))
    digest = hashlib.sha256(f"{sys.version} {sqlite3.sqlite_version}".encode())
    for file in (ROOT / "requirements.txt", *code):
        digest.update(f"{file.relative_to(ROOT)}\n".encode() + file.read_bytes())
    return digest.hexdigest()


def _make(file: Path) -> None:
    with tempfile.TemporaryDirectory() as folder:
        fresh = Path(folder) / "fresh.sqlite3"
        env = os.environ | {"VAR_DIR": folder, "DATABASE_URL": f"sqlite:///{fresh}"}
        command = [sys.executable, "manage.py", "migrate", "--verbosity=0", "--no-input"]
        done = subprocess.run(command, cwd=ROOT, env=env, capture_output=True, text=True)
        assert done.returncode == 0, done.stdout + done.stderr
        # Whole in one file: the last connection to close takes the journal in.
        assert not fresh.with_name(f"{fresh.name}-wal").exists()
        partly = file.with_suffix(".partly")
        shutil.move(fresh, partly)
        partly.rename(file)
