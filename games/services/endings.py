"""How a match ends: the one place that writes a result and has it rated. Called by services, in its transaction."""

from collections.abc import Sequence
from datetime import datetime, timedelta

from django.db.models import F, Q

from accounts import ratings
from games.engine.matches import Match as Value
from games.models import Match, RatingOrder, Seat
from games.values import Snapshot

ENDS_A_TURN = ~Q(text__in=["draw", "muggins", "resign", "time", "left", "takeover", "abort"])
RATED_A_DAY = 10  # between the same two players; the eleventh of a UTC day is not rated


def finish(snapshot: Snapshot, now: datetime) -> None:
    """Write the result into the rows, rate it once, and leave nothing due. The caller saves the match's row."""
    row, seats, value = snapshot.match, snapshot.seats, snapshot.value
    result = value.result
    row.status = Match.Status.FINISHED
    row.result_how = result.how
    row.winners = list(result.winners)
    row.scores = list(value.scores)
    row.ended_at = now
    row.next_action_at = row.pause_until = row.wait_until = None
    missed = points_missed(value)
    for seat in seats:
        side = side_of(value, seat.position)
        seat.left = seat.position in value.left
        seat.score = result.scores[side]
        seat.won = side in result.winners if result.how != "aborted" else None
        seat.missed = missed[seat.position]
    if is_rated(row, seats):
        _rate(snapshot, now)
    Seat.objects.bulk_update(seats, ["left", "score", "won", "missed", "rating_before", "rating_after"])


def is_rated(row: Match, seats: Sequence[Seat]) -> bool:
    """Whether an ended match counts (docs/ratings.md): not when aborted, cut short before everybody's first turn
    (other than by calling off once too often), or when two of its players have met in ten rated matches that day."""
    if not row.rated or row.result_how == "aborted" or row.annulled_at:
        return False
    if any(seat.kind != Seat.Kind.PLAYER or seat.user_id is None for seat in seats):
        return False
    if any(seat.called_off for seat in seats):
        return not _met_too_often(row, seats)
    had_a_turn = row.moves.filter(ENDS_A_TURN).values("seat").distinct().count()
    return had_a_turn == len(seats) and not _met_too_often(row, seats)


def _met_too_often(row: Match, seats: Sequence[Seat]) -> bool:
    midnight = row.ended_at.replace(hour=0, minute=0, second=0, microsecond=0)
    met: dict[tuple[int, int], int] = {}
    users = [seat.user_id for seat in seats]
    rated_today = (
        Match.objects.filter(
            rating_order__isnull=False, ended_at__gte=midnight, ended_at__lt=midnight + timedelta(days=1)
        )
        .exclude(pk=row.pk)
        .filter(seats__user__in=users)
        .distinct()
        .prefetch_related("seats")
    )
    for match in rated_today:
        here = sorted(seat.user_id for seat in match.seats.all() if seat.user_id in users)
        for i, one in enumerate(here):
            for other in here[i + 1 :]:
                met[one, other] = met.get((one, other), 0) + 1
    return any(times >= RATED_A_DAY for times in met.values())


def _rate(snapshot: Snapshot, now: datetime) -> None:
    row, seats, value = snapshot.match, snapshot.seats, snapshot.value
    RatingOrder.objects.get_or_create(pk=1)
    RatingOrder.objects.filter(pk=1).update(last=F("last") + 1)
    row.rating_order = RatingOrder.objects.get(pk=1).last
    changes = ratings.rate(
        pool=row.pool,
        order=row.rating_order,
        match_code=row.code,
        sides=rated_sides(value.sides, seats),
        ranks=places(value),
        at=now,
    )
    for seat in seats:
        seat.rating_before, seat.rating_after = changes[seat.user_id]


def rated_sides(sides: Sequence[Sequence[int]], seats: Sequence[Seat]) -> list[list[ratings.Player]]:
    return [[ratings.Player(seats[i].user_id, seats[i].left) for i in side] for side in sides]


def places(value: Value) -> list[int]:
    """The place of each side from 1: winners first, then by score, those who left last; equals share a place."""
    better = 1 if value.rules.lowest_wins else -1

    def key(side: int) -> tuple[int, int]:
        if side in value.result.winners:
            return (0, 0)
        if any(seat in value.left for seat in value.sides[side]):
            return (2, 0)
        return (1, better * value.result.scores[side])

    keys = [key(side) for side in range(len(value.sides))]
    return [1 + sum(other < mine for other in keys) for mine in keys]


def side_of(value: Value, position: int) -> int:
    return next(i for i, side in enumerate(value.sides) if position in side)


def points_missed(value: Value) -> list[int]:
    """By seat, the points of its own plays that it did not claim well at called tables."""
    missed = [0] * value.seats
    if value.rules.claims != "muggins":
        return missed
    for ended in value.ended:
        for entry in ended.log:
            if entry.points and not entry.scored and entry.move.kind == "play":
                missed[entry.seat] += entry.points
    return missed
