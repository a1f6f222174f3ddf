"""Build the leaderboards of days, months and years.

That of a day gives a place to those who count, and names the others without one. Those of months and years list
official entries alone.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace
from datetime import date
from typing import NamedTuple

from django.db.models import QuerySet
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _

from accounts import relations
from events.comparison import SAME_SCORE
from events.drawing import draw_small_bars
from events.field import LoadedField, Result
from events.models import DealSet, Entry
from games.seats import Viewer

BEST_DAYS_A_MONTH = 15
BEST_DAYS_A_YEAR = 12 * BEST_DAYS_A_MONTH
MAX_ROWS = 100
FIRST_ROWS, ROWS_AROUND_OWN = 3, 2  # of a long board

# Told to the person and to moderators alone.
REASONS = {
    "struck": _("struck by the moderators"),
    "unfinished": _("not all rounds were played"),
    "guest": _("you played as a guest"),
    "new": _("the account was younger than a day"),
    "again": _("this browser had already played the day"),
    "network": _("somebody had played from the same network before"),
}


@dataclass(frozen=True)
class Row:
    """A line of a leaderboard; `place` is None for who does not count, and `reason` tells them alone why."""

    place: int | None
    name: str
    profile: str  # the name to link to, or ""
    score: float
    days: int
    reason: str
    is_own: bool
    match: str | None = None  # the code, once the set has closed
    is_computer: bool = False
    percents: tuple[float | None, ...] = ()

    @property
    def percent(self) -> str:
        return f"{self.score:.1f}"

    @property
    def bars(self) -> SafeString:
        return draw_small_bars(self.percents)


class Leaderboard(NamedTuple):
    """The lines with a place, best first, those without, and those of the house that the people are compared with."""

    counted: list[Row]
    others: list[Row]
    house: list[Row]

    @property
    def shown(self) -> list[Row | None]:
        """Return the first lines and those around the viewer's own; None stands for lines left out."""
        own = next((index for index, row in enumerate(self.counted) if row.is_own), 0)
        near = {*range(FIRST_ROWS), *range(own - ROWS_AROUND_OWN, own + ROWS_AROUND_OWN + 1)}
        shown: list[Row | None] = []
        for index, row in enumerate(self.counted):
            if index in near:
                shown.append(row)
            elif shown and shown[-1] is not None:
                shown.append(None)
        return shown


def find_followed(viewer: Viewer) -> set[int]:
    """Return the keys of the viewer and of the people they follow."""
    if not viewer.is_authenticated:
        return set()
    return {viewer.pk, *relations.followed_by(viewer).values_list("pk", flat=True)}


def build_day_leaderboard(
    loaded: LoadedField, viewer: Viewer, among: Collection[int] | None = None
) -> Leaderboard:
    """Return the leaderboard of a closed day; `among` are the keys of the people to list, by default all."""
    people = [
        (result, _build_row(result, viewer))
        for result in loaded.results
        if result.entry is not None and (among is None or result.entry.user_id in among)
    ]
    return Leaderboard(
        _limit_rows([row for result, row in people if result.counts]),
        _limit_rows([row for result, row in people if not result.counts]),
        [_build_row(result, viewer) for result in loaded.results if result.is_computer],
    )


def _build_row(result: Result, viewer: Viewer) -> Row:
    entry = result.entry
    user = entry.user if entry else None
    is_own = user is not None and user.pk == viewer.pk
    return Row(
        result.place,
        result.name,
        user.username if user is not None and user.deleted_at is None else "",
        result.score or 0.0,
        1,
        describe_reason(entry) if is_own and entry is not None else "",
        is_own,
        result.match,
        result.is_computer,
        tuple(result.percents),
    )


def describe_reason(entry: Entry) -> str:
    """Return why an entry does not count, in words, or ""."""
    return str(REASONS[entry.reason]) if entry.reason else ""


def build_period_leaderboard(
    first: date, last: date, best_days: int, viewer: Viewer, among: Collection[int] | None = None
) -> Leaderboard:
    """Return the leaderboard of the closed days from `first` to `last`: the mean of each person's best official days.

    Days not played count 0 until there are `best_days`, or as many as have closed.
    """
    closed = DealSet.objects.filter(
        day__range=(first, last), closed_at__isnull=False, cancelled_at=None
    ).count()
    entries = _find_official(first, last)
    if among is not None:
        entries = entries.filter(user__in=among)
    scores: dict[tuple[int, str], list[float]] = defaultdict(list)
    # Values, not rows: a year has hundreds of thousands, each with all its moves.
    for key, name, score in entries.values_list("user", "user__username", "score"):
        scores[key, name].append(score or 0.0)
    counted = min(best_days, closed)
    means = {person: sum(sorted(days, reverse=True)[:best_days]) / counted for person, days in scores.items()}
    rows = [
        Row(None, name, name, mean, len(scores[key, name]), "", key == viewer.pk)
        for (key, name), mean in means.items()
    ]
    return Leaderboard(_limit_rows(_give_places(rows)), [], [])


def _find_official(first: date, last: date) -> QuerySet[Entry]:
    """Return the official, scored entries of these days, without deleted people."""
    entries = Entry.objects.filter(
        deals__day__range=(first, last),
        score__isnull=False,
        practice=False,
        standing=Entry.Standing.OFFICIAL,
        finished_at__isnull=False,
        struck_at=None,
        user__deleted_at=None,
    )
    return entries.exclude(user=None)


def _give_places(rows: Iterable[Row]) -> list[Row]:
    """Return the rows, best first, with their places; equal scores share one."""
    placed: list[Row] = []
    for number, row in enumerate(sorted(rows, key=lambda row: -row.score), 1):
        is_equal = bool(placed) and placed[-1].score - row.score <= SAME_SCORE
        placed.append(replace(row, place=placed[-1].place if is_equal else number))
    return placed


def _limit_rows(rows: list[Row]) -> list[Row]:
    """Return the first rows, and the viewer's own."""
    return rows[:MAX_ROWS] + [row for row in rows[MAX_ROWS:] if row.is_own]
