"""What waits at open tables goes on where it was when the site was away or the system's clock was set."""

from datetime import timedelta

from django.db.models import F

from lobbies.models import Sitting, Table


def shift(gap: timedelta) -> None:
    """Put off by this gap when people were last seen, and since when tables have been full or waiting."""
    Sitting.objects.filter(table__status=Table.Status.OPEN).update(seen_at=F("seen_at") + gap)
    waiting = Table.objects.filter(status=Table.Status.OPEN)
    waiting.update(full_at=F("full_at") + gap, created_at=F("created_at") + gap)
