from typing import Any

from django.core.management.base import BaseCommand

from games.services.rerating import recompute


class Command(BaseCommand):
    help = "Rebuild every rating from the finished matches in their order; print the differences found."

    def handle(self, *args: Any, **options: Any) -> None:
        differences = recompute()
        for line in differences:
            self.stdout.write(line)
        self.stdout.write(f"{len(differences)} differences." if differences else "No difference.")
