"""Puzzles that ship with the code, so that a new site has some: made from matches between computers.

A puzzle of the file is a match of a seed up to a move, with the grade of every move. No row of a match belongs to it.
"""

import json
from collections.abc import Iterable, Iterator, Mapping
from itertools import zip_longest
from pathlib import Path
from typing import Any, NamedTuple

from django.db import transaction

from boneyard.analysis.decisions import are_equivalent, find_only_move_quickly
from boneyard.computer.players import Level, choose_move
from boneyard.computer.selfplay import begin_seeded, play_match
from boneyard.engine import moves as notation
from boneyard.engine.perspective import View, perspective
from boneyard.engine.presets import PRESETS
from study.models import Puzzle

FILE = Path(__file__).parent / "shipped_puzzles.json"
MAX_PUZZLES_PER_GAME = 50
MAX_PUZZLES_PER_MATCH = 3
BANDS = (1100.0, 1300.0, 1500.0, 1700.0, 1900.0)  # ratings, easiest first; each has as many puzzles
MAX_OBVIOUS = 20  # puzzles of a game that every one of `SOLVERS` solves
SOLVERS: tuple[Level, ...] = ("casual", "club", "strong")  # they estimate the difficulty
_STORED_DIGITS = 4


class Source(NamedTuple):
    """A game of the file: its preset, the levels that play it, by seat, and the number of matches to search."""

    preset: str
    players: tuple[Level, ...]
    matches: int


SOURCES = (
    Source("all-fives", ("casual", "club"), 36),
    Source("draw", ("casual", "club"), 24),
    Source("block", ("casual", "club"), 45),
    Source("fives-and-threes", ("casual", "club"), 46),
    Source("kozel", ("casual", "club"), 24),
    Source("venezuelan", ("casual", "club", "casual", "club"), 22),
)


class _Found(NamedTuple):
    """A puzzle before it is rated. `misses` is the number of `SOLVERS` that fail."""

    misses: int
    margin: float
    row: dict[str, Any]


def make_game(source: Source, seed: str) -> list[dict[str, Any]]:
    """Return the puzzles of a game, the bands taking turns; the same for the same seed and code."""
    found: list[_Found] = []
    for number in range(1, source.matches + 1):
        for each in _search(source, f"{seed}:{source.preset}:{number}"):
            obvious = sum(not other.misses for other in found)
            if len(found) < MAX_PUZZLES_PER_GAME and (each.misses or obvious < MAX_OBVIOUS):
                found.append(each)
    return _rated(found)


def _search(source: Source, seed: str) -> Iterator[_Found]:
    """Yield puzzles of one match."""
    rules, seats = PRESETS[source.preset].rules, len(source.players)
    entries = [entry for ended in play_match(rules, source.players, seed).ended for entry in ended.log]
    value, number = begin_seeded(rules, seats, seed), 0
    moves: list[list[Any]] = []
    for entry in entries:
        if entry.move.kind == "play" and number < MAX_PUZZLES_PER_MATCH:
            view = perspective(value, entry.seat)
            if tried := find_only_move_quickly(view):
                number += 1
                grades = [[str(t.move), *(_rounded(x) for x in (t.chance, t.loss, t.error))] for t in tried]
                position = {"game": source.preset, "seats": seats, "seed": seed, "moves": list(moves)}
                yield _Found(_misses(view, tried[0].move), tried[1].loss, {**position, "tried": grades})
        moves.append([entry.seat, str(entry.move), *([] if entry.claim is None else [entry.claim])])
        value = value.play(entry.seat, entry.move, entry.claim)


def _misses(view: View, answer: notation.Move) -> int:
    chosen = [choose_move(view, level, 0)[0] for level in SOLVERS]
    return sum(move is None or not are_equivalent(view, move, answer) for move in chosen)


def _rounded(number: float) -> float:
    return round(number, _STORED_DIGITS)


def _rated(found: list[_Found]) -> list[dict[str, Any]]:
    """Return the rows with a rating each: harder if more solvers miss it, then if its margin is smaller."""
    ordered = sorted(found, key=lambda each: (each.misses, -each.margin))
    rows = [
        {**each.row, "rating": BANDS[place * len(BANDS) // len(ordered)]}
        for place, each in enumerate(ordered)
    ]
    bands = [[row for row in rows if row["rating"] == rating] for rating in BANDS]
    return [row for rank in zip_longest(*bands) for row in rank if row is not None]


def write_file(games: Iterable[list[dict[str, Any]]], path: Path = FILE) -> int:
    """Write the puzzles of these games, one a line, and return their number.

    Games and bands take turns, because the puzzle of the day follows the order of the file.
    """
    shifted = [rows[number:] + rows[:number] for number, rows in enumerate(games)]
    rows = [row for rank in zip_longest(*shifted) for row in rank if row is not None]
    path.write_text("[\n" + ",\n".join(json.dumps(row, separators=(",", ":")) for row in rows) + "\n]\n")
    return len(rows)


def load(path: Path = FILE) -> int:
    """Create the puzzles of the file that are not in the database, and return their number."""
    rows = {_key(row): row for row in json.loads(path.read_text())}
    with transaction.atomic():
        existing = set(Puzzle.objects.filter(shipped__isnull=False).values_list("shipped", flat=True))
        created = [_puzzle(key, row) for key, row in rows.items() if key not in existing]
        Puzzle.objects.bulk_create(created, ignore_conflicts=True)
    return len(created)


def _key(row: Mapping[str, Any]) -> str:
    return f"{row['seed']}:{len(row['moves'])}"


def _puzzle(key: str, row: Mapping[str, Any]) -> Puzzle:
    position = {name: row[name] for name in ("game", "seats", "seed", "moves")}
    return Puzzle(
        shipped=key, position=position, number=len(row["moves"]) + 1, tried=row["tried"], rating=row["rating"]
    )
