from typing import Any

from django.core.management.base import BaseCommand
from django.utils import timezone

from events.services import play_house


class Command(BaseCommand):
    help = "Let the house field play the open sets of deals where its results are missing."

    def handle(self, **options: Any) -> None:
        self.stdout.write(f"{play_house(timezone.now())} results")
