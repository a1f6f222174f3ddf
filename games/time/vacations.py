"""Read vacations: how much of one is left, and when a turn begins after one."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

from games.models import Match, Seat, Vacation

MAX_VACATION_PER_YEAR = timedelta(days=14)
MIN_VACATION = timedelta(minutes=1)


def find_end(user_id: int, now: datetime) -> datetime | None:
    """Return when the vacation of this person ends, or None."""
    return Vacation.objects.at(now).filter(user=user_id).values_list("ends_at", flat=True).first()


def compute_remaining(user_id: int, now: datetime) -> timedelta:
    """Return how much vacation this person has left this year, in UTC."""
    new_year = datetime(now.astimezone(UTC).year, 1, 1, tzinfo=UTC)
    taken = Vacation.objects.filter(user=user_id, began_at__gte=new_year)
    used = sum((row.ends_at - row.began_at for row in taken), timedelta(0))
    return max(timedelta(0), MAX_VACATION_PER_YEAR - used)


def delay_turn(match: Match, seats: Sequence[Seat], turn: int | None, now: datetime) -> None:
    """Begin the turn after the vacation of its player if the clock is one of days. The caller saves the row."""
    if not match.days or turn is None or seats[turn].computer or seats[turn].user_id is None:
        return
    end = find_end(seats[turn].player_id, now)
    if end is not None:
        match.turn_began_at = max(match.turn_began_at, end)
