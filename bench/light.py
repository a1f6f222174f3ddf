"""The table's page on a first visit, in a real browser: bytes on the wire, and how soon it is there on slow 4G."""

import statistics
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Browser, sync_playwright

from tests.browser.conftest import DESKTOP, PHONE, browser_arguments, submit
from tests.browser.tables import against_computers
from tests.browser.wire import on_slow_4g, over_the_wire
from tests.server import Site

TIMES = 5


@contextmanager
def on_a_site() -> Iterator[tuple[Browser, Site]]:
    """A browser, and a site of its own."""
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        site = Site(Path(folder))
        site.start()
        browser = playwright.chromium.launch(**browser_arguments())
        try:
            yield browser, site
        finally:
            browser.close()
            site.stop()


def measure(browser: Browser, site: Site) -> None:
    for size, look in (("desktop", DESKTOP), ("phone", PHONE)):
        context = browser.new_context(base_url=site.url, **look)
        submit(context, "/", "/accounts/guest/")
        page = context.new_page()
        against_computers(page)
        weight = sum(over_the_wire(page, page.url).values())
        painted, ready = map(
            statistics.median, zip(*(on_slow_4g(page, page.url) for _ in range(TIMES)), strict=True)
        )
        print(
            f"{size:8} {weight:6} bytes, on slow 4G painted after {painted:4.0f} ms, ready after {ready:4.0f} ms"
        )


if __name__ == "__main__":
    with on_a_site() as here:
        measure(*here)
