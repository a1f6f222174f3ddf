import os
import time
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import DatabaseError, connection
from django.utils import timezone

from dominoes_site import backups, serving_lock
from dominoes_site.backups import BackupError, Description
from dominoes_site.interrupted import find_interrupted
from dominoes_site.later_release import find_later_migrations
from games.models import Process
from operators.site_settings import load_site
from study import chain

SILENCE_SECONDS = 5  # of every process, after which none serves
POLL_SECONDS = 0.2


class Command(BaseCommand):
    help = (
        "Put a backup in the place of the database, and its keys in VAR_DIR, while no process serves. The present"
        " database is kept in a backup of its own. Running matches stand still until the operator decides about them."
    )
    requires_system_checks = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", metavar="FILE", type=Path, help="a backup made by `backup`")
        parser.add_argument(
            "--discard-present", action="store_true", help="keep no backup of the present database"
        )
        parser.add_argument(
            "--check",
            action="store_true",
            help="only read all of the file, compare it with its checksums, and say what it is of",
        )

    def handle(
        self, *args: Any, file: Path, discard_present: bool, check: bool = False, **options: Any
    ) -> None:
        if check:
            self._check(file)
            return
        settings.VAR_DIR.mkdir(mode=0o700, parents=True, exist_ok=True)
        _require_silence()
        try:
            about = backups.check(file)
            _require_known(about)
            if not discard_present and not _is_missing():
                self._keep_present()
            earlier = _list_earlier_restores()
            self._replace(file)
        except BackupError as error:
            raise CommandError(str(error)) from error
        except OSError as error:
            raise CommandError(f"{error.filename or settings.VAR_DIR}: {error.strerror}.") from error
        call_command("setup")
        self._report(about, earlier)

    def _check(self, file: Path) -> None:
        try:
            about = backups.check(file)
            _require_known(about)
        except BackupError as error:
            raise CommandError(str(error)) from error
        if about.version:
            self.stdout.write(
                f"{file} is whole: Boneyard {about.version}, {about.taken_at}, {len(about.migrations)} migrations."
            )
        else:
            self.stdout.write(f"{file} is a database alone, without keys and checksums. It can be read.")

    def _keep_present(self) -> None:
        kept = settings.VAR_DIR / f"{timezone.now():{backups.COPY_NAME_FORMAT}}"
        try:
            backups.write_backup(kept)
        except BackupError as error:
            raise CommandError(
                f"The present database could not be kept: {error} --discard-present restores without."
            ) from error
        days = backups.COPY_TTL.days
        self.stdout.write(
            f"The present database is kept in {kept.resolve()} for {days} days; move it to keep it longer."
        )

    def _replace(self, file: Path) -> None:
        copy = settings.VAR_DIR / "restoring"
        try:
            backups.extract_database(file, copy)
            backups.replace_database(copy)
        finally:
            copy.unlink(missing_ok=True)
        for name, key in backups.extract_keys(file).items():
            target = settings.VAR_DIR / name
            if os.environ.get(name.upper()):
                continue  # the variable is used
            with os.fdopen(os.open(target, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as opened:
                opened.write(key)

    def _report(self, about: Description, earlier: list[str]) -> None:
        chain.note_restore(timezone.now(), earlier)
        if running := find_interrupted().count():
            site = load_site()
            site.maintenance = site.matches_halt = True
            site.save()
        since = f" of {about.taken_at}" if about.taken_at else ""
        self.stdout.write(f"The backup{since} is restored. What happened since is not in it.")
        if running:
            self.stdout.write(
                f"Matches that were running: {running}. They stand still: their players may have seen tiles that come"
                " back. End them in the admin, or let them go on: Settings of this site, Maintenance."
            )


def _is_missing() -> bool:
    """Return whether SQLite's file does not exist; connecting would create it."""
    return connection.vendor == "sqlite" and not Path(str(connection.settings_dict["NAME"])).exists()


def _list_earlier_restores() -> list[str]:
    """Return the notes of restored backups in the present database, which may be missing or damaged."""
    if _is_missing():
        return []
    try:
        return chain.list_notes()
    except DatabaseError:
        return []


def _require_silence() -> None:
    """Raise `CommandError` while a process serves: on this machine by its lock, elsewhere by its heartbeats."""
    if serving_lock.is_held() or (not _is_missing() and _is_beating()):
        raise CommandError("A process serves this database: stop all of them, then restore.")


def _is_beating() -> bool:
    """Return whether a process beats. One that has just been stopped has left its last beat: wait for another."""
    try:
        last = first = _read_last_beat()
        deadline = time.monotonic() + SILENCE_SECONDS
        while last is not None and abs(timezone.now() - last) < timedelta(seconds=SILENCE_SECONDS):
            if last != first or time.monotonic() > deadline:
                return last != first
            time.sleep(POLL_SECONDS)
            last = _read_last_beat()
    except DatabaseError:  # a database that does not answer knows of none
        return False
    return False


def _read_last_beat() -> datetime | None:
    return Process.objects.order_by("-at").values_list("at", flat=True).first()


def _require_known(about: Description) -> None:
    """Raise `BackupError` for a backup of a later release."""
    pairs = [(app, name) for app, _dot, name in (each.partition(".") for each in about.migrations)]
    if later := find_later_migrations(pairs):
        raise BackupError(
            f"The backup was made by Boneyard {about.version}, which has migrations that this release lacks"
            f" ({later[0]}): restore with that release's code."
        )
