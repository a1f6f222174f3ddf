"""Match analysis in real browsers: request, read, retry; also by keyboard and without scripts."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.axe import assert_accessible
from tests.browser.playing import button
from tests.browser.tables import open_match_at, post_move
from tests.browser.waiting import expect_box, expect_value, until

ANALYSIS_SECONDS = 240  # on a busy machine


def after_decisions(count: int) -> Callable[[dict], bool]:
    """Return the condition that players have chosen between several moves `count` times."""
    chosen: set[int] = set()

    def condition(now: dict) -> bool:
        if not now["version"]:
            chosen.clear()
        if len(chosen) >= count:
            return True
        if len(now["legal"]) > 1:
            chosen.add(now["version"])
        return False

    return condition


@pytest.fixture
def ended(alice, bob):
    """Return the code of a match that ended by resignation after three decisions: each takes a CPU second."""
    state = open_match_at(after_decisions(3), alice, bob, shown=[alice])
    post_move(alice if state["you"] == 0 else bob, "resign", state)
    return state["match"]


def done(page: Page, code: str) -> dict:
    """Wait for the analysis and return it."""

    def find_done() -> dict | None:
        told = page.request.get(f"/games/{code}/analysis.json").json()
        return told if told["state"] == "done" else None

    return until(page, find_done, "the analysis", seconds=ANALYSIS_SECONDS)


SWIPE_LEFT_JS = """part => {
    const touch = x => new Touch({ identifier: 1, target: part, clientX: x, clientY: 200 });
    part.dispatchEvent(new TouchEvent("touchstart", { bubbles: true, touches: [touch(250)] }));
    part.dispatchEvent(new TouchEvent("touchend", { bubbles: true, changedTouches: [touch(90)] }));
}"""
# Stands in for a second moment: a match may have none.
ADD_MOMENTS_JS = """() => {
    document.querySelector(".study .rail").insertAdjacentHTML("beforeend", `<ol class="moments">
        <li aria-current="true"><a href="#one">1</a></li><li><a href="#two">2</a></li></ol>`);
}"""


def assert_folds_and_swipes(phone: Page, code: str) -> None:
    """Assert that the guess unfolds, the steps stay at the lower edge, and a swipe leads to the next moment."""
    first, _second, *_ = done(phone, code)["decisions"]  # the last one has no next step
    phone.goto(f"/games/{code}/analysis/?move={first['number']}")

    guess = phone.locator(".study-guess").first
    expect(guess.locator(".likely")).to_be_hidden()
    guess.locator("summary").click()
    expect(guess.locator(".likely")).to_be_visible()
    expect_box(phone.locator(".study-steps .steps"), lambda box: abs(box["y"] + box["height"] - 844) <= 1)
    phone.locator("#step-next").click()
    back = re.compile(f"move={first['number']}$")
    expect(phone.locator("#step-prev")).to_have_attribute("href", back)
    expect(guess.locator(".likely")).to_be_visible()  # it stays open from step to step

    phone.locator(".moments").evaluate_all("all => all.forEach(one => one.remove())")
    phone.evaluate(ADD_MOMENTS_JS)
    phone.locator(".moments").evaluate(SWIPE_LEFT_JS)
    expect(phone).to_have_url(re.compile("#two$"))


def test_analysis_appears_after_request(ended, alice, open_page):
    alice.goto(f"/games/{ended}/replay/")
    alice.get_by_role("link", name="Analysis").click()
    button(alice, "Analyse this match").click()
    alice.locator("#how summary").click(timeout=1000 * ANALYSIS_SECONDS)
    expect(alice.get_by_text("One figure runs through the match")).to_be_visible()
    expect(alice.get_by_role("progressbar")).to_have_count(0)
    moments = alice.locator(".moments li")  # there may be none
    expect(moments.and_(alice.locator("[aria-current]"))).to_have_count(min(moments.count(), 1))
    assert_accessible(alice)
    # Each step is announced: whose decision it was and what it lost.
    alice.keyboard.press("ArrowRight")
    expect(alice.locator("#study > [role=status]")).to_have_text(re.compile(r"^(you|bob), \d+: .*,"))

    phone = open_page(phone=True)
    phone.goto(f"/games/{ended}/analysis/")
    expect(phone.get_by_text("What lay there").first).to_be_visible()
    expect_value(phone, "() => document.documentElement.scrollWidth <= innerWidth")
    assert_folds_and_swipes(phone, ended)


def test_retry_by_keyboard_without_scripts(ended, alice, open_page):
    plain = open_page("alice", scripts=False)
    plain.goto(f"/games/{ended}/analysis/")
    button(plain, "Analyse this match").click()
    decisions = done(plain, ended)["decisions"]
    # A page with an unfinished analysis reloads, which would interrupt `goto`.
    expect(plain.locator("#how summary")).to_be_visible()
    plain.goto(f"/games/{ended}/analysis/?move={decisions[0]['number']}")
    again = plain.get_by_role("link", name="Try again")
    again.focus()
    plain.keyboard.press("Enter")
    expect(plain.get_by_role("heading", name="What would you play?")).to_be_visible()
    expect(plain.get_by_text("What lay there")).to_have_count(0)

    plain.locator(".answers button").first.press("Enter")
    expect(plain.locator("#said")).not_to_be_empty()

    alice.goto(plain.url)
    assert_accessible(alice, part=".rail, .answers")
    heading = alice.get_by_role("heading", name="What would you play?")
    expect_value(
        heading,
        "it => it.nextElementSibling.getBoundingClientRect().top - it.getBoundingClientRect().bottom",
        lambda gap: gap >= 3,
    )
