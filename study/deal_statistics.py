"""Compare deals and draws in records with what chance predicts.

Each row sums observations whose expectation and variance are known in advance: from the deal, or for a draw from the
boneyard. Rules that redeal one-sided hands are excluded, and draws for lines with more than two ends.
"""

from collections.abc import Iterable, Mapping
from math import sqrt
from typing import Any, NamedTuple

from boneyard.engine.tiles import DOUBLE, HIGH, LOW, parse

_INTERVAL = 1.96  # standard deviations of a 95 % interval

Counts = dict[str, list[float]]  # by row: trials, successes, expectation, variance


class Row(NamedTuple):
    """Observed successes in a number of trials, and the 95 % interval that chance allows."""

    name: str
    trials: int
    observed: int
    expected: float
    low: float
    high: float

    @property
    def within(self) -> bool:
        return self.low <= self.observed <= self.high


def count_record(record: Mapping[str, Any]) -> Counts:
    """Return what one record adds to each row."""
    counts: Counts = {}
    rules, people = record["rules"], [seat["kind"] != "computer" for seat in record["seats"]]
    plain = all(rules.get(name) is None for name in ("max_same_suit", "max_doubles", "asleep"))
    set_size, doubles = (rules["set"] + 1) * (rules["set"] + 2) // 2, rules["set"] + 1
    double_share = doubles / set_size
    for round_ in record["rounds"] if plain else ():
        # Hands of one deal are dependent: pool those of all people, and those of all computers, into one sample each.
        for name, kind in (("doubles_people", True), ("doubles_computers", False)):
            dealt = [
                tile for seat, hand in enumerate(round_["hands"]) if people[seat] is kind for tile in hand
            ]
            size = len(dealt)
            variance = size * double_share * (1 - double_share) * (set_size - size) / (set_size - 1)
            if variance:  # 0 if they hold the whole set
                _add(
                    counts,
                    name,
                    size,
                    sum(DOUBLE[parse(tile)] for tile in dealt),
                    size * double_share,
                    variance,
                )
        for seat, hand in enumerate(round_["hands"]):
            chance = len(hand) / set_size
            highest = f"{rules['set']}-{rules['set']}"
            _add(counts, f"highest_{seat}", 1, highest in hand, chance, chance * (1 - chance))
        if rules["spinner"] == "none" and rules["draw"] == "until_playable":
            _count_draws(counts, round_)
    if len(people) == 2 and record["result"]["how"] == "target" and all(people):
        _add(counts, "first_seat", 1, 0 in record["result"]["winners"], 0.5, 0.25)
    return counts


def _count_draws(counts: Counts, round_: Mapping[str, Any]) -> None:
    """Count the draws: whether the tile fitted, and how likely that was given the boneyard."""
    boneyard = list(round_["boneyard"])[len(round_["lead_draws"]) :]
    suit_at_end: dict[str, int] = {}
    for row in round_["moves"]:
        if row["move"] == "draw":
            open_suits = set(suit_at_end.values())
            fitting = sum(_fits(tile, open_suits) for tile in boneyard)
            chance = fitting / len(boneyard)
            _add(counts, "draws", 1, _fits(row["tile"], open_suits), chance, chance * (1 - chance))
            boneyard.remove(row["tile"])
        elif "-" in row["move"]:
            _lay_tile(suit_at_end, row["move"])


def _fits(tile: str, suits: set[int]) -> bool:
    number = parse(tile)
    return HIGH[number] in suits or LOW[number] in suits


def _lay_tile(suit_at_end: dict[str, int], move: str) -> None:
    for play in move.split("+"):
        name, _, end = play.partition("@")
        high, low = (int(half) for half in name.split("-"))
        if not end:
            suit_at_end.update(L=high, R=low)
        elif end in suit_at_end:
            suit_at_end[end] = high + low - suit_at_end[end]


def _add(counts: Counts, name: str, trials: int, observed: float, expected: float, variance: float) -> None:
    row = counts.setdefault(name, [0, 0, 0.0, 0.0])
    for index, number in enumerate((trials, int(observed), expected, variance)):
        row[index] += number


def sum_counts(counts_by_record: Iterable[Counts]) -> Counts:
    """Return the sums over many records."""
    total: Counts = {}
    for counts in counts_by_record:
        for name, row in counts.items():
            sums = total.setdefault(name, [0, 0, 0.0, 0.0])
            for index, number in enumerate(row):
                sums[index] += number
    return total


def build_rows(counts: Counts) -> list[Row]:
    """Return the rows with their 95 % intervals."""
    return [_row(name, *sums) for name, sums in sorted(counts.items())]


def _row(name: str, trials: float, observed: float, expected: float, variance: float) -> Row:
    margin = _INTERVAL * sqrt(variance)
    return Row(
        name,
        int(trials),
        int(observed),
        expected,
        max(0.0, expected - margin),
        min(trials, expected + margin),
    )
