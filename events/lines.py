"""The moves of a round as text, by which an entry stores them: *0:6-4=10 1:draw 1:4-4@L*."""

from typing import NamedTuple

from boneyard.engine.moves import Move, parse
from boneyard.engine.round_ends import EndedRound


class Step(NamedTuple):
    """A move of a stored line."""

    seat: int
    move: Move
    claim: int | None


def format_line(ended: EndedRound) -> str:
    """Return the moves of a round as text: "0:6-4 1:draw 1:4-4@L"; a claim follows as "=10"."""
    return " ".join(
        f"{entry.seat}:{entry.move.text}{f'={entry.claim}' if entry.claim else ''}" for entry in ended.log
    )


def parse_line(line: str) -> list[Step]:
    """Parse the moves of a round as `format_line` writes them.

    >>> parse_line("0:6-4=10 1:draw")[0].claim
    10
    """
    steps = []
    for part in line.split():
        seat, _, text = part.partition(":")
        move, _, claim = text.partition("=")
        steps.append(Step(int(seat), parse(move), int(claim) if claim else None))
    return steps
