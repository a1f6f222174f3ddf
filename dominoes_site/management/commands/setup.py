import fcntl
import hashlib
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from django.conf import settings
from django.contrib.staticfiles.finders import get_finders
from django.core.management import call_command
from django.core.management.base import BaseCommand
from django.core.management.utils import get_random_secret_key
from django.db import DatabaseError, connection

from dominoes_site.environment import InvalidVariable
from dominoes_site.prepared import cannot_be_used, lacking


class Command(BaseCommand):
    help = "Make ready what the site runs on: var/, the secret key, the database, the static files. Safe to repeat."
    requires_system_checks = []  # `make test` runs them; starting should not

    def handle(self, **options: Any) -> None:
        if connection.settings_dict["NAME"] == ":memory:":
            raise InvalidVariable(
                "DATABASE_URL", "a database in memory ends with the command; give sqlite:// a file"
            )
        try:
            settings.VAR_DIR.mkdir(parents=True, exist_ok=True)
            settings.VAR_DIR.chmod(0o700)
            self._keep_a_secret_key()
        except OSError as error:
            reason = f"{settings.VAR_DIR} cannot be written to: {error.strerror}"
            raise InvalidVariable("VAR_DIR", reason) from error
        with _one_at_a_time(settings.VAR_DIR):
            self._migrate()
        self._collect_static_files()

    def _keep_a_secret_key(self) -> None:
        if os.environ.get("SECRET_KEY"):
            return
        try:
            file = os.open(settings.VAR_DIR / "secret_key", os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        except FileExistsError:
            return
        with os.fdopen(file, "w") as key:
            key.write(get_random_secret_key())

    def _migrate(self) -> None:
        try:
            is_lacking = lacking()
        except DatabaseError as error:
            raise cannot_be_used(error) from error
        if is_lacking:
            call_command("migrate", verbosity=0, interactive=False)
        if connection.vendor == "sqlite":
            self._write_ahead()
            # Its journals are made with the same mode.
            Path(str(connection.settings_dict["NAME"])).chmod(0o600)

    def _write_ahead(self) -> None:
        # Each connection asks for it too, but changing the mode fails at once while somebody writes.
        with connection.cursor() as cursor:
            (mode,) = cursor.execute("PRAGMA journal_mode=WAL").fetchone()
        if mode != "wal":
            self.stderr.write(
                "The database's disk cannot do write-ahead logging (a network disk?): it will be slow."
            )

    def _collect_static_files(self) -> None:
        settings.STATIC_ROOT.mkdir(parents=True, exist_ok=True)
        # Two processes that start at once would each write the files that the other compresses.
        with _one_at_a_time(settings.STATIC_ROOT):
            stamp, seen = settings.STATIC_ROOT / ".stamp", _fingerprint()
            if not stamp.exists() or stamp.read_text() != seen:
                call_command("collectstatic", verbosity=0, interactive=False)
                stamp.write_text(seen)


@contextmanager
def _one_at_a_time(folder: Path) -> Iterator[None]:
    """Wait until no other process on this machine is at the same."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)


def _fingerprint() -> str:
    """Of every static file there is: its place, size and time."""
    digest = hashlib.sha256()
    for finder in get_finders():
        for path, storage in sorted(finder.list([]), key=lambda found: found[0]):
            status = Path(storage.path(path)).stat()
            digest.update(f"{path} {status.st_size} {status.st_mtime_ns}\n".encode())
    return digest.hexdigest()
