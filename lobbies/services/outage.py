"""Shift the times of open tables after an outage."""

from datetime import datetime

from games.time.outages import carry_over
from lobbies.models import Sitting, Table


def shift(last: datetime, now: datetime) -> None:
    """Carry over when people were last seen and since when tables have been open, full or committed."""
    sittings = Sitting.objects.filter(table__status=Table.Status.OPEN)
    sittings.update(**{moment: carry_over(moment, last, now) for moment in ("seen_at", "socket_at")})
    waiting = Table.objects.filter(status=Table.Status.OPEN)
    moments = ("full_at", "committed_at", "created_at")
    waiting.update(**{moment: carry_over(moment, last, now) for moment in moments})
