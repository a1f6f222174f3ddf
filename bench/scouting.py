"""Measure what scouting gains in a Daily Deal, and what the desk finds of it: `python -m bench.scouting`.

A day of 500 official entries, of which 50 belong to one pot of scouts: each brings ten, who play first. It is played by
`boneyard` alone against computers of the level club. People are heuristic players of several strengths: they make the
move that club ranks best most often, the next one less often, and so on. Scouts are people, too. An entry of the pot
plays the best line of its own ten scouts, or of all 500, in every round or, to be less striking, in every second one.

Prints the mean scores of the 50 with and without scouts, compared with the field of today's rules and with all who
played, and how many of the 50 each figure of the desk finds at the false alarm that 1 in 1,000 honest entries cause.
"""

import argparse
import random
import statistics
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from hashlib import sha256
from itertools import combinations
from typing import NamedTuple

import bench.with_django  # noqa: F401 - first: the imports below need it
from boneyard.analysis.likelihood import compute_log_chance
from boneyard.analysis.peek import PeekSum, score_move
from boneyard.computer.one_ply import rank_by_heuristic
from boneyard.computer.players import choose_move
from boneyard.computer.search import distinct_moves
from boneyard.engine.matches import Match, begin
from boneyard.engine.moves import Move
from boneyard.engine.perspective import perspective
from boneyard.engine.shared_deals import compute_seed, isolate_round
from events.comparison import Field
from events.desk import MIN_EQUAL_ROUNDS
from events.programme import ROUNDS, build_rules
from study.peeks import Null, judge

OWN_SEAT, OTHER_SEAT = 0, 1
FALSE_ALARM = 0.001


class Round(NamedTuple):
    """A played round: the moves as text, the margin, and the logarithm of the chance of the own decisions."""

    line: str
    margin: int
    log_chance: float
    decisions: tuple[tuple[Match, Move], ...]


class Day:
    """The deals of a day. Each round stands alone: a player may be asked for any of them."""

    def __init__(self, preset: str, seed: str) -> None:
        self._beginning = begin(build_rules(preset), 2, sha256(seed.encode()).digest(), "daily-2026-11-26")
        self._starts: list[Match] = []
        self._answers: dict[str, tuple[Move | None, int | None]] = {}
        value = self._beginning
        chance = random.Random(seed)
        while value.result is None:
            self._starts.append(value)
            rounds = len(value.ended)
            while value.result is None and len(value.ended) == rounds:
                value = self._play_turn(
                    value, lambda match: chance.choice(perspective(match, OWN_SEAT).legal)
                )

    def play(self, number: int, choose: Callable[[Match], Move]) -> Round:
        """Let a player choose the own moves of round `number`."""
        value = start = self._starts[number]
        decisions: list[tuple[Match, Move]] = []

        def note(match: Match) -> Move:
            move = choose(match)
            decisions.append((match, move))
            return move

        while value.result is None and len(value.ended) == len(start.ended):
            value = self._play_turn(value, note)
        before, after = start.scores, value.ended[-1].scores
        log = value.ended[-1].log
        return Round(
            " ".join(f"{entry.seat}:{entry.move.text}" for entry in log),
            (after[OWN_SEAT] - before[OWN_SEAT]) - (after[OTHER_SEAT] - before[OTHER_SEAT]),
            sum(compute_log_chance(match, move) for match, move in decisions),
            tuple(decisions),
        )

    def _play_turn(self, value: Match, choose: Callable[[Match], Move]) -> Match:
        seat = value.turn
        assert seat is not None
        if seat == OWN_SEAT:
            return value.play(OWN_SEAT, choose(value))
        view = isolate_round(perspective(value, seat))
        seed = compute_seed(value.round.deal.key, view)
        if seed not in self._answers:
            self._answers[seed] = choose_move(view, "club", int(seed, 16), secret=seed)
        move, claim = self._answers[seed]
        assert move is not None
        return value.play(seat, move, claim)


class Person:
    """A heuristic player; of the moves that club ranks, each is made `slip` times as often as the one before."""

    def __init__(self, name: str) -> None:
        self._chance = random.Random(name)
        self.slip = self._chance.uniform(0.05, 0.7)

    def choose(self, match: Match) -> Move:
        view = perspective(match, OWN_SEAT)
        choices = distinct_moves(view)
        if len(choices) < 2:
            return choices[0]
        ranked = rank_by_heuristic(view, choices)
        weights = [self.slip**index for index in range(len(ranked))]
        return self._chance.choices(ranked, weights)[0]


Entry = list[Round]


def play_all(day: Day, people: Sequence[Person]) -> list[Entry]:
    return [[day.play(number, person.choose) for number in range(ROUNDS)] for person in people]


def follow(own: Entry, scouts: Sequence[Entry], rounds: Sequence[int]) -> Entry:
    """Return the entry with the best line of the scouts in these rounds."""
    taken = list(own)
    for number in rounds:
        taken[number] = max((scout[number] for scout in scouts), key=lambda each: each.margin)
    return taken


def score(entries: Sequence[Entry], field: Sequence[Entry]) -> list[float]:
    """Return the scores of the entries, which are in the field."""
    compared = Field([[each.margin for each in entry] for entry in field], ROUNDS)
    return [compared.compute_score([each.margin for each in entry]) or 0.0 for entry in entries]


def find_rarest_twins(entries: Sequence[Entry]) -> list[float]:
    """Return for each entry the least logarithm of the chance to equal another in `MIN_EQUAL_ROUNDS` rounds."""
    by_line: dict[tuple[int, str], list[int]] = defaultdict(list)
    for index, entry in enumerate(entries):
        for number, each in enumerate(entry):
            by_line[number, each.line].append(index)
    equal: Counter[tuple[int, int]] = Counter()
    chances: dict[tuple[int, int], float] = defaultdict(float)
    for (number, _line), indexes in by_line.items():
        for pair in combinations(indexes, 2):
            equal[pair] += 1
            chances[pair] += entries[pair[0]][number].log_chance
    rarest = [0.0] * len(entries)
    for pair, rounds in equal.items():
        if rounds >= MIN_EQUAL_ROUNDS:
            for index in pair:
                rarest[index] = min(rarest[index], chances[pair])
    return rarest


def find_echoes(entries: Sequence[Entry], starts: Sequence[float]) -> list[float]:
    """Return for each entry the logarithm of the chance of its rounds that an entry begun earlier had played alike."""
    first: dict[tuple[int, str], float] = {}
    for entry, start in zip(entries, starts, strict=True):
        for number, each in enumerate(entry):
            first[number, each.line] = min(start, first.get((number, each.line), 1.0))
    return [
        sum(each.log_chance for number, each in enumerate(entry) if first[number, each.line] < start)
        for entry, start in zip(entries, starts, strict=True)
    ]


def find_peek(entry: Entry, name: str) -> PeekSum:
    total, squares, decisions, rounds = 0.0, 0.0, 0, 0
    for each in entry:
        scores = [
            peek.score
            for match, move in each.decisions
            for peek in score_move(match, move, [OTHER_SEAT], name)
        ]
        decisions += len(scores)
        rounds += bool(scores)
        total += sum(scores)
        squares += sum(scores) ** 2
    return PeekSum(decisions, rounds, total, squares)


def count_found(honest: Sequence[float], pot: Sequence[float]) -> tuple[int, float]:
    """Return how many of the pot are below what `FALSE_ALARM` of the honest are below, and that limit."""
    limit = sorted(honest)[int(FALSE_ALARM * len(honest))]
    return sum(each < limit for each in pot), limit


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--entries", type=int, default=500)
    parser.add_argument("--pot", type=int, default=50)
    parser.add_argument("--scouts", type=int, default=10)
    parser.add_argument(
        "--days", type=int, default=3, help="days for the honest: 1 in 1,000 needs more than one"
    )
    parser.add_argument(
        "--peeks", type=int, default=10, help="entries of each kind whose peek score is computed"
    )
    parser.add_argument("--preset", default="all-fives")
    options = parser.parse_args()
    began = time.process_time()
    honest_twins: list[float] = []
    honest_echoes: list[float] = []
    chance = random.Random("starts")
    for number in range(1, options.days):
        day = Day(options.preset, f"day {number}")
        played = play_all(day, [Person(f"{number} honest {n}") for n in range(options.entries)])
        honest_twins += find_rarest_twins(played)
        honest_echoes += find_echoes(played, [chance.random() for _ in played])
    day = Day(options.preset, "day 0")
    honest = play_all(day, [Person(f"0 honest {n}") for n in range(options.entries - options.pot)])
    own = play_all(day, [Person(f"0 pot {n}") for n in range(options.pot)])
    scouts = [
        play_all(day, [Person(f"0 scout {n} {k}") for k in range(options.scouts)]) for n in range(options.pot)
    ]
    everybody = [scout for group in scouts for scout in group]
    every, second = range(ROUNDS), range(0, ROUNDS, 2)
    pots = {
        "without scouts": own,
        "own ten scouts": [follow(mine, group, every) for mine, group in zip(own, scouts, strict=True)],
        "own ten, every second round": [
            follow(mine, group, second) for mine, group in zip(own, scouts, strict=True)
        ],
        "all scouts of the pot": [follow(mine, everybody, every) for mine in own],
        "all scouts, every second round": [follow(mine, everybody, second) for mine in own],
    }
    peeks = {"honest": [find_peek(entry, f"h{n}") for n, entry in enumerate(honest[: options.peeks])]}
    for name, pot in pots.items():
        official = [*honest, *pot]
        scores, old = score(pot, official), score(pot, [*official, *everybody])
        twins = find_rarest_twins([*official, *everybody])
        found, limit = count_found([*honest_twins, *twins[: len(honest)]], twins[len(honest) : len(official)])
        starts = [chance.random() for _ in honest]
        starts += [chance.uniform(0.5, 1) for _ in pot] + [chance.uniform(0, 0.5) for _ in everybody]
        echoes = find_echoes([*official, *everybody], starts)
        echoed, _limit = count_found(
            [*honest_echoes, *echoes[: len(honest)]], echoes[len(honest) : len(official)]
        )
        print(
            f"{name}: score {statistics.fmean(scores):.1f} (if all counted {statistics.fmean(old):.1f}); found by"
            f" equal decisions {found} of {len(pot)} (limit 1 : {10**-limit:.0f}), by rounds played before {echoed}"
        )
        if name != "without scouts":
            peeks[name] = [find_peek(entry, f"{name}{n}") for n, entry in enumerate(pot[: options.peeks])]
        sys.stdout.flush()
    for name, sums in peeks.items() if options.peeks else ():
        total = sum(sums, PeekSum())
        mean = total.total / max(total.decisions, 1)
        rates = [judge(each, Null()) for each in sums]
        excess = [each.sums.total / (each.error or 1.0) for each in rates]
        print(
            f"peek score, {name}: mean {mean:+.4f} a decision ({total.decisions} decisions); errors above 0 in a day:"
            f" mean {statistics.fmean(excess):+.2f}, largest {max(excess):+.2f}"
        )
    print(f"{time.process_time() - began:.0f} CPU s")


if __name__ == "__main__":
    main()
