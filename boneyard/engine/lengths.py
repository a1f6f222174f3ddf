"""The length of a match, from which the scale of its rating changes follows (docs/ratings.md).

match_lengths.json has the mean number of rounds of a match to its own target between strong computers, by preset and
pool, and in how many matches it was measured (bench/measure_rounds.py).

>>> round(compute_length_scale(PRESETS["all-fives"], 2, 250), 4)
1.5811
"""

import json
from importlib.resources import files
from math import sqrt

from .presets import PRESETS, Preset

MIN_SCALE, MAX_SCALE = 0.5, 2.0


def _load() -> dict[tuple[str, str], float]:
    rows = json.loads(files(__package__).joinpath("match_lengths.json").read_text("utf-8"))
    return {(row["preset"], row["pool"]): row["rounds"] for row in rows}


MEAN_ROUNDS: dict[tuple[str, str], float] = _load()


def get_base(pool: str) -> Preset:
    """Return the preset whose length is 1 in a pool: the first that is played in it."""
    return next(
        preset
        for preset in PRESETS.values()
        if pool in (preset.pool(seats) for seats in preset.rules.players)
    )


def compute_length_scale(preset: Preset, seats: int, target: int | None) -> float:
    """Return the root of the length of a match in proportion to its pool's first preset, from 0.5 to 2.

    A preset without measurement counts as long as the first, and so does a match without a target.
    """
    if target is None or preset.rules.target is None:
        return 1.0
    pool = preset.pool(seats)
    base = MEAN_ROUNDS.get((get_base(pool).id, pool), 1.0)
    length = MEAN_ROUNDS.get((preset.id, pool), base) / base
    if target is not None and preset.rules.target is not None:
        length *= target / preset.rules.target
    return min(MAX_SCALE, max(MIN_SCALE, sqrt(length)))
