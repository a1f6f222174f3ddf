"""Repeat the draws of a night."""

import json
import sys
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from nights.draws.records import find_faults


class Command(BaseCommand):
    help = "Repeats every draw of a saved draws.json by its key; exits with 1 if one differs."
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", help="a saved /nights/CODE/draws.json; -: standard input")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            text = sys.stdin.read() if options["file"] == "-" else Path(options["file"]).read_text()
            record = json.loads(text)
            faults = list(find_faults(record))
        except (OSError, ValueError) as error:
            raise CommandError(str(error)) from error
        if faults:
            raise CommandError("\n".join(faults))
        number = len(record["draws"])
        self.stdout.write(f"{number} {'draw repeats' if number == 1 else 'draws repeat'} as recorded.")
