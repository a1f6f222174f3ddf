from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import DatabaseError

from dominoes_site.later_release import describe_later_database
from dominoes_site.setup_check import unusable_database
from dominoes_site.upgrades import Upgrade, plan_upgrade
from dominoes_site.version import VERSION


class Command(BaseCommand):
    help = (
        "Print which migrations this release would apply, whether processes of the earlier release may serve meanwhile"
        " (otherwise exit with 1), and the way back. Changes nothing."
    )
    requires_system_checks = []

    def handle(self, **options: Any) -> None:
        try:
            upgrade = plan_upgrade()
        except DatabaseError as error:
            raise unusable_database(error) from error
        if sentence := describe_later_database():
            raise CommandError(sentence)
        if not upgrade.steps:
            self.stdout.write(
                f"The database is that of Boneyard {VERSION}: restart one process after the other."
            )
            return
        self.stdout.write(f"Boneyard {VERSION} brings {len(upgrade.steps)} migrations:")
        for step in upgrade.steps:
            self.stdout.write(f"  {step.app}.{step.name}{'' if step.is_reversible else ' (no way back)'}")
        self._print_way_back(upgrade)
        if upgrade.obstacles:
            for obstacle in upgrade.obstacles:
                self.stdout.write(f"  {obstacle}")
            raise CommandError(
                "Processes of the earlier release may fail beside them: stop all, then start all. Matches stand still"
                " meanwhile, and no clock runs."
            )
        self.stdout.write(
            "Processes of the earlier release may run beside them: restart one after the other."
        )

    def _print_way_back(self, upgrade: Upgrade) -> None:
        if not all(step.is_reversible for step in upgrade.steps):
            self.stdout.write("The way back: stop all processes and restore the backup made before.")
            return
        self.stdout.write("The way back: stop all processes, run with this release's code")
        for app, name in upgrade.earlier.items():
            self.stdout.write(f"  manage.py migrate {app} {name}")
        self.stdout.write("and start the earlier release. What only this release stores is lost.")
