"""Measure how soon the peek score finds pairs that share their hands: `python -m bench.peek`.

Computers play pairs. One pair shares its hands in a quarter of its decisions: it then plays the best move for its
partner's true hand, found by a search of its own. The other pair is honest. Scores are against the partner's hand
(`boneyard.analysis.peek`). Prints

    mean        of honest decisions, which should be 0, with its standard error by round
    effect      by how many standard deviations of an honest pair's round the sharing pair exceeds 0
    curve       the share of sharing pairs flagged after so many rounds, without and with an allowance for the mean of
                honest decisions, and of honest pairs, by drawing rounds

A pair is flagged at one false alarm in `FALSE_ALARMS`. Deterministic for a seed.
"""

import argparse
import multiprocessing
import os
from collections import defaultdict
from collections.abc import Iterator, Sequence
from functools import partial
from math import hypot, sqrt
from random import Random
from statistics import NormalDist, fmean, stdev
from typing import NamedTuple

from boneyard.analysis.peek import score_move
from boneyard.computer.beliefs import Beliefs
from boneyard.computer.players import LEVELS, choose_move, due_claim
from boneyard.computer.search import SearchPlan, distinct_moves, evaluate
from boneyard.computer.selfplay import begin_seeded
from boneyard.engine.matches import Match
from boneyard.engine.moves import Move
from boneyard.engine.perspective import View, perspective
from boneyard.engine.presets import PRESETS

FALSE_ALARMS = 10_000
FLAG_DEVIATIONS = NormalDist().inv_cdf(1 - 1 / FALSE_ALARMS)
SHARING_PROBABILITY = 0.25
CURVE_ROUNDS = (25, 50, 75, 100, 150, 200, 300, 400)
RESAMPLED_PAIRS = 2_000
ALLOWANCES = (0.0, 0.01)  # mean scores of honest decisions
# The search of those who share their hands: the scorer's own way to judge moves, or a weaker one.
PLANS = {
    "careful": SearchPlan(60, 1 << 60, reads_plays=True, by_chance=True, careful=True),
    "greedy": SearchPlan(40, 1 << 60),
}


class PairRound(NamedTuple):
    """The scores of a pair in one round."""

    sharing: bool
    scores: tuple[float, ...]

    @property
    def total(self) -> float:
        return sum(self.scores)


def play_match(preset: str, level: str, plan: str, seed: str, number: int) -> list[PairRound]:
    """Play one match; the pairs take turns in sharing."""
    rng = Random(f"{seed} {number}")  # noqa: S311 - repeatable on purpose
    match = begin_seeded(PRESETS[preset].rules, 4, f"{seed}:{number}")
    scores: dict[tuple[int, int], list[float]] = defaultdict(list)
    while match.turn is not None:
        view, seat = perspective(match, match.turn), match.turn
        move = _choose(match, view, level, plan if seat % 2 == number % 2 else "", rng)
        for peek in score_move(match, move, [(seat + 2) % 4], f"{seed}:{number}"):
            scores[peek.round, seat % 2].append(peek.score)
        match = match.play(seat, move, due_claim(view, move))
        if match.result is None and match.terms.must_claim:
            match = match.after_calls()
    return [PairRound(pair == number % 2, tuple(each)) for (_round, pair), each in scores.items()]


def _choose(match: Match, view: View, level: str, plan: str, rng: Random) -> Move:
    moves = distinct_moves(view)
    partner = ((view.seat or 0) + 2) % 4
    if not plan or len(moves) == 1 or rng.random() > SHARING_PROBABILITY:
        move, _claim = choose_move(view, level, rng.getrandbits(32))
        assert move is not None  # a seat on turn always has a move
        return move
    informed = Beliefs(view, reads_plays=True, revealed={partner: match.round.hands[partner]})
    deals = list(informed.deals(rng, PLANS[plan].samples))
    rows = evaluate(view, moves, deals, PLANS[plan])
    return max(zip(moves, zip(*rows, strict=True), strict=True), key=lambda each: sum(each[1]))[0]


def report(found: Sequence[PairRound]) -> Iterator[str]:
    honest, sharing = ([each for each in found if each.sharing is kind] for kind in (False, True))
    yield f"{len(honest)} rounds of honest pairs, {len(sharing)} of pairs that share"
    decisions, spread = sum(len(each.scores) for each in honest), stdev(each.total for each in honest)
    mean, error = sum(each.total for each in honest) / decisions, spread * sqrt(len(honest)) / decisions
    yield f"  mean of {decisions} honest decisions {mean:+.4f} ± {error:.4f}"
    effect, noise = (f(each.total for each in sharing) for f in (fmean, stdev))
    yield f"  effect {effect / spread:.3f} ± {noise / spread / sqrt(len(sharing)):.3f} a round"
    rng = Random(1)  # noqa: S311 - repeatable on purpose
    for rounds in CURVE_ROUNDS:
        shares = [_share_flagged(rounds, sharing, allowance, rng) for allowance in ALLOWANCES]
        alarms = _share_flagged(rounds, honest, 0.0, rng, excess=mean)
        flagged = " or ".join(f"{share:.1%}" for share in shares)
        yield f"  after {rounds:3} rounds: {flagged} of pairs that share, {alarms:.2%} of honest pairs"


def _share_flagged(
    rounds: int, found: Sequence[PairRound], allowance: float, rng: Random, excess: float = 0.0
) -> float:
    """Return the share flagged among pairs whose rounds are drawn from these.

    `allowance` is the mean score that counts as honest, `excess` that of this sample.
    """
    flagged = 0
    totals = [(each.total - excess * len(each.scores), len(each.scores)) for each in found]
    for _ in range(RESAMPLED_PAIRS):
        drawn = rng.choices(totals, k=rounds)
        beyond = sum(total - allowance * decisions for total, decisions in drawn)
        flagged += beyond > FLAG_DEVIATIONS * hypot(*(total for total, _decisions in drawn))
    return flagged / RESAMPLED_PAIRS


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(
        prog="python -m bench.peek", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("presets", nargs="*", default=["pairs-international", "muggins-200-pairs"])
    parser.add_argument("--level", choices=LEVELS, default="strong")
    parser.add_argument("--plan", choices=PLANS, default="careful", help="of those who share (careful)")
    parser.add_argument("--matches", type=int, default=40, help="of each preset (40)")
    parser.add_argument("--processes", type=int, default=1, help="(1)")
    parser.add_argument("--seed", default="1")
    options = parser.parse_args(arguments)
    with multiprocessing.Pool(options.processes, partial(os.nice, 19)) as pool:
        for preset in options.presets:
            of_one = partial(play_match, preset, options.level, options.plan, f"{options.seed}:{preset}")
            found: list[PairRound] = []
            print(f"{preset}, {options.level}, {options.plan}")
            for number, rounds in enumerate(pool.imap_unordered(of_one, range(options.matches)), 1):
                found += rounds
                if number % 5 == 0 or number == options.matches:
                    print(*report(found), sep="\n", flush=True)


if __name__ == "__main__":
    main()
