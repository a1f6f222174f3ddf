"""Run `python -m bench.installed [FOLDER]`: pictures of the installed app's window, with and without a network.

Uses a temporary site with the demo data. Needs a whole Chromium (package `chromium`, or its path in CHROMIUM): the
headless shell of the tests opens no app windows.
"""

import os
import shutil
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import BrowserContext, Page, Playwright, sync_playwright

import bench.with_django  # noqa: F401  first
from bench.pictures import demo_site
from tests.browser.conftest import launch_options, sign_in
from tests.browser.tables import post_move, start_against_computers, wait_for_turn
from tests.browser.test_offline import OWN, store

SIZES = {"desktop": (1100, 720), "phone": (390, 844)}
IS_INSTALLED_JS = "matchMedia('(display-mode: standalone)').matches"


def find_chromium() -> str:
    path = os.environ.get("CHROMIUM") or shutil.which("chromium")
    if not path:
        sys.exit("Install the package chromium, or set CHROMIUM to its path.")
    return path


def open_window(playwright: Playwright, url: str, size: tuple[int, int], profile: str) -> BrowserContext:
    """Open the site in a window of its own, as an installed app has."""
    options = launch_options()
    # "new" is the mode that has windows; Playwright's own headless mode is the shell's.
    arguments = [*options["args"], "--headless=new", f"--app={url}", "--window-size={},{}".format(*size)]
    options |= {"executable_path": find_chromium(), "headless": False, "args": arguments}
    return playwright.chromium.launch_persistent_context(
        profile, base_url=url, no_viewport=True, locale="en-GB", reduced_motion="reduce", **options
    )


def finish_match(page: Page) -> str:
    """Play a match against a computer to its end by resigning; return its code."""
    start_against_computers(page)
    page, now = wait_for_turn(page)  # else the computer's move outruns the resignation
    post_move(page, "resign", now)
    return now["match"]


def take_pictures(page: Page, device: str, folder: Path) -> None:
    def picture(name: str) -> None:
        page.screenshot(path=folder / f"installed-{name}-{device}.jpg", type="jpeg", quality=70)

    code = finish_match(page)
    store(page, OWN, ["own", f"/embed/games/{code}/frames.json?lang=en"])
    page.goto("/")
    assert page.evaluate(IS_INSTALLED_JS), "this is no app window"
    picture("front")
    page.context.set_offline(True)
    page.goto("/offline/")
    page.locator("#stored-replays a").first.wait_for()
    picture("offline")
    page.locator("#stored-replays a").first.click()
    page.get_by_role("link", name="All pages").wait_for()
    picture("replay")
    page.get_by_role("link", name="All pages").click()
    page.locator("#stored-replays a").first.wait_for()


def main() -> None:
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else tempfile.mkdtemp())
    with demo_site() as site, sync_playwright() as playwright:
        for device, size in SIZES.items():
            with tempfile.TemporaryDirectory() as profile:
                context = open_window(playwright, site.url, size, profile)
                sign_in(context, f"installed-{device}")
                take_pictures(context.pages[0], device, folder)
                context.close()
    print(folder)


if __name__ == "__main__":
    main()
