"""The standings of a stored night."""

from typing import cast

from nights.models import DrawnRound, Night, NightTable
from nights.phones import get_rules
from nights.scoring import OutCounts, RoundResults, Row, TableResult, compute_standings


def find_standings(night: Night) -> tuple[Row, ...]:
    """Return the standings by the results that hold: confirmed ones, and tables with somebody absent."""
    rounds = (
        DrawnRound.objects.filter(night=night, undone_at=None).prefetch_related("tables").order_by("number")
    )
    helpers = set(night.entries.filter(is_helper=True).values_list("number", flat=True))
    return compute_standings(
        [_read_round(night, drawn) for drawn in rounds],
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


def _read_round(night: Night, drawn: DrawnRound) -> RoundResults:
    return RoundResults(
        tuple(read_table(night, table) for table in drawn.tables.all() if table.is_decided),
        tuple(drawn.drawn["out"]),
    )


def read_table(night: Night, table: NightTable) -> TableResult:
    """Return the result of a table as standings count it: the points of games that the lowest wins are negative."""
    sides = tuple(tuple(side) for side in table.sides)
    points = tuple(table.points or [0] * len(sides))
    if not night.is_wood and get_rules(night).lowest_wins:
        points = tuple(-each for each in points)
    winners = None if table.winners is None else frozenset(table.winners)
    return TableResult(sides, points, frozenset(table.absent), frozenset(table.replaced), winners)
