"""What a phone does while its player's match goes on, and a frame on somebody else's page there."""

from random import Random

import pytest
from playwright.sync_api import expect

from tests.browser.playing import get_state, take_turn
from tests.browser.tables import start_against_computers, start_match
from tests.browser.test_screens import OVERLAPPING_TEXT_JS, size
from tests.browser.waiting import expect_value

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
    start_match(alice, bob)
    chance = Random(1)
    while len(get_state(alice)["layout"]) < 4:  # her turn has come by then; a draw keeps the turn
        take_turn(alice, chance) or take_turn(bob, chance)
    for page in (alice, bob):
        expect_value(page, "() => calls.includes('screen')")
    expect_value(alice, "() => calls.includes(60)")
    assert 60 not in bob.evaluate("calls")
    assert get_state(alice)["status"] == "playing"


def test_embedded_puzzle_is_tall_in_an_upright_frame(open_page):
    page = open_page(phone=True)
    page.goto("/embed/puzzles/5/")
    shown, widths = page.locator(".embed-board svg:visible"), []
    for width, height, shape in ((390, 600, "tall"), (390, 300, "wide")):
        page.set_viewport_size({"width": width, "height": height})
        expect(shown).to_have_class(shape)
        widths.append(shown.locator("[data-tile]").first.bounding_box()["width"])
    assert widths[0] > widths[1]


@pytest.mark.parametrize("screen", [{}, {"viewport": size(844, 390)}], ids=["upright", "sideways"])
def test_kozel_says_on_a_phone_that_points_are_bad(open_page, screen):
    page = open_page(guest=True, phone=True, **screen)
    start_against_computers(page, "kozel-pairs", 4)
    goal = page.locator("#race .target")
    expect(goal).to_have_text("first to 101 loses")
    box = goal.bounding_box()
    assert box and box["height"] > 8
    assert page.evaluate(OVERLAPPING_TEXT_JS) == []


def test_empty_table_of_a_phone_names_the_game(open_page):
    desk, phone = open_page(guest=True), open_page(guest=True, phone=True)
    start_match(desk, phone, preset="draw")
    name = phone.locator("#lead-note b")
    for width, height in ((390, 844), (667, 375)):
        phone.set_viewport_size(size(width, height))
        expect(name).to_be_visible()
        expect(name).to_have_text("Draw · first past 100")
        assert phone.evaluate(OVERLAPPING_TEXT_JS) == []
    expect(desk.locator("#lead-note")).to_be_visible()
    expect(desk.locator("#lead-note b")).to_be_hidden()
