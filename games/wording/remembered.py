"""What is said in few forms again and again."""

from collections.abc import Callable
from functools import lru_cache, wraps
from typing import ParamSpec, TypeVar

from django.utils.translation import get_language

KEPT = 8_192  # forms of each

P = ParamSpec("P")
T = TypeVar("T")


def remembered(say: Callable[P, T]) -> Callable[P, T]:
    """`say`, made once for the same arguments, which must be hashable, in the language that is active."""

    @lru_cache(KEPT)
    def kept(language: str | None, *about: P.args, **named: P.kwargs) -> T:
        return say(*about, **named)

    @wraps(say)
    def said(*about: P.args, **named: P.kwargs) -> T:
        return kept(get_language(), *about, **named)  # type: ignore[arg-type]  # hashable, as is said

    return said
