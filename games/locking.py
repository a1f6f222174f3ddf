"""The lock that every change of a match takes."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime

from django.db import transaction
from django.utils import timezone

from games.repository import Snapshot, lock_snapshot
from games.time import outages

MAX_ATTEMPTS = 5


@contextmanager
def locked_match(**match: str | int) -> Iterator[tuple[Snapshot, datetime]]:
    """Lock the match with this `code` or `pk` until the block's transaction ends; yield it and the matches' time.

    Any outage before that time has been compensated. During a halt it is the time at which the matches stand still.
    Raise `Match.DoesNotExist` if there is no such match.
    """
    for attempts_left in reversed(range(MAX_ATTEMPTS)):
        outages.compensate()
        with transaction.atomic():
            snapshot = lock_snapshot(**match)
            # Read the clock after the lock: the process may have been frozen, or waited, on the way to it.
            now = timezone.now()
            if outages.is_current(now) or not attempts_left:
                yield snapshot, outages.get_halt() or now
                return
