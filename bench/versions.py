"""Compare the master of this checkout with that of another version: rounds of the same deals, the seats swapped.

    git worktree add /tmp/other v0.1.0
    python -m bench.versions /tmp/other [--minutes 60] [--seed 1] [--preset ID …]

Each version runs in its own process with its own code, which gets the game, the seed and the moves so far, and answers
with the move of the seat on turn. Nobody calls points. The games are played in turns; afterwards it prints, as a table
of Markdown, the share of the rounds that this checkout's master won and its points a round, with 95 % intervals
(`bench.intervals`).
"""

import argparse
import json
import statistics
import subprocess
import sys
import time
from pathlib import Path
from types import TracebackType

from bench.intervals import mean_and_interval, share_interval
from bench.matchups import Pair
from bench.strength import fewest_seats
from boneyard.computer.selfplay import begin_seeded
from boneyard.engine.matches import Match
from boneyard.engine.moves import parse
from boneyard.engine.presets import PRESETS

HERE = Path(__file__).resolve().parents[1]
GAMES = (
    ("all-fives", "draw", "block", "muggins-200", "fives-and-threes-league", "sebastopol", "dominican")
    + ("puerto-rico-500", "pairs-international", "venezuelan", "cuban", "jamaican-partner", "kozel", "bergen")
)  # fmt: skip
# Runs in either version, so it uses only what both have.
ANSWER_CODE = """
import json, sys
from boneyard.computer.players import choose_move
from boneyard.computer.selfplay import begin_seeded
from boneyard.engine.moves import parse
from boneyard.engine.perspective import perspective
from boneyard.engine.presets import PRESETS

for line in sys.stdin:
    game, seats, seed, moves = json.loads(line)
    match = begin_seeded(PRESETS[game].rules, seats, seed)
    for text, claim in moves:
        match = match.play(match.turn, parse(text), claim).after_calls()
    move, claim = choose_move(perspective(match, match.turn), "master", match.move_count)
    print(json.dumps((str(move), claim)), flush=True)
"""


class Version:
    """The master of a checkout, in a process of its own."""

    def __init__(self, checkout: Path) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-c", ANSWER_CODE],
            cwd=checkout,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def __enter__(self) -> "Version":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self._process.kill()
        self._process.wait()

    def choose(
        self, game: str, seats: int, seed: str, moves: list[tuple[str, int | None]]
    ) -> tuple[str, int | None]:
        """Return the move, as text, and the claim of the seat on turn."""
        assert self._process.stdin is not None and self._process.stdout is not None
        self._process.stdin.write(json.dumps((game, seats, seed, moves)) + "\n")
        self._process.stdin.flush()
        move, claim = json.loads(self._process.stdout.readline())
        return move, claim


def play_pair(game: str, versions: tuple[Version, Version], seed: str) -> Pair:
    """Play a round twice, with the seats swapped; a round without a winner counts half."""
    both = [_play_round(game, versions, seed, swapped) for swapped in (0, 1)]
    return Pair(*(statistics.fmean(values) for values in zip(*both, strict=True)))


def _play_round(game: str, versions: tuple[Version, Version], seed: str, swapped: int) -> Pair:
    seats = fewest_seats(game)
    match, moves = begin_seeded(PRESETS[game].rules, seats, seed), list[tuple[str, int | None]]()
    while match.turn is not None and not match.ended:
        legal = match.legal(match.turn)
        chosen: tuple[str, int | None] = (str(legal[0]), None)
        if len(legal) > 1 or match.terms.must_claim:
            chosen = versions[(match.turn + swapped) % 2].choose(game, seats, seed, moves)
        moves.append(chosen)
        match = match.play(match.turn, parse(chosen[0]), chosen[1]).after_calls()
    return _result_for_first(match, swapped)


def _result_for_first(match: Match, swapped: int) -> Pair:
    sign = -1 if match.rules.lowest_wins else 1
    winner, scores = match.ended[0].end.winner, match.ended[0].scores
    ahead = sign * (sum(scores[swapped::2]) - sum(scores[1 - swapped :: 2]))
    return Pair(0.5 if winner is None else float(winner % 2 == swapped), float(ahead))


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("checkout", type=Path, help="of the other version")
    parser.add_argument("--minutes", type=float, default=60.0)
    parser.add_argument("--seed", default="1")
    parser.add_argument("--preset", nargs="*", default=list(GAMES), choices=list(PRESETS))
    options = parser.parse_args()
    if not (options.checkout / "boneyard" / "computer").is_dir():
        parser.error(f"{options.checkout} is no checkout")
    pairs: dict[str, list[Pair]] = {game: [] for game in options.preset}
    deadline, number = time.monotonic() + 60 * options.minutes, 0
    with Version(HERE) as here, Version(options.checkout) as there:
        while time.monotonic() < deadline:
            number += 1
            for game, results in pairs.items():
                results.append(play_pair(game, (here, there), f"versions:{options.seed}:{number}"))
    print("| game | rounds won in per cent | points a round |\n| --- | --- | --- |")
    for game, results in pairs.items():
        shares = [pair.win_share for pair in results]
        share, (low, high) = statistics.fmean(shares), share_interval(shares)
        points, interval = mean_and_interval([pair.points for pair in results])
        print(
            f"| {game} | {100 * share:.0f} ({100 * low:.0f}–{100 * high:.0f}; {len(results)}) "
            f"| {points:+.1f} ± {interval:.1f} |"
        )


if __name__ == "__main__":
    main()
