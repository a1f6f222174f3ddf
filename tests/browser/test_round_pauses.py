"""The pauses after a round, and after the play that ends one (`call_last`): on the felt, on all screens.

How they end by themselves: test_last_calls.py.
"""

import json
import os
import re
from collections.abc import Iterator
from datetime import timedelta

import pytest
from django.db.models import F
from playwright.sync_api import Page, expect

from games.models import Match
from tests.browser.axe import assert_accessible
from tests.browser.conftest import run_quick_site
from tests.browser.layout import (
    OUTSIDE_WINDOW_JS,
    OVERLAPPING_SCENE_JS,
    OVERLAPPING_TEXT_JS,
    size,
)
from tests.browser.playing import button, get_state, press_move, wait_for_version
from tests.browser.stored import Wanted, change_rows, store_match
from tests.browser.tables import in_first_round, open_match, open_match_at, post_move
from tests.browser.test_keys import RECORD_ANNOUNCEMENTS_JS
from tests.browser.waiting import expect_box, expect_value
from tests.server import Site

SECONDS = re.compile(r"^[1-6]?\d$")
PAUSE_SECONDS = 60
PICTURES = os.environ.get("SCENES")
MOVE_BUBBLE_JS = "seat => document.querySelector(`#seat-${seat}`).append(document.querySelector('.bubble'))"
# The leader lays its only tile: the round is over with it.
ONE_EACH = {"rule-hand_size": json.dumps({"2": 1, "3": 1, "4": 1})}


def picture(page: Page, name: str) -> None:
    if PICTURES:
        page.wait_for_timeout(1200)  # the animations, for a picture
        page.screenshot(path=f"{PICTURES}/{name}.png")


@pytest.fixture(scope="module")
def shared_site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """Return a server whose pauses are long enough to look at on a busy machine."""
    pause = f"{1000 * PAUSE_SECONDS}"
    yield from run_quick_site(tmp_path_factory, ROUND_PAUSE_MS=pause, CALL_PAUSE_MS=pause)


IS_WHOLE_LINE_VISIBLE_JS = """() => {
    const svg = document.querySelector("#line-wide");
    const { x, y, width, height } = svg.querySelector(".laid").getBBox();
    const [left, top, w, h] = svg.getAttribute("viewBox").split(" ").map(Number);
    return x >= left - 4 && y >= top - 4 && x + width <= left + w + 4 && y + height <= top + h + 4;
}"""


def goes_out(now: dict) -> bool:
    """Return whether the host, on turn, can go out."""
    return now["you"] == 0 and len(now["hand"]) == 1 and "@" in "".join(now["legal"][:1])


def open_last_move_of_round(page: Page, other: Page, *, shown=(), **fields: str) -> dict:
    """Open a match in whose first round the first page's player can go out. Return their state."""
    now = open_match_at(in_first_round(goes_out), page, other, shown=shown, target="500", **fields)
    for each in shown or (page, other):
        wait_for_version(each, now["version"])
    return now


@pytest.mark.parametrize("preset", ["all-fives", "draw"])
def test_line_and_hands_are_shown_in_round_pause(alice, bob, preset):
    now = open_last_move_of_round(alice, bob, preset=preset)
    laid = [tile["tile"] for tile in now["layout"]] + now["hand"]
    post_move(alice, now["legal"][0], now)

    for each in (alice, bob):
        expect(each.locator("#round-end")).to_have_attribute("aria-labelledby", "round-end-h")
        for tile in laid:
            expect(each.locator(f"#board .laid [data-tile='{tile}']").first).to_be_attached()
        expect(each.locator("#hand")).to_have_css("visibility", "hidden")
        expect(each.locator(".open-hands")).to_have_count(2)
        expect(each.locator(".seat:not(.mine) .backs")).to_be_hidden()
        expect_value(each, IS_WHOLE_LINE_VISIBLE_JS)
    picture(alice, f"round-{preset}")
    expect(button(alice, "Continue")).to_be_visible()
    if preset == "all-fives":
        assert_accessible(alice, "the end of a round")


def test_player_continues_early_and_other_sees_it(alice, bob):
    now = open_last_move_of_round(alice, bob)
    post_move(alice, now["legal"][0], now)
    expect(button(alice, "Continue")).to_be_visible()

    for motion in ("reduce", "no-preference"):
        alice.emulate_media(reduced_motion=motion)
        assert_ring_runs(alice, is_drawn=motion == "no-preference")
    alice.keyboard.press("Escape")

    expect(alice.locator("#board .laid [data-tile]")).to_have_count(0)
    expect(bob.locator("#go-on time")).to_have_text(SECONDS)
    expect(bob.locator(".ledger")).to_contain_text("alice is ready")
    button(bob, "Continue").click()
    expect(bob.locator("#board .laid [data-tile]")).to_have_count(0)


def assert_ring_runs(page: Page, *, is_drawn: bool) -> None:
    """Assert that the ring around Continue counts down, and whether it is drawn."""
    ring = page.locator("#go-on time")
    expect(ring).to_have_text(SECONDS)
    expect_value(ring, "ring => getComputedStyle(ring).backgroundImage.includes('conic-gradient')", is_drawn)
    rest_js = "ring => Number(ring.style.getPropertyValue('--rest'))"
    before = expect_value(ring, rest_js, lambda rest: 0 < rest <= PAUSE_SECONDS)
    expect_value(ring, rest_js, lambda rest: rest < before)


def test_leader_may_play_during_pause(alice, bob):
    now = open_last_move_of_round(alice, bob, shown=[alice])
    post_move(alice, now["legal"][0], now)
    expect(button(alice, "Continue")).to_be_visible()

    now = get_state(alice)
    assert now["turn"] == now["you"]
    alice.keyboard.press("1")
    expect(alice.locator("#hand")).to_have_css("visibility", "visible")
    press_move(alice, now["legal"][0], now)
    wait_for_version(alice, now["version"] + 1)
    expect(alice.locator("#board .laid [data-tile]").first).to_be_attached()


def is_between_rounds(now: dict) -> bool:
    return bool(now["last_round"]) and not now["layout"]


def open_round_end(page: Page, *others: str, preset: str, **fields: str) -> str:
    """Open a match of the page's player and guests in its first pause after a round. Return its code."""
    wanted = Wanted(is_between_rounds, others)
    code, _ = store_match(wanted, page, preset=preset, **fields)
    later = {name: F(name) + timedelta(seconds=PAUSE_SECONDS) for name in ("pause_until", "turn_began_at")}
    change_rows(page, lambda: Match.objects.filter(code=code).update(**later))
    open_match(code, page)
    expect(page.locator("#go-on")).to_be_visible()
    return code


def test_landscape_round_end_covers_nothing(open_page):
    page = open_page("erna", phone=True, viewport=size(844, 390))
    open_round_end(page, "greta", preset="all-fives", target="500")

    expect_value(page, OUTSIDE_WINDOW_JS, [], argument=".ledger, .ledger .button, .open-hands, .seat, .racer")
    expect_value(page, OVERLAPPING_TEXT_JS, [])
    expect(page.locator(".open-hands")).to_have_count(2)
    for hand in page.locator(".open-hands").all():
        expect(hand).to_be_visible()
    board = expect_box(page.locator("#board"), lambda box: box["height"] > 0)
    expect_box(page.locator(".ledger"), lambda box: box["y"] >= board["y"] + board["height"] - 8)


def test_round_end_of_four_has_no_overlap(open_page):
    phone = open_page("erna", phone=True)
    code = open_round_end(phone, "greta", "hanna", "ida", preset="dominican")
    desktop = open_page("erna")
    for page, viewport in ((phone, None), (phone, size(844, 390)), (phone, size(640, 360)), (desktop, None)):
        if viewport:
            page.set_viewport_size(viewport)
        open_match(code, page)
        expect(page.locator(".open-hands")).to_have_count(4)
        expect(page.locator(".bubble")).to_have_count(1)
        for seat in range(4):  # the bubble is at the plate of the player who ended the round
            page.evaluate(MOVE_BUBBLE_JS, seat)
            for script in (OVERLAPPING_SCENE_JS, OVERLAPPING_TEXT_JS):
                expect_value(page, script, [])


def test_pause_for_calls_is_shown_and_said_once(alice, bob):
    now = open_match_at(lambda now: now["you"] == 0, alice, bob, preset="muggins-200", **ONE_EACH)
    bob.evaluate(RECORD_ANNOUNCEMENTS_JS)
    post_move(alice, now["legal"][0], now)
    for page in (alice, bob):
        expect(page.locator("#calls")).to_be_visible()
        expect(page.locator("#calls b")).to_have_text("Any calls?")
        expect(page.locator("#calls time")).to_have_text(SECONDS)
        expect(page.locator("#round-end")).to_be_hidden()
        expect(page.locator(".ends-sum")).not_to_contain_text("Count")
    expect(button(bob, "Muggins!")).to_be_enabled()
    expect(button(alice, "Muggins!")).to_have_attribute("aria-disabled", "true")
    assert get_state(bob)["turn"] is None and get_state(bob)["last_round"] is None
    is_said_once = lambda heard: sum("Any calls?" in sentence for sentence in heard) == 1  # noqa: E731
    heard = expect_value(bob, "() => heard", is_said_once)
    (said,) = [sentence for sentence in heard if "Any calls?" in sentence]
    assert re.search(r" led \d-\d: open .*\. Any calls\?$", said), said
    assert_accessible(bob)
