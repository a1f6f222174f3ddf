"""Tables whose seats a night has drawn: nobody hosts, sits down or leaves; play begins when all are there."""

from collections.abc import Collection, Mapping
from datetime import datetime

from django.db import transaction

from accounts.models import User
from lobbies.game import Game
from lobbies.models import Sitting, Table
from lobbies.refusals import TableRefused

from . import rows
from .starting import advance_locked


def open_drawn(
    maker: User,
    game: Game,
    night: str,
    people: Mapping[int, User],
    computers: Mapping[int, str],
    now: datetime,
) -> Table:
    """Open the table of a night, with these people and levels of computers by position; the other seats wait.

    Its people count as away until one of their pages shows up; who may not begin a match gets no seat. Raise
    `TableRefused` during maintenance.
    """
    with transaction.atomic():
        table = rows.new_table(maker, game, rated=game.rated, private=True, night=night)
        for position, user in people.items():
            _seat(table, position, user, now)
        rows.seat_computers(table, computers)
        rows.notify_people(user.pk for user in people.values())
    return table


def seat_drawn(code: str, position: int, user: User, now: datetime) -> None:
    """Give a free seat to the person for whom it was drawn. Raise `TableRefused`."""
    with transaction.atomic():
        row = _lock(code)
        if row.open and row.full_at is None and not row.sittings.filter(position=position).exists():
            rows.refuse_person(user, rated=False)
            _seat(row, position, user, now)
            rows.notify(row)
            rows.notify_people([user.pk])


def _seat(row: Table, position: int, user: User, now: datetime) -> None:
    if user.is_bot:
        return  # it became one after its name was drawn
    try:
        rows.refuse_person(user, rated=False)
    except TableRefused as refusal:
        if refusal.reason == "maintenance":
            raise  # a computer must not take the seat for that
        return
    sitting = rows.seat_person(row, position, user)
    sitting.seen_at = now - rows.AWAY_AFTER
    sitting.save(update_fields=["seen_at"])


def replace_with_computers(code: str, positions: Collection[int], level: str) -> list[int]:
    """Give the seats of people who are not there to computers; return the positions.

    Nothing changes once everybody is there.
    """
    with transaction.atomic():
        row = _lock(code)
        if not row.open or row.full_at is not None:
            return []
        people = {sitting.position: sitting for sitting in row.sittings.filter(position__in=positions)}
        leaving = [sitting.user_id for sitting in people.values() if sitting.user_id]
        row.sittings.filter(pk__in=[sitting.pk for sitting in people.values()]).delete()
        rows.seat_computers(row, dict.fromkeys(sorted(positions), level), beside=row.sittings.all())
        rows.notify(row)
        rows.notify_people(leaving)
        return sorted(positions)


def free_drawn(code: str, user: User) -> None:
    """Free the seat of a person whose name of the night belongs to them no more."""
    with transaction.atomic():
        row = _lock(code)
        if row.open and row.full_at is None:
            row.sittings.filter(user=user).delete()
            rows.notify(row)
            rows.notify_people([user.pk])


def fill_if_all_here(table: Table, now: datetime) -> bool:
    """Begin the shuffle of a night's table if all its people are there; return whether it has begun."""
    with transaction.atomic():
        row = Table.objects.lock(table.pk)
        sittings = Sitting.objects.at(row)
        if not row.open or row.full_at is not None or find_away(row, sittings, now):
            return False
        rows.mark_full(row, len(sittings))
        rows.notify(row)
        if row.full_at is not None:
            advance_locked(row, sittings, row.full_at)
    return True


def find_away(table: Table, sittings: Collection[Sitting], now: datetime) -> list[int]:
    """Return the positions whose people are not there: they have no account yet, or no page open."""
    here = {
        sitting.position
        for sitting in sittings
        if sitting.user_id is None or sitting.seen_at > now - rows.AWAY_AFTER
    }
    return [position for position in range(table.seats) if position not in here]


def close_drawn(code: str) -> bool:
    """Close the table of a night; return False if its match has begun."""
    with transaction.atomic():
        row = Table.objects.select_for_update().filter(code=code).first()
        if row is None or row.status == Table.Status.CLOSED:
            return True
        if row.status == Table.Status.STARTED:
            return False
        people = [sitting.user_id for sitting in row.sittings.all() if sitting.user_id]
        rows.close(row)
        rows.notify_people(people)
        return True


def _lock(code: str) -> Table:
    return Table.objects.lock(Table.objects.with_code(code).pk)
