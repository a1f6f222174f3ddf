"""Measure the computers, all figures of docs/computer.md from one commit: `python -m bench.strength`, `make strength`.

    matches   pairs of matches of the main game between levels: the same deals twice with the seats swapped
    rounds    pairs of rounds of every preset between levels; all claim their points, and nobody calls
    partners  the same of two games of pairs, without counts on the ends
    styles    pairs of rounds of each style of a level against the level without a style
    outside   rounds against players of other packages, if they can be installed
    duel      rounds of Draw from their ending on, with and without solving it
    loss      what levels lose by their moves in endings
    peeks     the peek scores of honest computers, whose mean should be 0
    moves     the CPU time of the moves with a choice in whole rounds

Every result is a line of var/strength/COMMIT-SEED.jsonl. A run that is stopped, or was too short, is continued by the
same command; the measurements advance together. Afterwards, or with `--report` at once, it prints the figures as tables
of Markdown, with 95 % intervals (`bench.intervals`). Points count the other way where the lowest
score wins.
"""

import argparse
import itertools
import json
import multiprocessing
import os
import signal
import subprocess
import sys
import time
from collections import defaultdict
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from bench import matchups
from bench.peers import Unavailable, players
from bench.strength_report import report
from boneyard.computer.players import LEVELS
from boneyard.computer.styles import STYLES
from boneyard.engine.presets import PRESETS
from boneyard.engine.rules import Rules

FOLDER = Path(__file__).resolve().parents[1] / "var" / "strength"
DOUBLE_TWELVE = "double-twelve"
OUTSIDE = {
    "dominoes": (matchups.PAIRS_BLOCK, 4, players.choose_dominoes),
    "ismcts-200": (matchups.TWO_BLOCK, 2, players.choose_ismcts),
}
# Results for each pair of neighbouring levels, weakest first.
MAIN_GAME, MAIN_PAIRS = "all-fives", (2000, 2000, 300, 160)
PRESET_PAIRS = (200, 200, 100, 40)
PARTNER_GAMES, PARTNER_PAIRS = ("pairs-international", "cuban"), 1000
# By level, weakest first.
STYLE_GAMES, STYLE_PAIRS = ("all-fives", "block"), (2000, 2000, 2000, 500, 100)
ENDING_GAMES = ("draw", "draw-free")
PEEK_GAMES = ("all-fives", "pairs-international")
TIMED_GAMES = (
    MAIN_GAME,
    "dominican",
    "kozel",
    "five-up",
    "draw",
    "block",
    "cuban",
    "gomuggins",
    DOUBLE_TWELVE,
)


class Measurement(NamedTuple):
    """Results of one kind: `number` of them, by game, seats and players."""

    kind: str
    game: str
    seats: int
    players: tuple[str, ...]
    number: int

    @property
    def key(self) -> str:
        return " ".join((self.kind, self.game, str(self.seats), *self.players))


def plan() -> list[Measurement]:
    """Return all measurements."""
    steps = [(stronger, weaker) for weaker, stronger in itertools.pairwise(LEVELS)]
    every = [
        Measurement("matches", MAIN_GAME, 2, step, number)
        for step, number in zip(steps, MAIN_PAIRS, strict=True)
    ]
    every.append(Measurement("matches", MAIN_GAME, 2, ("master", "casual"), 300))
    every += [
        Measurement("rounds", preset, fewest_seats(preset), step, number)
        for preset in PRESETS
        for step, number in zip(steps, PRESET_PAIRS, strict=True)
    ]
    every += [
        Measurement("partners", game, 4, players, PARTNER_PAIRS)
        for game in PARTNER_GAMES
        for players in (*steps, ("master", "club"))
    ]
    every += [
        Measurement("styles", game, 2, (level, str(figure)), number)
        for game in STYLE_GAMES
        for level, number in zip(LEVELS, STYLE_PAIRS, strict=True)
        for figure in range(len(STYLES))
    ]
    every += [
        Measurement("outside", "block", seats, ("master", name), 1000)
        for name, (_, seats, _) in OUTSIDE.items()
    ]
    for game in ENDING_GAMES:
        every.append(Measurement("duel", game, 2, ("master",), 200))
        every.append(Measurement("loss", game, 2, LEVELS, 50))
    every += [
        Measurement("peeks", game, fewest_seats(game), (level,), 30)
        for game in PEEK_GAMES
        for level in LEVELS
    ]
    every += [
        Measurement("moves", game, fewest_seats(game), (level,), 4)
        for game in TIMED_GAMES
        for level in LEVELS
    ]
    return every


def fewest_seats(game: str) -> int:
    return 2 if 2 in rules_of(game).players else 4


def rules_of(game: str) -> Rules:
    if game == DOUBLE_TWELVE:
        return PRESETS[MAIN_GAME].rules.replace(set=12, hand_size={"2": 15, "3": 12, "4": 10})
    return PRESETS[game].rules


def measure(seed: str, task: tuple[Measurement, int]) -> dict[str, Any]:
    """Return one result."""
    (kind, game, seats, names, _), number = task
    rules, task_seed = rules_of(game), f"{seed}:{number}"
    value: Any
    if kind == "matches":
        value = matchups.play_pair(rules, seats, names, task_seed)
    elif kind in ("rounds", "partners"):
        first, second = map(matchups.player_of, names)
        value = matchups.play_round(rules, seats, (first, second), task_seed)
    elif kind == "styles":
        level, figure = names
        styled, plain = matchups.player_of(level, int(figure)), matchups.player_of(level)
        value = matchups.play_round(rules, seats, (styled, plain), task_seed)
    elif kind == "outside":
        rules, seats, outside = OUTSIDE[names[1]]
        value = matchups.play_round(rules, seats, (matchups.player_of(names[0]), outside), task_seed)
    elif kind == "duel":
        value = matchups.play_ending(rules, task_seed)
    elif kind == "loss":
        value = matchups.measure_ending_losses(rules, names, task_seed)
    elif kind == "peeks":
        value = matchups.score_round(rules, seats, names[0], task_seed)
    else:
        value = matchups.time_round(rules, seats, names[0], task_seed)
    return {"key": task[0].key, "number": number, "value": value}


def read_results(file: Path) -> dict[str, dict[int, Any]]:
    """Return the stored results, by key and number; a line that was cut off is left out."""
    results: dict[str, dict[int, Any]] = defaultdict(dict)
    for line in file.read_text().splitlines() if file.exists() else ():
        try:
            row = json.loads(line)
        except ValueError:
            continue
        results[row["key"]][row["number"]] = row["value"]
    return results


def run(file: Path, measurements: list[Measurement], seed: str, minutes: float, processes: int) -> None:
    """Append the results that are missing, until the time is over."""
    done = read_results(file)
    tasks = [
        (each, number)
        for each in measurements
        for number in range(each.number)
        if number not in done[each.key]
    ]
    plays_outside = any(each.kind == "outside" for each, _ in tasks)
    # All measurements advance together.
    tasks.sort(key=lambda task: (task[1] + 0.5) / task[0].number)
    until = time.monotonic() + 60 * minutes
    file.parent.mkdir(parents=True, exist_ok=True)
    with file.open("a") as out, multiprocessing.Pool(processes, _start_worker, (plays_outside,)) as pool:
        out.write("\n")  # after a line that was cut off
        for row in pool.imap_unordered(partial(measure, seed), tasks):
            out.write(json.dumps(row) + "\n")
            out.flush()
            if time.monotonic() > until:
                pool.terminate()
                break


def _start_worker(plays_outside: bool) -> None:
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the main process ends the workers
    os.nice(19)
    if plays_outside:
        players.install()


def read_commit() -> str:
    """Return the commit of the code, marked if the computers or the bench were changed since."""
    paths = ("boneyard/engine", "boneyard/computer", "boneyard/analysis", "bench")
    commit = subprocess.run(
        ("git", "rev-parse", "--short=8", "HEAD"), check=True, capture_output=True, text=True
    )
    changed = subprocess.run(("git", "diff", "--quiet", "HEAD", "--", *paths), check=False).returncode
    return commit.stdout.strip() + ("-changed" if changed else "")


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(
        prog="python -m bench.strength",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--minutes", type=float, default=240.0, help="how long this run may take (240)")
    parser.add_argument("--processes", type=int, default=1, help="number of processes (1)")
    parser.add_argument("--only", help="kinds or games, separated by commas")
    parser.add_argument("--seed", default="1")
    parser.add_argument("--file", type=Path, help="of results; default: var/strength/COMMIT-SEED.jsonl")
    parser.add_argument("--report", action="store_true", help="print the figures, measure nothing")
    options = parser.parse_args(arguments)
    commit = read_commit()
    file = options.file or FOLDER / f"{commit}-{options.seed}.jsonl"
    measurements = plan()
    if options.only:
        chosen = set(options.only.split(","))
        if unknown := chosen - {name for each in measurements for name in (each.kind, each.game)}:
            parser.error(f"no such kind or game: {', '.join(sorted(unknown))}")
        measurements = [each for each in measurements if chosen & {each.kind, each.game}]
    if not options.report:
        try:
            if any(each.kind == "outside" for each in measurements):
                players.install()
        except Unavailable as reason:
            print(f"players of other packages are left out: {reason}", file=sys.stderr, flush=True)
            measurements = [each for each in measurements if each.kind != "outside"]
        signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # ends the workers, too
        run(file, measurements, options.seed, options.minutes, options.processes)
    print(f"{file.stem}: commit and seed\n")
    results = read_results(file)
    print(*report(measurements, {key: list(of_key.values()) for key, of_key in results.items()}), sep="\n")


if __name__ == "__main__":
    main()
