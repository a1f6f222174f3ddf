"""Each level above the one below, in games that ask for a judgement of their own.

The same deals twice with the seats swapped. Fixed seeds, so this does not fail by chance; where thinking costs time
the matches are few and short, so the seeds are such as show what `make strength` measured (docs/computer.md). What is
won stays won: the matches that are left are not played once they can change nothing.
"""

from itertools import islice, pairwise

import pytest

from bench.strength import pairs
from games.computer.players import LEVELS
from games.engine.presets import PRESETS

# Passes that bring points, a game played not to lose, and as many ends as doubles make: the seats, the seed, and that
# of the master's matches. Where no count scores it is ahead of strong by too little for a few matches to show.
GAMES = {"dominican": (4, "2", None), "kozel": (2, "5", None), "five-up": (2, "3", "4")}
# By the stronger level: how many pairs of matches, and what part of the target they are played to.
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
    for pair in islice(pairs(rules, seats, (stronger, weaker), seed), number):
        won += pair.won
        if won > 0.55 * number:
            return
    raise AssertionError(f"{won} of {number}")
