"""Cache translated texts by language."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import lru_cache, wraps
from typing import ParamSpec, TypeVar

from django.utils import translation
from django.utils.translation import get_language, override

MAX_CACHED_CALLS = 8_192  # per function

P = ParamSpec("P")
T = TypeVar("T")

# A page asks for its language about forty times, and Django's lookup costs more than most of the cached texts.
_pinned: ContextVar[str | None] = ContextVar("language", default=None)


def active_language() -> str | None:
    """Return the active language."""
    return _pinned.get() or get_language()


@contextmanager
def pinned_language() -> Iterator[None]:
    """Pin the active language, to avoid repeated lookups."""
    before = _pinned.set(active_language())
    try:
        yield
    finally:
        _pinned.reset(before)


@contextmanager
def in_language(language: str) -> Iterator[None]:
    """Override the language and pin it; unlike Django's `override` this works inside `pinned_language`."""
    with override(language):
        before = _pinned.set(language)
        try:
            yield
        finally:
            _pinned.reset(before)


def cached_by_language(function: Callable[P, T]) -> Callable[P, T]:
    """Cache the results of a function by its arguments, which must be hashable, and the active language."""

    @lru_cache(MAX_CACHED_CALLS)
    def cached(language: str | None, *args: P.args, **kwargs: P.kwargs) -> T:
        return function(*args, **kwargs)

    @wraps(function)
    def wrapper(*args: P.args, **kwargs: P.kwargs) -> T:
        return cached(_pinned.get() or get_language(), *args, **kwargs)  # type: ignore[arg-type]  # hashable by contract

    return wrapper


# For texts of a move: a look-up in Django's catalogues takes ten Python calls.
gettext = cached_by_language(translation.gettext)
ngettext = cached_by_language(translation.ngettext)
pgettext = cached_by_language(translation.pgettext)
