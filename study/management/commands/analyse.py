import json
import logging
import os
import time
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone

from boneyard.analysis.matches import analyse_record
from boneyard.engine.verification import Fault, verify
from games import repository
from games.record_files import iter_records
from games.wording.record_faults import describe_fault
from study import services
from study.models import Analysis

log = logging.getLogger(__name__)

PROGRESS_INTERVAL_SECONDS = 0.5


class Command(BaseCommand):
    help = "Analyse requested matches, or the matches of record files."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "files", nargs="*", metavar="FILE", help="records in JSON; analyses to standard output"
        )
        parser.add_argument(
            "--waiting", action="store_true", help="analyse requested matches until none is left"
        )
        parser.add_argument("--behind", action="store_true", help="run at the lowest priority (nice 19)")

    def handle(self, *args: Any, files: list[str], waiting: bool, behind: bool, **options: Any) -> None:
        if behind:
            os.nice(19)
        if waiting:
            while (analysis := services.take_next(timezone.now())) is not None:
                self._analyse(analysis)
        for file in files:
            self._read(file)

    def _analyse(self, analysis: Analysis) -> None:
        last_report = time.monotonic()

        def report_progress(progress: float) -> None:
            nonlocal last_report
            if time.monotonic() - last_report > PROGRESS_INTERVAL_SECONDS:
                last_report = time.monotonic()
                services.store_progress(analysis, progress)

        try:
            result = analyse_record(repository.build_record(analysis.match), report_progress).as_dict()
        except Exception:
            log.exception("The analysis of %s failed", analysis.match.code)
            services.mark_failed(analysis)
        else:
            services.store_result(analysis, result)

    def _read(self, file: str) -> None:
        for line, record in iter_records(file):
            try:
                verify(record)
            except Fault as fault:
                raise CommandError(f"{file}, line {line}: {describe_fault(fault)}", returncode=1) from fault
            self.stdout.write(json.dumps({"match": record["match"]} | analyse_record(record).as_dict()))
