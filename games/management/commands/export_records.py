from datetime import date
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from accounts.models import User
from boneyard.engine.presets import PRESETS
from boneyard.engine.records import dumps
from games import repository
from games.past.search import iterate_for_export


class Command(BaseCommand):
    help = "Write finished matches as records (docs/record.md), one JSON line each, in the order they ended."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--since", metavar="YYYY-MM-DD", help="the first day (UTC) to export")
        parser.add_argument("--player", default="", help="only matches of this player")
        parser.add_argument("--private", action="store_true", help="include matches at private tables")
        parser.add_argument("--preset", default="", help="only matches of this preset")

    def handle(
        self, *args: Any, since: str | None, player: str, preset: str, private: bool, **options: Any
    ) -> None:
        if preset and preset not in PRESETS:
            raise CommandError(f"There is no preset {preset!r}; there are {', '.join(PRESETS)}.")
        try:
            day = date.fromisoformat(since) if since else None
        except ValueError as error:
            raise CommandError(f"--since takes a day as 2026-11-21, not {since!r}.") from error
        if player and not User.objects.filter(username__iexact=player).exists():
            raise CommandError(f"There is no player {player!r}.")
        for match in iterate_for_export(day, player, preset, private):
            self.stdout.write(dumps(repository.build_record(match)))
