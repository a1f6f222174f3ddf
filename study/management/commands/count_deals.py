from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from games.record_files import InvalidJSON, iter_values
from study.deal_statistics import build_rows, count_record, sum_counts


class Command(BaseCommand):
    help = "Recount the numbers of /fairness/numbers/ from files of records (export_records)."
    requires_system_checks = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("files", nargs="+", metavar="FILE")

    def handle(self, *args: Any, files: list[str], **options: Any) -> None:
        counts = []
        for file in files:
            try:
                with open(file, encoding="utf-8-sig") as records:
                    counts += [count_record(record) for _line, record in iter_values(records)]
            except OSError as error:
                raise CommandError(f"{file} cannot be read: {error.strerror}.", returncode=1) from error
            except InvalidJSON as error:
                raise CommandError(
                    f"{file}, line {error.line}: this is no JSON: {error}.", returncode=1
                ) from error
        for row in build_rows(sum_counts(counts)):
            band = f"{row.low:.1f} to {row.high:.1f}"
            self.stdout.write(f"{row.name}: {row.observed} of {row.trials}, chance allows {band}")
