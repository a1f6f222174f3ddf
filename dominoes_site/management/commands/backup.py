import os
import re
import sqlite3
import subprocess
from argparse import ArgumentTypeError
from contextlib import closing
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import connection
from django.db.backends.postgresql.client import DatabaseClient
from django.utils import timezone

from core import numbers

# Names sort by time. --keep deletes only files with such a name: copies made by hand have others.
NAME_FORMAT = "boneyard-%Y-%m-%dT%H%M%SZ"
NAMED_BY_TIME = re.compile(r"boneyard-\d{4}-\d\d-\d\dT\d{6}Z\.(?:sqlite3|dump)")
SUFFIXES = {"sqlite": "sqlite3", "postgresql": "dump"}


class Command(BaseCommand):
    """Back up the database."""

    help = (
        "Copy the database to a new file, which its owner alone may read: SQLite's, or PostgreSQL's with pg_dump."
        " People play on meanwhile."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "file",
            metavar="FILE",
            type=Path,
            help="where to; it must not exist yet. In a folder it is named by the time",
        )
        parser.add_argument(
            "--keep",
            type=_positive,
            metavar="N",
            help="then delete all but the latest N that this command has named by the time in the folder",
        )

    def handle(self, *args: Any, file: Path, keep: int | None = None, **options: Any) -> None:
        if keep and not file.is_dir():
            raise CommandError("--keep needs a folder.")
        folder = file if file.is_dir() else None
        if folder:
            file = folder / f"{timezone.now():{NAME_FORMAT}}.{SUFFIXES[connection.vendor]}"
        source = str(connection.settings_dict["NAME"])
        if connection.vendor == "sqlite" and not Path(source).exists():
            raise CommandError(f"There is no database at {source}.")
        try:
            os.close(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
        except FileExistsError as error:
            raise CommandError(f"{file} is there already: give a new name.") from error
        except OSError as error:
            raise CommandError(f"{file} cannot be written: {error.strerror}.") from error
        try:
            if connection.vendor == "sqlite":
                _copy(Path(source), file)
            else:
                _dump(connection.settings_dict, file)
        except BaseException as error:  # an interrupt must not leave half a copy either
            file.unlink()
            if isinstance(error, sqlite3.Error):
                raise CommandError(f"The database could not be copied: {error}.") from error
            raise
        self.stdout.write(f"{file}: {file.stat().st_size} bytes")
        if folder and keep:
            _delete_old(folder, keep, newest=file)


def _positive(given: str) -> int:
    number = numbers.parse_whole_number(given)
    if not number:
        raise ArgumentTypeError(f"{given!r} is not a number from 1")
    return number


def _delete_old(folder: Path, keep: int, newest: Path) -> None:
    """Delete all but `keep` backups by the time in their names, never the newest, which a wrong clock may sort first."""
    named = sorted(each for each in folder.iterdir() if NAMED_BY_TIME.fullmatch(each.name) and each != newest)
    for old in named[: max(0, len(named) - (keep - 1))]:
        old.unlink()


def _dump(database: dict[str, Any], file: Path) -> None:
    """Dump PostgreSQL's database in its custom format. The password goes by the environment. Raise `CommandError`."""
    (_psql, *where), env = DatabaseClient.settings_to_cmd_args_env(database, [])
    command = ["pg_dump", "--format=custom", f"--file={file}", *where]
    try:
        done = subprocess.run(command, env=os.environ | (env or {}), capture_output=True, text=True)  # noqa: S603
    except FileNotFoundError as error:
        raise CommandError("pg_dump is not installed (Debian: postgresql-client).") from error
    if done.returncode:
        raise CommandError(f"The database could not be copied: {done.stderr.strip()}")


def _copy(database: Path, file: Path) -> None:
    """Copy a consistent snapshot into one file. Raise sqlite3.Error, also if the copy is malformed or empty."""
    source = sqlite3.connect(f"{database.absolute().as_uri()}?mode=ro", uri=True)
    with closing(source), closing(sqlite3.connect(file)) as copy:
        source.backup(copy)
        copy.execute("PRAGMA journal_mode=DELETE")
        (found,) = copy.execute("PRAGMA quick_check(1)").fetchone()
        (tables,) = copy.execute("SELECT count(*) FROM sqlite_master").fetchone()
    if found != "ok":
        raise sqlite3.DatabaseError(f"it is malformed ({found})")
    if not tables:
        # Created by a command run without the site's environment variables.
        raise sqlite3.DatabaseError("it is empty, see VAR_DIR and DATABASE_URL")
