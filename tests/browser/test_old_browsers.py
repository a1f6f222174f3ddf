"""Browsers without newer features: Chrome 109, Safari 16, Firefox 115, or with storage denied."""

import re

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser.playing import press_move, wait_for_version
from tests.browser.tables import start_against_computers, wait_for_turn
from tests.browser.waiting import expect_value

REMOVE_FEATURES_JS = """
    delete AbortSignal.timeout;
    for (const name of ["toSorted", "toSpliced", "toReversed", "with"]) delete Array.prototype[name];
    Object.defineProperty(Navigator.prototype, "locks", { value: undefined });
    delete Element.prototype.checkVisibility;
"""
DENY_STORAGE_JS = """
    for (const name of ["localStorage", "sessionStorage"])
        Object.defineProperty(window, name, { get() { throw new DOMException("denied", "SecurityError"); } });
"""
LIGHTNESS_JS = """selector => {
    const probe = document.createElement("canvas").getContext("2d");
    const style = getComputedStyle(document.querySelector(selector));
    probe.fillStyle = selector === "body" ? style.backgroundColor : style.stopColor;
    probe.fillRect(0, 0, 1, 1);
    return Math.max(...probe.getImageData(0, 0, 1, 1).data.slice(0, 3));
}"""


def without_features(page: Page, *features: str) -> Page:
    """Remove these features from the page's style sheets."""

    def rewrite(route: Route) -> None:
        answer = route.fetch()
        text = answer.text()
        for feature in features:
            text = text.replace(f"{feature}(", f"-old-{feature}(")
        route.fulfill(response=answer, body=text)

    page.route(re.compile(r"\.css$"), rewrite)
    return page


def play_once(page: Page) -> None:
    start_against_computers(page)
    _, now = wait_for_turn(page)
    wait_for_version(page, now["version"])
    expect(page.locator("html")).to_have_attribute("data-live", "on")
    press_move(page, now["legal"][0], now)
    wait_for_version(page, now["version"] + 1)


@pytest.mark.parametrize("phone", [False, True])
def test_match_is_played_without_newer_features(open_page, phone):
    page = without_features(open_page(guest=True, phone=phone), "light-dark", "color-mix", ":has")
    page.add_init_script(REMOVE_FEATURES_JS)
    play_once(page)
    for part in ("body", ".gradient-top"):
        expect_value(page, LIGHTNESS_JS, lambda lightness: lightness > 200, argument=part)
    page.locator("#tools").evaluate("menu => { menu.open = true; }")
    page.locator("#order").select_option("weight", force=True)


def test_match_is_played_with_storage_denied(open_page):
    page = open_page(guest=True)
    page.add_init_script(DENY_STORAGE_JS)
    play_once(page)
    sound = page.get_by_role("button", name="Sound")
    sound.click()
    expect(sound).to_have_attribute("aria-pressed", "false")


def test_socket_reconnects_without_newer_features(open_page):
    page = open_page(guest=True)
    page.add_init_script(REMOVE_FEATURES_JS)
    play_once(page)
    page.context.set_offline(True)
    expect(page.locator("html")).to_have_attribute("data-live", "lost")
    page.context.set_offline(False)
    expect(page.locator("html")).to_have_attribute("data-live", "on")


def test_forced_dark_mode_is_declined(open_page):
    page = open_page()
    page.goto("/")
    for theme, scheme in (("light", "light only"), ("dark", "dark"), ("system", "light dark")):
        page.evaluate("theme => { document.documentElement.dataset.theme = theme }", theme)
        declared = "() => getComputedStyle(document.documentElement).colorScheme.split(' ').sort()"
        expect_value(page, declared, sorted(scheme.split()))


SIZES_OF_FIELDS_JS = """() => [...document.querySelectorAll(
    "input:not([type=hidden], [type=checkbox], [type=radio]), select")]
    .map(field => parseFloat(getComputedStyle(field).fontSize))"""


def test_fields_on_touch_screens_have_sixteen_pixels(open_page):
    page = open_page(phone=True)
    for address in ("/accounts/signup/", "/accounts/login/", "/archive/", "/tables/new"):
        page.goto(address)
        expect_value(page, SIZES_OF_FIELDS_JS, lambda sizes: sizes and min(sizes) >= 16)
