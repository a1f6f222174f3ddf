"""Files of JSON values, one after the other: read piece by piece, so that only one value is held at a time.

>>> from io import StringIO
>>> list(iter_values(StringIO('{"a": 1}\\n\\n {"b": "}"} [2]')))
[(1, {'a': 1}), (3, {'b': '}'}), (3, [2])]
"""

import json
import re
from collections.abc import Iterator
from typing import Any, TextIO

_PIECE = 1 << 16  # characters
# What is looked at to find where a value ends: an escape, a quotation mark, a bracket.
_MARK = re.compile(r'\\.|["{}\[\]]', re.DOTALL)


class InvalidJSON(ValueError):
    """A text that is no JSON, and the line on which it starts."""

    def __init__(self, line: int, reason: str) -> None:
        super().__init__(reason)
        self.line = line


def parse_json(text: str) -> Any:
    """The one value of this text. Raises ValueError, also for a name given twice in one object and for NaN, and
    RecursionError."""
    return json.loads(text, object_pairs_hook=_without_repeats, parse_constant=_no_number)


def iter_values(file: TextIO) -> Iterator[tuple[int, Any]]:
    """The values of a file, each with the line on which it starts. Raises InvalidJSON."""
    line = 1
    for text in _texts(file):
        value = text.lstrip()
        line += text.count("\n", 0, len(text) - len(value))
        if value:
            try:
                yield line, parse_json(value)
            except (ValueError, RecursionError) as error:
                raise InvalidJSON(line, str(error)) from error
        line += value.count("\n")


def _texts(file: TextIO) -> Iterator[str]:
    """The file cut after each bracket that closes the first one of its value, and what is left."""
    pieces: list[str] = []
    depth, quoted = 0, False
    while piece := file.read(_PIECE):
        if piece.endswith("\\"):
            # An escape must not be torn from what it escapes.
            piece += file.read(1)
        start = 0
        for mark in _MARK.finditer(piece):
            found = mark.group()
            if found == '"':
                quoted = not quoted
            elif found in "{[" and not quoted:
                depth += 1
            elif found in "}]" and not quoted:
                depth -= 1
                if depth <= 0:
                    yield "".join((*pieces, piece[start : mark.end()]))
                    pieces, start, depth = [], mark.end(), 0
        pieces.append(piece[start:])
    yield "".join(pieces)


def _without_repeats(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    names = dict(pairs)
    if len(names) < len(pairs):
        raise ValueError("a name is given twice in one object")
    return names


def _no_number(text: str) -> float:
    raise ValueError(f"{text} is no number")
