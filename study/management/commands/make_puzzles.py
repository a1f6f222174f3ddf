from typing import Any

from django.core.management.base import BaseCommand, CommandParser
from django.utils import timezone

from study import puzzles


class Command(BaseCommand):
    help = "Make puzzles of rated matches that are at least a day old, the latest first."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--matches", type=int, default=20, metavar="N", help="of at most so many (default: 20)"
        )

    def handle(self, *args: Any, matches: int, **options: Any) -> None:
        made = 0
        for number, match in enumerate(puzzles.sources(timezone.now())[: max(0, matches)], 1):
            found = len(puzzles.make_of(match))
            made += found
            self.stderr.write(f"{number}: {match.code}, {found}")
        self.stdout.write(f"{made} puzzles")
