"""Health checks of the database and the channel layer. Each has a timeout and its own thread, which it may block."""

import logging
import sqlite3
import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

from asgiref.sync import async_to_sync
from channels.layers import get_channel_layer
from django.db import DatabaseError, connection
from django.db.backends.utils import CursorWrapper
from django.utils import timezone

from core import broken_rows
from core.database import AWAY, MALFORMED, get_outage_reason, note_success
from dominoes_site import unconnected
from games.models import Heartbeat, Match, Move, Seat

log = logging.getLogger(__name__)

CHECK_TIMEOUT_SECONDS = 2.0
LOCK_TIMEOUT_SECONDS = 1.0  # well before the check times out, so that the reason is known
SLOW_SECONDS = 1.0
WRITE_INTERVAL_SECONDS = 5.0
MAX_INTEGRITY_CHECK_SECONDS = 60.0  # a gigabyte takes some five
HEALTHY = ("ok", "slow")

_malformed = ""  # the error that the integrity check found in the database file


class Malformed(Exception):
    """Raised if the integrity check found that parts of the database file cannot be read."""


class Check:
    """The check of a service that the site needs; `function` raises if it fails."""

    def __init__(self, name: str, function: Callable[[], None]) -> None:
        self.name, self._function = name, function
        self._thread = ThreadPoolExecutor(1, thread_name_prefix=f"health-{name}")
        self._future: Future[None] | None = None
        self._failed = False

    def run(self) -> str:
        """Return `ok`, `slow`, or the check's name, followed by the reason if it is known."""
        if self._future is None or self._future.done():
            self._future = self._thread.submit(self._function)
        started_at = time.monotonic()
        try:
            self._future.result(CHECK_TIMEOUT_SECONDS)
        except TimeoutError:
            return self.name
        except Exception as error:
            if not self._failed:  # log it once
                log.warning("The %s does not do its work: %s", self.name, error)
            self._failed = True
            reason = MALFORMED if isinstance(error, Malformed) else get_outage_reason(error)
            return f"{self.name} {reason}" if reason and reason != AWAY else self.name
        self._failed = False
        return "slow" if time.monotonic() - started_at > SLOW_SECONDS else "ok"


def run_checks() -> str:
    """Return the first failure; else `slow` if a check was slow, or `ok`."""
    results = [check.run() for check in CHECKS]
    failures = [result for result in results if result not in HEALTHY]
    return failures[0] if failures else max(results, key=HEALTHY.index)


def find_broken_rows() -> list[str]:
    """Return the rows that this release cannot use; [] where they cannot be read in time."""
    try:
        return _broken_rows_reader.submit(_read_broken_rows).result(CHECK_TIMEOUT_SECONDS)
    except (TimeoutError, DatabaseError):
        return []


def _read_broken_rows() -> list[str]:
    try:
        return broken_rows.find_broken_rows()
    finally:
        connection.close()


_broken_rows_reader = ThreadPoolExecutor(1, thread_name_prefix="health-rows")


class _DatabaseCheck:
    def __init__(self) -> None:
        self._written_at = -WRITE_INTERVAL_SECONDS

    def __call__(self) -> None:
        if _malformed:
            raise Malformed(_malformed)
        try:
            with connection.cursor() as cursor:
                cursor.execute("SELECT 1")
                self._limit_lock_wait(cursor)
            if time.monotonic() - self._written_at >= WRITE_INTERVAL_SECONDS:
                Heartbeat.objects.update_or_create(pk=Heartbeat.OF_HEALTH, defaults={"at": timezone.now()})
                for model in (Match, Seat, Move):  # written by a move
                    model.objects.filter(id=0).update(
                        id=0
                    )  # changes no row, but waits for a lock on the table
                self._written_at = time.monotonic()
                note_success()
        finally:
            connection.close()

    @staticmethod
    def _limit_lock_wait(cursor: CursorWrapper) -> None:
        milliseconds = int(LOCK_TIMEOUT_SECONDS * 1000)
        setting = "SET lock_timeout" if connection.vendor == "postgresql" else "PRAGMA busy_timeout"
        cursor.execute(f"{setting} = {milliseconds}")


def check_integrity(file: Path) -> None:
    """Check an SQLite file for malformed pages, for MAX_INTEGRITY_CHECK_SECONDS at most."""
    global _malformed
    deadline = time.monotonic() + MAX_INTEGRITY_CHECK_SECONDS
    try:
        with closing(sqlite3.connect(f"{file.absolute().as_uri()}?mode=ro", uri=True)) as database:
            database.set_progress_handler(lambda: time.monotonic() > deadline, 100_000)
            result = database.execute("PRAGMA quick_check(1)").fetchone()[0]
    except sqlite3.DatabaseError as error:
        result = str(error) if get_outage_reason(error) == MALFORMED else "ok"
    if result != "ok":
        _malformed = " ".join(result.split())
        log.critical("The database is malformed, restore a backup (docs/deploy.md): %s", _malformed)


@async_to_sync
async def _check_channel_layer() -> None:
    layer = get_channel_layer()
    await layer.group_send("healthz", {"type": "page.changed"})
    if getattr(layer, "is_unavailable", False):
        raise ConnectionError("nothing reached it")


def _check_neighbours() -> None:
    try:
        unconnected.check_health()
    finally:
        connection.close()


CHECKS = (
    Check("database", _DatabaseCheck()),
    Check("redis", _check_channel_layer),
    Check("redis missing", _check_neighbours),
)
