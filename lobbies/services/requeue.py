"""Return the others of a quick-play match that was called off to the head of the queue."""

from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import QuerySet

from accounts.models import User
from boneyard.engine.moves import VOID
from games.models import Match, Seat
from games.time.day_clocks import DAY_SECONDS
from games.time.presence import load_presence
from live.open_sockets import has_page_here
from lobbies.game import game_of
from lobbies.models import Sitting, Table

from . import rows

REQUEUE_WINDOW = timedelta(seconds=30)  # within which the referee finds a match that was called off


def find_tables_called_off(now: datetime) -> QuerySet[Table]:
    """Return the tables whose match was just called off, by a player or as the first turn did not come."""
    matches = Match.objects.filter(ended_at__gt=now - REQUEUE_WINDOW, result_how="aborted")
    codes = list(matches.exclude(moves__text=VOID.kind).values_list("code", flat=True))
    if not codes:
        return Table.objects.none()
    return Table.objects.filter(code__in=codes, status=Table.Status.STARTED)


def find_called_off(now: datetime) -> QuerySet[Table]:
    """Return the quick-play tables among them whose people have not been seated again."""
    return find_tables_called_off(now).filter(quick=True, private=False, moved_to="")


def seat_again(table: Table, now: datetime) -> None:
    """Seat the people with a page open, but the one who called off, at a new table, which is as old as this one.

    Seats of people who do not wait there any more are freed like any other (`sweeping.free_if_away`).
    """
    with transaction.atomic():
        row = Table.objects.lock(table.pk)
        people = _find_people(Match.objects.get(code=row.code), now)
        if row.moved_to or not people:
            return
        new = rows.new_table(people[0], game_of(row), rated=row.rated, private=False, quick=True)
        new.created_at = row.created_at
        new.save(update_fields=["created_at"])
        seated_by_quick_play = set(row.sittings.filter(quick=True).values_list("user", flat=True))
        for position, user in enumerate(people):
            rows.seat_person(new, position, user, quick=user.pk in seated_by_quick_play)
        row.moved_to = new.code
        row.save(update_fields=["moved_to"])
        rows.notify(new)
        rows.notify_people(user.pk for user in people)


def _find_people(match: Match, now: datetime) -> list[User]:
    """Return the users of the other seats who have a page open, have seen their hand, and wait or play nowhere else.

    Matches with a clock of days do not count.
    """
    caller = match.moves.latest("number").seat
    seats = list(match.seats.select_related("user"))
    presence = load_presence(match, seats, now)
    at_match = presence.seats | presence.just_left
    return [
        seat.user
        for seat in seats
        if seat.user is not None
        and seat.position != caller
        and (seat.position in at_match or has_page_here(seat.user.pk))
        and seat.hand_seen_at is not None
        and not any(sitting.table.days is None for sitting in Sitting.objects.waiting(seat.user.pk))
        and not _find_running(seat.user).exists()
    ]


def _find_running(user: User) -> QuerySet[Seat]:
    running = Seat.objects.filter(user=user, score__isnull=True, left=False)
    return running.exclude(match__clock_seconds__gte=DAY_SECONDS)
