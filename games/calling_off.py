"""What it costs to go from a rated table, by calling off or else, once the hand was seen and before every seat has had
its first turn: twice a day completion alone, from the third time on the match (docs/ratings.md, "Calling off")."""

from datetime import datetime

from django.db.models import F, Q

from games.engine.moves import LEAVING
from games.models import Match, Move, Seat

FREE_A_DAY = 2  # rated matches out of which one person goes so in a UTC day
GOING = ("abort", *sorted(LEAVING))
HAD_A_TURN = ~Q(text__in=["draw", "muggins", "takeover", *GOING])


def all_had_a_turn(match: Match) -> bool:
    """Whether every seat has had its first turn, as far as its person was there to have one: where the others played
    on without somebody who left, theirs alone count, or one leaver would rob them of the match."""
    moves = match.moves.values_list("seat", flat=True)
    had = set(moves.filter(HAD_A_TURN))
    left_before = set(moves.filter(text__in=GOING).exclude(number=match.version))
    return len(had | left_before) == match.seats.count()


def is_counted(match: Match, seat: Seat) -> bool:
    """Whether it counts if this seat goes: its person has seen the hand, and could otherwise play good ones only."""
    return match.rated and seat.user_id is not None and seat.hand_seen_at is not None


def costs_the_match(match: Match, seat: Seat, now: datetime) -> bool:
    """Whether going costs this seat the match."""
    if not is_counted(match, seat):
        return False
    midnight = now.replace(hour=0, minute=0, second=0, microsecond=0)
    gone = Move.objects.filter(
        text__in=GOING,
        at__gte=midnight,
        match__rated=True,
        match__status=Match.Status.FINISHED,
        match__rating_order=None,
        match__seats__user=seat.user_id,
        match__seats__position=F("seat"),
        match__seats__hand_seen_at__isnull=False,
    ).exclude(match=match)
    early = (move.text == "abort" or not all_had_a_turn(move.match) for move in gone.select_related("match"))
    return sum(early) >= FREE_A_DAY
