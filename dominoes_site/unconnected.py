"""Detect several processes on one database without Redis: none of them hears of what the others change."""

import logging
import time
from datetime import datetime, timedelta

from django.conf import settings
from django.utils import timezone

from core.siblings import SIBLINGS
from games.models import Process

log = logging.getLogger(__name__)

BEAT_MAX_AGE = timedelta(seconds=3)  # several beats
OVERLAP_SECONDS = 20.0  # during a restart, the process that stops and its successor
MESSAGE = (
    "Another process serves this database, and there is no Redis: pages get no news of what happens in the other"
    " process. Set REDIS_URL for both, or stop one of them."
)

_since: float | None = None  # when another process was first seen, without a pause since
_is_logged = False


def has_live_neighbour() -> bool:
    """Return whether a process beats that neither Redis nor the bus (live.bus) connects with this one."""
    if settings.REDIS_URL:
        return False
    beats = Process.objects.filter(at__gt=timezone.now() - BEAT_MAX_AGE)
    return beats.exclude(key__startswith=SIBLINGS.group).exists()


def check(now: datetime | None = None) -> None:
    """Look for another process; log it once if it stays longer than a restart takes. A duty of the referee."""
    global _since, _is_logged
    _since = (_since or time.monotonic()) if has_live_neighbour() else None
    if is_lasting() and not _is_logged:
        log.error(MESSAGE)
    _is_logged = is_lasting()


def is_lasting() -> bool:
    """Return whether another process has been there for longer than a restart takes."""
    return _since is not None and time.monotonic() - _since > OVERLAP_SECONDS


def check_health() -> None:
    """Raise `ConnectionError` if news is lost between processes."""
    check()
    if is_lasting():
        raise ConnectionError(MESSAGE)
