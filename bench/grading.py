"""Whether the analysis of a match deserves trust: `python -m bench.grading [losses] [luck] [puzzles]`.

Computers play matches of two seats among themselves, and what the analysis says of them is held against what is known:

    losses   a level that wins more loses less a decision; errors are as small as promised; what a match costs
    luck     its mean over many matches is nothing
    puzzles  what one lot of deals calls the only move, 5,000 others do, too

Everything follows from the seed. Standard errors are by match, since the decisions of one hang together.
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

from games.computer.players import LEVELS
from games.computer.search import ranked
from games.computer.selfplay import begun, play_match, selfplay
from games.engine.matches import Match
from games.engine.perspective import View, perspective
from games.engine.presets import PRESETS
from study.grading.analysis import analysed
from study.grading.decisions import CLEAR, beside, only_move, plan
from study.grading.luck import Tally

LOSSES_OF = "all-fives"
PUZZLES_OF = ("all-fives", "fives-and-threes", "draw", "block", "muggins-200")
PAIRS = tuple(itertools.combinations(LEVELS, 2))
FEWEST = 2 * len(PAIRS)  # matches, in which every level plays each other with both seats
DEALS = 5_000  # of the independent run


class Judged(NamedTuple):
    """A match analysed: by level the losses of its decisions, the largest error, and the processor's seconds."""

    losses: dict[str, list[float]]
    error: float
    seconds: float


class Held(NamedTuple):
    """A puzzle beside an independent run: whether its move is the best there beyond two errors, and by `CLEAR`."""

    best: bool
    clear: bool


def judged(seed: str, number: int) -> Judged:
    one, other = PAIRS[number % len(PAIRS)]
    players = (one, other) if number // len(PAIRS) % 2 else (other, one)
    rules = PRESETS[LOSSES_OF].rules
    (record,) = selfplay(rules, preset=LOSSES_OF, players=players, matches=1, seed=f"{seed}:{number}")
    began = time.process_time()
    decisions = analysed(record).decisions.values()
    losses = {level: [d.loss for d in decisions if players[d.seat] == level] for level in players}
    return Judged(losses, max((d.error for d in decisions), default=0.0), time.process_time() - began)


def luck(seed: str, number: int) -> float:
    """The first side's."""
    players = ("casual", "club") if number % 2 else ("club", "casual")
    match = play_match(PRESETS[LOSSES_OF].rules, players, f"{seed}:{number}")
    tally, at = Tally(2, f"{seed}:{number}"), begun(PRESETS[LOSSES_OF].rules, 2, f"{seed}:{number}")
    tally.dealt(at)
    for before, after in itertools.pairwise(values(at, match)):
        if len(after.ended) > len(before.ended) and after.result is None:
            tally.dealt(after)
    return tally.luck.sides[0]


def puzzles(seed: str, number: int) -> list[Held]:
    """Of one match between players of a middling level: theirs are the positions that people get into."""
    preset = PUZZLES_OF[number % len(PUZZLES_OF)]
    rules = PRESETS[preset].rules
    match = play_match(rules, ("casual", "club"), f"{seed}:{number}")
    found = []
    for at in values(begun(rules, 2, f"{seed}:{number}"), match):
        view = perspective(at, at.turn) if at.turn is not None else None
        if view is not None and view.legal[0].kind == "play" and (moves := only_move(view)):
            found.append(_held(view, str(moves[0].move), f"{seed}:{number}:{view.move_count}"))
    return found


def values(opening: Match, finished: Match) -> Iterator[Match]:
    """The match from its opening to its end, move by move."""
    yield opening
    for entry in (entry for ended in finished.ended for entry in ended.log):
        opening = opening.play(entry.seat, entry.move, entry.claim)
        yield opening


def _held(view: View, answer: str, seed: str) -> Held:
    again = ranked(view, plan(DEALS), Random(f"independent {seed}"), math.inf)  # noqa: S311 - repeatable on purpose
    behind = [beside(each, again[0]) for each in again[1:]]
    ours = str(again[0].move) == answer
    return Held(
        ours and all(each.loss > 2 * each.error for each in behind),
        ours and all(each.loss >= CLEAR for each in behind),
    )


def tell_losses(found: Sequence[Judged]) -> str:
    lines = [
        f"{len(found)} matches analysed: {statistics.fmean(each.seconds for each in found):.1f} s of one core in the"
        f" mean, {max(each.seconds for each in found):.1f} at most; largest error"
        f" {max(each.error for each in found):.4f}"
    ]
    means = {
        level: _ratio([each.losses[level] for each in found if level in each.losses]) for level in LEVELS
    }
    lines += [f"  {level:9}{100 * mean:6.2f} ± {100 * error:.2f} %" for level, (mean, error) in means.items()]
    for weaker, stronger in itertools.pairwise(LEVELS):
        (more, its_error), (less, other_error) = means[weaker], means[stronger]
        lines.append(
            f"  {weaker} less {stronger}: {(more - less) / math.hypot(its_error, other_error):.1f} errors"
        )
    return "\n".join(lines)


def _ratio(groups: Sequence[Sequence[float]]) -> tuple[float, float]:
    """The mean of all, and its standard error where each group hangs together."""
    total = sum(map(len, groups))
    mean = sum(map(sum, groups)) / total
    residuals = [sum(group) - mean * len(group) for group in groups]
    return mean, math.sqrt(sum(each**2 for each in residuals) * len(groups) / (len(groups) - 1)) / total


def tell_luck(found: Sequence[float]) -> str:
    mean, error = statistics.fmean(found), statistics.stdev(found) / math.sqrt(len(found))
    return f"luck over {len(found)} matches: {mean:+.4f} ± {error:.4f}, {abs(mean) / error:.1f} errors from nothing"


def tell_puzzles(found: Sequence[list[Held]]) -> str:
    each = list(itertools.chain.from_iterable(found))
    if not each:
        return f"{len(found)} matches: no puzzle"
    return (
        f"{len(each)} puzzles of {len(found)} matches: {DEALS} other deals confirm {share(h.best for h in each)},"
        f" and by {CLEAR:.0%} of a match {share(h.clear for h in each)}"
    )


def share(of: Iterable[bool]) -> str:
    held = list(of)
    return f"{sum(held)} ({sum(held) / len(held):.1%})"


class Proof(NamedTuple):
    of_one: Callable[[str, int], Any]
    tell: Callable[[Sequence[Any]], str]
    matches: int


PROOFS = {
    "losses": Proof(judged, tell_losses, 200),
    "luck": Proof(luck, tell_luck, 1_000),
    "puzzles": Proof(puzzles, tell_puzzles, 2_000),
}


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(
        prog="python -m bench.grading",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("proofs", nargs="*", metavar="PROOF", help=f"{', '.join(PROOFS)} (all)")
    parser.add_argument("--matches", type=int, help="of each (losses 200, luck 1,000, puzzles 2,000)")
    parser.add_argument("--processes", type=int, default=1, help="(1)")
    parser.add_argument("--seed", default="1")
    options = parser.parse_args(arguments)
    chosen = options.proofs or list(PROOFS)
    if options.matches is not None and options.matches < FEWEST:
        parser.error(f"fewer than {FEWEST} matches show nothing")
    if unknown := set(chosen) - set(PROOFS):
        parser.error(f"no such proof: {', '.join(sorted(unknown))}")
    with multiprocessing.Pool(options.processes, partial(os.nice, 19)) as pool:
        for name in chosen:
            proof, found = PROOFS[name], []
            of_one = partial(proof.of_one, f"{options.seed}:{name}")
            for each in pool.imap_unordered(of_one, range(options.matches or proof.matches)):
                found.append(each)
                if len(found) % 50 == 0:
                    print(f"  after {len(found)}: {proof.tell(found).splitlines()[0]}", flush=True)
            print(proof.tell(found), flush=True)


if __name__ == "__main__":
    main()
