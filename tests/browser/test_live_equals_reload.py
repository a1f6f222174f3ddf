"""A page that received the end of a match or a leave equals one that is loaded afterwards."""

from playwright.sync_api import Page

from tests.browser.playing import button
from tests.browser.tables import open_match_at, post_move, wait_for_turn
from tests.browser.waiting import until

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
    seen: list[list[str]] = []

    def are_equal() -> bool:
        seen[:] = page.evaluate(LOOKS), fresh.evaluate(LOOKS)
        return seen[0] == seen[1]

    def difference() -> list[str]:
        return sorted(set(seen[0]) ^ set(seen[1]))

    until(page, are_equal, "the page to equal a newly loaded one", status=difference)
    fresh.close()


def has_four_moves(now: dict) -> bool:
    return now["version"] == 4


def wins(now: dict) -> bool:
    """Return whether the player on turn ends the match with their last tile."""
    return len(now["hand"]) == 1 and "@" in now["legal"][0] and now["scores"][now["you"]] >= now["target"]


def test_after_resignation_during_confirmation(alice, bob, open_page):
    watching = open_page()
    open_match_at(has_four_moves, alice, bob, shown=[alice, bob, watching], watched=True)
    for page in (alice, bob):
        button(page, "Resign").first.click()
    bob.locator(".asked .button-danger").click()
    for page in (alice, bob, watching):
        page.locator("#over").wait_for()
        assert_equals_reload(page)


def test_after_played_out_match(alice, bob, open_page):
    watching = open_page()
    now = open_match_at(wins, alice, bob, shown=[alice, bob, watching], watched=True, target="5")
    mover, now = wait_for_turn(alice, bob, code=now["match"])
    post_move(mover, now["legal"][0], now)
    for page in (alice, bob, watching):
        page.locator("#over").wait_for()
        assert_equals_reload(page)


def test_after_one_of_three_left(alice, bob, open_page):
    charlie = open_page("charlie")
    open_match_at(has_four_moves, alice, bob, charlie, shown=[alice, charlie], watched=True)
    button(charlie, "Resign").first.click()
    charlie.locator(".asked .button-danger").click()
    alice.locator("#leaver button").first.wait_for()
    charlie.locator("#leave [value=resign]").first.wait_for(state="detached")
    assert_equals_reload(charlie)
