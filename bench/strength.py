"""Measure the strength of the computer levels: `python -m bench.strength`, or `make strength`.

In All Fives, and in three games with special strategy: Dominican pairs (passes score), Kozel (the lowest score wins)
and Five-Up (one end per double). Neighbouring levels play pairs of matches: the same deals twice with swapped seats.
Intervals are 95 % intervals over pairs: Wilson's for the share of wins, Student's t for points. In a game that the
lowest score wins, points count the other way. The time limit is CPU time. Then prints the CPU time per move of each
level.
"""

import argparse
import itertools
import math
import statistics
import time
from collections.abc import Iterator
from typing import NamedTuple

from games.computer.players import LEVELS, choose_move
from games.computer.selfplay import begin_seeded, play_match
from games.engine.matches import Match
from games.engine.perspective import View, perspective
from games.engine.presets import PRESETS
from games.engine.rules import Rules

DOUBLE_TWELVE = PRESETS["all-fives"].rules.replace(set=12, hand_size={"2": 15, "3": 12, "4": 10})
NORMAL = statistics.NormalDist()
_MIN_PAIRS = 5


class Pair(NamedTuple):
    """The result of two matches for the first player: share of wins, and point difference per round."""

    win_share: float
    points: float


def play_pairs(rules: Rules, seats: int, players: tuple[str, str], seed: str) -> Iterator[Pair]:
    """Yield the results of pairs of matches. With four seats the players take alternate seats."""
    number = 0
    while True:
        number += 1
        both = [
            _result_for_first(
                play_match(rules, _seat_players(players, seats, swapped), f"{seed}:{number}"), swapped
            )
            for swapped in (False, True)
        ]
        yield Pair(*(statistics.fmean(values) for values in zip(*both, strict=True)))


def _seat_players(players: tuple[str, str], seats: int, swapped: bool) -> list[str]:
    return [players[(seat + swapped) % 2] for seat in range(seats)]


def _result_for_first(match: Match, swapped: bool) -> Pair:
    assert match.result is not None  # play_match plays to the end
    own = range(int(swapped), len(match.sides), 2)
    others = range(1 - int(swapped), len(match.sides), 2)
    win_share = sum(side in own for side in match.result.winners) / len(match.result.winners)
    ahead = statistics.fmean(match.scores[side] for side in own)
    ahead -= statistics.fmean(match.scores[side] for side in others)
    sign = -1 if match.rules.lowest_wins else 1
    return Pair(win_share, sign * ahead / len(match.ended))


def student_quantile(degrees: int, probability: float = 0.975) -> float:
    """Return a quantile of Student's t distribution, by its expansion around the normal one.

    Source: Abramowitz and Stegun, Handbook of Mathematical Functions, 26.7.5; within 0.3 % from four degrees on.
    """
    z = NORMAL.inv_cdf(probability)
    terms = (
        (z**3 + z) / 4,
        (5 * z**5 + 16 * z**3 + 3 * z) / 96,
        (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384,
    )
    return z + sum(term / degrees**power for power, term in enumerate(terms, 1))


def mean_and_interval(values: list[float]) -> tuple[float, float]:
    """Return the mean, and half of its 95 % interval by Student's t; an infinite one for a single value."""
    if len(values) < 2:
        return values[0], math.inf
    deviation = statistics.stdev(values) / math.sqrt(len(values))
    return statistics.fmean(values), student_quantile(len(values) - 1) * deviation


def share_interval(share: float, number: int) -> tuple[float, float]:
    """Return the 95 % interval of a share of `number` values between 0 and 1.

    Wilson's interval for trials of yes or no; other values vary less. It is never empty, also where all are equal.
    """
    z = NORMAL.inv_cdf(0.975)
    weight = 1 + z**2 / number
    middle = (share + z**2 / (2 * number)) / weight
    half = z * math.sqrt(share * (1 - share) / number + z**2 / (4 * number**2)) / weight
    return middle - half, middle + half


def measure_pairs(
    rules: Rules, seats: int, players: tuple[str, str], seed: str, seconds: float
) -> list[Pair]:
    """Play pairs for a number of CPU seconds, but at least five."""
    until, results = time.process_time() + seconds, []
    for pair in play_pairs(rules, seats, players, seed):
        results.append(pair)
        if len(results) >= _MIN_PAIRS and time.process_time() > until:
            break
    return results


def format_pairs(stronger: str, weaker: str, results: list[Pair]) -> str:
    win_share = statistics.fmean(pair.win_share for pair in results)
    low, high = share_interval(win_share, len(results))
    points, points_interval = mean_and_interval([pair.points for pair in results])
    return (
        f"{stronger:8s} v {weaker:8s} wins {win_share:6.1%} ({low:.1%} to {high:.1%}) of the matches,"
        f" {points:+6.2f} ± {points_interval:4.2f} points a round ({len(results)} pairs)"
    )


def collect_views(rules: Rules, seats: int, number: int) -> list[View]:
    """Return the positions with a choice of whole first rounds of club players."""
    results: list[View] = []
    for seed in itertools.count():
        match = begin_seeded(rules, seats, f"choices:{seed}")
        while match.turn is not None and not match.ended:
            view = perspective(match, match.turn)
            if len(view.legal) > 1:
                results.append(view)
            if len(results) == number:
                return results
            move, claim = choose_move(view, "club", seed)
            assert move is not None
            match = match.play(match.turn, move, claim).after_calls()
    raise AssertionError


def measure_cost(level: str, views: list[View]) -> str:
    """Measure the CPU ms of a move: mean, 95th percentile and maximum."""
    times = []
    for seed, view in enumerate(views):
        start = time.process_time()
        choose_move(view, level, seed)
        times.append(1000 * (time.process_time() - start))
    late = statistics.quantiles(times, n=20, method="inclusive")[-1]
    return f"{statistics.fmean(times):6.1f} ms, 95 % within {late:6.1f}, {max(times):6.1f} at most"


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--presets", default="all-fives,dominican,kozel,five-up", help="separated by commas")
    parser.add_argument("--seats", type=int, choices=(2, 4), help="default: 2 if the rules allow it, else 4")
    parser.add_argument("--seconds", type=float, default=40, help="CPU seconds per pair of levels")
    parser.add_argument(
        "--positions", type=int, default=40, help="number of positions for the cost of a move"
    )
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
            results = measure_pairs(rules, seats, (stronger, weaker), options.seed, options.seconds)
            print(format_pairs(stronger, weaker, results), flush=True)
        print_costs(f"a move of {{:8s}} in {PRESETS[preset].title}", rules, seats, levels, options.positions)
    print_costs(
        "a move of {:8s} with the double-twelve, hands of 15", DOUBLE_TWELVE, 2, levels, options.positions
    )


def print_costs(title: str, rules: Rules, seats: int, levels: list[str], positions: int) -> None:
    views = collect_views(rules, seats, positions)
    for level in levels:
        print(f"{title.format(level)}: {measure_cost(level, views)}", flush=True)


if __name__ == "__main__":
    main()
