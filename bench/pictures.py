"""Run `make pictures`: screenshots into docs/pictures/, on desktop and phone, light and dark.

Uses a temporary site with the demo data, and Chromium.
"""

import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from random import Random
from typing import Any

from playwright.sync_api import Browser, Page, sync_playwright

import bench.with_django  # noqa: F401  first
from tests.browser.conftest import DESKTOP, PHONE, launch_options, sign_in
from tests.browser.playing import button, get_state, take_turn, wait_for_version
from tests.browser.stored import DealUnsuitable
from tests.browser.tables import open_match, play_until, post_move, start_match, start_unwatched_match
from tests.server import ROOT, Site

PICTURES = ROOT / "docs" / "pictures"
FIND_MATCHES = """
import json
from games.models import Match
playing = Match.objects.filter(status="playing").prefetch_related("seats__user")
print(json.dumps({
    "playing": {f"{m.preset}-{m.seats.count()}": [m.code, m.seats.first().user.username] for m in playing},
    "finished": Match.objects.filter(status="finished", preset="all-fives").latest("ended_at").code,
}))
"""

MAX_DEALS = 40


@contextmanager
def demo_site() -> Iterator[Site]:
    with tempfile.TemporaryDirectory() as folder:
        site = Site(Path(folder), COMPUTER_PAUSE_MS="100")
        site.start()
        site.manage("demo")
        try:
            yield site
        finally:
            site.stop()


def pages_by_theme(browser: Browser, url: str, name: str) -> Iterator[tuple[str, Page]]:
    """Yield a page of the user for each device and theme, with the suffix for its file names."""
    for device, options in (("desktop", DESKTOP), ("phone", PHONE)):
        for theme in ("light", "dark"):
            context = browser.new_context(
                base_url=url, color_scheme=theme, reduced_motion="reduce", locale="en-GB", **options
            )
            sign_in(context, name)
            yield f"{device}-{theme}", context.new_page()
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


def pages_by_shape(browser: Browser, url: str, name: str, address: str) -> Iterator[tuple[str, Page]]:
    """Yield the user's page on other screens, at 200 % font size, in forced colours and with ebony tiles."""
    for shape, options in SHAPES.items():
        context = browser.new_context(base_url=url, reduced_motion="reduce", locale="en-GB", **options)
        sign_in(context, name)
        page = context.new_page()
        page.goto(address)
        if shape == "large-text":
            page.evaluate("document.documentElement.style.fontSize = '200%'")
        if shape.startswith("ebony"):
            page.evaluate("document.documentElement.dataset.tiles = 'ebony'")
        yield shape, page
        context.close()


def screenshot(page: Page, name: str) -> None:
    page.wait_for_load_state("networkidle")
    page.screenshot(path=PICTURES / f"{name}.jpg", type="jpeg", quality=82)
    print(name, flush=True)


def open_and_screenshot(page: Page, address: str, name: str) -> None:
    page.goto(address)
    screenshot(page, name)


def play_to_ends(page: Page) -> Iterator[str]:
    """Play the computer; yield the names of screenshots at the end of a round and of the match."""
    page.goto("/")
    page.locator("#computer button[type=submit]").first.click()
    page.wait_for_url("**/games/**")
    rng, round_ended = Random(7), False
    for _ in range(4000):
        state = get_state(page)
        if state["status"] == "finished":
            page.locator("#over").wait_for(state="visible")
            yield "match-end"
            page.keyboard.press("Escape")
            yield "match-end-closed"
            return
        if state["last_round"] and not state["layout"] and not round_ended:
            round_ended = True
            yield "round-end"
        if not take_turn(page, rng):
            page.wait_for_timeout(60)


def show_choices(page: Page, other: Page) -> Iterator[str]:
    """Set up and yield: places for a tile, a tile that does not fit, dragging, a premove, and a long hand."""
    state = deal_varied_hand(page, other)
    wait_for_version(page, state["version"])
    playable = {move.split("@")[0] for move in state["legal"]}
    tile = next(t for t in playable if sum(move.startswith(t) for move in state["legal"]) > 1)
    button(page, tile).click()
    yield "places"
    page.keyboard.press("Escape")
    button(page, next(t for t in state["hand"] if t not in playable)).dispatch_event("click")
    yield "no-fit"
    box = button(page, tile).bounding_box()
    page.mouse.move(box["x"] + 20, box["y"] + 40)
    page.mouse.down()
    page.mouse.move(box["x"] + 30, box["y"] - 160, steps=4)
    yield "dragging"
    page.mouse.move(box["x"] + 20, box["y"] + 40)  # back to the hand: dropped on a place it would be played
    page.mouse.up()
    page.reload()
    post_move(page, state["legal"][0], state)
    wait_for_version(page, state["version"] + 1)
    button(page, get_state(page)["hand"][0]).dispatch_event("click")
    page.locator("#premove").wait_for(state="visible")
    yield "chosen-ahead"
    start_match(page, other, preset="draw", **{"rule-set": "9", "rule-hand_size": "13"})
    yield "long-hand"


def deal_varied_hand(page: Page, other: Page) -> dict[str, Any]:
    """Open a match at a turn of the first page with `has_varied_hand`; return its state."""
    for _ in range(MAX_DEALS):
        code = start_unwatched_match(page, other)
        with suppress(DealUnsuitable):
            state = play_until(lambda now: now["you"] == 0 and has_varied_hand(now), page, other, code=code)
            open_match(code, page, other)
            return state
    raise RuntimeError(f"no varied hand in {MAX_DEALS} deals")


def has_varied_hand(state: dict[str, Any]) -> bool:
    """Return whether the hand has a tile with two places and one without any."""
    playable = [move.split("@")[0] for move in state["legal"] if "@" in move]
    return len(set(playable)) < len(playable) and any(tile not in playable for tile in state["hand"])


def main() -> None:
    PICTURES.mkdir(parents=True, exist_ok=True)
    with demo_site() as site, sync_playwright() as playwright:
        matches = json.loads(
            subprocess.run(
                [sys.executable, "manage.py", "shell", "-v0", "-c", FIND_MATCHES],
                cwd=ROOT,
                env=site.env,  # noqa: S603
                capture_output=True,
                text=True,
                check=True,
            )
            .stdout.strip()
            .splitlines()[-1]
        )
        browser = playwright.chromium.launch(**launch_options())
        for variant, page in pages_by_theme(browser, site.url, "mara"):
            open_and_screenshot(page, "/", f"lobby-{variant}")
            open_and_screenshot(page, "/tables/new", f"new-table-{variant}")
            open_and_screenshot(page, "/leaderboard/muggins/", f"leaderboard-{variant}")
            open_and_screenshot(page, "/players/mara/", f"profile-{variant}")
            open_and_screenshot(page, "/rules/all-fives/", f"rules-{variant}")
            open_and_screenshot(page, f"/games/{matches['finished']}/replay/?move=12", f"replay-{variant}")
        for preset, name in (
            ("all-fives-2", "table"),
            ("sebastopol-4", "table-four"),
            ("muggins-200-2", "table-called"),
        ):
            code, person = matches["playing"][preset]
            for variant, page in pages_by_theme(browser, site.url, person):
                open_and_screenshot(page, f"/games/{code}/", f"{name}-{variant}")
            for shape, page in pages_by_shape(browser, site.url, person, f"/games/{code}/"):
                screenshot(page, f"{name}-{shape}")
        other = browser.new_context(base_url=site.url)
        sign_in(other, "oyelaran")
        for variant, page in pages_by_theme(browser, site.url, "mara"):
            for name in show_choices(page, other.new_page()):
                screenshot(page, f"{name}-{variant}")
        for variant, page in pages_by_theme(browser, site.url, "hedvig"):
            for name in play_to_ends(page):
                screenshot(page, f"{name}-{variant}")
        browser.close()


if __name__ == "__main__":
    main()
