"""Backups: one tar file with the database, the keys of the site, and what they are of.

The files of a backup are named below. A database alone, as earlier releases wrote it, is a backup without keys.
"""

import json
import os
import shutil
import sqlite3
import subprocess
import tarfile
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import NamedTuple

from django.conf import settings
from django.db import connection
from django.db.backends.postgresql.client import DatabaseClient
from django.db.migrations.recorder import MigrationRecorder
from django.utils import timezone

from dominoes_site.version import VERSION

DATABASE_NAMES = {"sqlite": "database.sqlite3", "postgresql": "database.dump"}
KEY_NAMES = ("secret_key", "checkpoint_key", "vapid_key")
DESCRIPTION_NAME = "backup.json"
SQLITE_HEADER, DUMP_HEADER = b"SQLite format 3\0", b"PGDMP"


class BackupError(Exception):
    """Raised with a sentence where a backup cannot be written, read or restored."""


class Description(NamedTuple):
    """What a backup is of; all of it is unknown, "" or empty, for a database alone.

    version     of the release that wrote it
    taken_at    when, in ISO format
    migrations  those that its database has, "app.name"
    """

    version: str = ""
    taken_at: str = ""
    migrations: Sequence[str] = ()


def write_backup(file: Path) -> None:
    """Write a backup to a new file (0600) while people play. Raise `BackupError`; then there is no file."""
    try:
        os.close(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
    except FileExistsError as error:
        raise BackupError(f"{file} is there already: give a new name.") from error
    except OSError as error:
        raise BackupError(f"{file} cannot be written: {error.strerror}.") from error
    try:
        with _private_file(file.with_name(f".{file.name}.database")) as copy:
            _copy_database(copy)
            _pack(file, copy)
    except BaseException as error:  # an interrupt must not leave half a backup either
        file.unlink()
        if isinstance(error, OSError):
            raise BackupError(f"{file} cannot be written: {error.strerror}.") from error
        raise


def _pack(file: Path, database: Path) -> None:
    about = Description(VERSION, timezone.now().isoformat(timespec="seconds"), _list_migrations())
    with tarfile.open(file, "w") as tar, _private_file(database.with_suffix(".json")) as described:
        described.write_text(json.dumps(about._asdict()))
        tar.add(described, DESCRIPTION_NAME)
        for name in KEY_NAMES:
            if (key := settings.VAR_DIR / name).exists():
                tar.add(key, name)
        tar.add(database, DATABASE_NAMES[connection.vendor])


def _list_migrations() -> list[str]:
    return sorted(".".join(key) for key in MigrationRecorder(connection).applied_migrations())


def describe(file: Path) -> Description:
    """Read what a backup is of. Raise `BackupError` if it is none, or of another kind of database."""
    try:
        with file.open("rb") as opened:
            header = opened.read(len(SQLITE_HEADER))
        if header == SQLITE_HEADER or header.startswith(DUMP_HEADER):
            vendor = "sqlite" if header == SQLITE_HEADER else "postgresql"
            return _require_own_kind(file, vendor, Description())
        with tarfile.open(file) as tar:
            names = tar.getnames()
            vendor = next(kind for kind, name in DATABASE_NAMES.items() if name in names)
            about = json.loads(_read_member(tar, DESCRIPTION_NAME))
            return _require_own_kind(file, vendor, Description(**about))
    except OSError as error:
        raise BackupError(f"{file} cannot be read: {error.strerror or error}.") from error
    except (tarfile.TarError, StopIteration, KeyError, TypeError, ValueError) as error:
        raise BackupError(f"{file} is no backup of this site.") from error


def _require_own_kind(file: Path, vendor: str, about: Description) -> Description:
    if vendor != connection.vendor:
        raise BackupError(f"{file} is of {vendor}, and this site's database is {connection.display_name}.")
    return about


def extract_database(file: Path, to: Path) -> None:
    """Write the database of a backup to a new file (0600). Raise `OSError`."""
    with os.fdopen(os.open(to, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as target:
        with file.open("rb") as source:
            if not tarfile.is_tarfile(file):
                shutil.copyfileobj(source, target)
                return
        with tarfile.open(file) as tar:
            member = tar.extractfile(DATABASE_NAMES[connection.vendor])
            assert member is not None
            shutil.copyfileobj(member, target)


def extract_keys(file: Path) -> dict[str, bytes]:
    """Return the keys of a backup by their names."""
    if not tarfile.is_tarfile(file):
        return {}
    with tarfile.open(file) as tar:
        return {name: _read_member(tar, name) for name in KEY_NAMES if name in tar.getnames()}


def replace_database(copy: Path) -> None:
    """Put a copy, as `extract_database` writes it, in the place of the database.

    Raise `BackupError`; nothing has changed then.
    """
    if connection.vendor == "sqlite":
        check_copy(copy, "The backup cannot be used")
        connection.close()
        database = Path(str(connection.settings_dict["NAME"]))
        for suffix in ("-wal", "-shm"):  # they would be applied to the new file
            database.with_name(database.name + suffix).unlink(missing_ok=True)
        os.replace(copy, database)
    else:
        connection.close()
        _restore_dump(copy)


def check_copy(copy: Path, consequence: str) -> None:
    """Raise `BackupError`, which begins with the consequence, unless an SQLite file is whole and of this site."""
    try:
        with closing(sqlite3.connect(f"{copy.absolute().as_uri()}?mode=ro", uri=True)) as database:
            (found,) = database.execute("PRAGMA quick_check(1)").fetchone()
            (tables,) = database.execute(
                "SELECT count(*) FROM sqlite_master WHERE name = 'games_match'"
            ).fetchone()
    except sqlite3.Error as error:
        raise BackupError(f"{consequence}: {error}.") from error
    if found != "ok":
        raise BackupError(f"{consequence}: its database is malformed ({found}).")
    if not tables:
        # Created by a command run without the site's environment variables.
        raise BackupError(f"{consequence}: its database is empty, see VAR_DIR and DATABASE_URL.")


def _copy_database(file: Path) -> None:
    """Copy a consistent snapshot of the database into a file that is there. Raise `BackupError`."""
    if connection.vendor != "sqlite":
        _run(["pg_dump", "--format=custom", f"--file={file}"])
        return
    source = Path(str(connection.settings_dict["NAME"]))
    if not source.exists():
        raise BackupError(f"There is no database at {source}.")
    try:
        opened = sqlite3.connect(f"{source.absolute().as_uri()}?mode=ro", uri=True)
        with closing(opened), closing(sqlite3.connect(file)) as copy:
            opened.backup(copy)
            copy.execute("PRAGMA journal_mode=DELETE")
    except sqlite3.Error as error:
        raise BackupError(f"The database could not be copied: {error}.") from error
    check_copy(file, "The database could not be copied")


def _restore_dump(dump: Path) -> None:
    """Replace all that PostgreSQL's database has by a dump, in one transaction. Raise `BackupError`."""
    with _private_file(dump.with_suffix(".sql")) as script:
        _run(["pg_restore", "--no-owner", "--no-privileges", f"--file={script}", str(dump)], connects=False)
        # A table of a later release would stay, and the next migration fail at it.
        empty = "DROP SCHEMA public CASCADE; CREATE SCHEMA public"
        _run(
            ["psql", "--no-psqlrc", "--quiet", "--single-transaction", "--set=ON_ERROR_STOP=1"]
            + [f"--command={empty}", f"--file={script}"]
        )


def _run(command: list[str], *, connects: bool = True) -> None:
    """Run a program of PostgreSQL, on the site's database if it `connects`. The password goes by the environment."""
    (_psql, *where), env = DatabaseClient.settings_to_cmd_args_env(connection.settings_dict, [])
    try:
        done = subprocess.run(  # noqa: S603
            [*command, *(where if connects else [])],
            env=os.environ | (env or {}),
            capture_output=True,
            text=True,
        )
    except FileNotFoundError as error:
        raise BackupError(f"{command[0]} is not installed (Debian: postgresql-client).") from error
    if done.returncode:
        raise BackupError(f"{command[0]} failed: {done.stderr.strip()}")


def _read_member(tar: tarfile.TarFile, name: str) -> bytes:
    member = tar.extractfile(name)
    if member is None:
        raise KeyError(name)
    return member.read()


@contextmanager
def _private_file(file: Path) -> Iterator[Path]:
    """Make a file for its owner alone, and delete it afterwards."""
    os.close(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600))
    try:
        yield file
    finally:
        file.unlink(missing_ok=True)
