from typing import Any

from django.core.management.base import BaseCommand, CommandParser
from django.utils import timezone

from events.services import judge_entries


class Command(BaseCommand):
    help = "Compute for moderators how likely the decisions of entries of closed days are, and their peek scores."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--entries", type=int, default=20, metavar="N", help="of at most N entries (default: 20)"
        )

    def handle(self, *args: Any, entries: int, **options: Any) -> None:
        self.stdout.write(f"{judge_entries(timezone.now(), entries)} entries")
