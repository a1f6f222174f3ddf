"""The pause after a round: on the felt, on all screens, and how it ends."""

import os
import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect

from tests.browser.axe import assert_accessible
from tests.browser.conftest import run_quick_site
from tests.browser.playing import button, get_state, press_move, wait_for_version
from tests.browser.tables import (
    in_first_round,
    open_match_at,
    post_move,
    start_against_computers,
)
from tests.browser.test_screens import (
    LOOKS,
    OUTSIDE_WINDOW_JS,
    OVERLAPPING_SCENE_JS,
    OVERLAPPING_TEXT_JS,
    size,
)
from tests.server import Site

SECONDS = re.compile(r"^1?\d$")
PICTURES = os.environ.get("SCENES")
MOVE_BUBBLE_JS = "seat => document.querySelector(`#seat-${seat}`).append(document.querySelector('.bubble'))"


def picture(page: Page, name: str) -> None:
    if PICTURES:
        page.wait_for_timeout(1200)
        page.screenshot(path=f"{PICTURES}/{name}.png")


@pytest.fixture(scope="module")
def shared_site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """Return a server whose pause after a round is long enough to look at on a busy machine."""
    yield from run_quick_site(tmp_path_factory, ROUND_PAUSE_MS="19000")


def is_whole_line_visible(page: Page) -> bool:
    """Return whether all tiles are inside the view box."""
    return page.evaluate(
        """() => {
            const svg = document.querySelector("#line-wide");
            const { x, y, width, height } = svg.querySelector(".laid").getBBox();
            const [left, top, w, h] = svg.getAttribute("viewBox").split(" ").map(Number);
            return x >= left - 4 && y >= top - 4 && x + width <= left + w + 4 && y + height <= top + h + 4;
        }"""
    )


def goes_out(now: dict) -> bool:
    """Return whether the player on turn can go out."""
    return len(now["hand"]) == 1 and "@" in "".join(now["legal"][:1])


def find_last_move_of_round(*pages: Page, watched: bool = False, **fields: str) -> tuple[Page, dict]:
    """Play until a player can go out in the first round. Return their page and state."""
    now = open_match_at(in_first_round(goes_out), *pages, watched=watched, **fields)
    page = next(page for page in pages if get_state(page)["you"] == now["you"])
    wait_for_version(page, now["version"])
    return page, now


@pytest.mark.parametrize("preset", ["all-fives", "draw"])
def test_line_stays_until_round_pause_ends(alice, bob, preset):
    page, now = find_last_move_of_round(alice, bob, watched=True, preset=preset, target="500")
    other = bob if page is alice else alice
    laid = [tile["tile"] for tile in now["layout"]] + now["hand"]
    post_move(page, now["legal"][0], now)

    for each in (page, other):
        expect(each.locator("#round-end")).to_have_attribute("aria-labelledby", "round-end-h")
        for tile in laid:
            expect(each.locator(f"#board .laid [data-tile='{tile}']").first).to_be_attached()
        expect(each.locator("#hand")).to_have_css("visibility", "hidden")
        expect(each.locator(".open-hands")).to_have_count(2)
        expect(each.locator(".seat:not(.mine) .backs")).to_be_hidden()
        assert is_whole_line_visible(each)
    picture(page, f"round-{preset}")

    expect(button(page, "Continue")).to_be_hidden()
    expect(page.locator("#board .laid [data-tile]")).to_have_count(0)
    expect(page.locator("#hand")).to_have_css("visibility", "visible")


def test_player_continues_early_and_other_sees_it(alice, bob):
    page, now = find_last_move_of_round(alice, bob, target="500")
    other, name = (bob, "alice") if page is alice else (alice, "bob")
    post_move(page, now["legal"][0], now)

    expect(button(page, "Continue")).to_be_visible()
    page.keyboard.press("Escape")

    expect(page.locator("#board .laid [data-tile]")).to_have_count(0)
    expect(other.locator("#go-on time")).to_have_text(SECONDS)
    expect(other.locator(".ledger")).to_contain_text(f"{name} is ready")
    button(other, "Continue").click()
    expect(other.locator("#board .laid [data-tile]")).to_have_count(0)


def test_leader_may_play_during_pause(alice, bob):
    page, now = find_last_move_of_round(alice, bob, target="500")
    post_move(page, now["legal"][0], now)
    expect(button(page, "Continue")).to_be_visible()

    now = get_state(page)
    assert now["turn"] == now["you"]
    page.keyboard.press("1")
    expect(page.locator("#hand")).to_have_css("visibility", "visible")
    press_move(page, now["legal"][0], now)
    wait_for_version(page, now["version"] + 1)
    expect(page.locator("#board .laid [data-tile]").first).to_be_attached()


@pytest.mark.parametrize("motion", ["reduce", "no-preference"])
def test_pause_ring_respects_reduced_motion(open_page, motion):
    alice, bob = open_page("alice", reduced_motion=motion), open_page("bob")
    page, now = find_last_move_of_round(alice, bob, target="500")
    post_move(page, now["legal"][0], now)
    ring = alice.locator("#go-on time")
    expect(ring).to_have_text(SECONDS)
    drawn, before = ring.evaluate(
        "ring => [getComputedStyle(ring).backgroundImage, Number(ring.style.getPropertyValue('--rest'))]"
    )
    assert ("conic-gradient" in drawn) == (motion == "no-preference")
    assert 0 < before <= 19
    alice.wait_for_function(
        "before => !document.querySelector('#go-on time')"
        " || Number(document.querySelector('#go-on time').style.getPropertyValue('--rest')) < before",
        arg=before,
    )


def test_round_end_is_accessible(alice, bob):
    page, now = find_last_move_of_round(alice, bob, target="500")
    post_move(page, now["legal"][0], now)
    expect(button(page, "Continue")).to_be_visible()
    assert_accessible(page, "the end of a round")


def test_landscape_round_end_covers_nothing(open_page, bob):
    page = open_page("erna", phone=True, viewport=size(844, 390))
    between_rounds = lambda now: now["last_round"] and not now["layout"]  # noqa: E731
    open_match_at(between_rounds, page, bob, watched=True, target="500")
    expect(button(page, "Continue")).to_be_visible()

    assert page.evaluate(OUTSIDE_WINDOW_JS, ".ledger, .ledger .button, .open-hands, .seat, .racer") == []
    assert page.evaluate(OVERLAPPING_TEXT_JS) == []
    assert page.locator(".open-hands").count() == 2
    for hand in page.locator(".open-hands").all():
        expect(hand).to_be_visible()
    ledger, board = (page.locator(part).bounding_box() for part in (".ledger", "#board"))
    assert ledger["y"] >= board["y"] + board["height"] - 8


@pytest.mark.parametrize("look", LOOKS.values(), ids=LOOKS)
def test_round_end_of_four_has_no_overlap(open_page, look):
    page = open_page(guest=True, **look)
    start_against_computers(page, "dominican", 4)
    go_on = page.locator("#go-on")
    while not go_on.is_visible():
        now = get_state(page)
        if now["legal"] and not now["last_round"]:  # a lead would end the pause before the page has shown it
            post_move(page, now["legal"][0], now)
        page.wait_for_timeout(50)

    expect(page.locator(".open-hands")).to_have_count(4)
    for seat in range(4):  # the bubble is at the plate of the player who ended the round
        page.evaluate(MOVE_BUBBLE_JS, seat)
        assert page.evaluate(OVERLAPPING_SCENE_JS) == [], seat
        assert page.evaluate(OVERLAPPING_TEXT_JS) == [], seat
