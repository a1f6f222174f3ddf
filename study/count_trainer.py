"""Build the positions of the counting trainer from a seed."""

from random import Random
from typing import NamedTuple

from django.utils.safestring import SafeString

from boneyard.computer.selfplay import begin_seeded
from boneyard.engine.perspective import perspective
from boneyard.engine.presets import PRESETS
from games.drawing.line import draw_example_step
from games.drawing.tiles import draw_symbols
from games.table.news import describe_line

TRAINER_SECONDS = 60
_TILE_RANGE = (2, 9)  # tiles in the line of play


class CountTask(NamedTuple):
    """A line of play as a drawing and in words, with its count."""

    line: SafeString
    words: str
    symbols: SafeString
    count: int  # type: ignore[assignment]


def build_task(seed: str) -> CountTask:
    """Return the task for this seed. Deterministic."""
    rng = Random(seed)  # noqa: S311 - repeatable on purpose
    match = begin_seeded(PRESETS["all-fives"].rules, 2, seed)
    plays = rng.randint(*_TILE_RANGE)
    while len(match.round.laid) < plays and not match.ended:
        after = match.play(match.round.turn, rng.choice(match.legal(match.turn)))
        if after.ended:
            break
        match = after
    view = perspective(match, None)
    return CountTask(
        draw_example_step(view.line, {}, 0),
        describe_line(view),
        draw_symbols(view.rules.set),
        view.count or 0,
    )
