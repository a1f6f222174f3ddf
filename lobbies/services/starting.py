"""From a full table to its match (docs/record.md)."""

from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import Q

import games.services
from games.engine.rules import Rules
from games.models import Seat
from games.services import Seated
from lobbies.models import Sitting, Table

from . import rows

NONCE_WAIT = timedelta(seconds=5)  # after the last seat was taken


def start_if_ready(table: Table, now: datetime) -> bool:
    """Start the match, exactly once, if every seat is taken and every nonce is in or five seconds have passed."""
    with transaction.atomic():
        row = Table.objects.select_for_update().get(pk=table.pk)
        started = row.open and start_locked(row, now)
        if started:
            rows.tell(row)
    return started


def start_locked(row: Table, now: datetime) -> bool:
    """The same for a row that is already locked and open."""
    sittings = list(row.sittings.select_related("user"))
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


def _withdraw_elsewhere(started: Table, people: Iterable[int]) -> None:
    """Take people whose match has started out of the other quick-play tables and rematches where they wait."""
    waiting = Sitting.objects.filter(
        Q(table__quick=True) | ~Q(table__rematch_of=""),
        user__in=people,
        table__status=Table.Status.OPEN,
        table__full_at=None,
    ).exclude(table=started)
    # Tables that are being changed at this moment are skipped, so that two starts cannot deadlock.
    for row in Table.objects.select_for_update(skip_locked=True).filter(pk__in=waiting.values("table")):
        for sitting in row.sittings.filter(user__in=people):
            if row.open:
                rows.stand_up(row, sitting)
