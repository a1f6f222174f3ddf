import multiprocessing
import os
from functools import partial
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone

from study import puzzles, shipped_puzzles


class Command(BaseCommand):
    help = "Create puzzles from rated matches that are at least a day old, newest first."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--matches", type=int, default=20, metavar="N", help="of at most N matches (default: 20)"
        )
        parser.add_argument("--behind", action="store_true", help="run at the lowest priority (nice 19)")
        parser.add_argument(
            "--from-selfplay",
            metavar="SEED",
            help="instead write the puzzles that ship with the code, from matches between computers",
        )
        parser.add_argument(
            "--processes", type=int, default=1, metavar="N", help="for --from-selfplay (default: 1)"
        )

    def handle(
        self,
        *args: Any,
        matches: int,
        behind: bool,
        from_selfplay: str | None,
        processes: int,
        **options: Any,
    ) -> None:
        if matches < 0:
            raise CommandError("--matches must not be below 0.")
        if processes < 1:
            raise CommandError("--processes must not be below 1.")
        if behind:
            os.nice(19)
        if from_selfplay is None:
            total = self._search_matches(matches)
        else:
            total = self._write_shipped(from_selfplay, processes)
        self.stdout.write(f"{total} puzzles")

    def _search_matches(self, matches: int) -> int:
        total = 0
        for number, match in enumerate(puzzles.sources(timezone.now())[:matches], 1):
            created = len(puzzles.make_puzzles(match))
            total += created
            self.stdout.write(f"{number}: {match.code}, {created}")
        return total

    def _write_shipped(self, seed: str, processes: int) -> int:
        games = []
        with multiprocessing.Pool(processes) as pool:
            make = partial(shipped_puzzles.make_game, seed=seed)
            for source, rows in zip(
                shipped_puzzles.SOURCES, pool.imap(make, shipped_puzzles.SOURCES), strict=True
            ):
                self.stdout.write(f"{source.preset}: {len(rows)}")
                games.append(rows)
        return shipped_puzzles.write_file(games)
