"""Name the sets of deals, and the days of the programme, that this release cannot play."""

from collections.abc import Iterator
from datetime import timedelta

from django.db.models import Q
from django.utils import timezone

from events.models import DealSet, ProgrammeDay

CHECKED_PERIOD = timedelta(days=31)  # older sets are closed, and cost their own pages alone


def find_broken_rows() -> Iterator[str]:
    """Yield the rows with what this release does not know of them."""
    recent = Q(closed_at=None) | Q(closes_at__gte=timezone.now() - CHECKED_PERIOD)
    rows: list[DealSet | ProgrammeDay] = [*DealSet.objects.filter(recent), *ProgrammeDay.objects.all()]
    for row in rows:
        if fault := row.fault:
            yield f"{row.described}: {fault}"
