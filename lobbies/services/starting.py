"""Start the match of a full table (docs/record.md)."""

from collections.abc import Sequence
from datetime import datetime, timedelta

from django.db import transaction

import games.services
from games.engine.rules import Rules
from games.models import Seat
from games.services import SeatAssignment
from lobbies.models import Sitting, Table

from . import rows

NONCE_WAIT = timedelta(seconds=5)  # after the last seat was taken


def start_if_ready(table: Table, now: datetime) -> bool:
    """Start the match, once, if all seats are taken and all nonces are in or `NONCE_WAIT` has passed.

    Return whether it was started.
    """
    with transaction.atomic():
        row = Table.objects.lock(table.pk)
        started = row.open and start_locked(row, Sitting.objects.at(row), now)
        if started:
            rows.notify(row)
    return started


def start_locked(row: Table, sittings: Sequence[Sitting], now: datetime) -> bool:
    """Do the same for a locked, open row and all its sittings."""
    if len(sittings) < row.seats or row.full_at is None:
        return False
    all_in = all(sitting.nonce is not None for sitting in sittings if sitting.user_id)
    if not all_in and now < row.full_at + NONCE_WAIT:
        return False
    games.services.start(
        code=row.code,
        preset=None if row.changed else row.preset,
        rules=Rules.from_dict(row.rules),
        rated=row.rated and not row.shared_address,
        seats=[_entrant(sitting, sittings) for sitting in sittings],
        entropy=".".join(sitting.nonce or "" for sitting in sittings),
        clock=row.clock,
        private=row.private,
        pauses=row.pauses,
    )
    row.status = Table.Status.STARTED
    row.save(update_fields=["status"])
    people = [sitting.user_id for sitting in sittings if sitting.user_id]
    if len(people) > 1:  # a match against computers alone does not end the wait for people
        _withdraw_elsewhere(row, people)
    rows.notify_people(people)
    return True


def _entrant(sitting: Sitting, sittings: Sequence[Sitting]) -> SeatAssignment:
    if sitting.user is None:
        same_level = [
            other.position for other in sittings if other.user is None and other.level == sitting.level
        ]
        # Screen readers need different names: the second of a level gets a 2.
        number = f" {same_level.index(sitting.position) + 1}" if sitting.position != same_level[0] else ""
        return SeatAssignment(
            name=f"{sitting.level}{number}",
            kind=Seat.Kind.COMPUTER,
            level=sitting.level,
            figure=sitting.figure,
        )
    kind = Seat.Kind.GUEST if sitting.user.is_guest else Seat.Kind.PLAYER
    return SeatAssignment(name=sitting.user.username, kind=kind, user=sitting.user)


def _withdraw_elsewhere(started: Table, people: Sequence[int]) -> None:
    """Free the seats that these people have at other quick-play tables and rematches."""
    waiting = {
        sitting.table_id
        for person in people
        for sitting in Sitting.objects.waiting(person)
        if sitting.table_id != started.pk and _can_be_left(sitting.table)
    }
    if not waiting:
        return
    # Skip locked tables: two starts must not wait for each other.
    for row in Table.objects.select_for_update(skip_locked=True).filter(pk__in=waiting):
        for sitting in row.sittings.filter(user__in=people):
            if row.open and _can_be_left(row):
                rows.free_seat(row, sitting)


def _can_be_left(table: Table) -> bool:
    return table.full_at is None and (table.quick or table.rematch_of != "")
