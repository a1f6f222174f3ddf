import base64
import fcntl
import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from cryptography.hazmat.primitives.asymmetric import ec
from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError
from django.core.management.utils import get_random_secret_key
from django.db import DatabaseError, connection

from dominoes_site import start_limit, static_build
from dominoes_site.environment import SIGNING_KEY_BYTES, InvalidVariable
from dominoes_site.later_release import describe_later_database
from dominoes_site.setup_check import (
    has_unapplied_migrations,
    record_squashed_migrations,
    unusable_database,
)
from dominoes_site.version import VERSION
from operators.models import Release
from study import shipped_puzzles


class Command(BaseCommand):
    help = (
        "Make ready what the site runs on: var/, its keys, the database with the shipped puzzles, the static"
        " files. Safe to repeat."
    )
    requires_system_checks = []  # `make test` runs them; starting should not

    def handle(self, **options: Any) -> None:
        if connection.settings_dict["NAME"] == ":memory:":
            raise InvalidVariable(
                "DATABASE_URL", "a database in memory ends with the command; give sqlite:// a file"
            )
        try:
            # A folder that is there already may be shared: it keeps its mode. The files in it are 0600.
            settings.VAR_DIR.mkdir(mode=0o700, parents=True, exist_ok=True)
            if not os.environ.get("SECRET_KEY"):
                _create_key("secret_key", get_random_secret_key())
            if not os.environ.get("CHECKPOINT_KEY"):
                _create_key(
                    "checkpoint_key", base64.b64encode(secrets.token_bytes(SIGNING_KEY_BYTES)).decode()
                )
            if not os.environ.get("VAPID_KEY"):
                _create_key("vapid_key", _make_vapid_key())
        except OSError as error:
            reason = f"{settings.VAR_DIR} cannot be written to: {error.strerror}"
            raise InvalidVariable("VAR_DIR", reason) from error
        try:
            with _file_lock(settings.VAR_DIR):  # without a limit: the other process may be migrating
                start_limit.begin()
                self._migrate()
                start_limit.end()
            self._collect_static_files()
        finally:
            start_limit.end()

    def _migrate(self) -> None:
        try:
            start_limit.limit_lock_waits()
            is_outdated = has_unapplied_migrations()
        except DatabaseError as error:
            raise unusable_database(error) from error
        if sentence := describe_later_database():
            raise CommandError(sentence)
        if is_outdated:
            self._apply_migrations()
        else:
            record_squashed_migrations()
        Release.objects.get_or_create(version=VERSION)
        shipped_puzzles.load()
        if connection.vendor == "sqlite":
            self._enable_write_ahead_log()
            # SQLite creates its journals with the same mode.
            Path(str(connection.settings_dict["NAME"])).chmod(0o600)

    @staticmethod
    def _apply_migrations() -> None:
        start_limit.end()  # they may take long
        try:
            call_command("migrate", verbosity=0, interactive=False)
        except DatabaseError as error:
            if start_limit.is_lock_wait(error):
                raise unusable_database(error) from error
            raise
        start_limit.begin()

    def _enable_write_ahead_log(self) -> None:
        # Each connection sets it too, but a change of the mode fails at once while another connection writes.
        with connection.cursor() as cursor:
            (mode,) = cursor.execute("PRAGMA journal_mode=WAL").fetchone()
        if mode != "wal":
            self.stderr.write(
                "The database's disk cannot do write-ahead logging (a network disk?): it will be slow."
            )

    def _collect_static_files(self) -> None:
        settings.STATIC_ROOT.mkdir(parents=True, exist_ok=True)
        # Two processes that start together would write the files that the other one compresses.
        with _file_lock(settings.STATIC_ROOT):
            start_limit.begin()
            static_build.collect()


def _make_vapid_key() -> str:
    secret = ec.generate_private_key(ec.SECP256R1()).private_numbers().private_value
    return base64.b64encode(secret.to_bytes(SIGNING_KEY_BYTES)).decode()


def _create_key(name: str, key: str) -> None:
    """Write the key to var/, unless there is one."""
    try:
        file = os.open(settings.VAR_DIR / name, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        return
    with os.fdopen(file, "w") as opened:
        opened.write(key)


@contextmanager
def _file_lock(folder: Path) -> Iterator[None]:
    """Lock a folder against other processes on this machine."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)
