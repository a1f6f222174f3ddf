from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from games.record_files import iter_records
from study.deal_statistics import build_rows, count_record, sum_counts


class Command(BaseCommand):
    help = "Recount the numbers of /fairness/numbers/ from files of records (export_records)."
    requires_system_checks = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("files", nargs="+", metavar="FILE")

    def handle(self, *args: Any, files: list[str], **options: Any) -> None:
        counts = [count_record(record) for file in files for _line, record in iter_records(file)]
        for row in build_rows(sum_counts(counts)):
            band = f"{row.low:.1f} to {row.high:.1f}"
            self.stdout.write(f"{row.name}: {row.observed} of {row.trials}, chance allows {band}")
