from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from boneyard.engine.shuffle import owner_digest
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
            help="a saved /fairness/seals.txt: say of each record whether its seal stands in the site's chain; with "
            "saved answers to ?seal=HEX also whether it is the seal of this match, or of its set of deals",
        )

    def handle(self, *args: Any, files: list[str], seals: str | None, **options: Any) -> None:
        chain = None if seals is None else _read_seals(seals)
        for file in files:
            checked = self._check(file, chain)
            if not checked:
                raise CommandError(f"{file}: there is no record in it.", returncode=1)
            self.stdout.write(f"{file}: {checked} {'match' if checked == 1 else 'matches'}, no fault")

    def _check(self, file: str, chain: dict[str, list[str]] | None) -> int:
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
                self.stdout.write(
                    f"{record['match']}: in the chain of seals: {_find_in_chain(record, chain)}"
                )
            checked += 1
            if checked % PROGRESS_INTERVAL_MATCHES == 0:
                self.stderr.write(f"{file}: {checked} matches checked")
        return checked


def _find_in_chain(record: dict[str, Any], chain: dict[str, list[str]]) -> str:
    line = chain.get(record["seal"])
    if line is None:
        return "no"
    number, seal, _hash, *owner = line
    if not owner:
        return f"yes, line {number}; whose it is, /fairness/seals.txt?seal={seal} says"
    # All matches of a set share its seal, and its keys are public after the close: the seal proves no single match.
    what = "set of deals" if "deals" in record else "match"
    is_own = owner == [owner_digest(record.get("deals") or record["match"], seal)]
    return f"yes, line {number}, of this {what}" if is_own else f"line {number}, but of another {what}"


def _read_seals(file: str) -> dict[str, list[str]]:
    """Return the words of the lines by seal. `verify_seals` checks that the file is one chain."""
    try:
        lines = Path(file).read_text(encoding="ascii").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise CommandError(f"{file} cannot be read: {error}", returncode=1) from error
    rows = [line.split(" ") for line in lines]
    return {row[1]: row for row in rows if len(row) in (3, 4)}
