from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from games.record_files import NoJSON, values_of
from study.numbers import counted, rows, together


class Command(BaseCommand):
    help = "Recount the numbers of /fairness/numbers/ from files of records (export_records)."
    requires_system_checks = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("files", nargs="+", metavar="FILE")

    def handle(self, *args: Any, files: list[str], **options: Any) -> None:
        found = []
        for file in files:
            try:
                with open(file, encoding="utf-8-sig") as records:
                    found += [counted(record) for _line, record in values_of(records)]
            except OSError as error:
                raise CommandError(f"{file} cannot be read: {error.strerror}.", returncode=1) from error
            except NoJSON as error:
                raise CommandError(
                    f"{file}, line {error.line}: this is no JSON: {error}.", returncode=1
                ) from error
        for row in rows(together(found)):
            band = f"{row.low:.1f} to {row.high:.1f}"
            self.stdout.write(f"{row.name}: {row.seen} of {row.times}, chance allows {band}")
