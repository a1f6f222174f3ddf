"""Measure the ms from pressing a tile to its paint on the own board, and in the opponent's browser.

Both pages run in one Chromium, so they share a clock. Measure on an idle machine.
"""

import statistics
from collections.abc import Iterator
from itertools import islice

from playwright.sync_api import Browser, BrowserContext, Page

import bench.with_django  # noqa: F401  first
from bench.page_weight import browser_and_site
from tests.browser.conftest import DESKTOP, sign_in
from tests.browser.playing import wait_for_version
from tests.browser.tables import post_move, start_match, wait_for_turn
from tests.server import Site

PRESSES = 60
TARGETS = {"own tile": "17 at the median", "opponent": "30 at the median, 60 at 95 of 100"}

# A message that is posted in an animation frame is delivered after its paint.
PAINTED = """
    window.now = () => performance.timeOrigin + performance.now();
    window.painted = (tile) => new Promise((done) => {
        const lies = () => document.querySelector(`#board .laid [data-tile="${tile}"]`);
        const look = () => requestAnimationFrame(() => {
            if (!lies()) return look();
            const { port1, port2 } = new MessageChannel();
            port1.onmessage = () => done(now());
            port2.postMessage(0);
        });
        look();
    });
"""
PRESS = """async (tile) => {
    const pressed = now();
    document.querySelector(`#hand [data-tile="${tile}"]`).click();
    return [pressed, await painted(tile)];
}"""


def measure(browser: Browser, site: Site) -> None:
    pages = [open_page(browser.new_context(base_url=site.url, **DESKTOP), name) for name in ("mara", "tiago")]
    presses = [measure_press(*turn) for turn in islice(single_press_turns(*pages), PRESSES)]
    own, opponent = zip(*presses, strict=True)
    for what, times in (("own tile", own), ("opponent", opponent)):
        p50, p95 = statistics.median(times), statistics.quantiles(times, n=20)[-1]
        print(
            f"{what:9} painted after {p50:4.0f} ms at the median, {p95:4.0f} at 95 of 100; wanted {TARGETS[what]}"
        )


def open_page(context: BrowserContext, name: str) -> Page:
    context.add_init_script(PAINTED)
    sign_in(context, name)
    return context.new_page()


def single_press_turns(*pages: Page) -> Iterator[tuple[Page, Page, str]]:
    """Play matches; yield each turn that takes a single press: page of the player, other page, and tile."""
    while True:
        start_match(*pages, target="500")
        for page in pages:
            page.mouse.move(300, 300)  # triggers the requests of the first interaction
        page, state = wait_for_turn(*pages)
        while state["status"] == "playing":
            if state["layout"] and (tile := find_single_fit(state)):
                for each in pages:
                    wait_for_version(each, state["version"])
                    each.wait_for_timeout(400)  # let the previous move settle
                yield page, pages[page is pages[0]], tile
            else:
                post_move(page, state["legal"][0], state)
            page, state = wait_for_turn(*pages)


def find_single_fit(state: dict) -> str | None:
    """Return a tile with a single legal place, so that one press plays it; None for the last tile."""
    if len(state["hand"]) < 2:
        return None
    return next((t for t in state["hand"] if sum(m.startswith(t) for m in state["legal"]) == 1), None)


def measure_press(page: Page, other: Page, tile: str) -> tuple[float, float]:
    """Return the ms until the tile is painted in the own page and in the other one."""
    other.evaluate("tile => { window.seen = painted(tile); }", tile)
    pressed, own_ms = page.evaluate(PRESS, tile)
    return own_ms - pressed, other.evaluate("seen") - pressed


if __name__ == "__main__":
    with browser_and_site() as target:
        measure(*target)
