"""What calling a rated match off costs: twice a day nothing, from the third time on the match (docs/ratings.md)."""

from datetime import datetime

from django.db.models import F

from games.models import Match, Move, Seat

FREE_A_DAY = 2  # rated matches that one person calls off in a UTC day after seeing the hand


def costs_the_match(match: Match, seat: Seat, now: datetime) -> bool:
    """Whether calling off counts as resigning: who has seen the hand could otherwise play good ones only."""
    if not match.rated or seat.user_id is None or seat.hand_seen_at is None:
        return False
    midnight = now.replace(hour=0, minute=0, second=0, microsecond=0)
    called_off = Move.objects.filter(
        text="abort",
        at__gte=midnight,
        match__rated=True,
        match__seats__user=seat.user_id,
        match__seats__position=F("seat"),
        match__seats__hand_seen_at__isnull=False,
    )
    return called_off.count() >= FREE_A_DAY
