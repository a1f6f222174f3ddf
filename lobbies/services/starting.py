"""From a full table to its match (docs/record.md)."""

from collections.abc import Sequence
from datetime import datetime, timedelta

from django.db import transaction

import games.services
from core.prepared import PreparedUpdate
from games.engine.rules import Rules
from games.models import Seat
from games.services import Seated
from lobbies.models import Sitting, Table

from . import rows

NONCE_WAIT = timedelta(seconds=5)  # after the last seat was taken
_status_update = PreparedUpdate(Table, ["status"])


def start_if_ready(table: Table, now: datetime) -> bool:
    """Start the match, exactly once, if every seat is taken and every nonce is in or five seconds have passed."""
    with transaction.atomic():
        row = Table.objects.locked(table.pk)
        started = row.open and start_locked(row, Sitting.objects.at(row), now)
        if started:
            rows.tell(row)
    return started


def start_locked(row: Table, sittings: Sequence[Sitting], now: datetime) -> bool:
    """The same for a row that is already locked and open, and all who sit there."""
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
    _status_update.save(row)
    people = [sitting.user_id for sitting in sittings if sitting.user_id]
    if len(people) > 1:  # somebody who only plays a computer meanwhile goes on waiting
        _withdraw_elsewhere(row, people)
    rows.tell_people(people)
    return True


def _entrant(sitting: Sitting, sittings: Sequence[Sitting]) -> Seated:
    if sitting.user is None:
        alike = [other.position for other in sittings if other.user is None and other.level == sitting.level]
        # People who only listen must be able to tell them apart: the second of a level is a 2.
        number = f" {alike.index(sitting.position) + 1}" if sitting.position != alike[0] else ""
        return Seated(
            name=f"{sitting.level}{number}",
            kind=Seat.Kind.COMPUTER,
            level=sitting.level,
            figure=sitting.figure,
        )
    kind = Seat.Kind.GUEST if sitting.user.is_guest else Seat.Kind.PLAYER
    return Seated(name=sitting.user.username, kind=kind, user=sitting.user)


def _withdraw_elsewhere(started: Table, people: Sequence[int]) -> None:
    """Take people whose match has started out of the other quick-play tables and rematches where they wait."""
    waiting = {
        sitting.table_id
        for person in people
        for sitting in Sitting.objects.waiting(person)
        if sitting.table_id != started.pk and _may_be_left(sitting.table)
    }
    if not waiting:
        return
    # Tables that are being changed at this moment are skipped, so that two starts cannot deadlock.
    for row in Table.objects.select_for_update(skip_locked=True).filter(pk__in=waiting):
        for sitting in row.sittings.filter(user__in=people):
            if row.open and _may_be_left(row):
                rows.stand_up(row, sitting)


def _may_be_left(table: Table) -> bool:
    return table.full_at is None and (table.quick or table.rematch_of != "")
