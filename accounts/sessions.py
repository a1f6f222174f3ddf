"""Tell higher apps that a session of a person has got another key, or has ended."""

from collections.abc import Callable

Observer = Callable[[str, str], None]

_observers: list[Observer] = []


def register(observer: Observer) -> None:
    """Register what to call with a session's old key and its new one, or "" if it has ended; in `AppConfig.ready`."""
    _observers.append(observer)


def note_change(old: str, new: str) -> None:
    for observe in _observers:
        observe(old, new)
