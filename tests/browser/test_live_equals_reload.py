"""A page that received the end of a match or a leave equals one that is loaded afterwards."""

import time

from playwright.sync_api import Page

from tests.browser.playing import TIMEOUT_SECONDS, button, get_state, wait_for_version
from tests.browser.tables import play_until, post_move, start_match, wait_for_turn

# All visible elements with classes, text and boxes, except the live regions.
LOOKS = """() => [...document.querySelectorAll("main *")]
    .filter((each) => !each.closest("#status, #urgent") && each.checkVisibility({ visibilityProperty: true }))
    .map((each) => {
        const { x, y, width, height } = each.getBoundingClientRect();
        const text = [...each.childNodes].filter((node) => node.nodeType === 3).map((node) => node.data.trim());
        return [each.tagName, each.id, each.getAttribute("class"), ...text,
            ...[x, y, width, height].map(Math.round)].filter(Boolean).join(" ");
    })"""


def assert_equals_reload(page: Page) -> None:
    """Assert that the page equals a newly loaded one, once the result sheet has opened."""
    fresh = page.context.new_page()
    fresh.goto(page.url)
    deadline = time.monotonic() + TIMEOUT_SECONDS
    while (seen := page.evaluate(LOOKS)) != (wanted := fresh.evaluate(LOOKS)):
        if time.monotonic() > deadline:
            assert seen == wanted
        page.wait_for_timeout(200)


def play_four_moves(*pages: Page) -> None:
    for _ in range(4):
        page, now = wait_for_turn(*pages)
        post_move(page, now["legal"][0], now)
    version = get_state(page)["version"]
    for page in pages:
        wait_for_version(page, version)


def test_after_resignation_during_confirmation(alice, bob, open_page):
    watching = open_page()
    start_match(alice, bob)
    watching.goto(alice.url)
    play_four_moves(alice, bob)
    for page in (alice, bob):
        button(page, "Resign").first.click()
    bob.locator(".asked .button-danger").click()
    for page in (alice, bob, watching):
        page.locator("#over").wait_for()
        assert_equals_reload(page)


def test_after_played_out_match(alice, bob, open_page):
    watching = open_page()
    start_match(alice, bob, target="5")
    watching.goto(alice.url)
    play_until(lambda now: now["status"] == "finished", alice, bob)
    for page in (alice, bob, watching):
        page.locator("#over").wait_for()
        assert_equals_reload(page)


def test_after_one_of_three_left(alice, bob, open_page):
    charlie = open_page("charlie")
    start_match(alice, bob, charlie)
    play_four_moves(alice, bob, charlie)
    button(charlie, "Resign").first.click()
    charlie.locator(".asked .button-danger").click()
    for page in (alice, bob):
        page.locator("#leaver button").first.wait_for()
    charlie.locator("#leave [value=resign]").first.wait_for(state="detached")
    assert_equals_reload(charlie)
