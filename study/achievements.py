"""Achievements of a person and their streak of days, computed from stored matches and answers to puzzles."""

from collections.abc import Callable, Iterator
from datetime import date, datetime, timedelta
from typing import NamedTuple

from django.db.models import Exists, F, Min, OuterRef, QuerySet
from django.utils import timezone

from accounts.models import User
from games.models import Match, Move, Seat
from games.past.tallies import NO_PERSON
from study import wording
from study.models import PuzzleTry

GAMES_TO_TRY = 10
MATCHES_TO_FINISH = 100
PUZZLES_TO_SOLVE = 25
MAX_STREAK_DAYS = 400  # days that are searched for a streak


class Achievement(NamedTuple):
    """What was achieved (a key of `study.wording.ACHIEVEMENTS`), and when."""

    key: str
    at: datetime

    @property
    def title(self) -> str:
        return str(wording.ACHIEVEMENTS[self.key][0])

    @property
    def about(self) -> str:
        return str(wording.ACHIEVEMENTS[self.key][1])


def find_achievements(person: User) -> list[Achievement]:
    """Return a person's achievements, oldest first; a bot has none."""
    if person.is_bot:
        return []
    found = [Achievement(key, at) for key, at in _dates(person) if at is not None]
    return sorted(found, key=lambda each: each.at)


def _dates(person: User) -> Iterator[tuple[str, datetime | None]]:
    """Yield the date of each achievement, or None if it is still to come."""
    seats = _finished_seats(person)
    won = seats.filter(won=True)
    others = Seat.objects.filter(match=OuterRef("match")).exclude(user=person)
    ended = "match__ended_at"
    yield "first-win", _earliest(won, ended)
    yield (
        "beat-people",
        _earliest(won.exclude(Exists(others.filter(NO_PERSON))), ended),
    )
    yield "beat-master", _earliest(won.filter(Exists(others.filter(level="master", won=False))), ended)
    # Both conditions in one filter: they must hold for the same seat.
    calls = Move.objects.filter(text="muggins", match__seats__user=person, seat=F("match__seats__position"))
    calls = calls.filter(match__concealed=False)
    yield "first-call", _earliest(calls, "at")
    games = seats.filter(match__preset__isnull=False).values("match__preset")
    firsts = games.annotate(first=Min(ended)).order_by("first").values_list("first", flat=True)
    yield "ten-games", _nth(firsts, GAMES_TO_TRY)
    yield "hundred-matches", _nth(seats.order_by(ended).values_list(ended, flat=True), MATCHES_TO_FINISH)
    solved = PuzzleTry.objects.filter(user=person, solved=True).order_by("at").values_list("at", flat=True)
    yield "puzzles", _nth(solved, PUZZLES_TO_SOLVE)


def _finished_seats(person: User) -> QuerySet[Seat]:
    """Return the person's seats of matches that they played to the end; none of a set of deals that is open."""
    seats = Seat.objects.filter(user=person, taken_over=False, left=False, won__isnull=False)
    return seats.filter(match__status=Match.Status.FINISHED, match__annulled_at=None, match__concealed=False)


def _earliest(rows: QuerySet[Seat] | QuerySet[Move], field: str) -> datetime | None:
    first: datetime | None = rows.aggregate(first=Min(field))["first"]
    return first


def _nth(dates: QuerySet[Seat, datetime] | QuerySet[PuzzleTry, datetime], number: int) -> datetime | None:
    return next(iter(dates[number - 1 : number]), None)


# Takes the first and the last of some days; returns those that end no streak, as the site was down for so long.
FindLostDays = Callable[[date, date], frozenset[date]]
_find_lost_days: FindLostDays | None = None


def register_lost_days(find: FindLostDays) -> None:
    """Register who knows of outages; call it from `AppConfig.ready`."""
    global _find_lost_days
    _find_lost_days = find


def count_streak_days(person: User, today: date) -> int:
    """Return on how many UTC days in a row, up to today or yesterday, the person finished a match or tried a puzzle.

    Days that the site took from them are left out.
    """
    since = timezone.now() - timedelta(days=MAX_STREAK_DAYS)
    ended = (
        _finished_seats(person).filter(match__ended_at__gt=since).values_list("match__ended_at", flat=True)
    )
    answered = PuzzleTry.objects.filter(user=person, at__gt=since).values_list("at", flat=True)
    days = {at.date() for at in [*ended, *answered] if at is not None}
    if not days:
        return 0
    lost = frozenset() if _find_lost_days is None else _find_lost_days(min(days), today)
    day = today if today in days else today - timedelta(days=1)
    streak = 0
    while day in days or day in lost:
        streak += day in days
        day -= timedelta(days=1)
    return streak
