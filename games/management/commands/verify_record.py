from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from boneyard.engine.verification import Fault, verify
from games.record_files import iter_records
from games.wording.record_faults import describe_fault

PROGRESS_INTERVAL_MATCHES = 500


class Command(BaseCommand):
    help = "Verify match records against the rules and the seal; exit with status 1 at the first fault."
    requires_system_checks = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "files",
            nargs="+",
            metavar="FILE",
            help="concatenated records in JSON; - is standard input",
        )
        parser.add_argument(
            "--seals",
            metavar="FILE",
            help="a saved /fairness/seals.txt: say of each record whether its seal stands in the site's chain",
        )

    def handle(self, *args: Any, files: list[str], seals: str | None, **options: Any) -> None:
        chain = None if seals is None else _read_seals(seals)
        for file in files:
            checked = self._check(file, chain)
            if not checked:
                raise CommandError(f"{file}: there is no record in it.", returncode=1)
            self.stdout.write(f"{file}: {checked} {'match' if checked == 1 else 'matches'}, no fault")

    def _check(self, file: str, chain: dict[str, str] | None) -> int:
        """Verify all records of a file and return their number. Raise `CommandError` for the first fault."""
        checked = 0
        for line, record in iter_records(file):
            try:
                verify(record)
            except Fault as fault:
                code = record.get("match") if isinstance(record, dict) else None
                which = f"match {code}: " if code else ""
                raise CommandError(
                    f"{file}, line {line}: {which}{describe_fault(fault)}", returncode=1
                ) from fault
            if chain is not None:
                number = chain.get(record["seal"])
                where = f"yes, line {number}" if number else "no"
                self.stdout.write(f"{record['match']}: in the chain of seals: {where}")
            checked += 1
            if checked % PROGRESS_INTERVAL_MATCHES == 0:
                self.stderr.write(f"{file}: {checked} matches checked")
        return checked


def _read_seals(file: str) -> dict[str, str]:
    """Return the numbers of the lines by seal. `verify_seals` checks that the file is one chain."""
    try:
        lines = Path(file).read_text(encoding="ascii").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise CommandError(f"{file} cannot be read: {error}", returncode=1) from error
    rows = [line.split(" ") for line in lines]
    return {row[1]: row[0] for row in rows if len(row) == 3}
