"""Luck and play of a person over all analysed matches: silent until there is enough to say."""

from collections.abc import Iterable
from math import sqrt
from typing import NamedTuple

from django.contrib.auth.models import AnonymousUser
from django.db.models import Q

from accounts.models import User
from study.models import SeatStudied

ENOUGH_DECISIONS = 100
ENOUGH_MATCHES = 20
_INTERVAL = 1.96  # standard errors: 95 %


class Skill(NamedTuple):
    """The mean loss a decision in chances of a match, half its 95 % interval, and over how many decisions."""

    loss: float
    within: float
    decisions: int


class Fortune(NamedTuple):
    """The mean luck a match, half its 95 % interval, and over how many matches."""

    luck: float
    within: float
    matches: int


class Studied(NamedTuple):
    """`months`: the first day of each month that has enough decisions, and the skill in it, the latest first;
    `decisions`, `matches`: how many there are, enough or not."""

    skill: Skill | None
    fortune: Fortune | None
    months: list[tuple[object, Skill]]
    decisions: int
    matches: int


def studied(person: User, viewer: User | AnonymousUser) -> Studied:
    """What the analysed matches of a person say; to others private ones only if rated."""
    shown = Q(seat__match__private=False) | Q(seat__match__rating_order__isnull=False)
    found = SeatStudied.objects.filter(Q() if viewer == person else shown, seat__user=person)
    rows = list(found.select_related("seat__match"))
    by_month: dict[object, list[SeatStudied]] = {}
    for row in rows:
        by_month.setdefault(row.seat.match.end.date().replace(day=1), []).append(row)
    months = [(month, skill) for month, found in by_month.items() if (skill := _skill(found))]
    months.sort(key=lambda each: str(each[0]), reverse=True)
    decisions = sum(row.decisions for row in rows)
    return Studied(_skill(rows), _fortune(rows), months, decisions, len(rows))


def _skill(rows: Iterable[SeatStudied]) -> Skill | None:
    rows = list(rows)
    decisions = sum(row.decisions for row in rows)
    if decisions < ENOUGH_DECISIONS:
        return None
    mean = sum(row.lost for row in rows) / decisions
    variance = max(0.0, sum(row.lost_squared for row in rows) / decisions - mean * mean)
    return Skill(mean, _INTERVAL * sqrt(variance / decisions), decisions)


def _fortune(rows: Iterable[SeatStudied]) -> Fortune | None:
    found = [row.luck for row in rows if row.luck is not None]
    if len(found) < ENOUGH_MATCHES:
        return None
    mean = sum(found) / len(found)
    variance = sum((each - mean) ** 2 for each in found) / (len(found) - 1)
    return Fortune(mean, _INTERVAL * sqrt(variance / len(found)), len(found))
