import json
import logging
import os
import time
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone

from games import values
from games.engine.records import Fault, verify
from games.record_files import NoJSON, values_of
from study import services
from study.grading.analysis import analysed
from study.models import Analysis

log = logging.getLogger(__name__)

TELL_EVERY = 0.5  # seconds


class Command(BaseCommand):
    help = "Analyse what people have asked for, behind all other work, or the matches of record files."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "files", nargs="*", metavar="FILE", help="records in JSON; analyses to standard output"
        )
        parser.add_argument(
            "--waiting", action="store_true", help="what people have asked for, until nothing is left"
        )
        parser.add_argument("--behind", action="store_true", help="only with time that nobody else wants")

    def handle(self, *args: Any, files: list[str], waiting: bool, behind: bool, **options: Any) -> None:
        if behind:
            os.nice(19)
        if waiting:
            while (analysis := services.take(timezone.now())) is not None:
                self._analyse(analysis)
        for file in files:
            self._read(file)

    def _analyse(self, analysis: Analysis) -> None:
        told = time.monotonic()

        def tell(progress: float) -> None:
            nonlocal told
            if time.monotonic() - told > TELL_EVERY:
                told = time.monotonic()
                services.tell(analysis, progress)

        try:
            found = analysed(values.record_of(analysis.match), tell).as_dict()
        except Exception:
            log.exception("The analysis of %s failed", analysis.match.code)
            services.fail(analysis)
        else:
            services.finish(analysis, found)

    def _read(self, file: str) -> None:
        try:
            with open(file, encoding="utf-8-sig") as records:
                for line, record in values_of(records):
                    try:
                        verify(record)
                    except Fault as fault:
                        raise CommandError(f"{file}, line {line}: {fault}", returncode=1) from fault
                    self.stdout.write(json.dumps({"match": record["match"]} | analysed(record).as_dict()))
        except OSError as error:
            raise CommandError(f"{file} cannot be read: {error.strerror}.", returncode=1) from error
        except NoJSON as error:
            raise CommandError(
                f"{file}, line {error.line}: this is no JSON: {error}.", returncode=1
            ) from error
