from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from core.checkpoint_key import get_verifier_key
from core.transparency import InvalidNote, compute_root, read_note
from study.chain import find_broken_line


class Command(BaseCommand):
    help = "Check a saved file of seals (/fairness/seals.txt), and that it continues kept checkpoints."
    requires_system_checks = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", metavar="FILE")
        parser.add_argument("--checkpoint", nargs="+", default=[], metavar="FILE", dest="checkpoints")
        parser.add_argument("--key", help="verifier key of the checkpoints; by default this site's")

    def handle(
        self, *args: Any, file: str, checkpoints: list[str], key: str | None = None, **options: Any
    ) -> None:
        lines = _read(file).splitlines()
        if not lines:
            raise CommandError(f"{file} has no seals.", returncode=1)
        if broken := find_broken_line(lines):
            raise CommandError(
                f"{file}, line {broken}: this is not the next link of the chain.", returncode=1
            )
        verifier = key or get_verifier_key()
        if checkpoints and not verifier:
            raise CommandError("There is no key: give the verifier key of /fairness/ as --key.", returncode=1)
        for name in checkpoints:
            self._verify(lines, name, verifier)
        self.stdout.write(f"{len(lines)} seals, {len(checkpoints)} checkpoints: sound.")

    def _verify(self, lines: list[str], name: str, verifier: str) -> None:
        try:
            checkpoint = read_note(_read(name), verifier)
        except InvalidNote as fault:
            raise CommandError(f"{name}: {fault}.", returncode=1) from None
        if checkpoint.size > len(lines):
            raise CommandError(f"{name}: it has {checkpoint.size} seals, the file fewer.", returncode=1)
        _size, root = compute_root(line.encode() for line in lines[: checkpoint.size])
        if root != checkpoint.root:
            raise CommandError(
                f"{name}: the first {checkpoint.size} seals of the file are not those that it signs.",
                returncode=1,
            )


def _read(name: str) -> str:
    try:
        return Path(name).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise CommandError(f"{name} cannot be read: {error}.", returncode=1) from error
