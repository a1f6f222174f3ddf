"""Counts of events by hour: stored for `RETENTION_DAYS`, summed for plots."""

from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import NamedTuple

from django.db.models import F

from operators.models import HourlyFigure

RETENTION_DAYS = 91
HOUR, DAY = timedelta(hours=1), timedelta(days=1)
MEAN_NAMES = frozenset({"waiting"})  # averaged over hours; the others are summed


class Bar(NamedTuple):
    """The figure of one step of a plot, which begins at `at`."""

    at: datetime
    value: float


def get_hour(moment: datetime) -> datetime:
    return moment.replace(minute=0, second=0, microsecond=0)


def store(name: str, hour: datetime, value: float) -> None:
    """Store the figure of an hour that was counted in the database; every process stores the same."""
    HourlyFigure.objects.update_or_create(name=name, hour=hour, defaults={"value": value})


def add(name: str, hour: datetime, value: float) -> None:
    """Add what this process counted in an hour."""
    if not value:
        return
    HourlyFigure.objects.get_or_create(name=name, hour=hour)
    HourlyFigure.objects.filter(name=name, hour=hour).update(value=F("value") + value)


def delete_old(now: datetime) -> None:
    HourlyFigure.objects.filter(hour__lt=now - RETENTION_DAYS * DAY).delete()


def load_bars(name: str, days: int, now: datetime) -> list[Bar]:
    """Return the figures of the last days, for one day by hour, else by day; the current step included."""
    step = HOUR if days == 1 else DAY
    last = get_hour(now) if days == 1 else get_hour(now).replace(hour=0)
    starts = [last - step * n for n in reversed(range(24 if days == 1 else days))]
    found: dict[datetime, list[float]] = {start: [] for start in starts}
    rows = HourlyFigure.objects.filter(name=name, hour__gte=starts[0]).values_list("hour", "value")
    for hour, value in rows:
        start = hour if days == 1 else hour.replace(hour=0)
        if start in found:
            found[start].append(value)
    return list(_combine(name, found))


def _combine(name: str, found: dict[datetime, list[float]]) -> Iterator[Bar]:
    for start, values in found.items():
        is_mean = name in MEAN_NAMES and values
        yield Bar(start, sum(values) / len(values) if is_mean else sum(values))
