"""Measure a first visit to the table's page in Chromium: bytes transferred, and load times on slow 4G."""

import statistics
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Browser, sync_playwright

import bench.with_django  # noqa: F401  first
from tests.browser.conftest import DESKTOP, PHONE, launch_options, post_form
from tests.browser.tables import start_against_computers
from tests.browser.transfer import measure_slow_4g, measure_transfer
from tests.server import Site

REPETITIONS = 5


@contextmanager
def browser_and_site() -> Iterator[tuple[Browser, Site]]:
    """Start a browser and a site."""
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        site = Site(Path(folder))
        site.start()
        browser = playwright.chromium.launch(**launch_options())
        try:
            yield browser, site
        finally:
            browser.close()
            site.stop()


def measure(browser: Browser, site: Site) -> None:
    for device, options in (("desktop", DESKTOP), ("phone", PHONE)):
        context = browser.new_context(base_url=site.url, **options)
        post_form(context, "/", "/accounts/guest/")
        page = context.new_page()
        start_against_computers(page)
        size = sum(measure_transfer(page, page.url).values())
        paint_ms, ready_ms = map(
            statistics.median,
            zip(*(measure_slow_4g(page, page.url) for _ in range(REPETITIONS)), strict=True),
        )
        print(
            f"{device:8} {size:6} bytes, on slow 4G painted after {paint_ms:4.0f} ms, ready after {ready_ms:4.0f} ms"
        )


if __name__ == "__main__":
    with browser_and_site() as target:
        measure(*target)
