from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from core.checkpoint_key import get_verifier_key
from core.transparency import InvalidNote, compute_root, read_note
from study.chain import find_broken_line, find_restores, parse_restore_time


class Command(BaseCommand):
    help = "Check a saved file of seals (/fairness/seals.txt), and that it continues kept checkpoints."
    requires_system_checks = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", metavar="FILE")
        parser.add_argument("--checkpoint", nargs="+", default=[], metavar="FILE", dest="checkpoints")
        parser.add_argument(
            "--restores",
            metavar="FILE",
            help="saved notes of restored backups (/fairness/restores.txt), which take back what came after them",
        )
        parser.add_argument("--key", help="verifier key of the checkpoints; by default this site's")

    def handle(
        self,
        *args: Any,
        file: str,
        checkpoints: list[str],
        restores: str | None = None,
        key: str | None = None,
        **options: Any,
    ) -> None:
        lines = _read(file).splitlines()
        if not lines:
            raise CommandError(f"{file} has no seals.", returncode=1)
        if broken := find_broken_line(lines):
            raise CommandError(
                f"{file}, line {broken}: this is not the next link of the chain.", returncode=1
            )
        try:
            notes = find_restores(lines, _read(restores).splitlines() if restores else [])
        except ValueError as fault:
            raise CommandError(f"{restores}: {fault}.", returncode=1) from None
        verifier = key or get_verifier_key()
        if checkpoints and not verifier:
            raise CommandError("There is no key: give the verifier key of /fairness/ as --key.", returncode=1)
        for name in checkpoints:
            self._verify(lines, name, verifier, notes)
        self.stdout.write(f"{len(lines)} seals, {len(checkpoints)} checkpoints: sound.")

    def _verify(self, lines: list[str], name: str, verifier: str, notes: dict[int, str]) -> None:
        try:
            checkpoint = read_note(_read(name), verifier)
        except InvalidNote as fault:
            raise CommandError(f"{name}: {fault}.", returncode=1) from None
        _size, root = compute_root(line.encode() for line in lines[: checkpoint.size])
        if root == checkpoint.root:
            return
        # A note explains nothing that was kept after it: that is of the chain that goes on from the note.
        kept_at = datetime.fromtimestamp(Path(name).stat().st_mtime, UTC).replace(microsecond=0)
        taken_back = [
            text
            for count, text in sorted(notes.items())
            if count < checkpoint.size and kept_at <= parse_restore_time(text)
        ]
        if taken_back:
            self.stdout.write(
                f"{name}: its {checkpoint.size} seals are not continued. The site was {taken_back[0]}."
            )
        elif checkpoint.size > len(lines):
            raise CommandError(f"{name}: it has {checkpoint.size} seals, the file fewer.", returncode=1)
        else:
            raise CommandError(
                f"{name}: the first {checkpoint.size} seals of the file are not those that it signs.",
                returncode=1,
            )


def _read(name: str) -> str:
    try:
        return Path(name).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise CommandError(f"{name} cannot be read: {error}.", returncode=1) from error
