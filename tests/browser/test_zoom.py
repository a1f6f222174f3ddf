"""Zoom, large text and low windows: the board keeps its part of the window, and everything stays readable."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.playing import button, get_state, wait_for_version
from tests.browser.tables import post_move, start_against_computers, start_match, wait_for_turn
from tests.browser.test_screens import (
    OUTSIDE_WINDOW_JS,
    OVERLAPPING_TEXT_JS,
    TRUNCATED_NAMES_JS,
    size,
)

MIN_BOARD_SHARE = 0.4
ROUNDING = 0.001
BOARD_SHARE_JS = "document.querySelector('#board').getBoundingClientRect().height / innerHeight"
# Pairs of buttons, claims, tiles and plates that overlap.
OVERLAPPING_CONTROLS_JS = """() => {
    const parts = [...document.querySelectorAll(
        "#acts .button, #claim label, #bone .draw, #hand, #board, #seats .seat")]
        .filter(part => part.checkVisibility({ visibilityProperty: true }))
        .map(part => ({ part, box: part.getBoundingClientRect() }));
    return parts.flatMap((one, i) => parts.slice(i + 1)
        .filter(other => Math.min(one.box.right, other.box.right) - Math.max(one.box.left, other.box.left) > 2
            && Math.min(one.box.bottom, other.box.bottom) - Math.max(one.box.top, other.box.top) > 2)
        .map(other => [one.part.outerHTML.slice(0, 70), other.part.outerHTML.slice(0, 70)]));
}"""
BOXES = """() => Object.fromEntries(["rail", "table"].map(
    id => [id, document.getElementById(id).getBoundingClientRect().toJSON()]))"""
# Words of names that are broken inside.
BROKEN_NAMES_JS = """() => [...document.querySelectorAll("#seats .seat:not(.mine) .name :is(a, .player-name)")]
    .flatMap(name => {
        const text = name.firstChild;
        return [...text.data.matchAll(/[a-z]+/gi)].filter(word => {
            const range = document.createRange();
            range.setStart(text, word.index);
            range.setEnd(text, word.index + word[0].length);
            return new Set([...range.getClientRects()].map(box => Math.round(box.top))).size > 1;
        }).map(word => word[0]);
    })"""
# What a plate says after draws on two ends.
LONG_FACTS_JS = """() => document.querySelectorAll("#seats .seat:not(.mine) .subline").forEach(
    fact => { fact.innerHTML = "drew 2 on <b>5·<wbr>3</b>"; })"""
GAMES = [("all-fives", 2), ("muggins-200", 2), ("muggins-200-pairs", 4), ("dominican", 4)]


def open_game(page: Page, preset: str, seats: int) -> None:
    start_against_computers(page, preset, seats)
    page, now = wait_for_turn(page)
    wait_for_version(page, now["version"])


def assert_readable(page: Page) -> None:
    assert page.evaluate(BOARD_SHARE_JS) >= MIN_BOARD_SHARE - ROUNDING
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert page.evaluate(OVERLAPPING_TEXT_JS) == []
    assert page.evaluate(OVERLAPPING_CONTROLS_JS) == []
    assert page.evaluate(TRUNCATED_NAMES_JS) == []
    assert page.evaluate(BROKEN_NAMES_JS) == []


@pytest.mark.parametrize(("preset", "seats"), GAMES)
def test_board_keeps_two_fifths_of_small_windows(open_page, preset, seats):
    page = open_page(guest=True, phone=True)
    open_game(page, preset, seats)
    # The last three are a phone at 200 %, the same at 400 %, and a desk at 400 %.
    for width, height in ((390, 844), (360, 640), (320, 568), (360, 560), (195, 422), (98, 211), (320, 180)):
        page.set_viewport_size(size(width, height))
        assert_readable(page)
        if height > 400:
            assert page.evaluate(OUTSIDE_WINDOW_JS, "#hand .hand-tile") == [], (width, height)


@pytest.mark.parametrize(("preset", "seats"), GAMES)
def test_hand_is_in_view_at_double_text_size(open_page, preset, seats):
    page = open_page(guest=True, phone=True)
    open_game(page, preset, seats)

    page.evaluate("document.documentElement.style.fontSize = '200%'")

    assert_readable(page)
    assert page.evaluate(OUTSIDE_WINDOW_JS, "#hand .hand-tile, #claim label, #acts .button") == []
    width = "Math.min(...[...document.querySelectorAll('.hand-tile svg')].map(tile => tile.clientWidth))"
    assert page.evaluate(width) >= 44


def test_names_of_guests_are_whole_at_400_percent(open_page):
    four = [open_page(guest=True, phone=True) for _ in range(4)]
    start_match(*four, preset="sebastopol", clock="300+5")
    for width, height in ((195, 422), (98, 211), (320, 180)):
        four[0].set_viewport_size(size(width, height))
        assert_readable(four[0])


@pytest.mark.parametrize(("preset", "seats"), GAMES)
def test_hand_is_in_view_sideways_at_double_text_size(open_page, preset, seats):
    page = open_page(guest=True, phone=True, viewport=size(844, 390))
    open_game(page, preset, seats)

    page.evaluate("document.documentElement.style.fontSize = '200%'")
    page.evaluate(LONG_FACTS_JS)

    assert_readable(page)
    assert page.evaluate(OUTSIDE_WINDOW_JS, "#hand .hand-tile, #claim label, #acts .button, .draw") == []


@pytest.mark.parametrize("preset", ["muggins-200-pairs", "cuban"])
def test_low_landscape_window_shows_whole_table(open_page, preset):
    page = open_page(guest=True, phone=True, viewport=size(640, 290))
    open_game(page, preset, 4)

    parts = "#hand .hand-tile, #acts .button, #claim label, .seat, .racer"
    assert page.evaluate(OUTSIDE_WINDOW_JS, parts) == []
    assert_readable(page)
    width = "Math.min(...[...document.querySelectorAll('.hand-tile svg')].map(tile => tile.clientWidth))"
    assert page.evaluate(width) >= 34


def test_focus_never_scrolls_clipped_table(open_page):
    page = open_page(guest=True, phone=True, viewport=size(640, 290))
    open_game(page, "all-fives", 2)
    page, now = wait_for_turn(page)
    post_move(page, "resign", now)
    expect(page.locator("#over")).to_be_visible()
    scroll = "part => { part.scrollTop = 23; return part.scrollTop; }"
    for part in (".play", "#table"):
        assert page.locator(part).evaluate(scroll) == 0, part


@pytest.mark.parametrize(("held", "width", "tile"), [(14, 1280, 38), (16, 1280, 33), (16, 1000, 33)])
def test_long_hands_use_the_room_beside_them(open_page, bob, held, width, tile):
    page = open_page("erna", viewport=size(width, 720))
    start_match(page, bob, preset="draw", **{"rule-set": "9", "rule-hand_size": str(held), "target": "500"})

    boxes = page.locator(".hand-tile svg").evaluate_all(
        "all => all.map(one => one.getBoundingClientRect().toJSON())"
    )
    assert min(box["width"] for box in boxes) >= tile
    assert page.evaluate(OVERLAPPING_CONTROLS_JS) == []
    board = page.locator("#board").bounding_box()
    assert min(box["top"] for box in boxes) >= board["y"] + board["height"]


def test_quick_presses_do_not_zoom(open_page):
    page = open_page(guest=True, phone=True)
    open_game(page, "muggins-200", 2)
    for part in ("#bone .draw", "#acts .pass", "#board"):
        assert page.locator(part).evaluate("part => getComputedStyle(part).touchAction") == "manipulation", (
            part
        )


# The size of the type of each field on a touch screen.
@pytest.mark.parametrize("path", ["/accounts/signup/", "/accounts/login/", "/archive/"])
def test_fields_are_16_px_on_touch_screens(open_page, path):
    page = open_page(phone=True)
    page.goto(path)
    fields = page.locator(
        "main :is(input:not([type=hidden], [type=checkbox], [type=radio]), select, textarea)"
    )
    sizes = fields.evaluate_all("all => all.map(one => parseFloat(getComputedStyle(one).fontSize))")
    assert sizes and min(sizes) >= 16


def test_links_are_touch_sized(open_page, alice, bob):
    code_page = open_page("alice", phone=True)
    start_match(alice, bob)
    for _ in range(6):  # enough for a replay
        page, now = wait_for_turn(alice, bob)
        post_move(page, now["legal"][0], now)
    page, now = wait_for_turn(alice, bob)
    post_move(page, "resign", now)

    for path, links in (
        ("/archive/", ".column-players a"),
        (f"/games/{now['match']}/replay/", ".replay .seat .name a"),
    ):
        code_page.goto(path)
        link = code_page.locator(links).first
        reached = link.evaluate(
            """link => {
                link.scrollIntoView({ block: "center" }); // what waits for her may be above it
                const box = link.getBoundingClientRect();
                const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
                let height = 0;
                for (let dy = -44; dy <= 44; dy += 1)
                    if (link.contains(document.elementFromPoint(x, y + dy))) height += 1;
                return height;
            }"""
        )
        assert reached >= 43, path
    visitor = open_page(phone=True)
    visitor.goto("/accounts/login/")
    assert visitor.get_by_role("link", name="Forgot your password?").bounding_box()["height"] >= 44


def test_rail_is_below_table_at_double_text_size(open_page):
    page = open_page(guest=True)
    start_against_computers(page, "muggins-200")
    page, now = wait_for_turn(page)
    wait_for_version(page, now["version"])
    beside = page.evaluate(BOXES)
    assert beside["rail"]["left"] >= beside["table"]["right"]

    page.evaluate("document.documentElement.style.fontSize = '200%'")

    under = page.evaluate(BOXES)
    assert under["rail"]["top"] >= under["table"]["bottom"]
    assert under["rail"]["width"] > 0.8 * page.evaluate("innerWidth")
    assert page.evaluate(OVERLAPPING_TEXT_JS) == []
    button(page, "Resign").first.scroll_into_view_if_needed()
    assert page.evaluate(OUTSIDE_WINDOW_JS, "#foot .button, #foot button") == []


def test_large_text_shows_the_words_of_the_result(open_page):
    alice, bob = open_page("lara", phone=True), open_page("lars")  # without other matches in the strip
    start_match(alice, bob)
    post_move(alice, "resign", get_state(alice))
    expect(alice.locator("#over-h")).to_be_visible()
    alice.evaluate("document.documentElement.style.fontSize = '200%'")
    boxes = [alice.locator(name).bounding_box() for name in ("#over .how", "#over .next-step")]
    assert boxes[0]["y"] + boxes[0]["height"] <= boxes[1]["y"]
    alice.locator("#over .links a").last.scroll_into_view_if_needed()
    expect(alice.locator("#over .links a").last).to_be_in_viewport()
