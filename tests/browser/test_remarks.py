"""What computers say is shown where it covers nothing, and silenced with one press."""

from playwright.sync_api import expect

from tests.browser.conftest import PHONE
from tests.browser.stored import Wanted, store_match
from tests.browser.waiting import expect_value

# As a page's update does: a new element for each moment.
SAY_JS = """moment => {
    document.querySelector(".remark")?.remove();
    document.querySelector("#seat-1").insertAdjacentHTML(
        "beforeend", `<span class="remark" data-moment="${moment}">Points, points, points!</span>`);
}"""


FIRST_AND_NEXT_JS = f"""(() => {{
    const say = {SAY_JS}, remark = () => document.querySelector(".remark");
    say("1 1");
    for (const animation of remark().getAnimations()) animation.finish();
    const first = getComputedStyle(remark()).visibility;
    say("1 3");
    return [first, getComputedStyle(remark()).visibility];
}})()"""

DISPLAY_JS = f"""(() => {{
    ({SAY_JS})("1 1");
    return getComputedStyle(document.querySelector(".remark")).display;
}})()"""


def open_match_with_a_computer(page) -> None:
    code, _ = store_match(Wanted(lambda now: now["you"] == 0, ("club",)), page, preset="block")
    page.goto(f"/games/{code}/")
    expect(page.locator("#hand .hand-tile").first).to_be_visible()


def test_remark_disappears_by_itself_and_the_next_one_is_seen(alice):
    open_match_with_a_computer(alice)
    expect_value(alice, FIRST_AND_NEXT_JS, lambda shown: shown == ["hidden", "visible"])


def test_remark_is_shown_on_no_phone_held_sideways(alice):
    open_match_with_a_computer(alice)
    expect_value(alice, DISPLAY_JS, lambda display: display == "block")
    alice.set_viewport_size({"width": PHONE["viewport"]["height"], "height": PHONE["viewport"]["width"]})
    expect_value(alice, DISPLAY_JS, lambda display: display == "none")


def test_silence_is_one_press_that_a_lost_line_does_not_pretend(alice):
    open_match_with_a_computer(alice)
    alice.locator("#chat summary").click()
    silence, speak = (
        alice.get_by_role("button", name=name)
        for name in ("Silence the computers", "Let the computers speak")
    )
    silence.focus()
    alice.route("**/emote", lambda route: route.abort())
    with alice.expect_event("requestfailed"):
        silence.press("Enter")
    expect(silence).to_be_visible()

    alice.unroute("**/emote")
    silence.press("Enter")
    expect(speak).to_be_focused()
    alice.reload()
    expect(alice.locator("html")).to_have_attribute("data-remarks", "off")
    alice.locator("#chat summary").click()
    speak.press("Enter")
    expect(silence).to_be_focused()


def test_silence_without_scripts_leads_back_to_the_talk(open_page):
    page = open_page("alice", scripts=False)
    open_match_with_a_computer(page)
    page.goto(f"{page.url}?talk=1#chat")
    page.get_by_role("button", name="Silence the computers").click()
    expect(page.get_by_role("button", name="Let the computers speak")).to_be_visible()
