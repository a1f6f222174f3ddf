"""The front page of a quiet site, and what somebody who waits notices."""

import re
from collections.abc import Iterator
from datetime import datetime, timedelta

import pytest
from playwright.sync_api import Route, expect

from tests.browser.axe import assert_accessible
from tests.browser.conftest import PHONE, run_site
from tests.browser.layout import DOUBLE_TEXT_JS
from tests.browser.playing import button
from tests.browser.tables import TABLE, open_table
from tests.browser.waiting import expect_box, expect_value, until
from tests.server import NIGHTS_BEGIN_IN, Site, set_nights


@pytest.fixture(scope="module")
def shared_site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """Return a server on which nobody has played yet."""
    yield from run_site(tmp_path_factory)


# Where the heads of the cards stand on the page.
TOPS_JS = """() => [...document.querySelectorAll(".daily-card, .card-head")].map((head) => {
    const { x, y } = head.getBoundingClientRect();
    return [x, y + scrollY];
})"""


def test_replay_moves_only_for_readers_who_want_motion(open_page):
    without_scripts = open_page(scripts=False)
    without_scripts.goto("/watch/")
    at_the_end = without_scripts.locator("#large [data-tile]").count()
    assert at_the_end > 0

    page = open_page(reduced_motion="no-preference")
    page.goto("/watch/")
    expect(page.locator("#large [data-tile]")).not_to_have_count(at_the_end)

    still, came_by = open_page(), []
    # A busy machine may need a second socket.
    still.on("websocket", lambda socket: socket.on("framereceived", lambda _: came_by.append(socket.url)))
    still.goto("/watch/")
    until(still, lambda: came_by, "a frame of the list's socket")
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
    followed = nights.get_by_role("button", name="Stop reminding me")
    expect(followed).to_have_count(1)
    followed.click()
    expect(followed).to_have_count(0)


def test_club_night_counts_days_of_the_calendar(open_page):
    page = open_page(locale="ru-RU", timezone_id="UTC")
    page.goto("/")
    left = page.locator(".club-nights time[data-countdown]").first
    starts = datetime.fromisoformat(str(left.get_attribute("datetime")))
    midnight = starts.replace(hour=0, minute=0, second=0)  # of the night's day, whenever this test runs
    for day, words in ((3, "через 3 дня"), (2, "послезавтра")):
        page.clock.set_fixed_time(midnight - timedelta(days=day))
        page.reload()
        expect(left).to_have_text(words)


# Words of the nights and the phone's bar that have no room for one of them.
SQUEEZED_JS = """() => [...document.querySelectorAll(".night b, .site-head nav a")]
    .filter(part => part.clientWidth < 24 || part.scrollWidth > part.clientWidth + 1)
    .map(part => part.outerHTML.slice(0, 80))"""

# How much of the name of each game lies outside of its chip.
CUT_NAMES_JS = """() => [...document.querySelectorAll(".game-chip")].map(chip => {
    const words = document.createRange();
    words.selectNodeContents(chip.querySelector("span"));
    const [box, text] = [chip, words].map(each => each.getBoundingClientRect());
    return Math.max(box.top - text.top, text.bottom - box.bottom, box.left - text.left, text.right - box.right);
})"""


def test_long_names_stay_within_their_chips_on_a_phone(open_page):
    page = open_page(phone=True, locale="es-ES", viewport={"width": 320, "height": 640})
    page.goto("/")
    expect_value(page, CUT_NAMES_JS, lambda cuts: len(cuts) == 5 and max(cuts) <= 0)


def test_games_are_found_by_name_and_rule(open_page):
    page = open_page()
    page.goto("/")
    page.locator("#all-games summary").click()
    page.locator("#game-search").fill("telefon 365")
    expect(page.locator(".game-list li:visible")).to_have_count(1)
    page.locator(".game-list li:visible button").click()
    expect(page.locator("#felt-title")).to_have_text("Nobody is waiting to play Telefon 365 right now")
    assert page.url.endswith("/?preset=gomuggins")
    main = page.locator(".deal-acts button").first
    expect(main).to_be_focused()
    page.locator("#all-games summary").click()
    page.locator("#game-search").fill("telefon 365")
    page.keyboard.press("Enter")
    expect(main).to_be_focused()


def test_nothing_moves_under_the_pointer(open_page):
    page = open_page(guest=True)
    page.goto("/")
    summary = page.locator("#all-games summary")
    before = summary.bounding_box()
    summary.click()
    expect(page.locator(".game-list")).to_be_visible()
    expect_box(summary, lambda box: box == before)

    open_table(page, "draw")
    page.goto("/")
    expect(page.locator("#lobby-mine section")).to_be_visible()
    chip = page.locator(".game-chip").nth(1)
    before = chip.bounding_box()
    chip.click()
    expect(page.locator(".deal.is-chosen")).to_be_visible()
    expect_box(chip, lambda box: box == before)

    page.set_viewport_size({"width": 390, "height": 844})
    page.goto("/")
    before = page.evaluate(TOPS_JS)
    page.locator("#computer .cover").click()
    expect(page.locator("#computer form")).to_be_visible()
    expect_value(page, TOPS_JS, before)
    page.evaluate(DOUBLE_TEXT_JS)
    expect_value(page, "document.documentElement.scrollWidth", 390)
    expect_value(page, SQUEEZED_JS, [])


def test_own_press_changes_nothing_that_the_felt_says(open_page):
    page = open_page()
    page.goto("/?preset=block")

    def stay(route: Route) -> None:
        """Let the site seat the visitor, and no page follow."""
        route.fetch(max_redirects=0)
        route.fulfill(status=204)

    page.route("**/play/block/", stay)
    tables = page.locator("#open-tables")
    expect(tables).not_to_contain_text("Block")
    button(page, "Wait for somebody").click()
    expect(tables).to_contain_text("Block")
    expect(page.locator("#felt-title")).to_have_text("Nobody is waiting to play Block right now")


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
    expect(button(alice, "Following")).to_be_visible()
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


def test_lobby_is_short_on_a_phone_with_ten_open_tables(alice, open_page):
    for number in range(10):
        open_table(alice, preset="draw" if number % 2 else "sebastopol", seats="", clock="3d")
    for locale, more in (("ru-RU", "7"), ("es-ES", "7"), ("en-GB", "7 more open tables")):
        visitor = open_page(phone=True, locale=locale)
        visitor.goto("/")
        expect(visitor.locator("#more-tables")).to_contain_text(more)
        expect_value(visitor, "document.documentElement.scrollHeight", lambda height: height <= 1460)
    visitor.locator("#more-tables").click()
    expect(visitor.locator(".open-table").last).to_be_visible()


@pytest.fixture
def night_is_on(site: Site) -> Iterator[None]:
    """Let the nights of the site be on during the test."""
    set_nights(site.database, timedelta(minutes=-10))
    yield
    set_nights(site.database, NIGHTS_BEGIN_IN)


@pytest.mark.parametrize("locale", ["en-GB", "es-ES", "ru-RU", "pt-PT"])
def test_night_that_is_on_keeps_the_lobby_of_a_phone_short(night_is_on, open_page, locale):
    page = open_page(phone=True, locale=locale)
    page.goto("/")
    night = page.locator(".club-nights").first
    expect(night.locator("button")).to_have_count(2)
    expect(night.locator("button:visible")).to_have_count(1)
    expect_box(night, lambda box: box["height"] <= 56)
    assert_accessible(page, "a night that is on", ".club-nights")


def test_night_that_is_on_can_be_followed_at_a_desk_and_left_on_a_phone(night_is_on, alice):
    alice.goto("/")
    night = alice.locator(".club-nights").first
    expect(night).to_contain_text("on now")
    expect(button(night, "Play now")).to_be_visible()
    night.get_by_role("button", name="Remind me").click()
    expect(night).to_contain_text("You are coming")
    alice.set_viewport_size(PHONE["viewport"])
    for name in ("Play now", "Stop reminding me"):
        expect(night.get_by_role("button", name=name)).to_be_visible()
    night.get_by_role("button", name="Stop reminding me").click()
    expect(night.get_by_role("button", name="Play now")).to_be_visible()


def test_a_press_asks_where_people_wait_otherwise(bob, open_page):
    host = open_page("greta")
    host.goto(open_table(host, preset="draw", seats="3", clock="180+3", rated="on"))
    bob.goto("/")
    chip = bob.locator("#games").get_by_role("button", name="Draw")
    expect(chip).to_contain_text("1 waiting in threes")
    chip.click()
    felt = bob.locator("#felt")
    expect(felt).to_contain_text("greta is waiting to play Draw in threes")
    expect(button(felt, "Wait at a table for two")).to_be_visible()
    host.goto("/")  # the felt follows what happens, and keeps the choice
    expect(host.locator("#open-tables .is-own")).to_contain_text("Yours")
    host.locator("#open-tables .is-own").get_by_role("link", name="Yours").click()
    button(host, "Leave the table").click()
    expect(felt).to_contain_text("Nobody is waiting to play Draw right now")
