"""The Daily Deal in a browser: start, play a round, see the bars; by phone, and without scripts."""

import re

from playwright.sync_api import Page, expect

from tests.browser.axe import assert_accessible
from tests.browser.playing import button, get_state
from tests.browser.tables import post_move, wait_for_turn

PHONE_WIDTH = {"viewport": {"width": 360, "height": 780}}
MATCH = re.compile(r"/games/[0-9a-z]{10}/")


def open_day(page: Page) -> None:
    """Open today's page once the server has sealed the day."""
    page.goto("/daily/")
    while not page.get_by_role("heading", name="Eight rounds").count():
        page.wait_for_timeout(200)
        page.reload()


def play_round(page: Page) -> None:
    page, now = wait_for_turn(page)
    while now["round"] == 1:
        post_move(page, now["legal"][0], now)
        page, now = wait_for_turn(page)


def test_day_is_played_by_phone(open_page):
    page = open_page(phone=True, **PHONE_WIDTH)
    open_day(page)
    assert_accessible(page, "the day before playing")
    button(page, "Play today's deal").click()
    expect(page).to_have_url(MATCH)
    address = page.url
    assert not page.get_by_role("button", name="Resign").count()
    assert not page.get_by_role("button", name="Hint").count()

    play_round(page)
    state = get_state(page)
    assert state["deals"].startswith("daily-") and state["secrets"] == []
    assert [hand is None for hand in state["last_round"]["hands"]] == [
        False,
        *[True] * (len(state["seats"]) - 1),
    ]
    page.goto(address)
    assert_accessible(page, "the match after a round")

    page.goto("/daily/")
    expect(page.get_by_role("link", name="Go on playing")).to_have_attribute(
        "href", re.compile(MATCH.pattern)
    )
    assert_accessible(page, "the day after a round")
    page.goto("/daily/boards/")
    assert_accessible(page, "the boards")


def test_day_is_started_without_scripts(open_page):
    page = open_page(scripts=False)
    open_day(page)
    button(page, "Play today's deal").click()
    expect(page).to_have_url(MATCH)
    address = page.url
    page.goto("/daily/")
    page.get_by_role("link", name="Go on playing").click()
    expect(page).to_have_url(address)


def test_second_tab_leads_to_the_same_match(open_page):
    first = open_page(guest=True)
    second = first.context.new_page()
    for page in (first, second):
        open_day(page)
    for page in (first, second):
        button(page, "Play today's deal").click()
    for page in (first, second):
        expect(page).to_have_url(MATCH)
    assert first.url == second.url
