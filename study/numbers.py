"""What chance does at the tables, counted from records, beside what it must do.

Each row is a sum of things that happened, with its expectation and variance known in advance: from the deal alone, or
for a draw from what lay in the boneyard. Deals that the rules deal again when they are one-sided are left out, and
draws where a line has more than two ends.
"""

from collections.abc import Iterable, Mapping
from math import sqrt
from typing import Any, NamedTuple

from games.engine.tiles import DOUBLE, HIGH, LOW, parse

_BAND = 1.96  # standard deviations: 95 %

Counts = dict[str, list[float]]  # by row: how often it could, how often it did, expectation and variance


class Row(NamedTuple):
    """times: how often it could have happened; seen: how often it did; from `low` to `high` chance allows."""

    name: str
    times: int
    seen: int
    expected: float
    low: float
    high: float

    @property
    def within(self) -> bool:
        return self.low <= self.seen <= self.high


def counted(record: Mapping[str, Any]) -> Counts:
    """What one record adds to each row."""
    counts: Counts = {}
    rules, people = record["rules"], [seat["kind"] != "computer" for seat in record["seats"]]
    plain = rules["max_same_suit"] is None and rules.get("max_doubles") is None
    set_size, doubles = (rules["set"] + 1) * (rules["set"] + 2) // 2, rules["set"] + 1
    share = doubles / set_size
    for round_ in record["rounds"] if plain else ():
        # What one hand has the others cannot have: those of all people, and of all computers, are one sample each.
        for name, kind in (("doubles_people", True), ("doubles_computers", False)):
            dealt = [
                tile for seat, hand in enumerate(round_["hands"]) if people[seat] is kind for tile in hand
            ]
            size = len(dealt)
            spread = size * share * (1 - share) * (set_size - size) / (set_size - 1)
            if spread:  # none where the whole set was dealt to them
                _add(counts, name, size, sum(DOUBLE[parse(tile)] for tile in dealt), size * share, spread)
        for seat, hand in enumerate(round_["hands"]):
            chance = len(hand) / set_size
            highest = f"{rules['set']}-{rules['set']}"
            _add(counts, f"highest_{seat}", 1, highest in hand, chance, chance * (1 - chance))
        if rules["spinner"] == "none" and rules["draw"] == "until_playable":
            _draws(counts, round_)
    if len(people) == 2 and record["result"]["how"] == "target" and all(people):
        _add(counts, "first_seat", 1, 0 in record["result"]["winners"], 0.5, 0.25)
    return counts


def _draws(counts: Counts, round_: Mapping[str, Any]) -> None:
    """Each draw in turn: whether the tile fitted, and how likely that was by what lay in the boneyard."""
    boneyard = list(round_["boneyard"])[len(round_["lead_draws"]) :]
    at: dict[str, int] = {}
    for row in round_["moves"]:
        if row["move"] == "draw":
            open_ = set(at.values())
            fitting = sum(_fits(tile, open_) for tile in boneyard)
            chance = fitting / len(boneyard)
            _add(counts, "draws", 1, _fits(row["tile"], open_), chance, chance * (1 - chance))
            boneyard.remove(row["tile"])
        elif "-" in row["move"]:
            _lay(at, row["move"])


def _fits(tile: str, suits: set[int]) -> bool:
    number = parse(tile)
    return HIGH[number] in suits or LOW[number] in suits


def _lay(at: dict[str, int], move: str) -> None:
    for part in move.split("+"):
        name, _, end = part.partition("@")
        high, low = (int(half) for half in name.split("-"))
        if not end:
            at.update(L=high, R=low)
        elif end in at:
            at[end] = high + low - at[end]


def _add(counts: Counts, name: str, times: int, seen: float, expected: float, variance: float) -> None:
    row = counts.setdefault(name, [0, 0, 0.0, 0.0])
    for place, number in enumerate((times, int(seen), expected, variance)):
        row[place] += number


def together(found: Iterable[Counts]) -> Counts:
    """The sums over many records."""
    total: Counts = {}
    for counts in found:
        for name, row in counts.items():
            sums = total.setdefault(name, [0, 0, 0.0, 0.0])
            for place, number in enumerate(row):
                sums[place] += number
    return total


def rows(counts: Counts) -> list[Row]:
    """The rows with the band that chance allows in 95 of 100 cases."""
    return [_row(name, *sums) for name, sums in sorted(counts.items())]


def _row(name: str, times: float, seen: float, expected: float, variance: float) -> Row:
    away = _BAND * sqrt(variance)
    return Row(name, int(times), int(seen), expected, max(0.0, expected - away), min(times, expected + away))
