"""Check that luck and play make the result of analysed matches: `python -m bench.balance --matches 200`.

Short matches of every preset and number of seats are played by computers and analysed; in every fifth the seats resign
one after the other. For each side of each match, in chances and in points:

    the start is an equal chance and no lead, the end what the record says
    start + luck + play = end
    the luck, and the play, of all sides of a step add up to 0
    the play of a step is what its charges say, and they are what the decisions lost

Prints the largest difference, and the mean luck of the first seat's side with its standard error; it should be 0 for
any players. Exits with 1 if a difference exceeds 1e-9.
"""

import argparse
import sys
from collections.abc import Iterator, Mapping
from itertools import cycle, islice
from math import sqrt
from random import Random
from statistics import mean, stdev
from typing import Any

from boneyard.analysis.matches import analyse_record
from boneyard.computer.selfplay import PLAYERS, selfplay
from boneyard.engine import matches, moves
from boneyard.engine.errors import InvalidRules
from boneyard.engine.matches import Match
from boneyard.engine.presets import PRESETS
from boneyard.engine.records import record
from boneyard.engine.rules import Rules
from boneyard.engine.shuffle import published_keys

LIMIT = 1e-9
UNITS = ("chances", "points")
# Few rounds and few tiles are analysed quickly; the first of these changes that the rules of a preset allow.
_SHORTER: tuple[dict[str, Any], ...] = (
    {"rounds": 2, "hand_size": dict.fromkeys("234", 4)},
    {"target": 10, "hand_size": dict.fromkeys("234", 4)},
    {"rounds": 2},
    {},
)
_RESIGNED = 5  # in every fifth match the seats resign


def iter_records(count: int, seed: str) -> Iterator[dict[str, Any]]:
    """Yield the records of short matches between players of random levels."""
    rng = Random(seed)  # noqa: S311 - repeatable on purpose
    tables = [
        (_shorten(preset.rules), seats) for preset in PRESETS.values() for seats in preset.rules.players
    ]
    for number, (rules, seats) in enumerate(islice(cycle(tables), count), 1):
        players = [rng.choice(PLAYERS[:4]) for _ in range(seats)]
        (played,) = selfplay(rules, preset=None, players=players, matches=1, seed=f"{seed} {number}")
        yield played if number % _RESIGNED else _resign(played)


def _shorten(rules: Rules) -> Rules:
    for changes in _SHORTER:
        try:
            return rules.replace(**changes)
        except InvalidRules:
            continue
    raise AssertionError("no change at all is valid")


def _resign(played: Mapping[str, Any]) -> dict[str, Any]:
    """Return the record of the first half of a match, in which then one seat after the other resigns."""
    match = begin_recorded(played)
    rows = [row for round_ in played["rounds"] for row in round_["moves"]]
    for row in rows[: len(rows) // 2]:
        match = match.play(row["seat"], moves.parse(row["move"]), row.get("claim"))
    for seat in range(match.seats):
        if match.result is None:
            match = match.play(seat, moves.RESIGN)
    return record(
        match,
        code=played["match"],
        preset=None,
        seats=played["seats"],
        rated=False,
        started=None,
        ended=None,
        times=None,
    )


def begin_recorded(played: Mapping[str, Any]) -> Match:
    """Return the match of a record before its first move."""
    keys = published_keys(played["seal"], [round_["secret"] for round_ in played["rounds"]])
    return matches.begin_with_keys(
        Rules.from_dict(played["rules"]), len(played["seats"]), keys, played["entropy"]
    )


def differences(played: Mapping[str, Any], result: Mapping[str, Any]) -> Iterator[float]:
    """Yield the differences between a stored analysis and what its match and its decisions say."""
    balance, sides = result["balance"], result["sides"]
    side_of = {seat: side for side, seats in enumerate(sides) for seat in seats}
    for unit in UNITS:
        for side in range(len(sides)):
            value = balance["start"][unit][side]
            yield value - (1 / len(sides) if unit == "chances" else 0)
            for step in balance["steps"]:
                value += step["luck"][unit][side] + step["play"][unit][side]
            yield value - balance["end"][unit][side]
            yield value - _result(played, side, len(sides), unit)
        for step in balance["steps"]:
            yield from (sum(step["luck"][unit]), sum(step["play"][unit]))
            if len(sides) == 2:
                yield from _unexplained_play(step, side_of, unit)
    yield from _unexplained_charges(result)


def _unexplained_play(step: Mapping[str, Any], side_of: Mapping[int, int], unit: str) -> Iterator[float]:
    """Yield the part of a step's play that its charges do not explain, of two sides."""
    lost = [0.0, 0.0]
    for seat, _kind, chance, points in step["charges"]:
        lost[side_of[seat]] += chance if unit == "chances" else points
    for side in range(2):
        yield step["play"][unit][side] - (lost[1 - side] - lost[side])


def _unexplained_charges(result: Mapping[str, Any]) -> Iterator[float]:
    """Yield the differences between what was charged for decisions and what they lost."""
    charges = [
        (step["number"], step["seat"], *charge)
        for step in result["balance"]["steps"]
        for charge in step["charges"]
        if charge[1] == "decision"
    ]
    yield len(charges) - len(result["decisions"])
    for row, (number, seat, charged, _kind, chance, points) in zip(
        result["decisions"], charges, strict=False
    ):
        yield from (row["number"] - number, row["seat"] - seat, row["seat"] - charged)
        yield from (row["loss"] - chance, row["points"] - points)


def _result(played: Mapping[str, Any], side: int, sides: int, unit: str) -> float:
    winners, scores = played["result"]["winners"], played["result"]["scores"]
    if unit == "chances":
        return (side in winners) / len(winners)
    others = (sum(scores) - scores[side]) / (sides - 1)
    sign = -1 if Rules.from_dict(played["rules"]).lowest_wins else 1
    return sign * (scores[side] - others)


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--matches", type=int, default=200)
    parser.add_argument("--seed", default="balance")
    options = parser.parse_args()
    largest, luck, figures = 0.0, [], 0
    for played in iter_records(options.matches, options.seed):
        result = analyse_record(played).as_dict()
        found = list(differences(played, result))
        largest, figures = max(largest, *map(abs, found)), figures + len(found)
        luck.append(result["luck"][0])
    print(f"{len(luck)} matches, {figures} figures compared, largest difference {largest:.1e}")
    print(f"luck of the first seat's side: mean {mean(luck):+.4f} ± {stdev(luck) / sqrt(len(luck)):.4f}")
    return int(largest > LIMIT)


if __name__ == "__main__":
    sys.exit(main())
