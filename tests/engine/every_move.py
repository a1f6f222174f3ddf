"""Short records that contain every move of the notation (docs/record.md, "Moves in text")."""

from collections.abc import Iterator
from random import Random

from boneyard.computer.selfplay import begin_seeded
from boneyard.engine import records
from boneyard.engine.matches import Match
from boneyard.engine.moves import ABORT, ABSENT, RESIGN, TAKEOVER, TIME, VOID, Move
from boneyard.engine.presets import PRESETS

from .strategies import random_step

SEVERAL = "several tiles"


def record_of(match: Match, preset: str) -> dict:
    return records.record(
        match,
        code="k3v9a0x2mp",
        preset=preset,
        seats=[{"name": f"p{seat}", "kind": "player", "level": None} for seat in range(match.seats)],
        rated=False,
        started=None,
        ended=None,
        times=None,
        legal=True,
    )


def build_records() -> dict[str, dict]:
    """Return a record by what it contains: a kind of move, or several tiles in one turn."""
    found = {name: record_of(match, preset) for name, preset, match in _end_by_single_moves()}
    found |= {
        "takeover": record_of(_begin("all-fives").play(0, TAKEOVER).play(1, RESIGN), "all-fives"),
        "void in the pause": record_of(_end_by_void(pause_for_calls()), "muggins-200"),
        "void after a seat left": record_of(_end_by_void(_begin("block", 3).play(0, RESIGN)), "block"),
    }
    for kind, preset in [
        *(("play", "all-fives"), ("draw", "all-fives"), ("pass", "all-fives")),
        *(("muggins", "muggins-200"), ("close", "muggins-200"), (SEVERAL, "gomuggins")),
    ]:
        found[kind] = record_of(_play_until(kind, preset), preset)
    return found


def _end_by_single_moves() -> Iterator[tuple[str, str, Match]]:
    move: Move
    for move in (RESIGN, TIME, ABSENT, ABORT, VOID):
        match = _begin("all-fives")
        assert match.turn is not None
        yield move.kind, "all-fives", match.play(match.turn, move)


def _begin(preset: str, seats: int = 2) -> Match:
    return begin_seeded(PRESETS[preset].rules, seats, f"every move of {preset}")


def _end_by_void(match: Match) -> Match:
    seat = match.voiding_seat
    assert seat is not None
    return match.play(seat, VOID)


def pause_for_calls() -> Match:
    """Return a match in the pause after the play that ended a round."""
    match, rng = _begin("muggins-200"), Random(1)
    while match.turn is not None:
        match = random_step(match, rng)
    return match


def _play_until(kind: str, preset: str) -> Match:
    """Return a match that contains such a move, given up after it."""
    for seed in range(50):
        match, rng = _begin(preset), Random(seed)
        while match.result is None:
            match = random_step(match, rng)
            logs = [*(each.log for each in match.ended), match.round.log]
            if any(_is(kind, entry.move) for log in logs for entry in log):
                return match if match.result else match.play(0, RESIGN)
    raise AssertionError(f"no {kind} in {preset}")


def _is(kind: str, move: Move) -> bool:
    return len(move.plays) > 1 if kind == SEVERAL else move.kind == kind
