"""Tell on one machine whether a server uses VAR_DIR, also a frozen one, whose heartbeats have stopped."""

import fcntl
import os
from pathlib import Path

from django.conf import settings

_held: int | None = None


def hold() -> None:
    """Mark VAR_DIR as served until this process ends."""
    global _held
    _held = _open()
    fcntl.flock(_held, fcntl.LOCK_SH)


def is_held() -> bool:
    """Return whether a process serves from VAR_DIR now."""
    handle = _open()
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    finally:
        os.close(handle)
    return False


def _open() -> int:
    return os.open(Path(settings.VAR_DIR) / "serving", os.O_RDWR | os.O_CREAT, 0o600)
