"""What a phone does while its player's match goes on, and a frame on somebody else's page there."""

from collections.abc import Callable

from playwright.sync_api import FloatRect, expect

from tests.browser.layout import (
    LONGEST_GUESTS,
    NO_OVERLAPPING_TEXT,
    Check,
    against,
    find_faults_at,
    is_first,
    open_position,
)
from tests.browser.playing import wait_for_version
from tests.browser.tables import in_first_round, open_alone, open_match_at, post_move
from tests.browser.waiting import expect_box, expect_value

RECORD_JS = """
    window.calls = [];
    const lock = {released: false, release: () => { lock.released = true; calls.push("release"); }};
    Object.defineProperty(navigator, "wakeLock", {value: {request: async (kind) => {
        lock.released = false;
        calls.push(kind);
        return lock;
    }}});
    navigator.vibrate = (ms) => calls.push(ms);
"""


def test_screen_stays_on_and_phone_vibrates(open_page):
    alice, bob = open_page("vera"), open_page("walt")
    for page in (alice, bob):
        page.add_init_script(RECORD_JS)
    alice.goto("/preferences/")
    with alice.expect_response("**/preferences/"):
        alice.get_by_label("vibrate on my turn", exact=False).check()
    now = open_match_at(in_first_round(is_guests_play), alice, bob)
    for page in (alice, bob):
        wait_for_version(page, now["version"])
        page.keyboard.press("Shift")  # the browser wants the user's activation
        expect_value(page, "() => calls.includes('screen')")
    expect_value(alice, "() => calls.includes(60)", False)
    post_move(bob, now["legal"][0], now)
    expect_value(alice, "() => calls.includes(60)")
    wait_for_version(bob, now["version"] + 1)
    expect_value(bob, "() => calls.includes(60)", False)


def is_guests_play(now: dict) -> bool:
    """Return whether the other seat may play, and holds more tiles."""
    return now["you"] == 1 and "@" in now["legal"][0] and len(now["hand"]) > 1


def test_embedded_puzzle_is_tall_in_an_upright_frame(open_page):
    page = open_page(phone=True)
    page.goto("/embed/puzzles/5/")
    shown = page.locator(".embed-board svg:visible")
    widths: list[float] = []
    for width, height, shape in ((390, 1100, "tall"), (390, 300, "wide")):
        page.set_viewport_size({"width": width, "height": height})
        expect(shown).to_have_class(shape)
        box = expect_box(shown.locator("[data-tile]").first, is_narrower(widths))
        widths.append(box["width"])


def is_narrower(widths: list[float]) -> Callable[[FloatRect], bool]:
    """Return whether a box is narrower than all these."""
    return lambda box: all(box["width"] < width for width in widths)


GOAL_IS_SHOWN = Check(
    "the goal is hidden",
    """() => {
        const { height } = document.querySelector("#race .target").getBoundingClientRect();
        return height > 8 ? [] : [height];
    }""",
)


def test_kozel_says_on_a_phone_that_points_are_bad(open_page):
    page = open_page(phone=True)
    open_position(page, against("kozel-pairs", 3))
    expect(page.locator("#race .target")).to_have_text("first to 101 loses")
    sizes = ((390, 844), (844, 390))
    assert find_faults_at(page, sizes, GOAL_IS_SHOWN, NO_OVERLAPPING_TEXT) == []


def test_empty_table_of_a_phone_names_the_game(open_page):
    phone = open_page(guest=True, phone=True)
    open_alone(phone, LONGEST_GUESTS[:1], is_first, preset="draw")
    name = phone.locator("#lead-note b")
    for width, height in ((390, 844), (667, 375)):
        faults = find_faults_at(phone, [(width, height)], NO_OVERLAPPING_TEXT)
        assert faults == []
        expect(name).to_be_visible()
        expect(name).to_have_text("Draw · first past 100")
    desk = open_page(storage_state=phone.context.storage_state())
    desk.goto(phone.url)
    expect(desk.locator("#lead-note")).to_be_visible()
    expect(desk.locator("#lead-note b")).to_be_hidden()
