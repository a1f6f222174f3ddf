"""Tests that a computer player sees only its own perspective."""

import pickle
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any

import pytest

from boneyard.computer.__main__ import LENGTH
from boneyard.computer.players import LEVELS, choose_move
from boneyard.engine.matches import Match
from boneyard.engine.perspective import View, perspective
from boneyard.engine.presets import PRESETS

from .tables import another_deal, positions

ROOT = Path(__file__).resolve().parents[2]
GAMES = [
    ("all-fives", 2),
    ("block", 4),
    ("gomuggins", 3),
    ("muggins-200-pairs", 4),
    ("draw-free", 2),
    ("sebastopol", 4),
    ("cuban", 4),
]


@contextmanager
def worker() -> Iterator[Any]:
    """Start a worker process and yield a function that asks it over pipes; it receives pickled bytes only."""
    process = subprocess.Popen(  # noqa: S603
        [sys.executable, "-m", "boneyard.computer"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=ROOT
    )

    def ask(view: View, level: str, seed: int, figure: int) -> tuple[str | None, int | None]:
        request = pickle.dumps((view, level, seed, "", figure))
        process.stdin.write(LENGTH.pack(len(request)) + request)
        process.stdin.flush()
        (length,) = LENGTH.unpack(process.stdout.read(LENGTH.size))
        return pickle.loads(process.stdout.read(length))  # noqa: S301 - our own child

    with process:
        try:
            yield ask
        finally:
            process.stdin.close()


def pairs(preset: str, seats: int) -> Iterator[tuple[Match, Match, int]]:
    """Yield positions, each with another deal that the seat on turn cannot distinguish from it."""
    rng = Random(preset)
    for match in list(positions(PRESETS[preset].rules, seats, preset))[2::5]:
        seat = match.turn
        if len(match.legal(seat)) > 1 and (other := another_deal(match, seat, rng)):
            yield match, other, seat


@pytest.mark.parametrize(("preset", "seats"), GAMES)
def test_hidden_tiles_do_not_change_the_move(preset, seats):
    found = 0
    with worker() as ask:
        for match, other, seat in islice(pairs(preset, seats), 3):
            found += 1
            assert match.round.hands != other.round.hands
            seen, seen_other = perspective(match, seat), perspective(other, seat)
            for level in LEVELS:
                figure = found % 3
                answer = ask(seen, level, 7, figure)
                assert answer == ask(seen_other, level, 7, figure)
                move, claim = choose_move(seen, level, 7, figure=figure)
                assert answer == (str(move), claim)
    assert found >= 2


@pytest.mark.parametrize(("preset", "seats"), GAMES)
def test_hidden_tiles_do_not_change_the_request_bytes(preset, seats):
    for match, other, seat in pairs(preset, seats):
        sent = pickle.dumps(perspective(match, seat))
        assert sent == pickle.dumps(perspective(other, seat))
        assert match.round.deal.key not in sent


def test_worker_imports_no_framework():
    code = "import sys, boneyard.computer.__main__; print(*sys.modules)"
    loaded = subprocess.run(  # noqa: S603
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout.split()
    assert "boneyard.computer.search" in loaded
    assert not {"django", "asyncio", "socket", "sqlite3", "games.models"} & set(loaded)
