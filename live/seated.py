"""The sessions of people who were at a table lately, as this process knows them: their pages come first.

A session that is not noted, for example after a restart, only waits with the others once.
"""

from threading import Lock

from cachetools import TTLCache

NOTE_TTL_SECONDS = 7200  # a page with a socket asks for nothing else, and may be loaded again hours later
MAX_NOTED_SESSIONS = 10_000

# Cache: key a session and the code of its table and match; bound MAX_NOTED_SESSIONS; expires.
_sessions: TTLCache[tuple[str, str], bool] = TTLCache(MAX_NOTED_SESSIONS, NOTE_TTL_SECONDS)
_lock = Lock()


def note(session_key: str | None, code: str) -> None:
    """Note that the person of this session has a seat in this running match, or waits at this table."""
    if session_key:
        with _lock:
            _sessions[session_key, code] = True


def is_noted(session_key: str, code: str) -> bool:
    with _lock:
        return (session_key, code) in _sessions


def clear() -> None:
    with _lock:
        _sessions.clear()
