"""Report how the analysis agrees with known facts: `python -m bench.grading [losses] [luck] [puzzles]`.

Computers play matches of two seats against each other:

    losses   stronger levels should lose less per decision; with standard errors and CPU time per match
    luck     its mean over many matches should be 0
    puzzles  how many only moves 5,000 independent deals confirm

The results are deterministic for a seed, the CPU times are not. Standard errors are clustered by match, since the
decisions of one match are dependent.
"""

import argparse
import itertools
import math
import multiprocessing
import os
import statistics
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from random import Random
from typing import Any, NamedTuple

from boneyard.analysis.decisions import MIN_PUZZLE_MARGIN, compare_to_best, find_only_move, grading_plan
from boneyard.analysis.luck import Tally
from boneyard.analysis.matches import analyse_record
from boneyard.computer.players import LEVELS
from boneyard.computer.search import rank_moves
from boneyard.computer.selfplay import begin_seeded, play_match, selfplay
from boneyard.engine.matches import Match
from boneyard.engine.perspective import View, perspective
from boneyard.engine.presets import PRESETS

LOSSES_PRESET = "all-fives"
PUZZLE_PRESETS = ("all-fives", "fives-and-threes", "draw", "block", "muggins-200")
PAIRS = tuple(itertools.combinations(LEVELS, 2))
MIN_MATCHES = 2 * len(PAIRS)  # every pair of levels in both seats
CONFIRMATION_DEALS = 5_000


class GradedMatch(NamedTuple):
    """An analysed match: losses of decisions by level, the largest error, and CPU seconds."""

    losses: dict[str, list[float]]
    error: float
    seconds: float


class ConfirmedPuzzle(NamedTuple):
    """Whether an independent run confirms a puzzle beyond two errors, and by `MIN_PUZZLE_MARGIN`."""

    best: bool
    clear: bool


def grade_match(seed: str, number: int) -> GradedMatch:
    one, other = PAIRS[number % len(PAIRS)]
    players = (one, other) if number // len(PAIRS) % 2 else (other, one)
    rules = PRESETS[LOSSES_PRESET].rules
    (record,) = selfplay(rules, preset=LOSSES_PRESET, players=players, matches=1, seed=f"{seed}:{number}")
    start = time.process_time()
    decisions = analyse_record(record).decisions.values()
    losses = {level: [d.loss for d in decisions if players[d.seat] == level] for level in players}
    return GradedMatch(losses, max((d.error for d in decisions), default=0.0), time.process_time() - start)


def measure_luck(seed: str, number: int) -> float:
    """Return the luck of the first side in one match."""
    players = ("casual", "club") if number % 2 else ("club", "casual")
    match = play_match(PRESETS[LOSSES_PRESET].rules, players, f"{seed}:{number}")
    tally = Tally(2, f"{seed}:{number}")
    at = begin_seeded(PRESETS[LOSSES_PRESET].rules, 2, f"{seed}:{number}")
    tally.add_deal(at)
    for before, after in itertools.pairwise(match_values(at, match)):
        if len(after.ended) > len(before.ended) and after.result is None:
            tally.add_deal(after)
    return tally.luck.sides[0]


def confirm_puzzles(seed: str, number: int) -> list[ConfirmedPuzzle]:
    """Confirm the puzzles of one match between middle levels, which reach human-like positions."""
    preset = PUZZLE_PRESETS[number % len(PUZZLE_PRESETS)]
    rules = PRESETS[preset].rules
    match = play_match(rules, ("casual", "club"), f"{seed}:{number}")
    found = []
    for at in match_values(begin_seeded(rules, 2, f"{seed}:{number}"), match):
        view = perspective(at, at.turn) if at.turn is not None else None
        if view is not None and view.legal[0].kind == "play" and (moves := find_only_move(view)):
            found.append(_confirm_puzzle(view, str(moves[0].move), f"{seed}:{number}:{view.move_count}"))
    return found


def match_values(opening: Match, finished: Match) -> Iterator[Match]:
    """Yield the match after each move, beginning with the opening."""
    yield opening
    for entry in (entry for ended in finished.ended for entry in ended.log):
        opening = opening.play(entry.seat, entry.move, entry.claim)
        yield opening


def _confirm_puzzle(view: View, answer: str, seed: str) -> ConfirmedPuzzle:
    ranked = rank_moves(view, grading_plan(CONFIRMATION_DEALS), Random(f"independent {seed}"))  # noqa: S311 - repeatable on purpose
    behind = [compare_to_best(each, ranked[0]) for each in ranked[1:]]
    is_same_move = str(ranked[0].move) == answer
    return ConfirmedPuzzle(
        is_same_move and all(each.loss > 2 * each.error for each in behind),
        is_same_move and all(each.loss >= MIN_PUZZLE_MARGIN for each in behind),
    )


def report_losses(found: Sequence[GradedMatch]) -> str:
    lines = [
        f"{len(found)} matches analysed: {statistics.fmean(each.seconds for each in found):.1f} s of one core in the"
        f" mean, {max(each.seconds for each in found):.1f} at most; largest error"
        f" {max(each.error for each in found):.4f}"
    ]
    means = {
        level: _clustered_mean([each.losses[level] for each in found if level in each.losses])
        for level in LEVELS
    }
    lines += [f"  {level:9}{100 * mean:6.2f} ± {100 * error:.2f} %" for level, (mean, error) in means.items()]
    for weaker, stronger in itertools.pairwise(LEVELS):
        (more, its_error), (less, other_error) = means[weaker], means[stronger]
        lines.append(
            f"  {weaker} less {stronger}: {(more - less) / math.hypot(its_error, other_error):.1f} errors"
        )
    return "\n".join(lines)


def _clustered_mean(groups: Sequence[Sequence[float]]) -> tuple[float, float]:
    """Return the mean of all values, and its standard error clustered by group."""
    total = sum(map(len, groups))
    mean = sum(map(sum, groups)) / total
    residuals = [sum(group) - mean * len(group) for group in groups]
    return mean, math.sqrt(sum(each**2 for each in residuals) * len(groups) / (len(groups) - 1)) / total


def report_luck(found: Sequence[float]) -> str:
    mean, error = statistics.fmean(found), statistics.stdev(found) / math.sqrt(len(found))
    return f"luck over {len(found)} matches: {mean:+.4f} ± {error:.4f}, {abs(mean) / error:.1f} errors from nothing"


def report_puzzles(found: Sequence[list[ConfirmedPuzzle]]) -> str:
    each = list(itertools.chain.from_iterable(found))
    if not each:
        return f"{len(found)} matches: no puzzle"
    return (
        f"{len(each)} puzzles of {len(found)} matches: {CONFIRMATION_DEALS} other deals confirm"
        f" {format_share(h.best for h in each)},"
        f" and by {MIN_PUZZLE_MARGIN:.0%} of a match {format_share(h.clear for h in each)}"
    )


def format_share(of: Iterable[bool]) -> str:
    held = list(of)
    return f"{sum(held)} ({sum(held) / len(held):.1%})"


class Check(NamedTuple):
    of_one: Callable[[str, int], Any]
    report: Callable[[Sequence[Any]], str]
    matches: int


CHECKS = {
    "losses": Check(grade_match, report_losses, 200),
    "luck": Check(measure_luck, report_luck, 1_000),
    "puzzles": Check(confirm_puzzles, report_puzzles, 2_000),
}


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(
        prog="python -m bench.grading",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("checks", nargs="*", metavar="CHECK", help=f"{', '.join(CHECKS)} (all)")
    parser.add_argument("--matches", type=int, help="of each (losses 200, luck 1,000, puzzles 2,000)")
    parser.add_argument("--processes", type=int, default=1, help="(1)")
    parser.add_argument("--seed", default="1")
    options = parser.parse_args(arguments)
    chosen = options.checks or list(CHECKS)
    if options.matches is not None and options.matches < MIN_MATCHES:
        parser.error(f"fewer than {MIN_MATCHES} matches show nothing")
    if unknown := set(chosen) - set(CHECKS):
        parser.error(f"no such check: {', '.join(sorted(unknown))}")
    with multiprocessing.Pool(options.processes, partial(os.nice, 19)) as pool:
        for name in chosen:
            check, found = CHECKS[name], []
            of_one = partial(check.of_one, f"{options.seed}:{name}")
            for each in pool.imap_unordered(of_one, range(options.matches or check.matches)):
                found.append(each)
                if len(found) % 50 == 0:
                    print(f"  after {len(found)}: {check.report(found).splitlines()[0]}", flush=True)
            print(check.report(found), flush=True)


if __name__ == "__main__":
    main()
