"""A match with a clock of days, whose players are never on the site together."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.axe import assert_accessible
from tests.browser.playing import MATCH_URL, button, get_state, match_code
from tests.browser.tables import TABLE, post_move


def leave_site(page: Page) -> None:
    page.goto("about:blank")


def play_from_front_page(page: Page, opponent: str, code: str) -> None:
    """Find the match on the front page, open it, play until it is the other's turn, and leave the site."""
    page.goto("/")
    place = page.locator("#lobby-mine .own-place").filter(has_text=opponent).first
    expect(place).to_contain_text("Your turn")
    place.get_by_role("link").click()
    page.wait_for_url(MATCH_URL)
    now = get_state(page)
    while now["legal"]:
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

    late.goto(table)
    late.get_by_role("button", name="Sit here").click()
    code = match_code(late)
    own = late.locator(".plate-0")
    expect(own.locator(".clock")).to_have_text(re.compile(r"^\s*[34] d \d+ h\s*$"))
    expect(late.locator("#seats .presence.is-away")).to_have_count(0)
    leave_site(late)

    early.goto("/rules/")
    for _ in range(4):
        page, other = (early, "late") if get_state(early, code)["legal"] else (late, "early")
        play_from_front_page(page, other, code)
    assert len(get_state(early, code)["layout"]) >= 3

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
    scores, own = (waiting.locator(part).bounding_box() for part in ("#race", ".plate-0"))
    assert scores["y"] + scores["height"] <= own["y"], "the own plate covers the scores"
    waiting.goto("/preferences/")
    ends = waiting.get_by_role("button", name="End the vacation")
    words, action = (each.bounding_box() for each in (waiting.locator("#vacation [role=status]"), ends))
    assert words["y"] + words["height"] + 4 <= action["y"]
    ends.click()
    expect(resting.locator("#seats")).not_to_contain_text("on vacation until")

    post_move(waiting, "resign", get_state(waiting, code))
    leave_site(waiting)
    resting.set_viewport_size({"width": 360, "height": 640})
    choices = button(resting, "Rematch"), button(resting, "New opponent")
    expect(choices[1]).to_be_visible()
    again, other = (choice.bounding_box() for choice in choices)
    assert again["y"] == other["y"], "two buttons need two rows of a small sheet"
    button(resting, "Rematch").click()
    expect(button(resting, "Take it back")).to_be_visible()
    waiting.goto("/rules/")
    expect(waiting.locator("#challenges")).to_contain_text("wants a rematch")


def start_of_days(open_page, *names: str, scripts: bool = True) -> tuple[Page, Page, str]:
    """Start a match of days without drawing; return the page of the one who waits, the other's, and its code."""
    one, two = (open_page(name, scripts=scripts) for name in names)
    one.goto("/tables/new?preset=block&clock=3d&target=50")
    one.get_by_role("button", name="Create table").click()
    one.wait_for_url(TABLE)
    table = one.url
    two.goto(table)
    two.get_by_role("button", name="Sit here").click()
    if scripts:
        expect(two).to_have_url(MATCH_URL)
    else:
        two.wait_for_url("/tables/**")
        while "/games/" not in two.url:  # the page of a table that has begun leads there
            two.goto(table)
    code = match_code(two)
    waiting, mover = (two, one) if get_state(one, code)["legal"] else (one, two)
    return waiting, mover, code


def test_match_of_days_without_scripts(open_page):
    _waiting, mover, _code = start_of_days(open_page, "slow-one", "slow-two", scripts=False)
    mover.goto("/")
    mover.locator("#lobby-mine .own-place").first.get_by_role("link").click()
    expect(mover.locator("#seats")).to_contain_text("Your turn")
    expect(mover.locator(".plate-0 .clock")).to_contain_text(" d ")


@pytest.mark.parametrize("scripts", [True, False], ids=["scripts", "no scripts"])
def test_planned_answer_is_played_at_once(open_page, scripts):
    word = "with" if scripts else "without"
    waiting, mover, code = start_of_days(open_page, f"planner-{word}", f"mover-{word}", scripts=scripts)
    mover.goto(f"/games/{code}/")
    expect(mover.get_by_role("link", name="Plan your answer")).to_have_count(0)
    waiting.goto(f"/games/{code}/")
    waiting.get_by_role("link", name="Plan your answer").click()
    if scripts:
        assert_accessible(waiting)
    expect(waiting.locator(".planning .board")).to_have_count(0)  # nothing is laid
    choice = waiting.get_by_label("do?")
    field, action = (each.bounding_box() for each in (choice, button(waiting, "Choose your answer")))
    assert field["y"] + field["height"] + 4 <= action["y"]
    options = choice.locator("option").evaluate_all("all => all.map(each => each.value)")
    led = next(move for move in get_state(mover, code)["legal"] if move in options)
    choice.select_option(led)
    waiting.get_by_role("button", name="Choose your answer").click()
    answer = waiting.get_by_label("you play").locator("option").first.get_attribute("value")
    waiting.get_by_role("button", name="Plan it").click()
    tile = answer.partition("@")[0]
    expect(waiting.locator(".planned")).to_contain_text(re.compile(rf"plays {led}, you play {tile}"))
    assert answer not in str(get_state(mover, code))

    now = post_move(mover, led, get_state(mover, code))
    assert {laid["tile"] for laid in now["layout"]} == {led, tile}
    mover.goto(f"/games/{code}/")
    expect(mover.locator("#moves")).to_contain_text(tile)


def test_waiting_player_sees_notices_and_plans_beside_the_board(open_page):
    waiting, _mover, code = start_of_days(open_page, "beside-one", "beside-two")
    for width, height in ((1280, 800), (390, 844), (360, 640), (844, 390)):
        waiting.set_viewport_size({"width": width, "height": height})
        waiting.goto(f"/games/{code}/")
        ask = waiting.get_by_role("button", name="Tell me when it is my turn")
        waiting.evaluate(
            "document.getElementById('notify').hidden = false"
        )  # Chromium without a window denies it
        links = ("Plan your answer", "Choose how you hear of your turn")
        boxes = [
            ask.bounding_box(),
            *(waiting.get_by_role("link", name=name).bounding_box() for name in links),
        ]
        for box in boxes:
            assert box["x"] >= 0 and box["x"] + box["width"] <= width
            assert box["y"] >= 0 and box["y"] + box["height"] <= height
            hit = "([x, y]) => document.elementFromPoint(x, y).closest('a, button')?.textContent.trim()"
            assert waiting.evaluate(hit, [box["x"] + box["width"] / 2, box["y"] + box["height"] / 2])


LINES_OF_CLOCKS_JS = """() => [...document.querySelectorAll(".seat .clock")].filter((clock) => clock.clientHeight).map(
    (clock) => Math.round(clock.clientHeight / parseFloat(getComputedStyle(clock).lineHeight)))"""


def test_clocks_of_days_take_one_line(open_page):
    page, _mover, code = start_of_days(open_page, "some-longer-name", "another-long-name")
    for width, height in ((1440, 900), (1280, 720), (390, 844), (844, 390)):
        page.set_viewport_size({"width": width, "height": height})
        page.goto(f"/games/{code}/")
        assert page.evaluate(LINES_OF_CLOCKS_JS) == [1, 1], (width, height)


def test_open_page_elsewhere_shows_that_the_turn_has_come(open_page):
    waiting, mover, code = start_of_days(open_page, "reader-one", "reader-two")
    with waiting.expect_websocket(lambda socket: "/ws/here/" in socket.url):  # the match's may open first
        waiting.goto("/rules/")
    expect(waiting.locator("#strip .strip")).to_have_count(0)
    now = get_state(mover, code)
    while now["legal"]:  # an opponent without a tile that fits passes
        now = post_move(mover, now["legal"][0], now)
    expect(waiting.locator("#strip .strip")).to_contain_text("Your turn")
    expect(waiting).to_have_title(re.compile("^● Your turn"))


def test_invitation_goes_when_every_seat_is_taken(open_page):
    page = open_page("inviter")
    page.goto("/tables/new?preset=block&clock=3d&target=50")
    page.get_by_role("button", name="Create table").click()
    invitation = page.get_by_role("heading", name="Invite somebody")
    expect(invitation).to_be_visible()
    # At once: the first frame of the page's socket shows that a seat is free.
    is_shown = """() => {
        document.getElementById("waiting").dataset.full = "";
        return document.querySelector(".invitation").checkVisibility();
    }"""
    assert not page.evaluate(is_shown)
