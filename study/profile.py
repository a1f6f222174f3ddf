"""Summarise luck and play of a person over all analysed matches, once there is enough data."""

from collections.abc import Iterable
from math import sqrt
from typing import NamedTuple

from django.contrib.auth.models import AnonymousUser
from django.db.models import Q

from accounts.models import User
from study.models import SeatStudied

MIN_DECISIONS = 100
MIN_MATCHES = 20
_INTERVAL = 1.96  # standard errors: 95 %


class Skill(NamedTuple):
    """The mean loss per decision as a chance to win a match, and half of its 95 % interval."""

    loss: float
    half_width: float
    decisions: int


class MeanLuck(NamedTuple):
    """The mean luck per match, and half of its 95 % interval."""

    luck: float
    half_width: float
    matches: int


class ProfileStatistics(NamedTuple):
    """Figures for a profile page.

    months              first day and skill of each month with enough decisions, newest first
    decisions, matches  totals, including those below the minimum
    """

    skill: Skill | None
    fortune: MeanLuck | None
    months: list[tuple[object, Skill]]
    decisions: int
    matches: int


def profile_statistics(person: User, viewer: User | AnonymousUser) -> ProfileStatistics:
    """Return the statistics of a person. Other viewers do not see private unrated matches."""
    visible = Q(seat__match__private=False) | Q(seat__match__rating_order__isnull=False)
    matching = SeatStudied.objects.filter(Q() if viewer == person else visible, seat__user=person)
    rows = list(matching.select_related("seat__match"))
    by_month: dict[object, list[SeatStudied]] = {}
    for row in rows:
        by_month.setdefault(row.seat.match.end.date().replace(day=1), []).append(row)
    months = [(month, skill) for month, of_month in by_month.items() if (skill := _skill(of_month))]
    months.sort(key=lambda each: str(each[0]), reverse=True)
    decisions = sum(row.decisions for row in rows)
    return ProfileStatistics(_skill(rows), _mean_luck(rows), months, decisions, len(rows))


def _skill(rows: Iterable[SeatStudied]) -> Skill | None:
    rows = list(rows)
    decisions = sum(row.decisions for row in rows)
    if decisions < MIN_DECISIONS:
        return None
    mean = sum(row.lost for row in rows) / decisions
    variance = max(0.0, sum(row.lost_squared for row in rows) / decisions - mean * mean)
    return Skill(mean, _INTERVAL * sqrt(variance / decisions), decisions)


def _mean_luck(rows: Iterable[SeatStudied]) -> MeanLuck | None:
    values = [row.luck for row in rows if row.luck is not None]
    if len(values) < MIN_MATCHES:
        return None
    mean = sum(values) / len(values)
    variance = sum((each - mean) ** 2 for each in values) / (len(values) - 1)
    return MeanLuck(mean, _INTERVAL * sqrt(variance / len(values)), len(values))
