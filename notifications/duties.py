"""Run a periodic duty in a thread of its own: a push service may take seconds to answer."""

import logging
import threading
from collections.abc import Callable
from datetime import datetime

from django.db import close_old_connections, connection

log = logging.getLogger(__name__)


class BackgroundDuty:
    """A duty that runs in a daemon thread, which nothing waits for; skipped while the last run goes on."""

    def __init__(self, duty: Callable[[datetime], object]) -> None:
        self._duty = duty
        self._thread: threading.Thread | None = None

    def __call__(self, now: datetime) -> None:
        if self._thread is None or not self._thread.is_alive():
            self._thread = threading.Thread(target=self._run, args=(now,), name="notices", daemon=True)
            self._thread.start()

    def _run(self, now: datetime) -> None:
        try:
            close_old_connections()
            self._duty(now)
        except Exception:
            log.exception("Notices could not be sent")
        finally:
            connection.close()
