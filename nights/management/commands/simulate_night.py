"""Play a whole night by the services, with kills, and check the laws of the draw."""

import secrets
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from nights.draws.formats import FORMATS
from nights.models import Night
from nights.simulation.evening import Evening, Scale
from nights.simulation.killing import ChildFailed
from nights.simulation.laws import LawBroken


class Command(BaseCommand):
    help = (
        "Plays a night by the services in an empty database (VAR_DIR=/tmp/night manage.py setup), kills processes in"
        " the middle of acts, and checks every draw, result and standing. The seed it prints repeats it."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        scale = Scale()
        parser.add_argument("--people", type=int, default=scale.people)
        parser.add_argument("--rounds", type=int, default=scale.rounds)
        parser.add_argument("--kills", type=int, default=scale.kills)
        parser.add_argument(
            "--format", choices=[name for name in FORMATS if name != "open"], default=scale.format
        )
        parser.add_argument("--draw", choices=["rotate", "standing"], default=scale.draw)
        parser.add_argument("--seed", type=int, help="that an earlier run printed")

    def handle(self, *args: Any, **options: Any) -> None:
        if Night.objects.exclude(format="open").exists():
            raise CommandError("This database has nights: give the command one of its own.")
        seed = options["seed"] if options["seed"] is not None else secrets.randbelow(10**6)
        scale = Scale(**{name: options[name] for name in ("people", "rounds", "kills", "format", "draw")})
        self.stdout.write(f"Seed {seed}.")
        try:
            figures = Evening(scale, seed).run()
        except (LawBroken, ChildFailed) as error:
            raise CommandError(f"Seed {seed}: {error}") from error
        for name, times in sorted(figures.counts.items()):
            self.stdout.write(f"{name:<36}{times:>6}")
        self.stdout.write(f"{'longest draw, CPU seconds':<36}{figures.longest_draw:>6.2f}")
        self.stdout.write("Every law holds.")
