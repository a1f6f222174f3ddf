"""The table of a season: what each person of a club has won over its nights."""

from __future__ import annotations

from collections import defaultdict
from datetime import date, datetime, timedelta
from fractions import Fraction
from typing import NamedTuple

from core.time_zones import get_zone
from nights.club_models import Club, Season
from nights.models import Entry, Night

DAY = timedelta(days=1)


class SeasonRow(NamedTuple):
    """A person's row; people who have won the same share `place`. `nights` are those with a place in the standings."""

    place: int
    name: str
    won: Fraction
    nights: int


def find_season(club: Club, today: date, chosen: int | None = None) -> Season:
    """Return the chosen season, else that of today, else the last one that has begun; without any the year, unsaved."""
    seasons = list(club.seasons.all())
    found = next((each for each in seasons if each.pk == chosen), None)
    found = found or next((each for each in seasons if each.first_day <= today <= each.last_day), None)
    found = found or next((each for each in seasons if each.first_day <= today), None)
    return found or Season(
        club=club, name=str(today.year), first_day=date(today.year, 1, 1), last_day=date(today.year, 12, 31)
    )


def compute_season(club: Club, season: Season) -> list[SeasonRow]:
    """Return the table over the club's nights that are over, best first. A night's day is that of its own zone."""
    entries = Entry.objects.filter(
        night__club=club,
        night__status=Night.Status.OVER,
        night__starts_at__gte=_midnight(season.first_day) - DAY,
        night__starts_at__lt=_midnight(season.last_day) + 2 * DAY,
        person__isnull=False,
        place__isnull=False,
    ).values_list("person", "person__name", "won", "night__starts_at", "night__zone")
    names: dict[int, str] = {}
    won: dict[int, Fraction] = defaultdict(Fraction)
    nights: dict[int, int] = defaultdict(int)
    for person, name, share, starts_at, zone in entries:
        if season.first_day <= starts_at.astimezone(get_zone(zone)).date() <= season.last_day:
            names[person] = name
            won[person] += Fraction(share)
            nights[person] += 1
    return _place(names, won, nights)


def _midnight(day: date) -> datetime:
    return datetime.combine(day, datetime.min.time(), tzinfo=get_zone("UTC"))


def _place(names: dict[int, str], won: dict[int, Fraction], nights: dict[int, int]) -> list[SeasonRow]:
    rows: list[SeasonRow] = []
    for person in sorted(names, key=lambda person: (-won[person], names[person].casefold())):
        shared = bool(rows) and rows[-1].won == won[person]
        place = rows[-1].place if shared else len(rows) + 1
        rows.append(SeasonRow(place, names[person], won[person], nights[person]))
    return rows
