"""Lines of play to count: parts of rounds that computers might have played, from a seed."""

from random import Random
from typing import NamedTuple

from django.utils.safestring import SafeString

from games.computer.selfplay import begun
from games.drawing.line import step
from games.drawing.tiles import symbols
from games.engine.perspective import perspective
from games.engine.presets import PRESETS
from games.table.news import line_in_words

SECONDS = 60
_PLAYS = (2, 9)  # tiles on the table


class Task(NamedTuple):
    """A line of play, its picture and words, and its count."""

    line: SafeString
    words: str
    symbols: SafeString
    count: int  # type: ignore[assignment]


def task(seed: str) -> Task:
    """The task of this seed, the same each time."""
    rng = Random(seed)  # noqa: S311 - repeatable on purpose
    match = begun(PRESETS["all-fives"].rules, 2, seed)
    plays = rng.randint(*_PLAYS)
    while len(match.round.laid) < plays and not match.ended:
        after = match.play(match.round.turn, rng.choice(match.legal(match.turn)))
        if after.ended:
            break
        match = after
    view = perspective(match, None)
    return Task(step(view.line, {}, 0), line_in_words(view), symbols(view.rules.set), view.count or 0)
