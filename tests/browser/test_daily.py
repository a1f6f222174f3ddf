"""The Daily Deal in a browser: start, play a round, see the bars; by phone, and without scripts."""

import re

from playwright.sync_api import Page, expect

from events.models import HOUSE_SIZE, DealSet, HouseResult
from tests.browser.axe import assert_accessible
from tests.browser.playing import button, get_state, match_code
from tests.browser.stored import change_rows
from tests.browser.tables import play_until
from tests.browser.waiting import sleep_of
from tests.waiting import attempts

PHONE_WIDTH = {"viewport": {"width": 360, "height": 780}}
MATCH = re.compile(r"/games/[0-9a-z]{10}/")


def store_house_results() -> None:
    """Store the results of the house field, which would take the server's computers ten CPU seconds."""
    for deals in DealSet.objects.all():
        nothing = {"margins": [0] * deals.rounds, "lines": [""] * deals.rounds}
        HouseResult.objects.bulk_create(
            [
                HouseResult(deals=deals, number=number, level="beginner", figure=number % 3, **nothing)
                for number in range(HOUSE_SIZE)
            ],
            ignore_conflicts=True,
        )


def open_day(page: Page) -> None:
    """Open today's page once the server has sealed the day."""
    for _ in attempts("today's deal", interval=0.2, sleep=sleep_of(page)):
        page.goto("/daily/")
        if page.get_by_role("heading", name="Eight rounds").count():
            break
    change_rows(page, store_house_results)


def begin_day(page: Page) -> None:
    """Begin today's deal; in the last half hour of the day the site asks first."""
    button(page, "Play today's deal").click()
    expect(page).to_have_url(re.compile(r"/games/|/daily/start"))
    if "/daily/start" in page.url:
        button(page, "Play it all the same").click()


def test_day_is_played_by_phone(open_page):
    page = open_page(phone=True, **PHONE_WIDTH)
    open_day(page)
    assert_accessible(page, "the day before playing")
    begin_day(page)
    expect(page).to_have_url(MATCH)
    address = page.url
    expect(page.locator("#hand")).to_be_visible()
    for name in ("Resign", "Hint"):
        expect(page.get_by_role("button", name=name)).to_have_count(0)

    code = match_code(page)
    page.goto("about:blank")  # which is cheaper than to show all moves
    play_until(lambda now: now["round"] > 1, page, code=code)
    state = get_state(page, code)
    assert state["deals"].startswith("daily-") and state["secrets"] == []
    assert [hand is None for hand in state["last_round"]["hands"]] == [
        False,
        *[True] * (len(state["seats"]) - 1),
    ]
    page.goto(address)
    assert_accessible(page, "the match after a round", ".rail")

    page.goto("/daily/")
    expect(page.get_by_role("link", name="Go on with round")).to_have_attribute(
        "href", re.compile(MATCH.pattern)
    )
    assert_accessible(page, "the day after a round", ".daily .rack-box, .daily .deal-rounds")
    page.goto("/daily/boards/")
    assert_accessible(page, "the boards")


def test_day_is_started_without_scripts(open_page):
    page = open_page(scripts=False)
    open_day(page)
    begin_day(page)
    expect(page).to_have_url(MATCH)
    address = page.url
    page.goto("/daily/")
    page.get_by_role("link", name="Go on with round").click()
    expect(page).to_have_url(address)


def test_second_tab_leads_to_the_same_match(open_page):
    first = open_page(guest=True)
    second = first.context.new_page()
    for page in (first, second):
        open_day(page)
    for page in (first, second):
        begin_day(page)
    for page in (first, second):
        expect(page).to_have_url(MATCH)
    assert first.url == second.url
