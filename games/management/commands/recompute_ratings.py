import time
from typing import Any

from django.core.management.base import BaseCommand

from games.services.rerating import recompute, recompute_pending

TELL_EVERY = 2.0  # seconds


class Command(BaseCommand):
    help = "Rebuild every rating from the finished matches in their order; print the differences found. People play on."
    _told = 0.0

    def add_arguments(self, parser: Any) -> None:
        parser.add_argument(
            "--waiting", action="store_true", help="only what annulments wait for, from the stored results"
        )

    def handle(self, *args: Any, waiting: bool, **options: Any) -> None:
        differences = recompute_pending(self._tell) if waiting else recompute(self._tell)
        for line in differences:
            self.stdout.write(line)
        self.stdout.write(f"{len(differences)} differences." if differences else "No difference.")

    def _tell(self, pool: str, done: int, total: int) -> None:
        if time.monotonic() - self._told > TELL_EVERY:
            self._told = time.monotonic()
            self.stderr.write(f"{pool}: {done} of {total} matches")
