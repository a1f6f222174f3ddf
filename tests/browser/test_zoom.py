"""Zoom, large text and low windows. test_screens.py has the tables themselves, at all sizes and text sizes."""

from playwright.sync_api import expect

from tests.browser.layout import (
    DOUBLE_TEXT_JS,
    LONGEST_GUESTS,
    NO_OVERLAPPING_CONTROLS,
    NO_OVERLAPPING_TEXT,
    Check,
    Position,
    at_least,
    find_faults,
    find_faults_at,
    is_early,
    is_first,
    is_true,
    open_position,
    outside,
    settle,
    size,
)
from tests.browser.playing import button, get_state
from tests.browser.stored import DealUnsuitable
from tests.browser.tables import open_alone, open_match_at, post_move
from tests.browser.waiting import expect_box, expect_value

BESIDE_JS = "() => rail.getBoundingClientRect().left >= table.getBoundingClientRect().right"
BELOW_JS = """() => {
    const box = rail.getBoundingClientRect();
    return box.top >= table.getBoundingClientRect().bottom && box.width > 0.8 * innerWidth;
}"""
TILE_BOXES = "[...document.querySelectorAll('.hand-tile svg')].map(tile => tile.getBoundingClientRect())"
BELOW_BOARD = is_true(
    "tiles over the board",
    f"{TILE_BOXES}.every(box => box.top >= document.querySelector('#board').getBoundingClientRect().bottom)",
)


def test_focus_never_scrolls_clipped_table(open_page):
    page = open_page(guest=True, phone=True, viewport=size(640, 290))
    now = open_alone(page, LONGEST_GUESTS[:1], is_first)
    post_move(page, "resign", now)
    expect(page.locator("#over")).to_be_visible()
    scroll = "part => { part.scrollTop = 23; return part.scrollTop; }"
    for part in (".play", "#table"):
        expect_value(page.locator(part), scroll, 0)


def test_long_hands_use_the_room_beside_them(open_page):
    page, faults = open_page(), []
    for held, widths, tile in ((14, [1280], 38), (16, [1280, 1000], 33)):
        rules = {"rule-set": "9", "rule-hand_size": str(held), "target": "500"}
        open_position(page, Position("draw", LONGEST_GUESTS[:1], is_first, rules))
        wide = at_least("the width of a tile", f"Math.min(...{TILE_BOXES}.map(box => box.width))", tile)
        sizes = [(width, 720) for width in widths]
        checks = (wide, NO_OVERLAPPING_CONTROLS, BELOW_BOARD)
        faults += find_faults_at(page, sizes, *checks, what=f"{held} in hand")
    assert faults == []


# Fields with type that a phone would zoom to.
FIELDS_OF_16_PX = Check(
    "small type",
    """() => {
        const fields = [...document.querySelectorAll(`main :is(
            input:not([type=hidden], [type=checkbox], [type=radio]), select, textarea)`)];
        return fields.length ? fields.filter(field => parseFloat(getComputedStyle(field).fontSize) < 16)
            .map(field => field.outerHTML) : ["no field"];
    }""",
)


def test_fields_are_16_px_on_touch_screens(open_page):
    page, faults = open_page(phone=True), []
    for path in ("/accounts/signup/", "/accounts/login/", "/archive/"):
        page.goto(path)
        faults += find_faults(page, FIELDS_OF_16_PX, what=path)
    assert faults == []
    page.goto("/accounts/login/")
    expect_box(page.get_by_role("link", name="Forgot your password?"), lambda box: box["height"] >= 44)


# The height at which a finger reaches a link.
REACHED_HEIGHT_JS = """link => {
    link.scrollIntoView({ block: "center" }); // what waits for her may be above it
    const box = link.getBoundingClientRect();
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
    let height = 0;
    for (let dy = -44; dy <= 44; dy += 1)
        if (link.contains(document.elementFromPoint(x, y + dy))) height += 1;
    return height;
}"""


def has_replay(now: dict) -> bool:
    """Return whether six moves were made in the first round, enough for a replay."""
    if now["last_round"]:
        raise DealUnsuitable
    return now["you"] == 0 and now["version"] >= 6


def test_links_are_touch_sized(open_page, bob):
    page = open_page("alice", phone=True)
    now = open_match_at(has_replay, page, bob, shown=[page])
    post_move(page, "resign", now)

    for path, links in (
        ("/archive/", ".column-players a"),
        (f"/games/{now['match']}/replay/", ".replay .seat .name a"),
    ):
        page.goto(path)
        expect_value(page.locator(links).first, REACHED_HEIGHT_JS, lambda height: height >= 43)


def test_rail_is_below_table_at_double_text_size(open_page):
    page = open_page()
    open_position(page, Position("muggins-200", LONGEST_GUESTS[:1], is_early))
    expect_value(page, BESIDE_JS)

    page.evaluate(DOUBLE_TEXT_JS)

    expect_value(page, BELOW_JS)
    assert find_faults(page, NO_OVERLAPPING_TEXT) == []
    button(page, "Resign").first.scroll_into_view_if_needed()
    assert find_faults(page, outside("#foot .button, #foot button")) == []


def test_large_text_shows_the_words_of_the_result(open_page):
    page = open_page(guest=True, phone=True)  # without other matches in the strip
    now = open_alone(page, LONGEST_GUESTS[:1], is_first)
    post_move(page, "resign", get_state(page, now["match"]))
    expect(page.locator("#over-h")).to_be_visible()
    page.evaluate(DOUBLE_TEXT_JS)
    settle(page)
    words, step = (
        f"document.querySelector('#over :is({part})').getBoundingClientRect()"
        for part in ("#over-h", ".next")
    )
    assert find_faults(page, is_true("result under the next steps", f"{words}.bottom <= {step}.top")) == []
    page.locator("#over .choices > *").last.scroll_into_view_if_needed()
    expect(page.locator("#over .choices > *").last).to_be_in_viewport()


LANGUAGES_WITH_LONG_WORDS = ("ru-RU", "es-ES", "pt-BR")
PAGES = (
    "/",
    "/daily/",
    "/tables/new",
    "/learn/",
    "/leaderboard/",
    "/watch/",
    "/preferences/",
    "/rules/",
    "/archive/",
)


def test_long_words_wrap_on_small_phones_and_with_large_text(open_page):
    wide = []
    for language in LANGUAGES_WITH_LONG_WORDS:
        page = open_page(phone=True, locale=language)
        for address in PAGES:
            page.set_viewport_size({"width": 320, "height": 640})
            page.goto(address)
            for text in ("100%", "200%"):
                page.evaluate("text => { document.documentElement.style.fontSize = text }", text)
                settle(page)
                width = page.evaluate("document.documentElement.scrollWidth")
                wide += (
                    [f"{language} {address} {text}: {width}"] if width > page.viewport_size["width"] else []
                )
                page.set_viewport_size({"width": 390, "height": 844})
    assert wide == []
