"""What must hold after every draw and result, worked out without the code that draws and counts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations

from nights.models import Night, NightTable

Sides = Sequence[Sequence[int]]

TABLE_SIZES = {"partners": (4,), "pairs": (2,), "singles": (2,), "free": (4, 3)}
MET_A_ROUND = {"partners": 3, "pairs": 1, "singles": 1, "free": 3}
OUT_TWELFTHS = {"half": 6, "win": 12, "nothing": 0}


class LawBroken(Exception):
    """A law of the draw or of the standings does not hold."""


@dataclass(frozen=True)
class RoundSeats:
    """A round as it was drawn: `tables` before, `seats` after a director swapped people."""

    here: Collection[int]
    helpers: Collection[int]
    out: Collection[int]
    tables: Sequence[Sides]
    seats: Sequence[Sides]


def require(holds: bool, law: str) -> None:
    """Raise `LawBroken` with the law unless it holds."""
    if not holds:
        raise LawBroken(law)


def check_draw(form: str, past: Sequence[RoundSeats], drawn: RoundSeats, expected: Collection[int]) -> None:
    """Check a new draw. `expected` are all who are here, helpers too. Raise `LawBroken`."""
    seated = [number for table in drawn.tables for side in table for number in side]
    everybody = [*seated, *drawn.out]
    people, helpers = set(drawn.here), set(drawn.helpers)
    require(len(everybody) == len(set(everybody)), "Somebody has two places.")
    require(people | helpers == set(expected), "Who is here is not who was drawn.")
    require(people <= set(everybody) <= people | helpers, "Somebody is lost, or has come from nowhere.")
    require(not helpers & set(drawn.out), "A helper is out.")
    for table in drawn.tables:
        size = sum(map(len, table))
        require(size in TABLE_SIZES[form], f"A table has {size} people.")
        require(len({len(side) for side in table}) == 1, "The sides of a table differ in size.")
    room = _count_room(form, len(people) + len(helpers))
    require(len(drawn.out) == max(0, len(people) - room), "More people are out than must be.")
    outs = Counter(number for earlier in past for number in earlier.out)
    least = min((outs[number] for number in people - set(drawn.out)), default=0)
    require(
        all(outs[number] <= least for number in drawn.out), "Somebody is out again before everybody once was."
    )
    _check_meetings(form, past, drawn, len(people))


def _count_room(form: str, people: int) -> int:
    sizes = TABLE_SIZES[form]
    if len(sizes) == 1:
        return people - people % sizes[0]
    return people if people not in (1, 2, 5) else people // 4 * 4


def _check_meetings(form: str, past: Sequence[RoundSeats], drawn: RoundSeats, people: int) -> None:
    """Where everybody has met at most half of the others nobody meets again; nobody meets three times before that."""
    number = len(past) + 1
    partners, opponents = _count_meetings(earlier.seats for earlier in past)
    new_partners, new_opponents = _count_meetings([drawn.tables])
    again = [pair for pair in new_partners if partners[pair]]
    met = [pair for pair in new_opponents if opponents[pair]]
    if 2 * MET_A_ROUND[form] * number < people:
        require(not again, f"Partners again in round {number}: {again}.")
        require(not met, f"Opponents again in round {number}: {met}.")
    elif 2 * number < people:
        require(not again, f"Partners again in round {number}: {again}.")
        thrice = [pair for pair in met if opponents[pair] > 1]
        require(not thrice, f"Opponents a third time in round {number}: {thrice}.")


def _count_meetings(rounds: Iterable[Sequence[Sides]]) -> tuple[Counter[frozenset[int]], ...]:
    partners: Counter[frozenset[int]] = Counter()
    all_met: Counter[frozenset[int]] = Counter()
    for tables in rounds:
        for table in tables:
            for side in table:
                partners.update(map(frozenset, combinations(side, 2)))
            all_met.update(map(frozenset, combinations([number for side in table for number in side], 2)))
    return partners, all_met - partners


# The standings, a second time: in twelfths of a round won, a table at a time.


def recompute_standings(night: Night) -> list[tuple[int, int, Fraction, Fraction, int, Fraction]]:
    """Return place, number, won, difference, points and met of each entry, from the rows of a night of two sides."""
    won: Counter[int] = Counter()
    difference: Counter[int] = Counter()
    points: Counter[int] = Counter()
    missed: Counter[int] = Counter()
    opponents: dict[int, list[Sequence[int]]] = {}
    for drawn in night.drawn_rounds.filter(undone_at=None):
        for number in drawn.drawn["out"]:
            won[number] += OUT_TWELFTHS[night.out_counts]
            missed[number] += 1
        for table in drawn.tables.filter(status__in=NightTable.DECIDED):
            for own, other in ((0, 1), (1, 0)):
                gained = [(table.points or [0, 0])[side] for side in (own, other)]
                for number in table.sides[own]:
                    if table.absent:
                        absent_here = set(table.absent) & set(table.sides[own])
                        won[number] += 0 if number in table.absent else 6 if absent_here else 12
                    else:
                        won[number] += 12 if gained[0] > gained[1] else 6 if gained[0] == gained[1] else 0
                        points[number] += gained[0]
                        difference[number] += min(night.cut, max(-night.cut, gained[0] - gained[1]))
                    if number in table.absent:
                        missed[number] += 1
                    else:
                        opponents.setdefault(number, []).append(table.sides[other])
    rows = []
    helpers = set(night.entries.filter(is_helper=True).values_list("number", flat=True))
    for number in opponents.keys() - helpers:
        means = [Fraction(sum(won[each] for each in side), 12 * len(side)) for side in opponents[number]]
        met = sum(means, Fraction(0)) * (len(means) + missed[number]) / len(means)
        figures = (Fraction(won[number], 12), Fraction(difference[number]), points[number], met)
        rows.append((number, figures))
    keys = {number: _order(night, figures) for number, figures in rows}
    return sorted(
        (1 + sum(other > keys[number] for other in keys.values()), number, *figures)
        for number, figures in rows
    )


def _order(night: Night, figures: tuple[Fraction, Fraction, int, Fraction]) -> tuple[Fraction | int, ...]:
    won, difference, points, met = figures
    return (difference, won, points, met) if night.difference_first else (won, difference, points, met)
