"""The front page of a quiet site, and what somebody who waits notices."""

import re
from collections.abc import Iterator
from datetime import datetime, timedelta

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import run_site
from tests.browser.playing import button
from tests.browser.tables import TABLE, open_table
from tests.browser.waiting import expect_box, expect_value, until
from tests.server import Site


@pytest.fixture(scope="module")
def shared_site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """Return a server on which nobody has played yet."""
    yield from run_site(tmp_path_factory)


def test_replay_moves_only_for_readers_who_want_motion(open_page):
    without_scripts = open_page(scripts=False)
    without_scripts.goto("/")
    at_the_end = without_scripts.locator("#large [data-tile]").count()
    assert at_the_end > 0

    page = open_page(reduced_motion="no-preference")
    page.goto("/")
    expect(page.locator("#large [data-tile]")).not_to_have_count(at_the_end)

    still, came_by = open_page(), []
    # A busy machine may need a second socket.
    still.on("websocket", lambda socket: socket.on("framereceived", lambda _: came_by.append(socket.url)))
    still.goto("/")
    until(still, lambda: came_by, "a frame of the lobby's socket")
    assert "still=1" in came_by[0]
    expect(still.locator("#large [data-tile]")).to_have_count(at_the_end)


def test_watch_offers_filters_only_to_several_matches(open_page):
    page = open_page()
    page.goto("/watch/")
    filters = page.locator("#filters")
    expect(page.locator("#large")).to_be_visible()
    expect(filters).to_be_hidden()
    page.goto("/watch/?people=on")
    expect(filters).to_be_visible()


def test_club_night_counts_down(alice):
    alice.goto("/")
    nights = alice.locator(".club-nights")
    left = nights.locator("time[data-countdown]").first
    expect(left).to_have_text(re.compile(r"^in \d+ (day|hour|minute)s?$"))
    nights.get_by_role("button", name="Remind me").first.click()
    followed = nights.get_by_role("button", name="No reminder any more")
    expect(followed).to_have_count(1)
    followed.click()
    expect(followed).to_have_count(0)


def test_club_night_counts_days_of_the_calendar(open_page):
    page = open_page(locale="ru-RU", timezone_id="UTC")
    page.goto("/")
    left = page.locator(".club-nights time[data-countdown]").first
    starts = datetime.fromisoformat(str(left.get_attribute("datetime")))
    for day, words in ((3, "через 3 дня"), (2, "послезавтра")):
        page.clock.set_fixed_time(starts.replace(hour=1) - timedelta(days=day))
        page.reload()
        expect(left).to_have_text(words)


# The room above and below the name on each tile of the quick games.
ROOM_IN_TILES_JS = """() => [...document.querySelectorAll(".quick-game")].filter(each => each.checkVisibility())
    .map(tile => {
        const words = document.createRange();
        words.selectNodeContents(tile.querySelector("span"));
        const [box, text] = [tile, words].map(each => each.getBoundingClientRect());
        return Math.min(text.top - box.top, box.bottom - 5 - text.bottom);
    })"""


def test_long_names_stay_within_their_tiles_on_a_phone(open_page):
    page = open_page(phone=True, locale="es-ES", viewport={"width": 360, "height": 640})
    page.goto("/")
    # The lower edge of a tile is 5 px.
    expect_value(page, ROOM_IN_TILES_JS, lambda rooms: len(rooms) == 8 and min(rooms) >= 2)


def test_who_waits_sees_a_visitor_arrive(alice, open_page):
    alice.goto("/tables/new")
    button(alice, "Create table").click()
    alice.wait_for_url(TABLE)
    here = alice.locator("#others-here")
    expect(here).to_contain_text("here")
    present = here.locator("[data-here]")
    before = int(present.get_attribute("data-here")) if present.count() else 0
    open_page("erna").goto("/")
    expect(present).to_have_attribute("data-here", str(before + 1))


def test_link_is_copied_or_selected(alice):
    alice.goto(open_table(alice))
    copy, copied = button(alice, "Copy"), alice.locator("#copied")
    assert copy.locator("[role=status]").count() == 0  # a status gives a button no name
    copy.click()
    expect(copied).to_contain_text("refused")
    expect_value(alice, "getSelection().toString()", alice.url)

    alice.context.grant_permissions(["clipboard-read", "clipboard-write"])
    copy.click()
    expect(copied).to_have_text("Copied.")
    expect_box(copied, lambda box: box["height"] > 10)
    expect_value(alice, "navigator.clipboard.readText()", alice.url)


def test_long_house_rule_stays_in_the_window(open_page):
    page = open_page(guest=True, phone=True)
    page.goto(open_table(page, **{"rule-claims": "muggins"}))
    chip = page.locator(".table-page header .chip").last
    chip.evaluate("chip => { chip.textContent += ' and every hand counts its pips'.repeat(3); }")
    expect_box(chip, lambda box: box["x"] + box["width"] <= 390 - 16)


def test_name_of_a_followed_person_stays_in_one_line(alice, open_page):
    friend = "pedronine-of-the-bay"
    open_page(friend).goto("/rules/")
    alice.goto(f"/players/{friend}/")
    button(alice, "Follow").click()
    alice.goto("/")
    alice.locator(".account summary").click()
    name = alice.locator("#company").get_by_role("link", name=friend, exact=True)
    expect(name).to_be_visible()
    expect_value(name, "link => link.offsetHeight", lambda height: height <= 44)
    expect_value(name, "link => link.scrollWidth <= link.clientWidth")


def test_phone_says_why_the_deals_are_fair(open_page):
    page = open_page(phone=True)
    page.goto("/")
    why = page.get_by_role("link", name="Deals are sealed, and can be checked")
    expect_box(why, lambda box: box["y"] + box["height"] <= 844)
    why.click()
    page.wait_for_url("**/fairness/")
