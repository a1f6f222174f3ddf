"""The end of a round and of a match as scenes on the felt."""

import os

import pytest
from playwright.sync_api import Page, expect

from tests.browser.playing import button, press, shows, state
from tests.browser.tables import match, match_that_comes_to, on_turn, send

PICTURES = os.environ.get("SCENES")


def picture(page: Page, name: str) -> None:
    if PICTURES:
        page.wait_for_timeout(1200)
        page.screenshot(path=f"{PICTURES}/{name}.png")


def whole_line_is_seen(page: Page) -> bool:
    """Whether every tile lies within the picture, as the page was told by frames."""
    return page.evaluate(
        """() => {
            const svg = document.querySelector("#line-wide");
            const { x, y, width, height } = svg.querySelector(".laid").getBBox();
            const [left, top, w, h] = svg.getAttribute("viewBox").split(" ").map(Number);
            return x >= left - 4 && y >= top - 4 && x + width <= left + w + 4 && y + height <= top + h + 4;
        }"""
    )


def last_move_of_a_round(*pages: Page, **fields: str) -> tuple[Page, dict]:
    """Whoever has one tile left that fits is about to go out; they, and what they see."""
    now = match_that_comes_to(
        lambda now: len(now["hand"]) == 1 and now["legal"] and "@" in now["legal"][0], *pages, **fields
    )
    page = next(page for page in pages if state(page)["you"] == now["you"])
    shows(page, now["version"])
    return page, now


@pytest.mark.parametrize("preset", ["all-fives", "draw"])
def test_the_last_tile_is_seen_to_land_and_the_line_stays_until_the_pause_is_over(alice, bob, preset):
    page, now = last_move_of_a_round(alice, bob, preset=preset, target="500")
    other = bob if page is alice else alice
    laid = [tile["tile"] for tile in now["layout"]] + now["hand"]
    send(page, now["legal"][0], now)

    for each in (page, other):
        expect(each.locator("#round-end")).to_have_attribute("aria-labelledby", "round-end-h")
        for tile in laid:
            expect(each.locator(f"#board .laid [data-tile='{tile}']").first).to_be_attached()
        expect(each.locator("#hand")).to_have_css("visibility", "hidden")
        expect(each.locator(".laid-open")).to_have_count(2)
        expect(each.locator(".seat:not(.mine) .backs")).to_be_hidden()
        assert whole_line_is_seen(each)
    picture(page, f"round-{preset}")

    expect(button(page, "Continue")).to_be_hidden(timeout=9000)
    expect(page.locator("#board .laid [data-tile]")).to_have_count(0)
    expect(page.locator("#hand")).to_have_css("visibility", "visible")


def test_each_goes_on_when_they_like_and_the_other_sees_who_is_ready(alice, bob):
    page, now = last_move_of_a_round(alice, bob, target="500")
    other, name = (bob, "alice") if page is alice else (alice, "bob")
    send(page, now["legal"][0], now)

    expect(button(page, "Continue")).to_be_visible()
    page.keyboard.press("Escape")

    expect(page.locator("#board .laid [data-tile]")).to_have_count(0)
    expect(other.locator(".ledger")).to_contain_text(f"{name} is ready")
    button(other, "Continue").click()
    expect(other.locator("#board .laid [data-tile]")).to_have_count(0)


def test_who_leads_may_play_at_once(alice, bob):
    page, now = last_move_of_a_round(alice, bob, target="500")
    send(page, now["legal"][0], now)
    expect(button(page, "Continue")).to_be_visible()

    now = state(page)
    assert now["turn"] == now["you"]
    page.keyboard.press("1")
    expect(page.locator("#hand")).to_have_css("visibility", "visible")
    if not state(page)["layout"]:
        page.wait_for_timeout(300)
        press(page, now["legal"][0], now)
    shows(page, now["version"] + 1)
    expect(page.locator("#board .laid [data-tile]").first).to_be_attached()


def test_the_result_lies_over_the_last_line_and_a_rematch_is_asked_for_on_the_board(alice, bob):
    match(alice, bob, target="5")
    _, now = on_turn(alice, bob)
    first = now["match"]
    while now["status"] == "playing":
        page, now = on_turn(alice, bob)
        if now["status"] == "playing":
            send(page, now["legal"][0], now)
    laid = [tile["tile"] for tile in now["layout"]]

    for each in (alice, bob):
        expect(each.locator("#over")).to_be_focused()
        expect(each.locator(".laid-open")).to_have_count(2)
        for tile in laid:
            expect(each.locator(f"#board .laid [data-tile='{tile}']").first).to_be_attached()
    alice.keyboard.press("Escape")
    expect(alice.locator("#over")).to_be_hidden()
    expect(alice.get_by_role("link", name="Result and ratings")).to_be_focused()
    alice.keyboard.press("Enter")
    button(alice, "Rematch").click()

    expect(alice.locator("#over")).to_contain_text("Not answered yet: bob.")
    expect(bob.locator("#over")).to_contain_text("alice wants a rematch.")
    button(bob, "Decline").click()
    expect(alice.locator("#over")).to_contain_text("bob declined the rematch.")
    expect(button(alice, "Rematch")).to_be_hidden()
    button(bob, "Rematch").click()
    button(alice, "Rematch").click()
    for each in (alice, bob):
        each.wait_for_url(lambda url: "/games/" in url and first not in url)
