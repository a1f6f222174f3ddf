from typing import Any

from django.core.management.base import BaseCommand
from django.utils import timezone

from dominoes_site import upkeep
from dominoes_site.keeping import purge


class Command(BaseCommand):
    help = "Delete what is older than the settings say (docs/deploy.md). The referee does it every hour by itself."

    def handle(self, **options: Any) -> None:
        for what, deleted in purge(timezone.now()).items():
            self.stdout.write(f"{deleted} {what}")
        upkeep.note_done("purge")
