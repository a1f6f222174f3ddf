import os
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import DatabaseError
from django.db.migrations.loader import MigrationLoader
from django.utils import timezone

from dominoes_site import backups
from dominoes_site.backups import BackupError, Description
from games.models import Match, Process
from operators.site_settings import load_site
from study import chain

SILENCE_SECONDS = 5  # of every process, after which none serves


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

    def handle(self, *args: Any, file: Path, discard_present: bool, **options: Any) -> None:
        _require_silence()
        try:
            about = backups.describe(file)
            _require_known(about)
            if not discard_present:
                self._keep_present()
            self._replace(file)
        except BackupError as error:
            raise CommandError(str(error)) from error
        except OSError as error:
            raise CommandError(f"{error.filename or settings.VAR_DIR}: {error.strerror}.") from error
        call_command("setup")
        self._report(about)

    def _keep_present(self) -> None:
        kept = settings.VAR_DIR / f"before-restore-{timezone.now():%Y-%m-%dT%H%M%SZ}.tar"
        try:
            backups.write_backup(kept)
        except BackupError as error:
            raise CommandError(
                f"The present database could not be kept: {error} --discard-present restores without."
            ) from error
        self.stdout.write(f"The present database is kept in {kept}.")

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

    def _report(self, about: Description) -> None:
        chain.note_restore(timezone.now())
        if running := Match.objects.filter(status=Match.Status.PLAYING).count():
            site = load_site()
            site.maintenance = site.matches_halt = True
            site.save()
        since = f" of {about.taken_at}" if about.taken_at else ""
        self.stdout.write(f"The backup{since} is restored. What happened since is not in it.")
        if running:
            self.stdout.write(
                f"{running} matches were running, and stand still: their players may have seen tiles that come back."
                " End those matches in the admin, or let them go on: Settings of this site, Maintenance."
            )


def _require_silence() -> None:
    """Raise `CommandError` while a process serves. A database that does not answer knows of none."""
    try:
        last = Process.objects.order_by("-at").values_list("at", flat=True).first()
    except DatabaseError:
        return
    if last and abs((timezone.now() - last).total_seconds()) < SILENCE_SECONDS:
        raise CommandError("A process serves this database: stop all of them, then restore.")


def _require_known(about: Description) -> None:
    """Raise `BackupError` for a backup of a later release. This one may have dropped migrations of an earlier one."""
    latest: dict[str, str] = {}
    for app, name in MigrationLoader(None).disk_migrations:
        latest[app] = max(name, latest.get(app, ""))
    for migration in about.migrations:
        app, _dot, name = migration.partition(".")
        if name > latest.get(app, ""):
            raise BackupError(
                f"The backup was made by Boneyard {about.version}, which has migrations that this release lacks"
                f" ({migration}): restore with that release's code."
            )
