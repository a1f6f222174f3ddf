"""Penalties for leaving a rated match after seeing the hand and before every seat had its first turn.

Twice a day it costs completion alone, from the third time on the match (docs/ratings.md, "Calling off"). In pairs it
also uses an exemption of the partner ("Who leaves, and who stays"), and costs the match where none is left. Making the
match casual by a shared address (`Match.casual_by`) counts the same.
"""

from collections.abc import Sequence
from datetime import datetime

from django.db.models import F, Q, QuerySet

from accounts import limits
from boneyard.engine.moves import LEAVING
from games.models import Match, Move, Seat

MAX_FREE_DEPARTURES_A_DAY = 2  # by one person, in a UTC day
PAIRS_POOL_MARK = "-pairs"  # the pools of matches of days have a suffix after it
DEPARTURE_MOVES = ("abort", *sorted(LEAVING))
IS_FULL_TURN = ~Q(text__in=["draw", "muggins", "close", "takeover", "void", *DEPARTURE_MOVES])


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


def has_partner_seen(match: Match, seat: Seat, seats: Sequence[Seat]) -> bool:
    """Return whether the seat plays in a pair and its partner has seen their hand."""
    partner = (seat.position + 2) % 4
    return PAIRS_POOL_MARK in match.pool and seats[partner].hand_seen_at is not None


def is_penalized(match: Match, seat: Seat, seats: Sequence[Seat], now: datetime) -> bool:
    """Return whether leaving costs this seat the match; `seats` are all of the match."""
    if not may_be_penalized(match, seat):
        return False
    return _has_left_often(match, seat, now) or _has_unprotected_partner(match, seat, seats, now)


def _has_left_often(match: Match, seat: Seat, now: datetime) -> bool:
    midnight = now.replace(hour=0, minute=0, second=0, microsecond=0)
    departures = _find_early_departures(match__seats__user=seat.user_id, match__seats__position=F("seat"))
    early = sum(_is_early(move) for move in departures.filter(at__gte=midnight).exclude(match=match))
    made_casual = Match.objects.filter(
        casual_since__gte=midnight, seats__user=seat.user_id, seats__position=F("casual_by")
    )
    return early + made_casual.exclude(pk=match.pk).count() >= MAX_FREE_DEPARTURES_A_DAY


def _has_unprotected_partner(match: Match, seat: Seat, seats: Sequence[Seat], now: datetime) -> bool:
    """Return whether the partner has no exemption left for a match that this seat calls off."""
    if PAIRS_POOL_MARK not in match.pool:
        return False
    partner = seats[(seat.position + 2) % 4].user_id
    if partner is None:
        return False
    leaver = limits.Leaver(seat.player_id, seat.by_chance)
    return not limits.has_exemption(partner, leaver, now, find_called_off_beside(partner, now))


def find_called_off_beside(user_id: int, now: datetime) -> tuple[limits.Leaver, ...]:
    """Return the partners who called off beside this player within `limits.LIMIT_PERIOD`, once for each match."""
    departures = _find_early_departures(
        match__seats__user=user_id, match__seats__position=(F("seat") + 2) % 4
    ).filter(
        match__pool__contains=PAIRS_POOL_MARK,
        match__ended_at__gt=now - limits.LIMIT_PERIOD,
        match__ended_at__lt=now,
    )
    made_casual = Match.objects.filter(
        casual_since__gt=now - limits.LIMIT_PERIOD,
        casual_since__lt=now,
        pool__contains=PAIRS_POOL_MARK,
        seats__user=user_id,
        seats__position=(F("casual_by") + 2) % 4,
    )
    left = [(move.match_id, move.seat) for move in departures if _is_early(move)]
    made = made_casual.values_list("pk", "casual_by")
    left += [(pk, position) for pk, position in made if position is not None]
    leavers = (Seat.objects.get(match=match, position=seat) for match, seat in left)
    return tuple(
        limits.Leaver(leaver.user_id, leaver.by_chance) for leaver in leavers if leaver.user_id is not None
    )


def _find_early_departures(**player: object) -> QuerySet[Move]:
    """Return the departures from rated matches that were not rated, by leavers who had seen their hand.

    `player` selects a seat of the match. Those after every seat's first turn are included (`_is_early`).
    """
    return (
        Move.objects.filter(
            text__in=DEPARTURE_MOVES,
            match__rated=True,
            match__status=Match.Status.FINISHED,
            match__rating_order=None,
            **player,
        )
        .filter(match__seats__position=F("seat"), match__seats__hand_seen_at__isnull=False)
        .select_related("match")
    )


def _is_early(move: Move) -> bool:
    return move.text == "abort" or not have_all_had_a_turn(move.match)
