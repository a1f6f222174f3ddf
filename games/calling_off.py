"""What it costs to go from a rated table, by calling off or else, once the hand was seen and before every seat has had
its first turn: twice a day completion alone, from the third time on the match (docs/ratings.md, "Calling off")."""

from datetime import datetime

from django.db.models import F, Q

from games.engine.moves import LEAVING
from games.models import Match, Move, Seat

MAX_FREE_DEPARTURES_A_DAY = 2  # rated matches out of which one person goes so in a UTC day
DEPARTURE_MOVES = ("abort", *sorted(LEAVING))
IS_FULL_TURN = ~Q(text__in=["draw", "muggins", "takeover", *DEPARTURE_MOVES])


def have_all_had_a_turn(match: Match) -> bool:
    """Whether every seat has had its first turn, as far as its person was there to have one: where the others played
    on without somebody who left, theirs alone count, or one leaver would rob them of the match."""
    moves = match.moves.values_list("seat", flat=True)
    had = set(moves.filter(IS_FULL_TURN))
    left_before = set(moves.filter(text__in=DEPARTURE_MOVES).exclude(number=match.version))
    return len(had | left_before) == match.seats.count()


def may_be_penalized(match: Match, seat: Seat) -> bool:
    """Whether it counts if this seat goes: its person has seen the hand, and could otherwise play good ones only."""
    return match.rated and seat.user_id is not None and seat.hand_seen_at is not None


def is_penalized(match: Match, seat: Seat, now: datetime) -> bool:
    """Whether going costs this seat the match."""
    if not may_be_penalized(match, seat):
        return False
    midnight = now.replace(hour=0, minute=0, second=0, microsecond=0)
    gone = Move.objects.filter(
        text__in=DEPARTURE_MOVES,
        at__gte=midnight,
        match__rated=True,
        match__status=Match.Status.FINISHED,
        match__rating_order=None,
        match__seats__user=seat.user_id,
        match__seats__position=F("seat"),
        match__seats__hand_seen_at__isnull=False,
    ).exclude(match=match)
    early = (move.text == "abort" or not have_all_had_a_turn(move.match) for move in gone.select_related("match"))
    return sum(early) >= MAX_FREE_DEPARTURES_A_DAY
