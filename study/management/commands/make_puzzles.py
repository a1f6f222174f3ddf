import os
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone

from study import puzzles


class Command(BaseCommand):
    help = "Create puzzles from rated matches that are at least a day old, newest first."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--matches", type=int, default=20, metavar="N", help="of at most N matches (default: 20)"
        )
        parser.add_argument("--behind", action="store_true", help="run at the lowest priority (nice 19)")

    def handle(self, *args: Any, matches: int, behind: bool, **options: Any) -> None:
        if matches < 0:
            raise CommandError("--matches must not be below 0.")
        if behind:
            os.nice(19)
        total = 0
        for number, match in enumerate(puzzles.sources(timezone.now())[:matches], 1):
            created = len(puzzles.make_puzzles(match))
            total += created
            self.stdout.write(f"{number}: {match.code}, {created}")
        self.stdout.write(f"{total} puzzles")
