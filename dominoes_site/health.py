"""Whether the site can do what it is there for: read, write, and tell. Each part has its time; one that hangs keeps its
own thread and nothing else."""

import logging
import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor

from asgiref.sync import async_to_sync
from channels.layers import get_channel_layer
from django.db import connection
from django.db.backends.utils import CursorWrapper
from django.utils import timezone

from games.models import Heartbeat

log = logging.getLogger(__name__)

PATIENCE = 2.0  # seconds for each part
LOCKED_AFTER = 1.0  # seconds; well before the patience ends, so that the reason can be said
SLOW = 1.0  # seconds
WRITE_EVERY = 5.0  # seconds
WELL = ("ok", "slow")
DISK_FULL = "53100"  # PostgreSQL's disk_full
LOCK_NOT_AVAILABLE = "55P03"


class Part:
    """Something the site needs; `check` raises where it fails."""

    def __init__(self, name: str, check: Callable[[], None]) -> None:
        self.name, self._check = name, check
        self._thread = ThreadPoolExecutor(1, thread_name_prefix=f"health-{name}")
        self._asked: Future[None] | None = None

    def look(self) -> str:
        """`ok`, `slow`, or the name of the part with what is wrong, if that is known."""
        if self._asked is None or self._asked.done():
            self._asked = self._thread.submit(self._check)
        began = time.monotonic()
        try:
            self._asked.result(PATIENCE)
        except TimeoutError:
            return self.name
        except Exception as error:
            log.warning("The %s does not do its work: %s", self.name, error)
            return f"{self.name} {reason(error)}".strip()
        return "slow" if time.monotonic() - began > SLOW else "ok"


def look() -> str:
    """`ok`; `slow` where a part takes over a second; else the first part that fails."""
    words = [part.look() for part in PARTS]
    return next((word for word in words if word not in WELL), "slow" if "slow" in words else "ok")


def reason(error: Exception) -> str:
    """`full` or `locked`, if that is why the database refused."""
    code = getattr(error.__cause__, "sqlstate", None)
    if code == DISK_FULL or "is full" in str(error):
        return "full"
    if code == LOCK_NOT_AVAILABLE or "is locked" in str(error):
        return "locked"
    return ""


class _Database:
    def __init__(self) -> None:
        self._written = -WRITE_EVERY

    def __call__(self) -> None:
        try:
            with connection.cursor() as cursor:
                cursor.execute("SELECT 1")
                self._be_impatient(cursor)
            if time.monotonic() - self._written >= WRITE_EVERY:
                Heartbeat.objects.update_or_create(pk=Heartbeat.OF_HEALTH, defaults={"at": timezone.now()})
                self._written = time.monotonic()
        finally:
            connection.close()

    @staticmethod
    def _be_impatient(cursor: CursorWrapper) -> None:
        limit = int(LOCKED_AFTER * 1000)
        postgresql = connection.vendor == "postgresql"
        cursor.execute(f"SET lock_timeout = {limit}" if postgresql else f"PRAGMA busy_timeout = {limit}")


@async_to_sync
async def _channel_layer() -> None:
    layer = get_channel_layer()
    await layer.group_send("healthz", {"type": "page.changed"})
    if getattr(layer, "away", False):
        raise ConnectionError("nothing reached it")


PARTS = (Part("database", _Database()), Part("redis", _channel_layer))
