"""Penalties for leaving a rated match after seeing the hand and before every seat had its first turn.

Twice a day it costs completion alone, from the third time on the match (docs/ratings.md, "Calling off").
"""

from datetime import datetime

from django.db.models import F, Q

from games.engine.moves import LEAVING
from games.models import Match, Move, Seat

MAX_FREE_DEPARTURES_A_DAY = 2  # by one person, in a UTC day
DEPARTURE_MOVES = ("abort", *sorted(LEAVING))
IS_FULL_TURN = ~Q(text__in=["draw", "muggins", "takeover", *DEPARTURE_MOVES])


def have_all_had_a_turn(match: Match) -> bool:
    """Return whether every seat has had its first turn.

    Seats that left while the others played on do not count, or one leaver would take the match from the others.
    """
    moves = match.moves.values_list("seat", flat=True)
    seats_with_turn = set(moves.filter(IS_FULL_TURN))
    left_earlier = set(moves.filter(text__in=DEPARTURE_MOVES).exclude(number=match.version))
    return len(seats_with_turn | left_earlier) == match.seats.count()


def may_be_penalized(match: Match, seat: Seat) -> bool:
    """Return whether leaving may cost this seat: its player has seen the hand, and must not pick good ones."""
    return match.rated and seat.user_id is not None and seat.hand_seen_at is not None


def is_penalized(match: Match, seat: Seat, now: datetime) -> bool:
    """Return whether leaving costs this seat the match."""
    if not may_be_penalized(match, seat):
        return False
    midnight = now.replace(hour=0, minute=0, second=0, microsecond=0)
    departures = Move.objects.filter(
        text__in=DEPARTURE_MOVES,
        at__gte=midnight,
        match__rated=True,
        match__status=Match.Status.FINISHED,
        match__rating_order=None,
        match__seats__user=seat.user_id,
        match__seats__position=F("seat"),
        match__seats__hand_seen_at__isnull=False,
    ).exclude(match=match)
    early_departures = (
        move.text == "abort" or not have_all_had_a_turn(move.match)
        for move in departures.select_related("match")
    )
    return sum(early_departures) >= MAX_FREE_DEPARTURES_A_DAY
