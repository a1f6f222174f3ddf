"""How strong the levels are: `python -m bench.strength`, or `make strength`.

In All Fives, and in three games that ask for a judgement of their own: Dominican pairs (passes that bring points),
Kozel (a game played not to lose) and Five-Up (as many ends as doubles make). Neighbouring levels play pairs of
matches: the same deals twice, with the seats swapped, so that luck with the tiles falls on both. The unit is the
pair, and the intervals are 95 % ones. On one core, for as many seconds of its own as it is told, however busy the
machine. Then what a move costs each level.
"""

import argparse
import itertools
import math
import statistics
import time
from collections.abc import Iterator
from typing import NamedTuple

from games.computer.players import LEVELS, choose
from games.computer.selfplay import begun, play_match
from games.engine.matches import Match
from games.engine.perspective import View, perspective
from games.engine.presets import PRESETS
from games.engine.rules import Rules

TWELVE = PRESETS["all-fives"].rules.replace(set=12, hand_size={"2": 15, "3": 12, "4": 10})
_FEWEST_PAIRS = 5


class Pair(NamedTuple):
    """Two matches from the first player's side: the share of them won, and the points more a round."""

    won: float
    points: float


def pairs(rules: Rules, seats: int, players: tuple[str, str], seed: str) -> Iterator[Pair]:
    """Pair after pair. With four seats the players take every other one."""
    number = 0
    while True:
        number += 1
        both = [
            _from_first(play_match(rules, _seated(players, seats, swapped), f"{seed}:{number}"), swapped)
            for swapped in (False, True)
        ]
        yield Pair(*(statistics.fmean(figures) for figures in zip(*both, strict=True)))


def _seated(players: tuple[str, str], seats: int, swapped: bool) -> list[str]:
    return [players[(seat + swapped) % 2] for seat in range(seats)]


def _from_first(match: Match, swapped: bool) -> Pair:
    assert match.result is not None  # play_match plays to the end
    own = range(int(swapped), len(match.sides), 2)
    others = range(1 - int(swapped), len(match.sides), 2)
    won = sum(side in own for side in match.result.winners) / len(match.result.winners)
    ahead = statistics.fmean(match.scores[side] for side in own)
    ahead -= statistics.fmean(match.scores[side] for side in others)
    return Pair(won, ahead / len(match.ended))


def interval(figures: list[float]) -> tuple[float, float]:
    """The mean, and half of its 95 % interval."""
    if len(figures) < 2:
        return figures[0], math.inf
    return statistics.fmean(figures), 1.96 * statistics.stdev(figures) / math.sqrt(len(figures))


def measured(rules: Rules, seats: int, players: tuple[str, str], seed: str, seconds: float) -> list[Pair]:
    """As many pairs as go into the processor's time, five at least."""
    until, found = time.process_time() + seconds, []
    for pair in pairs(rules, seats, players, seed):
        found.append(pair)
        if len(found) >= _FEWEST_PAIRS and time.process_time() > until:
            break
    return found


def line(stronger: str, weaker: str, found: list[Pair]) -> str:
    won, about = interval([pair.won for pair in found])
    points, about_points = interval([pair.points for pair in found])
    return (
        f"{stronger:8s} v {weaker:8s} wins {won:6.1%} ± {about:5.1%} of the matches,"
        f" {points:+6.2f} ± {about_points:4.2f} points a round ({len(found)} pairs)"
    )


def choices(rules: Rules, seats: int, number: int) -> list[View]:
    """So many positions with a choice, from the first rounds of club players."""
    found: list[View] = []
    for seed in itertools.count():
        match = begun(rules, seats, f"choices:{seed}")
        while match.turn is not None and not match.ended:
            view = perspective(match, match.turn)
            if len(view.legal) > 1:
                found.append(view)
            if len(found) == number:
                return found
            move, claim = choose(view, "club", seed)
            assert move is not None  # a seat on turn always has a move
            match = match.play(match.turn, move, claim)
    raise AssertionError


def cost(level: str, views: list[View]) -> str:
    """Milliseconds of processor time a move."""
    spent = []
    for seed, view in enumerate(views):
        start = time.process_time()
        choose(view, level, seed)
        spent.append(1000 * (time.process_time() - start))
    return f"{statistics.fmean(spent):6.1f} ms, {max(spent):6.1f} at most"


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--presets", default="all-fives,dominican,kozel,five-up", help="a comma between two")
    parser.add_argument("--seats", type=int, choices=(2, 4), help="default: 2, where the rules allow it")
    parser.add_argument("--seconds", type=float, default=40, help="of the processor, for each two levels")
    parser.add_argument("--positions", type=int, default=40, help="for what a move costs")
    parser.add_argument(
        "--levels", default=",".join(LEVELS), help="weakest first; neighbours play each other"
    )
    parser.add_argument("--seed", default="1")
    options = parser.parse_args(arguments)
    presets, levels = options.presets.split(","), options.levels.split(",")
    if unknown := set(presets) - set(PRESETS):
        parser.error(f"no such preset: {', '.join(sorted(unknown))}")
    for preset in presets:
        rules = PRESETS[preset].rules
        seats = options.seats or (2 if 2 in rules.players else 4)
        print(f"{PRESETS[preset].title}, {seats} seats", flush=True)
        for weaker, stronger in itertools.pairwise(levels):
            found = measured(rules, seats, (stronger, weaker), options.seed, options.seconds)
            print(line(stronger, weaker, found), flush=True)
        costs(f"a move of {{:8s}} in {PRESETS[preset].title}", rules, seats, levels, options.positions)
    costs("a move of {:8s} with the double-twelve, hands of 15", TWELVE, 2, levels, options.positions)


def costs(title: str, rules: Rules, seats: int, levels: list[str], positions: int) -> None:
    views = choices(rules, seats, positions)
    for level in levels:
        print(f"{title.format(level)}: {cost(level, views)}", flush=True)


if __name__ == "__main__":
    main()
