"""The sessions of people who were at a table lately: their pages come first.

This process knows those whose page or socket it has served. The others are found in the cache, where several processes
share one (a file of one `serve`, or Redis). A session that is not noted only waits with the others once.
"""

import time
from hashlib import sha256
from threading import Lock

from cachetools import TTLCache
from django.conf import settings
from django.core.cache import cache

from core.siblings import SIBLINGS

NOTE_TTL_SECONDS = 7200  # a page with a socket asks for nothing else, and may be loaded again hours later
SHARE_AGAIN_SECONDS = NOTE_TTL_SECONDS / 2
MAX_NOTED_SESSIONS = 10_000
IS_SHARED = SIBLINGS.count > 1 or bool(settings.REDIS_URL)

# When it was shared (time.monotonic). Cache: key a session and the code of its table and match; bound
# MAX_NOTED_SESSIONS; expires.
_sessions: TTLCache[tuple[str, str], float] = TTLCache(MAX_NOTED_SESSIONS, NOTE_TTL_SECONDS)
_lock = Lock()


def note(session_key: str | None, code: str) -> None:
    """Note that the person of this session has a seat in this running match, or waits at this table."""
    if not session_key:
        return
    now = time.monotonic()
    with _lock:
        shared_at = _sessions.get((session_key, code))
        must_share = shared_at is None or now - shared_at > SHARE_AGAIN_SECONDS
        _sessions[session_key, code] = now if must_share or shared_at is None else shared_at
    if IS_SHARED and must_share:
        cache.set(_build_key(session_key, code), True, NOTE_TTL_SECONDS)


def is_noted(session_key: str, code: str) -> bool:
    with _lock:
        return (session_key, code) in _sessions


def find_shared(session_key: str, code: str) -> bool:
    """Return whether any process has noted this; note it here, too. It reads a file or asks Redis."""
    if not cache.get(_build_key(session_key, code)):
        return False
    with _lock:
        _sessions[session_key, code] = time.monotonic()
    return True


def clear() -> None:
    with _lock:
        _sessions.clear()


def _build_key(session_key: str, code: str) -> str:
    # A session's key opens the account: the cache shall not hold it.
    return f"seated:{sha256(f'{session_key} {code}'.encode()).hexdigest()}"
