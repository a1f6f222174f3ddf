"""Page weight, layout shifts, large text, and installation on a home screen."""

from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Route, expect

from tests import budgets
from tests.browser.conftest import DESKTOP, PHONE
from tests.browser.fonts import NARROW, WIDE, scrolls_sideways, set_font_width
from tests.browser.playing import press_move, wait_for_version
from tests.browser.tables import open_alone, open_match_at, post_move, tile_with_choice, wait_for_turn
from tests.browser.transfer import measure_transfer
from tests.browser.waiting import expect_value
from tests.seeds import USUAL_SEED

# Layout shifts without user input. A shift before the response to a click counts as caused by it, even if the
# machine needs more than the 500 ms that Chromium allows.
RECORD_SHIFTS_JS = """
    const shifts = [], pressed = [];
    const observer = new PerformanceObserver((list) => shifts.push(...list.getEntries()));
    observer.observe({ type: "layout-shift", buffered: true });
    window.pressing = () => pressed.push([performance.now(), Infinity]);
    window.answered = () => drawn().then(() => (pressed.at(-1)[1] = performance.now()));
    window.drawn = () => new Promise(requestAnimationFrame).then(() => new Promise(requestAnimationFrame));
    window.shifted = () => (shifts.push(...observer.takeRecords()), shifts)
        .filter((shift) => !shift.hadRecentInput)
        .filter((shift) => !pressed.some(([from, to]) => from <= shift.startTime && shift.startTime <= to))
        .map((shift) => [shift.value, ...shift.sources.map(moved)]);
    const at = ({ x, y, width, height }) => `${x},${y} ${width}x${height}`;
    const moved = ({ node, previousRect, currentRect }) =>
        `${node?.outerHTML?.slice(0, 60) ?? node?.textContent}: ${at(previousRect)} -> ${at(currentRect)}`;
"""

# A line of text that appears above the table shifts it by 0.016, on a phone by 0.023. A plate that a busy browser draws
# when it has parsed half of it makes 0.003. Web Vitals calls 0.1 good.
LARGEST_SHIFT_AT_LOAD = 0.01
# Right-aligned numbers shift when they change.
LARGEST_SHIFT = 0.02

# How many animations go on that will end.
FINITE_ANIMATIONS_JS = """() => document.getAnimations()
    .filter((each) => each.playState === "running" && each.effect.getComputedTiming().endTime < Infinity).length"""

IMAGE_SIZE_JS = """async (address) => {
    const image = new Image();
    image.src = address;
    await image.decode();
    return `${image.width}x${image.height}`;
}"""


def test_table_page_weight_and_origin(open_page, site):
    page = open_page(guest=True)
    # In another position the page may be longer, and a phone may load the button that enlarges the tiles.
    open_alone(page, ["casual"], has_long_page, seed=USUAL_SEED)
    for look, name in (
        (DESKTOP, "the first visit to a match"),
        (PHONE, "the first visit to a match by phone"),
    ):
        page.set_viewport_size(look["viewport"])
        came = measure_transfer(page, page.url)

        fonts = sum(size for address, size in came.items() if address.endswith(".woff2"))
        budgets.check(name, {"bytes": sum(came.values()) - fonts, "bytes of fonts": fonts})
        assert {urlsplit(address).netloc for address in came} == {urlsplit(site.url).netloc}
    for address in came:  # immutable files are not revalidated
        head = page.request.head(address).headers
        assert "/static/" not in address or not {"etag", "last-modified"} & head.keys(), address


def has_long_page(now: dict) -> bool:
    """Return whether it is the host's turn with many tiles on the table and in hand, some fitting several ends."""
    return (
        now["you"] == 0 and len(now["layout"]) >= 9 and len(now["hand"]) >= 5 and bool(tile_with_choice(now))
    )


def is_hosts_turn_after_four_tiles(now: dict) -> bool:
    """Return whether the end of the round, which may shift the page, is far away."""
    return now["you"] == 0 and len(now["layout"]) == 4


@pytest.mark.parametrize("phone", [False, True])
def test_table_has_no_layout_shift(open_page, phone):
    page, other = open_page("alice", phone=phone, reduced_motion="no-preference"), open_page("bob")
    page.add_init_script(RECORD_SHIFTS_JS)
    now = open_match_at(is_hosts_turn_after_four_tiles, page, other, shown=[page])
    page.reload()  # with the font in the cache
    page.wait_for_load_state("networkidle")
    at_load = page.evaluate("shifted()")
    assert sum(shift[0] for shift in at_load) < LARGEST_SHIFT_AT_LOAD, at_load
    for _ in range(5):
        mover, now = wait_for_turn(page, other, code=now["match"])
        if mover is other:
            post_move(other, now["legal"][0], now)
            wait_for_version(page, now["version"] + 1)
            continue
        wait_for_version(page, now["version"])
        page.evaluate("void pressing()")
        press_move(page, now["legal"][0], now)
        wait_for_version(page, now["version"] + 1)
        page.evaluate("answered()")
    expect_value(page, FINITE_ANIMATIONS_JS, 0)
    page.evaluate("drawn()")
    shifted = page.evaluate("shifted()")
    assert sum(shift[0] for shift in shifted) < LARGEST_SHIFT, shifted


def fulfill_until(route: Route, end: str) -> None:
    """Answer with the part of the page before `end`."""
    body = route.fetch().text()
    route.fulfill(body=body[: body.index(end)], content_type="text/html")


def test_controls_are_in_place_before_the_end_of_the_page_has_come(open_page):
    page = open_page(guest=True)
    open_alone(page, ["casual"], has_long_page)
    page.route(page.url, lambda route: fulfill_until(route, 'id="leave"'))
    page.route("**/*.js", lambda route: route.abort())  # scripts run on whole pages
    page.reload()

    expect(page.locator("#tools")).to_be_visible()


@pytest.mark.parametrize("end", ['<div class="foot', 'id="leave"'])
def test_talk_appears_in_its_place_when_the_foot_of_the_rail_has_come(open_page, end):
    page = open_page("alice")
    open_alone(page, ["casual"], has_long_page)
    page.route("**/*.js", lambda route: route.abort())
    page.route(page.url, lambda route: fulfill_until(route, end))
    page.reload()
    expect(page.locator("#chat")).to_be_attached()
    expect(page.locator("#chat > summary")).to_be_hidden()

    page.unroute(page.url)
    page.reload()

    expect(page.locator("#chat > summary")).to_be_visible()


def test_site_is_installable(open_page):
    page = open_page()
    page.goto("/")
    about = page.request.get(page.locator("link[rel=manifest]").get_attribute("href"))
    assert about.headers["content-type"] == "application/manifest+json"
    manifest = about.json()
    assert (manifest["display"], page.request.get(manifest["start_url"]).status) == ("standalone", 200)
    assert manifest["name"] and manifest["short_name"]
    for icon in manifest["icons"]:
        assert page.request.get(icon["src"]).headers["content-type"] == icon["type"]
        if icon["sizes"] != "any":
            size = page.evaluate(IMAGE_SIZE_JS, icon["src"])
            assert size == icon["sizes"]
    assert {"192x192", "512x512"} <= {icon["sizes"] for icon in manifest["icons"]}
    line = page.context.new_cdp_session(page)
    assert line.send("Page.getAppManifest")["errors"] == []
    errors = line.send("Page.getInstallabilityErrors")["installabilityErrors"]
    assert {error["errorId"] for error in errors} <= {"in-incognito"}  # Playwright contexts are incognito


PAGES = [
    "/",
    "/leaderboard/",
    "/leaderboard/muggins/",
    "/rules/",
    "/rules/all-fives/",
    "/preferences/",
    "/tables/new",
]


TEXT_SIZE_JS = "size => (document.documentElement.style.fontSize = `${size}px`)"


def test_no_horizontal_scroll_when_narrow_or_large_text(open_page):
    page = open_page("alice")
    open_alone(page, ["patient-paul"], has_long_page)
    for path in [page.url, *PAGES]:
        page.goto(path)
        for letter in (None, WIDE, NARROW):
            if letter:
                set_font_width(page, letter)
            for width, text in ((360, 16), (1280, 32), (360, 32)):
                page.set_viewport_size({"width": width, "height": 800})
                page.evaluate(TEXT_SIZE_JS, text)
                what = f"{path}, {width} wide, text of {text} px, letters {letter} em"
                assert not scrolls_sideways(page), what


# Buttons and tiles in the rack that overlap.
OVERLAPPING_TEXT_JS = """() => {
    const boxes = (what) => [...document.querySelectorAll(what)].filter((each) => each.checkVisibility())
        .map((each) => [each.textContent.trim() || each.ariaLabel, each.getBoundingClientRect()]);
    const meet = (one, two) =>
        one.left < two.right && two.left < one.right && one.top < two.bottom && two.top < one.bottom;
    return boxes("#bone .button, #acts .button").flatMap(([name, one]) => boxes("#hand .hand-tile")
        .filter(([, two]) => meet(one, two)).map(([tile]) => `${name} and ${tile}`));
}"""


def test_rack_buttons_do_not_overlap_tiles(open_page):
    page = open_page("alice")
    open_alone(
        page, ["patient-paul"], lambda now: now["you"] == 0 and now["legal"] == ["draw"], preset="draw"
    )
    for letter in (WIDE, NARROW):
        set_font_width(page, letter)
        for width in (360, 900, 1100, 1280, 1600):
            page.set_viewport_size({"width": width, "height": 800})
            for text in (16, 32):
                page.evaluate(TEXT_SIZE_JS, text)
                expect_value(page, OVERLAPPING_TEXT_JS, [])


def test_reduced_motion_disables_animations(open_page):
    page, other = open_page("alice", reduced_motion="reduce"), open_page("bob")
    now = open_match_at(is_hosts_turn_after_four_tiles, page, other, shown=[page])
    for _ in range(2):
        mover, now = wait_for_turn(page, other, code=now["match"])
        wait_for_version(page, now["version"])
        if mover is page:
            press_move(page, now["legal"][0], now)
        else:
            post_move(other, now["legal"][0], now)
        wait_for_version(page, now["version"] + 1)
        running = "document.getAnimations().filter((a) => a.effect.getComputedTiming().duration > 0).length"
        animations = page.evaluate(running)  # at once
        assert animations == 0
