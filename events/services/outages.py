"""Record the times in which the site was down: they end nobody's streak."""

from datetime import datetime, timedelta

from events.models import Outage

MIN_OUTAGE = timedelta(minutes=1)  # shorter ones are restarts


def record_outage(last: datetime, now: datetime) -> None:
    """Record a gap between two heartbeats, in the transaction that compensates it."""
    if now - last >= MIN_OUTAGE:
        Outage.objects.create(began_at=last, ended_at=now)
