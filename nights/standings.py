"""The standings of a stored night."""

from collections.abc import Collection, Iterable, Mapping
from typing import cast

from django.db.models import Q

from games.models import Seat
from nights.models import DrawnRound, Night, NightTable
from nights.phones import get_rules, order_seats
from nights.scoring import OutCounts, RoundResults, Row, TableResult, compute_standings
from nights.sheet_kinds import find_kind


def find_standings(night: Night) -> tuple[Row, ...]:
    """Return the standings by the results that hold: confirmed ones, and tables with somebody absent."""
    rounds = list(
        DrawnRound.objects.filter(night=night, undone_at=None).prefetch_related("tables").order_by("number")
    )
    leavers = find_leavers(table for drawn in rounds for table in drawn.tables.all())
    helpers = set(night.entries.filter(is_helper=True).values_list("number", flat=True))
    return compute_standings(
        [_read_round(night, drawn, leavers) for drawn in rounds],
        out_counts=cast("OutCounts", night.out_counts),
        cut=night.cut,
        difference_first=night.difference_first,
        helpers=helpers,
    )


def find_winners(night: Night, table: NightTable) -> frozenset[int]:
    """Return the sides that have won a table whose result is confirmed, or share it."""
    if table.status != NightTable.Status.CONFIRMED or not table.points:
        return frozenset()
    result = read_table(night, table)
    if result.winners is not None:
        return result.winners
    best = max(result.points)
    return frozenset(side for side, points in enumerate(result.points) if points == best)


def find_leavers(tables: Iterable[NightTable]) -> dict[str, set[int]]:
    """Return who sat down in a match and did not play it to the end, by its code."""
    by_code = {table.match_code: table for table in tables if table.replaced and table.match_code}
    found: dict[str, set[int]] = {}
    if by_code:
        seats = Seat.objects.filter(Q(left=True) | Q(taken_over=True), match__code__in=by_code)
        for code, position in seats.values_list("match__code", "position"):
            found.setdefault(code, set()).add(order_seats(by_code[code].sides)[position])
    return found


def _read_round(night: Night, drawn: DrawnRound, leavers: Mapping[str, Collection[int]]) -> RoundResults:
    return RoundResults(
        tuple(read_table(night, table, leavers) for table in drawn.tables.all() if table.is_decided),
        tuple(drawn.drawn["out"]),
    )


def _has_lowest_winner(night: Night) -> bool:
    if not night.is_wood:
        return get_rules(night).lowest_wins
    kind = find_kind(night.preset)
    return kind is not None and kind.lowest


def read_table(
    night: Night, table: NightTable, leavers: Mapping[str, Collection[int]] | None = None
) -> TableResult:
    """Return the result of a table as standings count it: the points of games that the lowest wins are negative.

    `leavers` is what `find_leavers` returns; without it the winners alone are right.
    """
    sides = tuple(tuple(side) for side in table.sides)
    points = tuple(table.points or [0] * len(sides))
    if _has_lowest_winner(night):
        points = tuple(-each for each in points)
    winners = None if table.winners is None else frozenset(table.winners)
    left = frozenset((leavers or {}).get(table.match_code, ()))
    return TableResult(sides, points, frozenset(table.absent), frozenset(table.replaced), winners, left)
