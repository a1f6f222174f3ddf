"""Begin and end vacations. Clocks of days do not run on the turn of a player who is on vacation."""

from datetime import datetime, timedelta

from django.db import transaction
from django.utils import timezone

from accounts.models import User
from games.locking import locked_match
from games.models import Match, Vacation
from games.repository import Snapshot
from games.services import turns
from games.services.matches import advance
from games.time import clocks, vacations
from games.time.day_clocks import DAY_SECONDS
from live.broadcast import broadcast_page_changed


def begin_vacation(user: User) -> bool:
    """Begin a vacation for the rest of this year's days, unless one runs. Return False if no days are left."""
    now = timezone.now()
    with transaction.atomic():
        # Serialize, so that two requests at once begin one vacation.
        User.objects.select_for_update(no_key=True).get(pk=user.pk)
        if vacations.find_end(user.pk, now) is not None:
            return True
        remaining = vacations.compute_remaining(user.pk, now)
        if remaining < vacations.MIN_VACATION:
            return False
        Vacation.objects.create(user=user, began_at=now, ends_at=now + remaining)
    for match in _find_matches(user):
        advance(match, timezone.now())  # first store that a clock has already run out
        with locked_match(pk=match.pk) as (snapshot, now):
            if _is_on_turn(snapshot, user):
                _stop_clock(snapshot, now)
    return True


def end_vacation(user: User) -> None:
    """End the vacation of this person, if there is one, and let their clocks run again."""
    now = timezone.now()
    if not Vacation.objects.at(now).filter(user=user).update(ends_at=now):
        return
    for match in _find_matches(user):
        with locked_match(pk=match.pk) as (snapshot, now):
            if _is_on_turn(snapshot, user) and clocks.get_vacation_end(snapshot.match, now):
                _save_turn(snapshot, max(now, snapshot.match.pause_until or now), now)


def _find_matches(user: User) -> list[Match]:
    """Return the running matches of a person with a clock of days. The turn is checked later, with the match locked."""
    running = Match.objects.filter(status=Match.Status.PLAYING, clock_seconds__gte=DAY_SECONDS)
    return list(running.filter(seats__user=user, seats__taken_over=False).order_by("pk"))


def _is_on_turn(snapshot: Snapshot, user: User) -> bool:
    turn, own = snapshot.value.turn, snapshot.seat_of(user)
    return snapshot.match.playing and own is not None and own.position == turn


def _stop_clock(snapshot: Snapshot, now: datetime) -> None:
    """Charge what the turn has taken so far, and continue it after the vacation."""
    row, turn = snapshot.match, snapshot.value.turn
    if turn is None:
        return
    began_at = row.turn_began_at
    use = clocks.get_clock_use(row, turn, snapshot.value, row.left_at or now) or timedelta(0)
    vacations.delay_turn(row, snapshot.seats, turn, now)
    if row.turn_began_at == began_at:
        return  # the vacation has ended meanwhile
    seat, used_ms = snapshot.seats[turn], use // timedelta(milliseconds=1)
    seat.clock_ms = max(0, (seat.clock_ms or 0) - used_ms)
    seat.save(update_fields=["clock_ms"])
    row.turn_used_ms += used_ms
    _save_turn(snapshot, row.turn_began_at, now)


def _save_turn(snapshot: Snapshot, began_at: datetime, now: datetime) -> None:
    row = snapshot.match
    row.turn_began_at = began_at
    row.next_action_at = clocks.get_next_action(snapshot, now)
    row.save(update_fields=["turn_began_at", "turn_used_ms", "next_action_at"])
    broadcast_page_changed(f"match.{row.code}", "clock")
    turns.notify(snapshot)
