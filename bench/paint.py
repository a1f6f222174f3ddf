"""From the press of a tile to its paint on one's own felt, and to its paint in the opponent's browser, in milliseconds.

Both pages are of one real browser on one machine, so that their clocks are one; measure on a machine that is idle.
"""

import statistics
from collections.abc import Iterator
from itertools import islice

from playwright.sync_api import Browser, BrowserContext, Page

from bench.light import on_a_site
from tests.browser.conftest import DESKTOP, sign_in
from tests.browser.playing import shows
from tests.browser.tables import match, on_turn, send
from tests.server import Site

PRESSES = 60
WANTED = {"own tile": "17 at the median", "opponent": "30 at the median, 60 at 95 of 100"}

# The moment after the frame in which the tile lies on the felt: a message that is posted in it comes after its paint.
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
    pages = [person(browser.new_context(base_url=site.url, **DESKTOP), name) for name in ("mara", "tiago")]
    times = [press(*turn) for turn in islice(turns(*pages), PRESSES)]
    own, others = zip(*times, strict=True)
    for what, took in (("own tile", own), ("opponent", others)):
        p50, p95 = statistics.median(took), statistics.quantiles(took, n=20)[-1]
        print(
            f"{what:9} painted after {p50:4.0f} ms at the median, {p95:4.0f} at 95 of 100; wanted {WANTED[what]}"
        )


def person(context: BrowserContext, name: str) -> Page:
    context.add_init_script(PAINTED)
    sign_in(context, name)
    return context.new_page()


def turns(*pages: Page) -> Iterator[tuple[Page, Page, str]]:
    """Of matches between the two, each turn that is one press: whose it is, the other, and the tile."""
    while True:
        match(*pages, target="500")
        for page in pages:
            page.mouse.move(300, 300)  # what is asked for at the first sign of a hand is there
        page, now = on_turn(*pages)
        while now["status"] == "playing":
            if now["layout"] and (tile := fits_once(now)):
                for each in pages:
                    shows(each, now["version"])
                    each.wait_for_timeout(400)  # what the move before brought about is over
                yield page, pages[page is pages[0]], tile
            else:
                send(page, now["legal"][0], now)
            page, now = on_turn(*pages)


def fits_once(now: dict) -> str | None:
    """A tile in hand that may be laid at one place alone, so that one press plays it; not the last one."""
    if len(now["hand"]) < 2:
        return None
    return next((t for t in now["hand"] if sum(m.startswith(t) for m in now["legal"]) == 1), None)


def press(page: Page, other: Page, tile: str) -> tuple[float, float]:
    """Milliseconds until the tile is painted in the presser's page, and in the other."""
    other.evaluate("tile => { window.seen = painted(tile); }", tile)
    pressed, mine = page.evaluate(PRESS, tile)
    return mine - pressed, other.evaluate("seen") - pressed


if __name__ == "__main__":
    with on_a_site() as here:
        measure(*here)
