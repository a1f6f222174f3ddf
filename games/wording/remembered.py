"""What is said in few forms again and again."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import lru_cache, wraps
from typing import ParamSpec, TypeVar

from django.utils.translation import get_language, override

KEPT = 8_192  # forms of each

P = ParamSpec("P")
T = TypeVar("T")

# Within `speaking` and `in_language`: a page asks some forty times which language it is in, and Django looks for that
# in a context that costs more than most of what is said.
_known: ContextVar[str | None] = ContextVar("language", default=None)


def spoken() -> str | None:
    """The language that is active."""
    return _known.get() or get_language()


@contextmanager
def speaking() -> Iterator[None]:
    """The language that is active now is active within, and need not be looked for."""
    before = _known.set(get_language())
    try:
        yield
    finally:
        _known.reset(before)


@contextmanager
def in_language(language: str) -> Iterator[None]:
    """As Django's `override`, which is not to be used within `speaking`."""
    with override(language), speaking():
        yield


def remembered(say: Callable[P, T]) -> Callable[P, T]:
    """`say`, made once for the same arguments, which must be hashable, in the language that is active."""

    @lru_cache(KEPT)
    def kept(language: str | None, *about: P.args, **named: P.kwargs) -> T:
        return say(*about, **named)

    @wraps(say)
    def said(*about: P.args, **named: P.kwargs) -> T:
        return kept(_known.get() or get_language(), *about, **named)  # type: ignore[arg-type]  # hashable, as is said

    return said
