import re
from argparse import ArgumentTypeError
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone

from core import numbers
from dominoes_site import upkeep
from dominoes_site.backups import BackupError, write_backup

# Names sort by time. --keep deletes only files with such a name: copies made by hand have others.
NAME_FORMAT = "boneyard-%Y-%m-%dT%H%M%SZ.tar"
NAMED_BY_TIME = re.compile(r"boneyard-\d{4}-\d\d-\d\dT\d{6}Z\.(?:tar|sqlite3|dump)")


class Command(BaseCommand):
    help = (
        "Copy the database (SQLite's, or PostgreSQL's with pg_dump) and the site's keys to a new file, which its owner"
        " alone may read. People play on meanwhile. `restore` reads it."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "file",
            metavar="FILE",
            type=_target,
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
            file = folder / f"{timezone.now():{NAME_FORMAT}}"
        try:
            write_backup(file)
        except BackupError as error:
            raise CommandError(str(error)) from error
        self.stdout.write(f"{file}: {file.stat().st_size} bytes")
        upkeep.note_done("backup")
        if folder and keep:
            _delete_old(folder, keep, newest=file)


def _target(given: str) -> Path:
    if given.endswith("/") and not Path(given).is_dir():
        raise ArgumentTypeError(f"there is no folder {given}")
    return Path(given)


def _positive(given: str) -> int:
    number = numbers.parse_whole_number(given)
    if not number:
        raise ArgumentTypeError(f"{given!r} is not a number from 1")
    return number


def _delete_old(folder: Path, keep: int, newest: Path) -> None:
    """Delete all but `keep` backups by the time in their names, not the newest, which a wrong clock may sort first."""
    named = sorted(each for each in folder.iterdir() if NAMED_BY_TIME.fullmatch(each.name) and each != newest)
    for old in named[: max(0, len(named) - (keep - 1))]:
        old.unlink()
