import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from games.engine.records import Fault, verify


class Command(BaseCommand):
    help = "Check match records by the rules and the seal; stops at the first fault."
    requires_system_checks = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("files", nargs="+", metavar="FILE", help="records in JSON, one after the other")

    def handle(self, *args: Any, files: list[str], **options: Any) -> None:
        for file in files:
            checked = 0
            for line, record in _records(file):
                try:
                    verify(record)
                except Fault as fault:
                    code = record.get("match") if isinstance(record, dict) else None
                    raise CommandError(f"{file}, line {line}: match {code}: {fault}", returncode=1) from fault
                checked += 1
            self.stdout.write(f"{file}: {checked} {'match' if checked == 1 else 'matches'}, no fault")


def _records(file: str) -> Iterator[tuple[int, Any]]:
    """The records of a file, each with the line on which it starts."""
    try:
        text = Path(file).read_text("utf-8")
    except OSError as error:
        raise CommandError(f"{file} cannot be read: {error.strerror}.", returncode=2) from error
    except UnicodeDecodeError as error:
        raise CommandError(f"{file} is no text in UTF-8.", returncode=2) from error
    decoder = json.JSONDecoder(object_pairs_hook=_without_repeats, parse_constant=_no_number)
    place, line = _skip_space(text, 0), 1
    while place < len(text):
        line = text.count("\n", 0, place) + 1
        try:
            record, end = decoder.raw_decode(text, place)
        except (ValueError, RecursionError) as error:
            raise CommandError(f"{file}, line {line}: this is no JSON: {error}.", returncode=2) from error
        yield line, record
        place = _skip_space(text, end)


def _skip_space(text: str, place: int) -> int:
    while place < len(text) and text[place].isspace():
        place += 1
    return place


def _without_repeats(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    names = dict(pairs)
    if len(names) < len(pairs):
        raise ValueError("a name is given twice in one object")
    return names


def _no_number(text: str) -> float:
    raise ValueError(f"{text} is no number")
