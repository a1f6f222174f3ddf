"""What a phone does while its player's match goes on, and a frame on somebody else's page there."""

from random import Random

from playwright.sync_api import expect

from tests.browser.playing import get_state, take_turn
from tests.browser.tables import start_match
from tests.browser.waiting import wait_until

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
        wait_until(page, "() => calls.includes('screen')")
    wait_until(alice, "() => calls.includes(60)")
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
