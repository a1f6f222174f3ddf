"""Match analysis in real browsers: request, read, retry; also by keyboard and without scripts."""

import re
import time

import pytest
from playwright.sync_api import expect

from tests.browser.axe import assert_accessible
from tests.browser.conftest import csrf_token
from tests.browser.playing import button, match_code
from tests.browser.tables import open_match_at

ANALYSIS_SECONDS = 240  # on a busy machine


@pytest.fixture
def ended(alice, bob):
    """Return the code of a match that ended by resignation after nine plays."""
    state = open_match_at(lambda now: len(now["layout"]) >= 9, alice, bob)
    page = alice if state["you"] == 0 else bob
    code = match_code(page)
    page.request.post(
        f"/games/{code}/move",
        form={"move": "resign", "version": state["version"], "csrfmiddlewaretoken": csrf_token(page.context)},
        headers={"Referer": page.url},
    )
    return code


def done(page, code: str) -> dict:
    """Wait for the analysis and return it."""
    deadline = time.monotonic() + ANALYSIS_SECONDS
    while True:
        told = page.request.get(f"/games/{code}/analysis.json").json()
        if told["state"] == "done":
            return told
        assert time.monotonic() < deadline, told
        time.sleep(0.3)


def test_analysis_appears_after_request(ended, alice, open_page):
    alice.goto(f"/games/{ended}/replay/")
    alice.get_by_role("link", name="Analysis").click()
    button(alice, "Analyse this match").click()
    alice.locator("#how summary").click(timeout=1000 * ANALYSIS_SECONDS)
    expect(alice.get_by_text("Chances of the match")).to_be_visible()
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
    assert phone.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert_accessible(phone)


def test_retry_by_keyboard_without_scripts(ended, alice, open_page):
    plain = open_page("alice", scripts=False)
    plain.goto(f"/games/{ended}/analysis/")
    button(plain, "Analyse this match").click()
    decisions = done(plain, ended)["decisions"]
    plain.goto(f"/games/{ended}/analysis/?move={decisions[0]['number']}")
    again = plain.get_by_role("link", name="Try again")
    again.focus()
    plain.keyboard.press("Enter")
    expect(plain.get_by_role("heading", name="What would you play?")).to_be_visible()
    expect(plain.get_by_text("What lay there")).to_have_count(0)

    plain.locator(".answers button").first.press("Enter")
    expect(plain.locator("#said")).not_to_be_empty()

    alice.goto(plain.url)
    assert_accessible(alice)
    heading = alice.get_by_role("heading", name="What would you play?")
    below = heading.locator("+ p")
    assert below.bounding_box()["y"] - heading.bounding_box()["y"] - heading.bounding_box()["height"] >= 3


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


def test_phone_analysis_folds_and_swipes(ended, alice, open_page):
    alice.goto(f"/games/{ended}/analysis/")
    button(alice, "Analyse this match").click()
    decisions = done(alice, ended)["decisions"]
    phone = open_page(phone=True)
    phone.goto(f"/games/{ended}/analysis/?move={decisions[1]['number']}")

    guess = phone.locator(".study-guess").first
    expect(guess.locator(".likely")).to_be_hidden()
    guess.locator("summary").click()
    expect(guess.locator(".likely")).to_be_visible()
    steps = phone.locator(".study-steps .steps")
    box = steps.bounding_box()
    assert box["y"] + box["height"] == pytest.approx(844, abs=1)
    phone.locator("#step-next").click()
    back = re.compile(f"move={decisions[1]['number']}$")
    expect(phone.locator("#step-prev")).to_have_attribute("href", back)
    expect(guess.locator(".likely")).to_be_visible()  # it stays open from step to step

    phone.locator(".moments").evaluate_all("all => all.forEach(one => one.remove())")
    phone.evaluate(ADD_MOMENTS_JS)
    phone.locator(".moments").evaluate(SWIPE_LEFT_JS)
    expect(phone).to_have_url(re.compile("#two$"))
