"""Count on how many days in a row a person has played; a day that the site took from them ends no streak."""

from collections.abc import Callable
from datetime import UTC, date, datetime, time, timedelta

from events.models import DealSet, Entry, Outage

DAY = timedelta(days=1)
MAX_EXCUSED_DAYS = 30  # in a row, that are searched
MAX_DOWN = timedelta(hours=1)  # of a day; with more it ends nobody's streak


def count_streak(user_id: int, today: date) -> int:
    """Return on how many days in a row, up to today or yesterday, the person has played every round.

    Days without a deal, with a cancelled one, and on which the site was down for over an hour are left out.
    """
    finished = Entry.objects.filter(
        user=user_id, practice=False, finished_at__isnull=False, deals__day__isnull=False
    )
    days = {day for day in finished.values_list("deals__day", flat=True) if day is not None}
    if not days:
        return 0
    first = min(days)
    day = today if today in days else today - DAY
    is_excused: Callable[[date], bool] | None = None
    streak = 0
    while day >= first:
        if day in days:
            streak += 1
        else:
            is_excused = is_excused or _load_excuses(first, day)
            if not is_excused(day):
                break
        day -= DAY
    return streak


def find_last_days(today: date) -> list[date]:
    """Return the days on which a streak that can go on today may have had its last deal: yesterday, and each day
    that is parted from today only by days that end nobody's streak.
    """
    first, days = today - MAX_EXCUSED_DAYS * DAY, []
    is_excused = _load_excuses(first, today - DAY)
    for back in range(1, MAX_EXCUSED_DAYS + 1):
        days.append(today - back * DAY)
        if not is_excused(days[-1]):
            break
    return days


def _load_excuses(first: date, last: date) -> Callable[[date], bool]:
    """Return a function that tells whether a day from `first` to `last` ends nobody's streak."""
    sets = DealSet.objects.filter(day__range=(first, last), cancelled_at=None)
    playable = set(sets.values_list("day", flat=True))
    lost = find_lost_days(first, last)
    return lambda day: day not in playable or day in lost


def find_lost_days(first: date, last: date) -> frozenset[date]:
    """Return the days from `first` to `last` on which the site was down for so long that they end nobody's streak."""
    begin, end = _midnight(first), _midnight(last) + DAY
    down: dict[date, timedelta] = {}
    outages = Outage.objects.filter(began_at__lt=end, ended_at__gt=begin)
    for began, ended in outages.values_list("began_at", "ended_at"):
        day = max(began, begin).date()
        while day <= min(ended, end).date():
            midnight = _midnight(day)
            lost = min(ended, midnight + DAY) - max(began, midnight)
            down[day] = down.get(day, timedelta(0)) + lost
            day += DAY
    return frozenset(day for day, lost in down.items() if lost > MAX_DOWN and day <= last)


def _midnight(day: date) -> datetime:
    return datetime.combine(day, time(), tzinfo=UTC)
