"""Announcements of a match in live regions and accessible names."""

import re
import time

import pytest
from playwright.sync_api import Page, expect

from tests.browser.playing import button, get_state, match_code, wait_for_version
from tests.browser.tables import (
    in_first_round,
    open_match_at,
    play_until,
    post_move,
    start_against_computers,
    start_match,
    wait_for_turn,
)
from tests.browser.test_keys import RECORD_ANNOUNCEMENTS_JS

ANNOUNCEMENT_SECONDS = 10


def heard(page: Page) -> list[str]:
    return page.evaluate("heard")


def hand_by_name(page: Page) -> list[str]:
    tiles = page.get_by_role("group", name=re.compile("tile")).get_by_role("button")
    return [name for name in tiles.evaluate_all("all => all.map(each => each.ariaLabel)") if name]


def open_by_ear(said: list[str]) -> list[str]:
    """Return the suits of the open ends after the last announced play."""
    for sentence in reversed(said):
        if found := re.findall(r"open ([^.]*?)(?:, count|\.)", sentence):
            return re.findall(r"\d+", found[-1])
    return []


def wait_for_announced_ends(page: Page, *expected: list[str]) -> None:
    deadline = time.monotonic() + ANNOUNCEMENT_SECONDS
    while (ends := open_by_ear(heard(page))) not in expected:
        assert time.monotonic() < deadline, (ends, expected)
        page.wait_for_timeout(50)


@pytest.mark.parametrize(("preset", "seats"), [("all-fives", 2), ("sebastopol", 4), ("muggins-200", 2)])
def test_ends_and_hand_are_announced_after_every_move(open_page, preset, seats):
    page = open_page(guest=True)
    start_against_computers(page, preset, seats, level="beginner")
    page.evaluate(RECORD_ANNOUNCEMENTS_JS)
    laid = len(get_state(page)["layout"])  # a computer may have led before
    for _ in range(12):
        _, now = wait_for_turn(page)
        wait_for_version(page, now["version"])
        if now["status"] == "finished" or now["round"] > 1:
            break
        assert sorted(hand_by_name(page)) == sorted(now["hand"])
        if len(now["layout"]) > laid:
            ends = [str(suit) for suit in now["ends"].values()]
            # A single double is announced as one open end.
            wait_for_announced_ends(page, ends, ends[:1] if len(now["layout"]) == 1 else ends)
        play_by_name(page, now)
        wait_for_version(page, now["version"] + 1)


def play_by_name(page: Page, now: dict) -> None:
    move = now["legal"][0]
    if move in ("draw", "pass"):
        button(page, move.capitalize()).click()
        return
    before = len(heard(page))
    button(page, move.partition("@")[0]).click()
    said = " ".join(heard(page)[before:])
    if places := re.search(r"Choose its place: ([^;]+);", said):
        button(page, places[1]).click()


def test_own_draw_and_new_hand_are_announced(alice, bob):
    start_match(alice, bob, target="200")
    alice.evaluate(RECORD_ANNOUNCEMENTS_JS)
    now = play_until(lambda now: now["last_round"] and not now["layout"], alice, bob)
    wait_for_version(alice, now["version"])

    hand = ", ".join(get_state(alice)["hand"])
    expect(alice.locator("#status, #urgent").filter(has_text=f"Your hand: {hand}")).to_have_count(1)
    said = " ".join(heard(alice))
    assert re.search(r"Round 2\. [^.]* leads?\.", said)
    assert "You drew a tile" not in said and "alice played" not in said


def test_draws_of_one_press_are_announced_by_number(alice, bob):
    drawn = 0
    while drawn < 2:
        now = open_match_at(lambda now: now["you"] == 1 and now["legal"] == ["draw"], alice, bob)
        wait_for_version(alice, now["version"])
        alice.evaluate(RECORD_ANNOUNCEMENTS_JS)
        button(bob, "Draw").click()
        wait_for_version(bob, now["version"] + 1)
        after = get_state(bob)
        drawn = after["seats"][1]["tiles"] - now["seats"][1]["tiles"]
    wait_for_version(alice, after["version"])
    if after["turn"] == 1:
        after = post_move(bob, after["legal"][0], after)
        wait_for_version(alice, after["version"])

    said = " ".join(heard(alice))
    # A page on a busy server may show the first draw alone.
    assert re.findall(r"bob drew (\w+) tiles?", said)[-1] == str(drawn)


def test_announcement_replaces_earlier_one(alice, bob):
    start_match(alice, bob)
    for _ in range(4):
        page, now = wait_for_turn(alice, bob)
        post_move(page, now["legal"][0], now)
        for each in (alice, bob):
            wait_for_version(each, now["version"] + 1)
            expect(each.locator(":is(#status, #urgent):not(:empty)")).to_have_count(1)


def test_talk_is_announced_and_result_takes_focus(alice, bob):
    start_match(alice, bob, clock="60+0")
    alice.evaluate(RECORD_ANNOUNCEMENTS_JS)
    bob.locator("#chat summary").click()
    bob.locator("#say [name=text]").fill("good luck")
    button(bob, "Send").click()
    expect(alice.locator("#status")).to_contain_text("bob: good luck")

    while get_state(alice)["version"] < 3:
        page, now = wait_for_turn(alice, bob)
        post_move(page, now["legal"][0], now)
    bob.get_by_role("button", name="Resign").first.click()
    bob.locator(".asked .button-danger").click()
    expect(alice.locator("#over")).to_be_focused()
    assert match_code(alice)


def test_reason_for_unplayable_tile_is_an_alert(alice, bob):
    must_draw = lambda now: now["legal"] == ["draw"] and now["you"] == 0  # noqa: E731
    now = open_match_at(in_first_round(must_draw), alice, bob)
    wait_for_version(alice, now["version"])
    alice.evaluate("document.querySelector('#hand .hand-tile').click()")
    expect(alice.get_by_role("alert")).to_contain_text(f"{now['hand'][0]} does not fit")


def test_keys_work_on_cyrillic_layout(open_page):
    page = open_page(guest=True)
    start_against_computers(page)
    _, now = wait_for_turn(page)
    wait_for_version(page, now["version"])
    page.evaluate(RECORD_ANNOUNCEMENTS_JS)
    page.evaluate(
        "document.body.dispatchEvent(new KeyboardEvent('keydown', {key: 'р', code: 'KeyH', bubbles: true}))"
    )
    page.wait_for_function("tile => heard.at(-1)?.includes(tile)", arg=now["hand"][0])


def test_query_buttons_announce_hand(open_page):
    page = open_page(guest=True)
    start_against_computers(page)
    _, now = wait_for_turn(page)
    wait_for_version(page, now["version"])
    page.get_by_text("By ear", exact=True).click()
    page.get_by_role("button", name="Hand", exact=True).click()
    for tile in now["hand"]:
        expect(page.locator("#status")).to_contain_text(tile)


def play_to_running_clock(alice: Page, bob: Page, *, moves: int) -> tuple[Page, Page]:
    """Play `moves` moves and until a clock runs. Return the page on turn and the other one."""
    while get_state(alice)["version"] < moves or len(get_state(alice)["layout"]) < 2:
        page, now = wait_for_turn(alice, bob)
        post_move(page, now["legal"][0], now)
    page, now = wait_for_turn(alice, bob)
    for each in (alice, bob):
        wait_for_version(each, now["version"])
    return (alice, bob) if page is alice else (bob, alice)


def test_low_time_is_announced_to_its_player(alice, bob):
    start_match(alice, bob, clock="62+0")
    for each in (alice, bob):
        each.evaluate(RECORD_ANNOUNCEMENTS_JS)
    warned = "() => heard.some(said => said.includes('You have less than a minute'))"
    mine, others = play_to_running_clock(alice, bob, moves=4)
    mine.wait_for_function(warned)
    left = others.evaluate("Number(document.querySelector('.mine .clock').dataset.seconds)")
    # On a busy machine theirs may be low, too; near the minute the page's clock and the server's may differ.
    assert abs(left - 60) < 1 or others.evaluate(warned) == (left < 60)


def test_absence_and_claim_are_announced(alice, bob):
    start_match(alice, bob, clock="180+0")
    gone, here = play_to_running_clock(alice, bob, moves=4)
    here.evaluate(RECORD_ANNOUNCEMENTS_JS)
    gone.goto("about:blank")
    here.wait_for_function("() => heard.some(said => said.includes('is away. You can go on in'))")
    here.wait_for_function("() => heard.some(said => said.includes('Take the win'))")
    button(here, "Take the win").click()
    expect(here.locator("#over")).to_be_focused()


def test_rematch_offer_is_announced(alice, bob):
    start_match(alice, bob)
    mine, other = play_to_running_clock(alice, bob, moves=2)
    other.evaluate(RECORD_ANNOUNCEMENTS_JS)
    mine.get_by_role("button", name="Resign").first.click()
    mine.locator(".asked .button-danger").click()
    button(mine, "Rematch").click()
    other.wait_for_function("() => heard.some(said => said.includes('wants a rematch'))")


def test_opponent_elsewhere_and_back_is_announced_once(alice, bob):
    start_match(alice, bob)
    address = bob.url
    expect(alice.locator("html")).to_have_attribute("data-live", "on")
    alice.evaluate(RECORD_ANNOUNCEMENTS_JS)

    bob.goto("/rules/")
    expect(alice.locator(".seat:not(.mine) .is-elsewhere")).to_be_visible()
    bob.goto(address)
    expect(alice.locator(".seat:not(.mine) .is-on")).to_be_visible()

    said = [sentence for sentence in heard(alice) if "bob: " in sentence]
    assert said == ["bob: elsewhere on the site.", "bob: connected."]
