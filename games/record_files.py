"""Read files of concatenated JSON values in chunks, one value in memory at a time.

>>> from io import StringIO
>>> list(iter_values(StringIO('{"a": 1}\\n\\n {"b": "}"} [2]')))
[(1, {'a': 1}), (3, {'b': '}'}), (3, [2])]
"""

import json
import re
import sys
from collections.abc import Iterator
from typing import Any, TextIO

from django.core.management.base import CommandError

_CHUNK_CHARACTERS = 1 << 16
# The tokens that decide where a value ends: an escape, a quotation mark, a bracket.
_TOKEN = re.compile(r'\\.|["{}\[\]]', re.DOTALL)


class InvalidJSON(ValueError):
    """Text that is not valid JSON; `line` is where it starts."""

    def __init__(self, line: int, reason: str) -> None:
        super().__init__(reason)
        self.line = line


def parse_json(text: str) -> Any:
    """Parse one JSON value. Raise `RecursionError`, or `ValueError`, also for duplicate names and NaN."""
    return json.loads(text, object_pairs_hook=_refuse_duplicates, parse_constant=_refuse_constant)


def iter_records(path: str) -> Iterator[tuple[int, Any]]:
    """Yield the values of a file, "-" for standard input, with their lines. Raise `CommandError`."""
    try:
        # utf-8-sig skips a byte-order mark.
        source = sys.stdin.fileno() if path == "-" else path
        with open(source, encoding="utf-8-sig", closefd=path != "-") as file:
            yield from iter_values(file)
    except OSError as error:
        raise CommandError(f"{path} cannot be read: {error.strerror}.", returncode=1) from error
    except UnicodeDecodeError as error:
        raise CommandError(f"{path} is no text in UTF-8.", returncode=1) from error
    except InvalidJSON as error:
        raise CommandError(f"{path}, line {error.line}: this is no JSON: {error}.", returncode=1) from error


def iter_values(file: TextIO) -> Iterator[tuple[int, Any]]:
    """Yield the values of a file, each with the line on which it starts. Raise `InvalidJSON`."""
    line = 1
    for text in _iter_texts(file):
        value = text.lstrip()
        line += text.count("\n", 0, len(text) - len(value))
        if value:
            try:
                yield line, parse_json(value)
            except (ValueError, RecursionError) as error:
                raise InvalidJSON(line, str(error)) from error
        line += value.count("\n")


def _iter_texts(file: TextIO) -> Iterator[str]:
    """Yield the file's text, split after the closing bracket of each top-level value."""
    chunks: list[str] = []
    depth, quoted = 0, False
    while chunk := file.read(_CHUNK_CHARACTERS):
        if chunk.endswith("\\"):
            # Do not split an escape sequence.
            chunk += file.read(1)
        start = 0
        for mark in _TOKEN.finditer(chunk):
            token = mark.group()
            if token == '"':
                quoted = not quoted
            elif token in "{[" and not quoted:
                depth += 1
            elif token in "}]" and not quoted:
                depth -= 1
                if depth <= 0:
                    yield "".join((*chunks, chunk[start : mark.end()]))
                    chunks, start, depth = [], mark.end(), 0
        chunks.append(chunk[start:])
    yield "".join(chunks)


def _refuse_duplicates(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    names = dict(pairs)
    if len(names) < len(pairs):
        raise ValueError("a name is given twice in one object")
    return names


def _refuse_constant(text: str) -> float:
    raise ValueError(f"{text} is no number")
