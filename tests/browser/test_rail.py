"""The move list beside the table."""

from playwright.sync_api import expect

from tests.browser.layout import (
    LONGEST_GUESTS,
    Check,
    find_faults,
    find_faults_at,
    is_early,
    is_first,
    is_true,
)
from tests.browser.playing import button, wait_for_version
from tests.browser.tables import in_first_round, open_alone, open_match_at
from tests.browser.waiting import expect_value

# The number of lines of a move beside a long sum if above one, and whether the list overflows.
WRAPPED_SUM_JS = """() => {
    const list = document.querySelector("#moves"), line = list.lastElementChild;
    line.querySelector(".move-action").innerHTML =
        '<span class="lead-in">drew 2 · </span><span class="join">7-7 → 7</span>';
    for (const old of line.querySelectorAll(".points, .aside")) old.remove();
    line.insertAdjacentHTML("beforeend", `<span class="points"><span class="reason">${
        "6+6+8+14+11+3+2+5=55".replaceAll("+", "+<wbr>")}</span> +11</span>`);
    const range = document.createRange();
    range.selectNodeContents(line.querySelector(".lead-in"));
    const tops = new Set([...range.getClientRects()].map(box => Math.round(box.top)));
    return tops.size === 1 && list.scrollWidth <= list.clientWidth ? [] : [tops.size, list.scrollWidth];
}"""
# A house rule with a long name, as a table's rules show it.
ADD_LONG_RULE_JS = """() => document.getElementById("facts").insertAdjacentHTML(
    "beforeend", '<span class="chip">Points of a play: a point for each five and each three</span>')"""
AT_LATEST_MOVE_JS = """() => {
    const { scrollHeight, scrollTop, clientHeight } = document.querySelector("#moves");
    return scrollHeight > clientHeight && scrollHeight - scrollTop - clientHeight < 2;
}"""


def test_rail_holds_long_sums_and_rules(open_page):
    page = open_page(guest=True)
    now = open_alone(page, LONGEST_GUESTS[:1], in_first_round(is_early))
    wait_for_version(page, now["version"])
    expect(button(page, "Resign")).to_be_visible()
    assert find_faults(page, Check("a long sum wraps inside its words", WRAPPED_SUM_JS)) == []

    page.evaluate(ADD_LONG_RULE_JS)
    sizes = [(width, 900) for width in (1280, 1440, 1920)]
    fits = is_true("the rail scrolls sideways", "rail.scrollWidth <= rail.clientWidth")
    assert find_faults_at(page, sizes, fits) == []


def test_opening_seen_tiles_keeps_latest_move_in_view(alice, bob):
    seven_moves = in_first_round(lambda now: now["version"] >= 7)  # a round may be blocked before
    now = open_match_at(seven_moves, alice, bob, preset="block", watched=True, shown=[alice])
    wait_for_version(alice, now["version"])
    alice.locator("#tools > summary").click()
    alice.locator("#seen summary").click()
    alice.locator(".triangle > div").first.wait_for()
    expect_value(alice, AT_LATEST_MOVE_JS)


def test_calling_off_is_confirmed(alice, bob):
    open_match_at(is_first, alice, bob)
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
    open_alone(page, ["casual"], is_first, preset="block", clock="none", private="on")

    button(page, "Call off").click()
    expect(page.locator("#foot")).to_contain_text("Call this match off?", use_inner_text=True)
    button(page, "Keep playing").click()
    expect(page.locator("#foot")).not_to_contain_text("Call this match off?", use_inner_text=True)
    button(page, "Call off").click()
    button(page, "Call off").click()

    expect(page.locator("#over")).to_contain_text("The match was called off")


def test_way_back_from_long_rules_is_in_view(open_page):
    phone = open_page(guest=True, phone=True)
    open_alone(phone, LONGEST_GUESTS[:1], is_first)
    phone.goto(f"{phone.url.partition('#')[0]}#rules")
    rules = phone.locator("#rules")
    expect_value(rules, "rules => rules.scrollHeight > 1.5 * rules.clientHeight")

    back = rules.get_by_role("link", name="Back to the table")
    expect(back).to_be_in_viewport(ratio=1)
    back.click()
    expect(rules).to_be_hidden()


def test_opening_talk_keeps_latest_move_in_view(alice, bob):
    alice.set_viewport_size({"width": 1280, "height": 620})
    now = open_match_at(
        in_first_round(lambda now: len(now["layout"]) > 11), alice, bob, preset="draw", shown=[alice]
    )
    wait_for_version(alice, now["version"])
    expect_value(alice, AT_LATEST_MOVE_JS)
    alice.locator("#chat summary").click()
    expect(alice.locator("#talk-log")).to_be_visible()
    expect_value(alice, AT_LATEST_MOVE_JS)
