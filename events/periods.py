"""Parse the months and years of the leaderboards."""

import re
from calendar import monthrange
from collections.abc import Mapping
from datetime import date
from typing import NamedTuple

from events.leaderboards import BEST_DAYS_A_MONTH, BEST_DAYS_A_YEAR


class Period(NamedTuple):
    """A month or a year: `current` and `previous` are values of the query, `other_period` is a full query."""

    period: str
    first: date
    last: date
    best_days: int
    current: str
    previous: str
    other_period: str


def parse_period(query: Mapping[str, str], today: date) -> Period:
    """Return the period of a query; today's month if it names none.

    >>> parse_period({"month": "2026-11"}, date(2027, 1, 5)).last
    datetime.date(2026, 11, 30)
    >>> parse_period({"year": "2026"}, date(2027, 1, 5)).previous
    '2025'
    """
    if year := re.fullmatch(r"20\d\d", query.get("year", "")):
        return _build_year(int(year[0]))
    if month := re.fullmatch(r"(20\d\d)-(0[1-9]|1[0-2])", query.get("month", "")):
        return _build_month(int(month[1]), int(month[2]))
    return _build_month(today.year, today.month)


def _build_year(year: int) -> Period:
    return Period(
        "year",
        date(year, 1, 1),
        date(year, 12, 31),
        BEST_DAYS_A_YEAR,
        str(year),
        str(year - 1),
        f"month={year}-12",
    )


def _build_month(year: int, month: int) -> Period:
    before = (year - 1, 12) if month == 1 else (year, month - 1)
    return Period(
        "month",
        date(year, month, 1),
        date(year, month, monthrange(year, month)[1]),
        BEST_DAYS_A_MONTH,
        f"{year}-{month:02d}",
        f"{before[0]}-{before[1]:02d}",
        f"year={year}",
    )
