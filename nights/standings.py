"""The standings of a stored night."""

from typing import cast

from nights.models import DrawnRound, Night, NightTable
from nights.scoring import OutCounts, RoundResults, Row, TableResult, compute_standings


def find_standings(night: Night) -> tuple[Row, ...]:
    """Return the standings by the results that hold: confirmed ones, and tables with somebody absent."""
    rounds = (
        DrawnRound.objects.filter(night=night, undone_at=None).prefetch_related("tables").order_by("number")
    )
    helpers = set(night.entries.filter(is_helper=True).values_list("number", flat=True))
    return compute_standings(
        [_read_round(drawn) for drawn in rounds],
        out_counts=cast("OutCounts", night.out_counts),
        cut=night.cut,
        difference_first=night.difference_first,
        helpers=helpers,
    )


def _read_round(drawn: DrawnRound) -> RoundResults:
    return RoundResults(
        tuple(_read_table(table) for table in drawn.tables.all() if table.is_decided),
        tuple(drawn.drawn["out"]),
    )


def _read_table(table: NightTable) -> TableResult:
    sides = tuple(tuple(side) for side in table.sides)
    points = tuple(table.points or [0] * len(sides))
    return TableResult(sides, points, frozenset(table.absent), frozenset(table.replaced))
