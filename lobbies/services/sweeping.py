"""Time's effects on open tables; the referee of every process calls `sweep` about once a second."""

import logging
from collections.abc import Callable
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import Q

from core.database import get_outage_reason
from games.time.day_clocks import DAY_SECONDS
from lobbies import pairing
from lobbies.models import Sitting, Table

from . import challenges, rematch, requeue, rows
from .quick import join
from .starting import MIN_WAIT, advance

log = logging.getLogger(__name__)

CLOSED_TABLE_TTL = timedelta(days=1)


def sweep(now: datetime) -> None:
    """Start full tables, free the seats of people who are away, join quick-play tables, delete old rows.

    Whom a match that was called off has left may be seated again, or agree on another rematch.
    """
    open_tables = Table.objects.filter(status=Table.Status.OPEN)
    for table in open_tables.filter(full_at__lte=now - MIN_WAIT):
        _guarded(table, advance, table, now)
    gone = Sitting.objects.filter(
        table__status=Table.Status.OPEN,
        table__full_at=None,
        table__night="",
        user__isnull=False,
        seen_at__lt=now - rows.AWAY_AFTER,
    )
    for sitting in gone.exclude(table__clock_seconds__gte=DAY_SECONDS).select_related("table"):
        _guarded(sitting.table, free_if_away, sitting, now)
    for table in challenges.expired(now):
        _guarded(table, challenges.expire, table, now)
    for target, moved in pairing.find_mergeable(now):
        _guarded(target, join, target, moved, now)
    for table in requeue.find_called_off(now):
        _guarded(table, requeue.seat_again, table, now)
    for table in rematch.find_called_off(now):
        _guarded(table, rematch.forget_called_off, table)
    is_old = Q(created_at__lt=now - CLOSED_TABLE_TTL) & ~Q(clock_seconds__gte=DAY_SECONDS)
    is_old |= Q(created_at__lt=now - CLOSED_TABLE_TTL - rows.DAY_TABLE_TTL)
    old = Table.objects.filter(is_old, status=Table.Status.CLOSED)
    if old.exists():  # a DELETE takes SQLite's write lock even if there is nothing to delete
        old.delete()


def _guarded(table: Table, action: Callable[..., object], *arguments: object) -> None:
    """Call `action`; log a failure, so that it does not hold up the other tables."""
    try:
        action(*arguments)
    except Exception as error:
        if get_outage_reason(error):
            raise  # it concerns every table
        log.exception("Table %s could not be swept", table.code)


def free_if_away(sitting: Sitting, now: datetime) -> None:
    """Free the seat of somebody who is still away, if the table still waits."""
    with transaction.atomic():
        row = Table.objects.select_for_update().get(pk=sitting.table_id)
        gone = row.sittings.filter(pk=sitting.pk, seen_at__lt=now - rows.AWAY_AFTER).first()
        if row.open and row.full_at is None and gone is not None:
            rows.free_seat(row, gone)
