"""Wait for a page, and assert what it comes to.

An assertion on `evaluate` or `bounding_box` sees one moment of a page that may still be drawn. These ask again until
the time is over. Playwright's `wait_for_function` does so in the page, and beyond a change of page; it takes only a
function, since an expression is evaluated again at each look, which the policy forbids.
"""

from collections.abc import Callable
from typing import Any, TypeVar

from playwright.sync_api import FloatRect, Locator, Page

from tests import waiting
from tests.waiting import TIMEOUT_SECONDS

Value = TypeVar("Value")


def until(
    page: Page,
    condition: Callable[[], Value],
    what: str = "",
    *,
    seconds: float = TIMEOUT_SECONDS,
    status: Callable[[], object] | None = None,
) -> Value:
    """Return the first true value of `condition`, while the page's events are handled. Raise `AssertionError`."""
    return waiting.until(condition, what, seconds=seconds, sleep=sleep_of(page), status=status)


def sleep_of(page: Page) -> Callable[[float], None]:
    """Return a function that sleeps some seconds while the page's events are handled."""
    return lambda seconds: page.wait_for_timeout(1000 * seconds)


def expect_value(
    where: Page | Locator,
    function: str,
    expected: Any = True,
    *,
    argument: object = None,
    seconds: float = TIMEOUT_SECONDS,
) -> Any:
    """Wait until a function of the page or element returns `expected`, or what `expected` accepts; return it.

    Raise `AssertionError` with the last value.
    """
    accepts = expected if callable(expected) else lambda value: value == expected
    page = where if isinstance(where, Page) else where.page
    last: list[Any] = [None]

    def is_reached() -> bool:
        last[0] = where.evaluate(function, argument)
        return bool(accepts(last[0]))

    wanted = waiting.source_of(expected) if callable(expected) else repr(expected)
    until(page, is_reached, f"{wanted} of {function}", seconds=seconds, status=lambda: last[0])
    return last[0]


def expect_box(
    locator: Locator, holds: Callable[[FloatRect], bool], what: str = "", *, seconds: float = TIMEOUT_SECONDS
) -> FloatRect:
    """Wait until the element is drawn in a box that `holds`; return it. Raise `AssertionError` with the last box."""
    last: list[FloatRect | None] = [None]

    def is_reached() -> bool:
        last[0] = locator.bounding_box()
        return last[0] is not None and holds(last[0])

    what = f"{locator} where {what or waiting.source_of(holds)}"
    until(locator.page, is_reached, what, seconds=seconds, status=lambda: last[0])
    return last[0]
