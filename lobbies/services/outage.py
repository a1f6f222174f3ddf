"""Shift the times of open tables after an outage."""

from datetime import timedelta

from django.db.models import F

from lobbies.models import Sitting, Table


def shift(gap: timedelta) -> None:
    """Add `gap` to when people were last seen and since when tables have been open, full or committed."""
    sittings = Sitting.objects.filter(table__status=Table.Status.OPEN)
    sittings.update(seen_at=F("seen_at") + gap, socket_at=F("socket_at") + gap)
    waiting = Table.objects.filter(status=Table.Status.OPEN)
    waiting.update(
        full_at=F("full_at") + gap,
        committed_at=F("committed_at") + gap,
        created_at=F("created_at") + gap,
    )
