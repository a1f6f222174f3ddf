import os
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import connection


class Command(BaseCommand):
    """Back up the SQLite database."""

    help = "Copy the SQLite database to a new file, which its owner alone may read. People play on meanwhile."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", metavar="FILE", type=Path, help="where to; it must not exist yet")

    def handle(self, *args: Any, file: Path, **options: Any) -> None:
        if connection.vendor != "sqlite":
            raise CommandError("This copies an SQLite database. Copy PostgreSQL's with pg_dump.")
        database = Path(str(connection.settings_dict["NAME"]))
        if not database.exists():
            raise CommandError(f"There is no database at {database}.")
        try:
            os.close(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
        except FileExistsError as error:
            raise CommandError(f"{file} is there already: give a new name.") from error
        except OSError as error:
            raise CommandError(f"{file} cannot be written: {error.strerror}.") from error
        try:
            _copy(database, file)
        except BaseException as error:  # an interrupt must not leave half a copy either
            file.unlink()
            if isinstance(error, sqlite3.Error):
                raise CommandError(f"The database could not be copied: {error}.") from error
            raise
        self.stdout.write(f"{file}: {file.stat().st_size} bytes")


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
