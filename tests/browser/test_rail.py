"""The move list beside the table."""

from playwright.sync_api import expect

from tests.browser.playing import button, wait_for_version
from tests.browser.tables import (
    in_first_round,
    open_match_at,
    post_move,
    start_against_computers,
    start_match,
    wait_for_turn,
)

# The number of lines of a move beside a long sum, and whether the list overflows.
BROKEN = """() => {
    const list = document.querySelector("#moves"), line = list.lastElementChild;
    line.querySelector(".move-action").innerHTML =
        '<span class="lead-in">drew 2 · </span><span class="join">7-7 → 7</span>';
    for (const old of line.querySelectorAll(".points, .aside")) old.remove();
    line.insertAdjacentHTML("beforeend", `<span class="points"><span class="reason">${
        "6+6+8+14+11+3+2+5=55".replaceAll("+", "+<wbr>")}</span> +11</span>`);
    const range = document.createRange();
    range.selectNodeContents(line.querySelector(".lead-in"));
    const tops = new Set([...range.getClientRects()].map(box => Math.round(box.top)));
    return [tops.size, list.scrollWidth > list.clientWidth];
}"""
# A house rule with a long name, as a table's rules show it.
ADD_LONG_RULE_JS = """() => document.getElementById("facts").insertAdjacentHTML(
    "beforeend", '<span class="chip">Points of a play: a point for each five and each three</span>')"""
AT_LATEST_MOVE_JS = """() => {
    const { scrollHeight, scrollTop, clientHeight } = document.querySelector("#moves");
    return scrollHeight > clientHeight && scrollHeight - scrollTop - clientHeight < 2;
}"""


def test_long_sum_wraps_between_words(alice, bob):
    start_match(alice, bob)
    page, now = wait_for_turn(alice, bob)
    post_move(page, now["legal"][0], now)
    wait_for_version(alice, now["version"] + 1)
    assert alice.evaluate(BROKEN) == [1, False]


def test_opening_seen_tiles_keeps_latest_move_in_view(alice, bob):
    seven_moves = in_first_round(lambda now: now["version"] >= 7)  # a round may be blocked before
    now = open_match_at(seven_moves, alice, bob, preset="block", watched=True)
    wait_for_version(alice, now["version"])
    alice.locator("#seen summary").click()
    alice.locator(".triangle > div").first.wait_for()
    alice.wait_for_function(AT_LATEST_MOVE_JS)


def test_rail_does_not_scroll_sideways(alice):
    start_against_computers(alice)
    page, now = wait_for_turn(alice)
    post_move(page, now["legal"][0], now)
    wait_for_version(alice, now["version"] + 1)
    expect(button(alice, "Resign")).to_be_visible()
    alice.evaluate(ADD_LONG_RULE_JS)
    for width in (1280, 1440, 1920):
        alice.set_viewport_size({"width": width, "height": 900})
        assert alice.evaluate("rail.scrollWidth <= rail.clientWidth"), width


def test_calling_off_is_confirmed(alice, bob):
    start_match(alice, bob)
    foot = alice.locator("#foot")

    button(alice, "Call off").click()
    expect(foot).to_contain_text("Call this match off?")
    expect(button(alice, "Call off")).to_be_focused()
    button(alice, "Keep playing").click()
    expect(button(alice, "Call off")).to_be_focused()
    expect(foot).not_to_contain_text("Call this match off?", use_inner_text=True)

    button(alice, "Call off").click()
    button(alice, "Call off").click()
    expect(bob.locator("#over")).to_contain_text("The match was called off")


def test_calling_off_without_scripts_is_confirmed(open_page):
    page = open_page(guest=True, scripts=False)
    start_against_computers(page, "block")
    wait_for_turn(page)  # the computer's lead would make the page's version stale
    page.reload()

    button(page, "Call off").click()
    expect(page.locator("#foot")).to_contain_text("Call this match off?", use_inner_text=True)
    button(page, "Keep playing").click()
    expect(page.locator("#foot")).not_to_contain_text("Call this match off?", use_inner_text=True)
    button(page, "Call off").click()
    button(page, "Call off").click()

    expect(page.locator("#over")).to_contain_text("The match was called off")


def test_way_back_from_long_rules_is_in_view(open_page):
    phone = open_page(guest=True, phone=True)
    start_against_computers(phone)
    phone.goto(f"{phone.url.partition('#')[0]}#rules")
    rules = phone.locator("#rules")
    assert rules.evaluate("rules => rules.scrollHeight > 1.5 * rules.clientHeight")

    back = rules.get_by_role("link", name="Back to the table")
    expect(back).to_be_in_viewport(ratio=1)
    back.click()
    expect(rules).to_be_hidden()


def test_opening_talk_keeps_latest_move_in_view(alice, bob):
    alice.set_viewport_size({"width": 1280, "height": 620})
    now = open_match_at(in_first_round(lambda now: len(now["layout"]) > 11), alice, bob, preset="draw")
    wait_for_version(alice, now["version"])
    alice.wait_for_function(AT_LATEST_MOVE_JS)
    alice.locator("#chat summary").click()
    expect(alice.locator("#talk-log")).to_be_visible()
    alice.wait_for_function(AT_LATEST_MOVE_JS)
