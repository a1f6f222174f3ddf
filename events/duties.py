"""The periodic duty of this app: seal today's and tomorrow's deals, close what is over, score again what is old."""

from datetime import datetime

from events.services import close_due, score_again, seal_day
from events.services.sets import DAY


def keep_days(now: datetime) -> None:
    """Close the sets whose time is over; seal those of today and of tomorrow if they are missing."""
    close_due(now)
    today = now.date()
    for day in (today, today + DAY):
        seal_day(day, now)
    score_again()
