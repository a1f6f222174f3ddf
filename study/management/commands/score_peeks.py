from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone

from study import peeks


class Command(BaseCommand):
    help = "Compute the peek scores of finished matches: how often a play used what could not be known."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--matches", type=int, default=10, metavar="N", help="of at most N matches (default: 10)"
        )

    def handle(self, *args: Any, matches: int, **options: Any) -> None:
        if matches < 0:
            raise CommandError("--matches must not be below 0.")
        for match in peeks.sources(timezone.now())[:matches]:
            self.stdout.write(f"{match.code}: {len(peeks.score_match(match))}")
