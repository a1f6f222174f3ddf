"""Whether the site can do what it is there for: read, write, and tell. Each part has its time; one that hangs keeps its
own thread and nothing else."""

import logging
import sqlite3
import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

from asgiref.sync import async_to_sync
from channels.layers import get_channel_layer
from django.db import connection
from django.db.backends.utils import CursorWrapper
from django.utils import timezone

from core.database import AWAY, MALFORMED, get_outage_reason, note_success
from games.models import Heartbeat, Match, Move, Seat

log = logging.getLogger(__name__)

PATIENCE = 2.0  # seconds for each part
LOCKED_AFTER = 1.0  # seconds; well before the patience ends, so that the reason can be said
SLOW = 1.0  # seconds
WRITE_EVERY = 5.0  # seconds
LOOKING = 60.0  # seconds; a gigabyte takes some five
WELL = ("ok", "slow")

_malformed = ""  # what was found wrong with the database's file


class Malformed(Exception):
    """Parts of the file cannot be read, though what was just asked could be."""


class Part:
    """Something the site needs; `check` raises where it fails."""

    def __init__(self, name: str, check: Callable[[], None]) -> None:
        self.name, self._check = name, check
        self._thread = ThreadPoolExecutor(1, thread_name_prefix=f"health-{name}")
        self._asked: Future[None] | None = None
        self._failed = False

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
            if not self._failed:  # monitoring asks every few seconds
                log.warning("The %s does not do its work: %s", self.name, error)
            self._failed = True
            word = MALFORMED if isinstance(error, Malformed) else get_outage_reason(error)
            return f"{self.name} {word}" if word and word != AWAY else self.name
        self._failed = False
        return "slow" if time.monotonic() - began > SLOW else "ok"


def look() -> str:
    """The first part that fails; else the worst word of all."""
    words = [part.look() for part in PARTS]
    failing = [word for word in words if word not in WELL]
    return failing[0] if failing else max(words, key=WELL.index)


class _Database:
    def __init__(self) -> None:
        self._written = -WRITE_EVERY

    def __call__(self) -> None:
        if _malformed:
            raise Malformed(_malformed)
        try:
            with connection.cursor() as cursor:
                cursor.execute("SELECT 1")
                self._be_impatient(cursor)
            if time.monotonic() - self._written >= WRITE_EVERY:
                Heartbeat.objects.update_or_create(pk=Heartbeat.OF_HEALTH, defaults={"at": timezone.now()})
                for written_by_a_move in (Match, Seat, Move):
                    written_by_a_move.objects.filter(id=0).update(id=0)  # nothing, but for the lock
                self._written = time.monotonic()
                note_success()
        finally:
            connection.close()

    @staticmethod
    def _be_impatient(cursor: CursorWrapper) -> None:
        limit = int(LOCKED_AFTER * 1000)
        postgresql = connection.vendor == "postgresql"
        cursor.execute(f"SET lock_timeout = {limit}" if postgresql else f"PRAGMA busy_timeout = {limit}")


def look_through(file: Path) -> None:
    """Find whether an SQLite file is whole, which no single question tells; for LOOKING seconds at most."""
    global _malformed
    until = time.monotonic() + LOOKING
    try:
        with closing(sqlite3.connect(f"{file.absolute().as_uri()}?mode=ro", uri=True)) as database:
            database.set_progress_handler(lambda: time.monotonic() > until, 100_000)
            found = database.execute("PRAGMA quick_check(1)").fetchone()[0]
    except sqlite3.DatabaseError as error:
        found = str(error) if get_outage_reason(error) == MALFORMED else "ok"
    if found != "ok":
        _malformed = " ".join(found.split())
        log.critical("The database is malformed, restore a backup (docs/deploy.md): %s", _malformed)


@async_to_sync
async def _channel_layer() -> None:
    layer = get_channel_layer()
    await layer.group_send("healthz", {"type": "page.changed"})
    if getattr(layer, "is_unavailable", False):
        raise ConnectionError("nothing reached it")


PARTS = (Part("database", _Database()), Part("redis", _channel_layer))
