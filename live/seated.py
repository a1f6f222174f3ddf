"""The sessions of people who were at a table lately, as this process knows them: their pages come first.

A session that is not noted, for example after a restart, only waits with the others once.
"""

from threading import Lock

from cachetools import TTLCache

NOTE_TTL_SECONDS = 600
MAX_NOTED_SESSIONS = 10_000

# Cache: key a session; bound MAX_NOTED_SESSIONS; expires.
_sessions: TTLCache[str, bool] = TTLCache(MAX_NOTED_SESSIONS, NOTE_TTL_SECONDS)
_lock = Lock()


def note(session_key: str | None) -> None:
    """Note that the person of this session has a seat in a running match, or waits at a table."""
    if session_key:
        with _lock:
            _sessions[session_key] = True


def is_noted(session_key: str) -> bool:
    with _lock:
        return session_key in _sessions


def clear() -> None:
    with _lock:
        _sessions.clear()
