"""`make pictures`: screenshots of the pages that matter into docs/pictures/, on a desktop and a phone, light and dark.

A site of its own with the demonstration's people and matches; every picture is of the real server in real Chromium.
"""

import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import Any

from playwright.sync_api import Browser, Page, sync_playwright

from tests.browser.conftest import DESKTOP, PHONE, launch_options, sign_in
from tests.browser.playing import button, get_state, take_turn, wait_for_version
from tests.browser.tables import find_match, post_move, start_match
from tests.server import ROOT, Site

PICTURES = ROOT / "docs" / "pictures"
MATCHES = """
import json
from games.models import Match
playing = Match.objects.filter(status="playing").prefetch_related("seats__user")
print(json.dumps({
    "playing": {f"{m.preset}-{m.seats.count()}": [m.code, m.seats.first().user.username] for m in playing},
    "finished": Match.objects.filter(status="finished", preset="all-fives").latest("ended_at").code,
}))
"""


@contextmanager
def site() -> Iterator[Site]:
    with tempfile.TemporaryDirectory() as folder:
        site = Site(Path(folder), COMPUTER_PAUSE_MS="100")
        site.start()
        site.manage("demo")
        try:
            yield site
        finally:
            site.stop()


def pages(browser: Browser, url: str, name: str) -> Iterator[tuple[str, Page]]:
    """A page of the person for each size and theme, with the ending of its pictures' names."""
    for size, look in (("desktop", DESKTOP), ("phone", PHONE)):
        for theme in ("light", "dark"):
            context = browser.new_context(
                base_url=url, color_scheme=theme, reduced_motion="reduce", locale="en-GB", **look
            )
            sign_in(context, name)
            yield f"{size}-{theme}", context.new_page()
            context.close()


SHAPES: dict[str, dict[str, Any]] = {
    "sideways": PHONE | {"viewport": {"width": 844, "height": 390}},
    "small-phone": PHONE | {"viewport": {"width": 360, "height": 640}},
    "tablet": DESKTOP | {"viewport": {"width": 768, "height": 1024}},
    "large-text": DESKTOP,
    "forced-colours": DESKTOP | {"forced_colors": "active"},
    "ebony-light": DESKTOP,
    "ebony-dark": DESKTOP | {"color_scheme": "dark"},
}


def shapes(browser: Browser, url: str, name: str, address: str) -> Iterator[tuple[str, Page]]:
    """The person's page on other screens, with letters twice as large, in forced colours and with ebony tiles."""
    for shape, look in SHAPES.items():
        context = browser.new_context(base_url=url, reduced_motion="reduce", locale="en-GB", **look)
        sign_in(context, name)
        page = context.new_page()
        page.goto(address)
        if shape == "large-text":
            page.evaluate("document.documentElement.style.fontSize = '200%'")
        if shape.startswith("ebony"):
            page.evaluate("document.documentElement.dataset.tiles = 'ebony'")
        yield shape, page
        context.close()


def take(page: Page, name: str) -> None:
    page.wait_for_load_state("networkidle")
    page.screenshot(path=PICTURES / f"{name}.jpg", type="jpeg", quality=82)
    print(name, flush=True)


def still(page: Page, address: str, name: str) -> None:
    page.goto(address)
    take(page, name)


def ends(page: Page) -> Iterator[str]:
    """Play the computer until a round has ended, then until the match has."""
    page.goto("/")
    page.locator("#computer button[type=submit]").first.click()
    page.wait_for_url("**/games/**")
    chance, told = Random(7), False
    for _ in range(4000):
        now = get_state(page)
        if now["status"] == "finished":
            page.locator("#over").wait_for(state="visible")
            yield "match-end"
            page.keyboard.press("Escape")
            yield "match-end-closed"
            return
        if now["last_round"] and not now["layout"] and not told:
            told = True
            yield "round-end"
        if not take_turn(page, chance):
            page.wait_for_timeout(60)


def choices(page: Page, other: Page) -> Iterator[str]:
    """What a place makes, a tile that does not fit, one that is dragged and one chosen ahead; then a long hand."""
    now = find_match(lambda now: now["you"] == 0 and has_all(now), page, other)
    wait_for_version(page, now["version"])
    names = {move.split("@")[0] for move in now["legal"]}
    tile = next(t for t in names if sum(move.startswith(t) for move in now["legal"]) > 1)
    button(page, tile).click()
    yield "places"
    page.keyboard.press("Escape")
    button(page, next(t for t in now["hand"] if t not in names)).dispatch_event("click")
    yield "no-fit"
    box = button(page, tile).bounding_box()
    page.mouse.move(box["x"] + 20, box["y"] + 40)
    page.mouse.down()
    page.mouse.move(box["x"] + 30, box["y"] - 160, steps=4)
    yield "dragging"
    page.mouse.move(box["x"] + 20, box["y"] + 40)  # back: let go on a place it would be played
    page.mouse.up()
    page.reload()
    post_move(page, now["legal"][0], now)
    wait_for_version(page, now["version"] + 1)
    button(page, get_state(page)["hand"][0]).dispatch_event("click")
    page.locator("#premove").wait_for(state="visible")
    yield "chosen-ahead"
    start_match(page, other, preset="draw", **{"rule-set": "9", "rule-hand_size": "13"})
    yield "long-hand"


def has_all(now: dict[str, Any]) -> bool:
    """Whether there is a tile that fits twice, and one that does not fit."""
    fits = [move.split("@")[0] for move in now["legal"] if "@" in move]
    return len(set(fits)) < len(fits) and any(tile not in fits for tile in now["hand"])


def main() -> None:
    PICTURES.mkdir(parents=True, exist_ok=True)
    with site() as here, sync_playwright() as playwright:
        found = json.loads(
            subprocess.run(
                [sys.executable, "manage.py", "shell", "-v0", "-c", MATCHES],
                cwd=ROOT,
                env=here.env,  # noqa: S603
                capture_output=True,
                text=True,
                check=True,
            )
            .stdout.strip()
            .splitlines()[-1]
        )
        browser = playwright.chromium.launch(**launch_options())
        for look, page in pages(browser, here.url, "mara"):
            still(page, "/", f"lobby-{look}")
            still(page, "/tables/new", f"new-table-{look}")
            still(page, "/leaderboard/muggins/", f"leaderboard-{look}")
            still(page, "/players/mara/", f"profile-{look}")
            still(page, "/rules/all-fives/", f"rules-{look}")
            still(page, f"/games/{found['finished']}/replay/?move=12", f"replay-{look}")
        for preset, name in (
            ("all-fives-2", "table"),
            ("sebastopol-4", "table-four"),
            ("muggins-200-2", "table-called"),
        ):
            code, person = found["playing"][preset]
            for look, page in pages(browser, here.url, person):
                still(page, f"/games/{code}/", f"{name}-{look}")
            for shape, page in shapes(browser, here.url, person, f"/games/{code}/"):
                take(page, f"{name}-{shape}")
        other = browser.new_context(base_url=here.url)
        sign_in(other, "oyelaran")
        for look, page in pages(browser, here.url, "mara"):
            for name in choices(page, other.new_page()):
                take(page, f"{name}-{look}")
        for look, page in pages(browser, here.url, "hedvig"):
            for name in ends(page):
                take(page, f"{name}-{look}")
        browser.close()


if __name__ == "__main__":
    main()
