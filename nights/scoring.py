"""What the tables of a night give each entry, and the standings. Pure; every number is exact."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Literal

from nights.draws.meetings import Sides

OutCounts = Literal["half", "win", "nothing"]

HANDS_CUT_POINTS = 200  # the largest difference of a table that counts, where a round is a number of hands
HALF = Fraction(1, 2)
OUT_WON: dict[OutCounts, Fraction] = {"half": HALF, "win": Fraction(1), "nothing": Fraction(0)}


@dataclass(frozen=True, slots=True)
class TableResult:
    """A table of a round whose result holds.

    points    by side
    absent    entries that did not come, at real tables: nobody scores points there
    replaced  entries for whom a computer played: the others keep what the match gave
    winners   the sides that won, where a match says so; None: those with more points
    left      those of `replaced` who sat down and did not play to the end
    """

    sides: Sides
    points: tuple[int, ...]
    absent: frozenset[int] = frozenset()
    replaced: frozenset[int] = frozenset()
    winners: frozenset[int] | None = None
    left: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class Score:
    """What a table gave an entry. `against` is the mean of the other sides' points."""

    won: Fraction
    points: int
    against: Fraction


NOTHING = Score(Fraction(0), 0, Fraction(0))


@dataclass(frozen=True, slots=True)
class RoundResults:
    """A round: the results that hold, and who was out."""

    tables: tuple[TableResult, ...]
    out: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Row:
    """A row of the standings; entries that are equal in all four figures share `place`."""

    place: int
    number: int
    won: Fraction
    difference: Fraction
    points: int
    met: Fraction
    out: int


@dataclass
class _Tally:
    won: Fraction = Fraction(0)
    difference: Fraction = Fraction(0)
    points: int = 0
    out: int = 0
    missed: int = 0
    rounds: list[list[int]] = field(default_factory=list)  # the opponents of each round that was played


def score_table(result: TableResult) -> dict[int, Score]:
    """Return what a table gives each of its entries."""
    if len(result.sides) > 2:
        return _score_free(result)
    if result.absent:
        return _score_absent(result)
    left, right = result.points
    won = Fraction(_compare_sides(result) + 1, 2)
    scores: dict[int, Score] = {}
    for side, share, own, other in (
        (result.sides[0], won, left, right),
        (result.sides[1], 1 - won, right, left),
    ):
        for number in side:
            scores[number] = _withhold(result, number, Score(share, own, Fraction(other)))
    return scores


def _compare_sides(result: TableResult) -> int:
    """Return 1 if the first of two sides has won, -1 if the other one has, 0 if neither."""
    if result.winners is not None:
        return (0 in result.winners) - (1 in result.winners)
    left, right = result.points
    return (left > right) - (left < right)


def _score_absent(result: TableResult) -> dict[int, Score]:
    """Let the opponents of who is absent win; the partner gets half."""
    scores: dict[int, Score] = {}
    for side in result.sides:
        for number in side:
            if number in result.absent:
                won = Fraction(0)
            else:
                won = HALF if any(partner in result.absent for partner in side) else Fraction(1)
            scores[number] = Score(won, 0, Fraction(0))
    return scores


def _score_free(result: TableResult) -> dict[int, Score]:
    """Those who played share 1 … 0 in equal steps by their places; shared places get the mean."""
    playing = [
        (number, points)
        for (number,), points in zip(result.sides, result.points, strict=True)
        if number not in result.absent
    ]
    last = len(playing) - 1
    scores = {number: Score(Fraction(0), 0, Fraction(0)) for number in result.absent}
    for number, points in playing:
        others = [theirs for other, theirs in playing if other != number]
        better, equal = sum(theirs > points for theirs in others), sum(theirs == points for theirs in others)
        won = 1 - (better + Fraction(equal, 2)) / last if last else Fraction(1)
        against = Fraction(sum(others), last) if last else Fraction(0)
        scores[number] = _withhold(result, number, Score(won, points, against))
    return scores


def _withhold(result: TableResult, number: int, score: Score) -> Score:
    """Return what is left of a score: nothing for whom a computer played; who left keeps what was lost by then."""
    if number in result.left:
        return Score(Fraction(0), 0, max(Fraction(0), score.against - score.points))
    return NOTHING if number in result.replaced else score


def compute_standings(
    rounds: Sequence[RoundResults],
    *,
    out_counts: OutCounts = "half",
    cut: int = HANDS_CUT_POINTS,
    difference_first: bool = False,
    helpers: Collection[int] = (),
) -> tuple[Row, ...]:
    """Return the standings after these rounds, best first; helpers and who never sat at a table have no row.

    `cut` is the largest difference of a table that counts: the target, or `HANDS_CUT_POINTS`. Sorted by rounds won,
    difference, points, and `met`: the sum over the rounds of the mean of the opponents' won.
    """
    tallies = _tally(rounds, out_counts, cut)
    met = {number: _sum_met(tally, tallies) for number, tally in tallies.items()}

    def figures(number: int) -> tuple[Fraction, Fraction, int, Fraction]:
        tally = tallies[number]
        first, second = tally.won, tally.difference
        return (
            (second, first, tally.points, met[number])
            if difference_first
            else (first, second, tally.points, met[number])
        )

    placed = [number for number, tally in tallies.items() if tally.rounds and number not in helpers]
    placed.sort(key=lambda number: (*(-figure for figure in figures(number)), number))
    rows: list[Row] = []
    for index, number in enumerate(placed):
        tally = tallies[number]
        shared = bool(rows) and figures(number) == figures(rows[-1].number)
        place = rows[-1].place if shared else index + 1
        rows.append(Row(place, number, tally.won, tally.difference, tally.points, met[number], tally.out))
    return tuple(rows)


def _tally(rounds: Iterable[RoundResults], out_counts: OutCounts, cut: int) -> dict[int, _Tally]:
    tallies: dict[int, _Tally] = {}
    for played in rounds:
        for number in played.out:
            tally = tallies.setdefault(number, _Tally())
            tally.won += OUT_WON[out_counts]
            tally.out += 1
        for result in played.tables:
            for number, score in score_table(result).items():
                tally = tallies.setdefault(number, _Tally())
                tally.won += score.won
                tally.points += score.points
                tally.difference += max(Fraction(-cut), min(Fraction(cut), score.points - score.against))
                if number in result.absent or number in result.replaced - result.left:
                    tally.missed += 1
                else:
                    tally.rounds.append(_find_opponents(result.sides, number))
    return tallies


def _find_opponents(sides: Sides, number: int) -> list[int]:
    return [other for side in sides if number not in side for other in side]


def _sum_met(tally: _Tally, tallies: Mapping[int, _Tally]) -> Fraction:
    """Return the sum of the means of the opponents' won; a round out or absent counts as the mean of the others."""
    if not tally.rounds:
        return Fraction(0)
    total = sum(
        (
            Fraction(sum((tallies[other].won for other in others), Fraction(0)), len(others))
            for others in tally.rounds
        ),
        Fraction(0),
    )
    return total * (len(tally.rounds) + tally.out + tally.missed) / len(tally.rounds)
