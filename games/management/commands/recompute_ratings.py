import time
from typing import Any

from django.core.management.base import BaseCommand

from games.services.rerating import compare_predictions, recompute, recompute_pending

PROGRESS_INTERVAL_SECONDS = 2.0


class Command(BaseCommand):
    help = "Rebuild all ratings from the finished matches in order and print the differences. Safe while people play."
    _last_report = 0.0

    def add_arguments(self, parser: Any) -> None:
        parser.add_argument(
            "--waiting",
            action="store_true",
            help="only what pending annulments affect, from the stored results",
        )
        parser.add_argument(
            "--compare",
            action="store_true",
            help="change nothing; print how well ratings predict results, with and without the length of matches",
        )

    def handle(self, *args: Any, waiting: bool, compare: bool, **options: Any) -> None:
        if compare:
            self._compare()
            return
        differences = (
            recompute_pending(self._report_progress) if waiting else recompute(self._report_progress)
        )
        for line in differences:
            self.stdout.write(line)
        self.stdout.write(f"{len(differences)} differences." if differences else "No difference.")

    def _compare(self) -> None:
        for pool, (plain, scaled) in compare_predictions().items():
            self.stdout.write(
                f"{pool}: {plain.predictions} results, log-loss {plain.mean:.4f} without the length, "
                f"{scaled.mean:.4f} with it"
            )

    def _report_progress(self, pool: str, done: int, total: int) -> None:
        if time.monotonic() - self._last_report > PROGRESS_INTERVAL_SECONDS:
            self._last_report = time.monotonic()
            self.stderr.write(f"{pool}: {done} of {total} matches")
