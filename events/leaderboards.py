"""Build the leaderboards of days, months and years, and count streaks of days."""

from collections import defaultdict
from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace
from datetime import date, timedelta
from typing import NamedTuple

from django.db.models import QuerySet
from django.utils.translation import gettext_lazy as _

from accounts import relations
from events.field import LoadedField, Result
from events.models import DealSet, Entry
from games.seats import Viewer

BEST_DAYS_A_MONTH = 15
BEST_DAYS_A_YEAR = 12 * BEST_DAYS_A_MONTH
MAX_ROWS = 100

REASONS = {
    Entry.Standing.GUEST: _("a guest"),
    Entry.Standing.NEW: _("an account younger than seven days"),
    Entry.Standing.FEW: _("fewer than ten matches before"),
    Entry.Standing.AGAIN: _("a second start in one browser"),
}


@dataclass(frozen=True)
class Row:
    """A line of a leaderboard; `place` is None below the line, and `reason` says why."""

    place: int | None
    name: str
    profile: str  # the name to link to, or ""
    score: float
    days: int
    reason: str
    is_own: bool
    match: str | None = None  # the code, once the set has closed
    is_computer: bool = False

    @property
    def percent(self) -> str:
        return f"{self.score:.1f}"


class Leaderboard(NamedTuple):
    """The official lines, best first, and those below the line."""

    official: list[Row]
    others: list[Row]

    def __bool__(self) -> bool:
        return bool(self.official or self.others)


def find_followed(viewer: Viewer) -> set[int]:
    """Return the keys of the viewer and of the people they follow."""
    if not viewer.is_authenticated:
        return set()
    return {viewer.pk, *relations.followed_by(viewer).values_list("pk", flat=True)}


def build_day_leaderboard(
    loaded: LoadedField, viewer: Viewer, among: Collection[int] | None = None
) -> Leaderboard:
    """Return the leaderboard of a closed day; `among` are the keys of the people to list, by default all."""
    results = [
        result
        for result in loaded.results
        if among is None or (result.entry is not None and result.entry.user_id in among)
    ]
    return _build_leaderboard(_Line.of_result(result, viewer) for result in results)


def build_period_leaderboard(
    first: date, last: date, best_days: int, viewer: Viewer, among: Collection[int] | None = None
) -> Leaderboard:
    """Return the leaderboard of the closed days from `first` to `last`: the mean of each person's best days.

    Days not played count 0 until there are `best_days`, or as many as have closed.
    """
    closed = DealSet.objects.filter(day__range=(first, last), closed_at__isnull=False).count()
    entries = _find_scored(first, last)
    if among is not None:
        entries = entries.filter(user__in=among)
    scores: dict[int, list[float]] = defaultdict(list)
    newest: dict[int, tuple[str, str]] = {}
    # Values, not rows: a year has hundreds of thousands, each with all its moves.
    for key, name, standing, score in entries.values_list("user", "user__username", "standing", "score"):
        scores[key].append(score or 0.0)
        newest[key] = (name, standing)
    counted = min(best_days, closed)
    lines = []
    for key, (name, standing) in newest.items():
        mean = sum(sorted(scores[key], reverse=True)[:best_days]) / counted
        lines.append(_Line(Row(None, name, name, mean, len(scores[key]), "", key == viewer.pk), standing))
    return _build_leaderboard(lines)


def _find_scored(first: date, last: date) -> QuerySet[Entry]:
    """Return the scored entries of these days, without deleted people, oldest first."""
    entries = Entry.objects.filter(
        deals__day__range=(first, last), score__isnull=False, practice=False, user__deleted_at=None
    ).exclude(standing=Entry.Standing.AGAIN)
    return entries.exclude(user=None).order_by("deals__day")


class _Line(NamedTuple):
    """A line before it has a place."""

    row: Row
    standing: str

    @classmethod
    def of_result(cls, result: Result, viewer: Viewer) -> "_Line":
        entry = result.entry
        user = entry.user if entry else None
        row = Row(
            None,
            result.name,
            user.username if user is not None and user.deleted_at is None else "",
            result.score or 0.0,
            1,
            "",
            user is not None and user.pk == viewer.pk,
            result.match,
            result.is_computer,
        )
        return cls(row, result.standing or Entry.Standing.OFFICIAL)


def _build_leaderboard(lines: Iterable[_Line]) -> Leaderboard:
    """Return the leaderboard: places for those of the official standing, one for equal scores, none for computers."""
    ranked = sorted(lines, key=lambda line: -line.row.score)
    official, others, place, people = [], [], 0, 0
    before: float | None = None
    for row, standing in ranked:
        if standing != Entry.Standing.OFFICIAL:
            others.append(replace(row, reason=str(REASONS[Entry.Standing(standing)])))
            continue
        if row.is_computer:
            official.append(row)
            continue
        people += 1
        if row.score != before:
            place, before = people, row.score
        official.append(replace(row, place=place))
    return Leaderboard(_limit_rows(official), _limit_rows(others))


def _limit_rows(rows: list[Row]) -> list[Row]:
    """Return the first rows, and the viewer's own."""
    return rows[:MAX_ROWS] + [row for row in rows[MAX_ROWS:] if row.is_own]


def count_streak(user_id: int, today: date) -> int:
    """Return on how many days in a row, up to today or yesterday, the person has played every round."""
    finished = Entry.objects.filter(
        user=user_id, practice=False, finished_at__isnull=False, deals__day__isnull=False
    )
    days = set(finished.values_list("deals__day", flat=True))
    day = today if today in days else today - timedelta(days=1)
    streak = 0
    while day - timedelta(days=streak) in days:
        streak += 1
    return streak
