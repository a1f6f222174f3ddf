"""Wait for conditions of a page that Playwright's own waiting, which needs eval, cannot check under the policy."""

import time

from playwright.sync_api import Page

TIMEOUT_SECONDS = 150.0  # a busy machine is slow, not wrong


def wait_until(page: Page, function: str, argument: object = None) -> None:
    """Wait until a function of the page returns true."""
    deadline = time.monotonic() + TIMEOUT_SECONDS
    while not page.evaluate(function, argument):
        assert time.monotonic() < deadline, function
        page.wait_for_timeout(200)
