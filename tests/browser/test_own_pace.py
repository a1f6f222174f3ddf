"""A match with a clock of days, whose players are never on the site together."""

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from games.models import Connection
from tests.browser.axe import assert_accessible
from tests.browser.conftest import post_form
from tests.browser.playing import MATCH_URL, button, get_state, match_code
from tests.browser.stored import Wanted, change_rows, store_match
from tests.browser.tables import TABLE, open_alone, open_match, open_table, post_move
from tests.browser.waiting import expect_box, expect_value, until
from tests.waiting import attempts

DAYS = {"preset": "block", "clock": "3d", "target": "50"}  # nobody draws
# Pixels between two elements, one above the other.
GAP_JS = """([above, below]) => document.querySelector(below).getBoundingClientRect().top
    - document.querySelector(above).getBoundingClientRect().bottom"""


def is_others_lead(now: dict) -> bool:
    return now["you"] == 1 and not now["version"]


def answers_lead(now: dict) -> bool:
    """Return whether the second player has a tile that fits the first one."""
    return now["you"] == 1 and now["version"] == 1 and "@" in now["legal"][0]


def has_page_in_view(page: Page) -> bool:
    found: list[bool] = []
    change_rows(page, lambda: found.append(Connection.objects.filter(visible=True).exists()))
    return found[0]


def leave_site(page: Page) -> None:
    page.goto("about:blank")


def play_from_front_page(page: Page, opponent: str, code: str) -> None:
    """Find the match on the front page, open it, play until it is the other's turn, and leave the site."""
    page.goto("/")
    place = page.locator("#lobby-mine .own-place").filter(has_text=opponent).first
    expect(place).to_contain_text("Your turn")
    place.get_by_role("link").click()
    page.wait_for_url(MATCH_URL)
    now = get_state(page, code)
    for _ in attempts("the other's turn"):
        if not now["legal"]:
            break
        assert now["legal"] not in (["draw"], ["pass"]), "these are played for the person"
        now = post_move(page, now["legal"][0], now)
    leave_site(page)


def test_two_people_play_at_different_times(open_page):
    early, late = open_page("early"), open_page("late")
    early.goto("/tables/new?preset=draw&clock=1d&target=50")
    early.get_by_role("button", name="Create table").click()
    early.wait_for_url(TABLE)
    expect(early.locator("#waiting")).to_contain_text("You may close this page")
    table = early.url
    leave_site(early)
    # Its page has gone: nobody waits 20 seconds for what it would add to the shuffle.
    post_form(early.context, table, f"{table}commit", commitment="")

    late.goto(table)
    late.get_by_role("button", name="Sit here").click()
    code = match_code(late)
    own = late.locator(".plate-0")
    expect(own.locator(".clock")).to_have_text(re.compile(r"^\s*[34] d \d+ h\s*$"))
    expect(late.locator("#seats .presence.is-away")).to_have_count(0)
    leave_site(late)

    early.goto("/rules/")
    for _ in range(2):
        page, other = (early, "late") if get_state(early, code)["legal"] else (late, "early")
        play_from_front_page(page, other, code)
    assert len(get_state(early, code)["layout"]) >= 2

    # Nobody's turn is on other pages but the own one; the number of such matches is for the tab and a badge.
    waiting, resting = (early, late) if get_state(early, code)["legal"] else (late, early)
    waiting.goto("/rules/")
    expect(waiting.locator("#strip")).to_have_attribute("data-turns", "1")
    expect(waiting).to_have_title(re.compile("^● Your turn"))
    resting.goto("/rules/")
    expect(resting.locator("#strip .strip")).to_have_count(0)

    waiting.goto("/preferences/")
    waiting.get_by_role("button", name="Go on vacation").click()
    expect(waiting.locator("#vacation")).to_contain_text("You are on vacation")
    resting.goto(f"/games/{code}/")
    expect(resting.locator("#seats")).to_contain_text("on vacation until")
    assert get_state(resting, code)["deadline"] is None
    waiting.set_viewport_size({"width": 844, "height": 390})
    waiting.goto(f"/games/{code}/")
    expect_value(waiting, GAP_JS, lambda gap: gap >= 0, argument=["#race", ".plate-0"])
    waiting.goto("/preferences/")
    ends = waiting.get_by_role("button", name="End the vacation")
    expect(ends).to_be_visible()
    parts = ["#vacation [role=status]", "#vacation button"]
    expect_value(waiting, GAP_JS, lambda gap: gap >= 4, argument=parts)
    ends.click()
    expect(resting.locator("#seats")).not_to_contain_text("on vacation until")

    post_move(waiting, "resign", get_state(waiting, code))
    leave_site(waiting)
    resting.set_viewport_size({"width": 360, "height": 640})
    again = button(resting, "Rematch")
    expect(again).to_be_visible()
    expect_box(
        resting.locator("#over").get_by_role("link", name="Replay"),
        lambda other: other["y"] == again.bounding_box()["y"],
        "the acts are in one row, also on a small sheet",
    )
    button(resting, "Rematch").click()
    expect(button(resting, "Take it back")).to_be_visible()
    waiting.goto("/rules/")
    expect(waiting.locator("#challenges")).to_contain_text("wants a rematch")


@pytest.mark.parametrize("scripts", [True, False], ids=["scripts", "no scripts"])
def test_planned_answer_is_played_at_once(open_page, scripts):
    mover, waiting = (open_page(guest=True, scripts=scripts) for _ in range(2))
    code, (led,) = store_match(Wanted(answers_lead, leave_out=1), mover, waiting, **DAYS)
    open_match(code, waiting)
    mover.goto("/")
    mover.locator("#lobby-mine .own-place").first.get_by_role("link").click()
    expect(mover.locator("#seats")).to_contain_text("Your turn")
    expect(mover.locator(".plate-0 .clock")).to_contain_text(" d ")
    expect(mover.get_by_role("link", name="Plan your answer")).to_have_count(0)
    waiting.get_by_role("link", name="Plan your answer").click()
    if scripts:
        assert_accessible(waiting)
    if scripts:
        expect(waiting.get_by_role("group", name="Tiles that")).to_be_visible()
        choose_on_board(waiting, led)
        expect(waiting.locator("#said")).to_contain_text("choose your answer")
        answer = waiting.locator("#hand .hand-tile:not([aria-disabled])").first.get_attribute("data-fits")
        answer = answer or waiting.locator("#hand .hand-tile:not([aria-disabled])").first.get_attribute(
            "value"
        )
        answer = answer.split(" ")[0]
        choose_on_board(waiting, answer)
    else:
        choice = waiting.get_by_label("do?")
        expect_box(
            button(waiting, "Choose your answer"),
            lambda action: bottom_of(choice) + 4 <= action["y"],
            "it is below the choice",
        )
        choice.select_option(led)
        waiting.get_by_role("button", name="Choose your answer").click()
        answer = waiting.get_by_label("You play").locator("option").first.get_attribute("value")
        waiting.get_by_role("button", name="Plan it").click()
    tile = answer.partition("@")[0]
    expect(waiting.locator(".planned")).to_contain_text(re.compile(rf"plays {led}, you play {tile}"))
    assert answer not in str(get_state(mover, code))

    now = post_move(mover, led, get_state(mover, code))
    assert {laid["tile"] for laid in now["layout"]} == {led, tile}
    mover.goto(f"/games/{code}/")
    expect(mover.locator("#moves")).to_contain_text(tile)


def choose_on_board(page: Page, move: str) -> None:
    """Choose a tile in the rack and, if it fits several, its place, by the keys of a player who has no mouse."""
    tile, _, end = move.partition("@")
    held = page.locator(f"#held-{tile}")
    is_choice = held.get_attribute("aria-pressed") is not None
    held.focus()
    page.keyboard.press("Enter")
    if is_choice:
        page.locator(f"#board .spot[data-tile='{tile}'][data-end='{end}']:visible").press("Enter")


def bottom_of(locator: Locator) -> float:
    box = locator.bounding_box()
    return box["y"] + box["height"]


LINES_OF_CLOCKS_JS = """() => [...document.querySelectorAll(".seat .clock")].filter((clock) => clock.clientHeight).map(
    (clock) => Math.round(clock.clientHeight / parseFloat(getComputedStyle(clock).lineHeight)))"""
# A link or button is within the window, and a press of its middle hits one.
CAN_BE_PRESSED_JS = """element => {
    const { left, top, right, bottom } = element.getBoundingClientRect();
    const hit = document.elementFromPoint((left + right) / 2, (top + bottom) / 2)?.closest("a, button");
    return left >= 0 && top >= 0 && right <= innerWidth && bottom <= innerHeight && Boolean(hit?.textContent.trim());
}"""


def test_waiting_player_sees_clocks_notices_and_plans_beside_the_board(open_page):
    page = open_page("some-longer-name")
    open_alone(page, ["another-long-name"], is_others_lead, **DAYS)
    expect(page.locator("html")).to_have_attribute("data-live", "on")
    until(page, lambda: has_page_in_view(page), "the page to tell that it is in view")
    # Chromium without a window denies notifications.
    page.evaluate("document.getElementById('notify').hidden = false")
    notices = (
        page.get_by_role("button", name="Tell me when it is my turn"),
        page.get_by_role("link", name="Plan your answer"),
        page.get_by_role("link", name="Choose how you hear of your turn"),
    )
    for width, height in ((1440, 900), (1280, 800), (1280, 720), (390, 844), (360, 640), (844, 390)):
        page.set_viewport_size({"width": width, "height": height})
        for notice in notices:
            expect_value(notice, CAN_BE_PRESSED_JS)
        expect_value(page, LINES_OF_CLOCKS_JS, [1, 1])


def test_open_page_elsewhere_shows_that_the_turn_has_come(open_page):
    mover, waiting = open_page(guest=True), open_page(guest=True)
    code, (led,) = store_match(Wanted(answers_lead, leave_out=1), mover, waiting, **DAYS)
    with waiting.expect_websocket(lambda socket: "/ws/here/" in socket.url):  # the match's may open first
        waiting.goto("/rules/")
    expect(waiting.locator("#strip .strip")).to_have_count(0)
    waiting.evaluate("navigator.setAppBadge = async (number) => { window.badge = number; }")
    post_move(mover, led, get_state(mover, code))
    expect(waiting.locator("#strip .strip")).to_contain_text("Your turn")
    expect(waiting).to_have_title(re.compile("^● Your turn"))

    now = get_state(waiting, code)
    post_move(waiting, now["legal"][0], now)  # as in another tab
    expect(waiting.locator("#strip .strip")).to_have_count(0)
    expect(waiting).not_to_have_title(re.compile("●"))
    expect(waiting.locator("#favicon")).not_to_have_attribute("href", re.compile("icon-turn"))
    expect_value(waiting, "() => window.badge", 0)


def test_invitation_goes_when_every_seat_is_taken(open_page):
    page = open_page(guest=True)
    page.goto(open_table(page, **DAYS))
    invitation = page.get_by_role("heading", name="Invite somebody")
    expect(invitation).to_be_visible()
    # In one step: the first frame of the page's socket shows that a seat is free.
    is_shown = """() => {
        document.getElementById("waiting").dataset.full = "";
        return document.querySelector(".invitation").checkVisibility();
    }"""
    expect_value(page, is_shown, False)
