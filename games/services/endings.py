"""Write the result of a match and rate it, inside the transaction of the calling service."""

from collections.abc import Collection, Sequence
from datetime import datetime

from django.db.models import F, Q

from accounts import limits, ratings
from accounts.models import User
from boneyard.engine.matches import Match as Value
from boneyard.engine.matches import Result
from boneyard.engine.rules import Rules
from boneyard.engine.terms import terms
from core.prepared import PreparedUpdate
from games.calling_off import (
    find_called_off_beside,
    has_partner_seen,
    have_all_had_a_turn,
    is_penalized,
)
from games.models import Match, RatingOrder, Seat
from games.repository import Snapshot
from games.services.connections import record_hand_sent

_RESULT_UPDATE = PreparedUpdate(Seat, ["left", "score", "won", "missed", "rating_before", "rating_after"])
MAX_RATED_MATCHES_A_DAY = 10  # between the same two players; the eleventh of a UTC day is not rated


def finish(snapshot: Snapshot, now: datetime) -> None:
    """Write the result into the rows, rate it and clear all deadlines. The caller saves the match's row."""
    row, seats, value = snapshot.match, snapshot.seats, snapshot.value
    result = get_result(value)
    row.status = Match.Status.FINISHED
    row.result_how = result.how
    row.winners = list(result.winners)
    row.scores = list(value.scores)
    row.ended_at = now
    row.next_action_at = row.pause_until = row.wait_until = None
    missed = count_missed_points(value)
    for seat in seats:
        side = value.terms.side_of[seat.position]
        seat.left = seat.position in value.gone or seat.taken_over
        seat.score = result.scores[side]
        seat.won = side in result.winners if result.how != "aborted" else None
        seat.missed = missed[seat.position]
    if result.how != "aborted" and not have_all_had_a_turn(row):
        for seat in sorted((seat for seat in seats if seat.left), key=lambda seat: seat.user_id or 0):
            record_early_departure(row, seat, seats, now)
    if is_rated(row, seats):
        _rate(snapshot)
    _RESULT_UPDATE.save_all(seats)


def record_early_departure(
    row: Match, seat: Seat, seats: Sequence[Seat], now: datetime, *, by_clock: bool = False
) -> None:
    """Record, once, the penalty for leaving a match that ends before every seat has had its first turn.

    It counts in the daily limit whether the player has looked at the hand or not: a partner, a friend or a spectator's
    page may have told them enough. `by_clock`: their first turn ran out, which completion counts as well; calling off
    without a look it does not.
    """
    if seat.called_off or not row.rated or seat.user_id is None:
        return
    is_seen = seat.hand_seen_at is not None or has_partner_seen(row, seat, seats)
    record_hand_sent(seat)
    # Serialize a player who leaves two matches at once: both must count.
    User.objects.select_for_update().get(pk=seat.player_id)
    if is_penalized(row, seat, seats, now):
        seat.called_off = seat.unfinished = True
        seat.save(update_fields=["called_off", "unfinished"])
    elif is_seen or by_clock:
        ratings.note_called_off(user_id=seat.player_id, pool=row.pool)


def is_rated(row: Match, seats: Sequence[Seat]) -> bool:
    """Return whether an ended match is rated (docs/ratings.md).

    It is not if it was aborted, if it ended before every seat's first turn (unless a penalty applies), or if two of its
    players had begun `MAX_RATED_MATCHES_A_DAY` rated matches before it that day.
    """
    if not row.rated or row.result_how == "aborted" or row.annulled_at:
        return False
    if any(seat.kind != Seat.Kind.PLAYER or seat.user_id is None for seat in seats):
        return False
    if any(seat.called_off for seat in seats):
        return not _met_too_often(row, seats)
    return have_all_had_a_turn(row) and not _met_too_often(row, seats)


def _met_too_often(row: Match, seats: Sequence[Seat]) -> bool:
    """Return whether two of the players had begun `MAX_RATED_MATCHES_A_DAY` rated matches that day before this one.

    However those ended: two friends must not decide by another match of theirs, while this one goes badly, whether it
    will be rated.
    """
    midnight = row.started_at.replace(hour=0, minute=0, second=0, microsecond=0)
    meetings: dict[tuple[int, int], int] = {}
    users = [seat.player_id for seat in seats]
    begun_today = (
        Match.objects.filter(
            Q(rated=True) | Q(casual_since__isnull=False), started_at__gte=midnight, pk__lt=row.pk
        )
        .filter(seats__user__in=users)
        .distinct()
        .prefetch_related("seats")
    )
    for match in begun_today:
        users_present = sorted(seat.player_id for seat in match.seats.all() if seat.user_id in users)
        for i, one in enumerate(users_present):
            for other in users_present[i + 1 :]:
                meetings[one, other] = meetings.get((one, other), 0) + 1
    return any(count >= MAX_RATED_MATCHES_A_DAY for count in meetings.values())


def _rate(snapshot: Snapshot) -> None:
    row, seats, value = snapshot.match, snapshot.seats, snapshot.value
    RatingOrder.objects.get_or_create(pk=1)
    RatingOrder.objects.filter(pk=1).update(last=F("last") + 1)
    row.rating_order = RatingOrder.objects.get(pk=1).last
    changes = ratings.rate(pool=row.pool, **vars(build_rated(row, seats, value.rules)))
    for seat in seats:
        if seat.player_id in changes:
            seat.rating_before, seat.rating_after = changes[seat.player_id]


def build_rated(row: Match, seats: Sequence[Seat], rules: Rules) -> ratings.Rated:
    """Convert an ended match among people for `accounts.ratings`, from its stored rows.

    In pairs, if a computer took over a seat, the leaver is rated as placed last; for the others the match is casual.
    """
    sides = terms(rules, len(seats)).sides
    left = {seat.position for seat in seats if seat.left}
    casual = rules.in_pairs(len(seats)) and any(seat.taken_over for seat in seats)
    if casual:
        ranks = [1 + any(position in left for position in side) for side in sides]
    else:
        ranks = rank_sides(sides, row.winners or (), row.scores, left, rules.lowest_wins)

    def build_player(seat: Seat) -> ratings.Player:
        return ratings.Player(
            seat.player_id,
            seat.left,
            young=seat.user is not None and row.end - seat.user.date_joined < limits.NEW_ACCOUNT_AGE,
            counts=seat.left or not casual,
            finished=not seat.unfinished,
            called_off_beside=_find_called_off_beside(row, seat, seats, rules),
            by_chance=seat.by_chance,
        )

    players = [[build_player(seats[position]) for position in side] for side in sides]
    return ratings.Rated(row.rating_order or 0, row.code, players, ranks, row.end, row.length_scale)


def _find_called_off_beside(
    row: Match, seat: Seat, seats: Sequence[Seat], rules: Rules
) -> tuple[limits.Leaver, ...]:
    """Return the partners beside whom this player lost a match that was called off, if theirs has left this one."""
    if len(seats) != 4 or not rules.partners or seat.left or not seats[(seat.position + 2) % 4].left:
        return ()
    return find_called_off_beside(seat.player_id, row.end)


def get_result(value: Value) -> Result:
    """Return the result of an ended match. Raise `ValueError` while it is being played."""
    if value.result is None:
        raise ValueError("the match is being played")
    return value.result


def rank_sides(
    sides: Sequence[Sequence[int]],
    winners: Collection[int],
    scores: Sequence[int],
    gone: Collection[int],
    lowest_wins: bool,
) -> list[int]:
    """Return each side's rank from 1: winners first, then by score, leavers last; equal sides share a rank."""
    better = 1 if lowest_wins else -1

    def key(side: int) -> tuple[int, int]:
        if any(seat in gone for seat in sides[side]):
            return (2, 0)  # also where the computer in a leaver's seat won
        if side in winners:
            return (0, 0)
        return (1, better * scores[side])

    keys = [key(side) for side in range(len(sides))]
    return [1 + sum(other < own for other in keys) for own in keys]


def count_missed_points(value: Value) -> list[int]:
    """Return, by seat, the points of its own plays that it failed to claim at called tables."""
    missed = [0] * value.seats
    if value.rules.claims != "muggins":
        return missed
    for ended in value.ended:
        for entry in ended.log:
            if entry.points and not entry.scored and entry.move.kind == "play":
                missed[entry.seat] += entry.points
    return missed
