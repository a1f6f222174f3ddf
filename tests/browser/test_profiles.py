"""Profiles, challenges and the moderation desk."""

import re
from functools import partial

from django.contrib.auth.models import Group
from playwright.sync_api import Locator, Page, ViewportSize, expect

from accounts.models import User
from tests.browser.conftest import DESKTOP, post_form
from tests.browser.fonts import assert_fits_any_font
from tests.browser.playing import button
from tests.browser.stored import Wanted, change_rows, store_match
from tests.browser.tables import open_alone
from tests.browser.waiting import expect_box, expect_value


def challenge_link(page: Page) -> Locator:
    return page.get_by_role("link", name="Challenge", exact=True)


def test_profile_menu_mutes_reports_and_blocks(alice, bob):
    alice.goto("/players/bob/")
    button(alice, "Follow").click()
    expect(button(alice, "Following")).to_be_visible()
    menu = alice.locator(".relations details")
    menu.locator("summary").focus()
    alice.keyboard.press("Enter")
    menu.get_by_role("button", name="Mute in talk").click()
    menu.locator("summary").click()
    expect(menu.get_by_role("button", name="Hear them again")).to_be_visible()
    menu.locator("[name=reason]").select_option("stalling")
    menu.get_by_label("What happened").fill("three minutes a move")
    menu.get_by_role("button", name="Send report").click()
    expect(alice.locator("#messages")).to_contain_text("A moderator will look at it.")
    alice.goto("/players/alice/")
    expect(alice.get_by_role("heading", name="Your reports")).to_be_visible()
    alice.goto("/players/bob/")
    menu.locator("summary").click()
    menu.get_by_role("button", name="Block them").click()
    expect(challenge_link(alice)).to_have_count(0)
    menu.locator("summary").click()
    menu.get_by_role("button", name="Unblock").click()
    expect(challenge_link(alice)).to_be_visible()
    menu.locator("summary").click()
    menu.get_by_role("button", name="Hear them again").click()
    menu.locator("summary").click()
    expect(menu.get_by_role("button", name="Mute in talk")).to_be_visible()


def test_challenge_appears_on_any_page_until_declined(open_page):
    frida, bruno = open_page("frida"), open_page("bruno")  # without other challenges and offers of a rematch
    open_alone(bruno, ["patient-paul"])
    frida.goto("/players/bruno/")
    challenge_link(frida).click()
    dialog = frida.get_by_role("dialog", name="Challenge", exact=True)
    dialog.get_by_role("combobox", name="Players").select_option("2")
    button(dialog, "Send the challenge").click()
    frida.wait_for_url(re.compile("/tables/"))
    notice = bruno.locator("#challenges")
    expect(notice).to_contain_text("frida challenges you")
    notice.get_by_role("button", name="Decline").click()
    expect(frida.locator("main")).to_contain_text("bruno has declined")
    bruno.goto("/rules/")
    expect(bruno.locator("#challenges .challenge")).to_have_count(0)


# Whether all columns of a change list fit beside Django's two sidebars.
LISTS_FIT_JS = (
    "[...document.querySelectorAll('.results')].every(list => list.scrollWidth <= list.clientWidth)"
)
PAGE_FITS_JS = "document.documentElement.scrollWidth <= document.documentElement.clientWidth"
PHONE_SIZE: ViewportSize = {"width": 390, "height": 844}
SMALL_SIZE: ViewportSize = {"width": 1000, "height": 800}
# Names, and codes, that stand in more than one line.
BROKEN_NAMES_JS = """() => {
    const names = [...document.querySelectorAll('#result_list td a, #result_list .person-name')];
    return names.map(name => name.textContent).filter((text, place) => {
        const range = document.createRange();
        range.selectNodeContents(names[place]);
        return !/\\s/.test(text) && new Set([...range.getClientRects()].map(box => box.top)).size > 1;
    });
}"""


def make_moderator(name: str) -> None:
    user = User.objects.get(username=name)
    user.is_staff = True
    user.save()
    user.groups.add(Group.objects.get(name="Moderators"))


def test_moderator_handles_case(alice, bob, open_page):
    olga = open_page("olga")
    change_rows(olga, partial(make_moderator, "olga"))
    post_form(alice.context, "/", "/players/bob/report", reason="collusion")
    olga.goto("/rules/")
    olga.get_by_role("link", name="Open cases").click()
    olga.get_by_role("link", name="bob", exact=True).first.click()
    case = olga.url
    olga.get_by_label("A note for the other moderators").fill("watch them")
    button(olga, "Write down").click()
    expect(olga.locator("#content")).to_contain_text("watch them")
    button(olga, "Take out").click()
    expect(olga.locator("#content")).not_to_contain_text("watch them")
    olga.get_by_label("or in your words").fill("shouting")
    button(olga, "Mute").click()
    expect(olga.locator(".messagelist")).to_contain_text("Reports answered")
    bob.goto("/players/bob/")
    expect(bob.locator("main")).to_contain_text("shouting")

    assert_desk_fits(olga, case)

    olga.goto(case)
    button(olga, "Undo").first.click()
    expect(olga.locator("#content")).to_contain_text("undone")
    bob.reload()
    expect(bob.locator("main")).not_to_contain_text("shouting")


def assert_desk_fits(page: Page, case: str) -> None:
    """Assert that the lists of the moderation desk fit a desktop, and all its pages a phone."""
    desktop = page.viewport_size
    page.goto("/admin/")
    links = page.locator("#content-main a, #nav-sidebar a").evaluate_all("all => all.map(each => each.href)")
    lists = {link for link in links if re.search(r"/admin/\w+/\w+/$", link)}
    assert len(lists) >= 6, lists
    for address in [*sorted(lists), case, "/admin/", "/admin/games/report/cases/", "/admin/figures/"]:
        assert page.goto(address).ok, address
        if address in lists:
            expect_value(page, LISTS_FIT_JS)
            page.set_viewport_size(SMALL_SIZE)
            expect_value(page, LISTS_FIT_JS)
            expect_value(page, BROKEN_NAMES_JS, lambda names: not names)
        page.set_viewport_size(PHONE_SIZE)
        expect_value(page, PAGE_FITS_JS)
        if address.endswith("/games/report/"):
            reports = page.locator("#result_list tbody .field-what")
            # Whole words, not one letter a line.
            expect_value(reports.first, "cell => cell.clientWidth", lambda width: width >= 100)
        page.set_viewport_size(desktop)


TEXT_SIZE_JS = "size => (document.documentElement.style.fontSize = `${size}px`)"


def test_profile_fits_screens_and_text_sizes(alice, bob):
    store_match(Wanted(lambda _now: True, ended=True), alice, bob, preset="all-fives", target="5")
    alice.goto("/players/bob/")
    expect(alice.get_by_role("heading", name="You and bob")).to_be_visible()
    expect(alice.locator(".latest").get_by_role("img").first).to_be_visible()
    menu, summary = alice.locator(".relations .menu"), alice.locator(".relations summary")
    for width, text in ((390, 16), (360, 32), (1280, 16), (1280, 32)):
        alice.set_viewport_size({"width": width, "height": 800})
        alice.evaluate(TEXT_SIZE_JS, text)
        assert_fits_any_font(alice, f"a profile, {width} wide, text of {text} px")
        summary.click()
        expect_box(menu, lambda box, width=width: box["x"] >= 0 and box["x"] + box["width"] <= width)
        summary.click()
        expect(menu).to_be_hidden()


def test_archive_search_has_collapsed_filters(open_page):
    page = open_page("alice", scripts=False)
    page.goto("/archive/")
    expect(page.get_by_label("Player")).to_be_hidden()
    page.get_by_text("Filters", exact=True).click()
    expect(page.get_by_label("Ended by")).to_be_hidden()
    page.get_by_label("Player").fill("nobody-of-that-name")
    page.locator(".search summary").click()
    page.get_by_label("Rated").select_option("yes")
    button(page, "Search").click()
    expect(page.get_by_label("Rated")).to_be_visible()
    page.get_by_role("link", name="Show all matches").click()
    expect(page.get_by_label("Player")).to_have_value("")


# How far an entry's explanation begins to the right of the entry, and ends below it.
EXPLANATION_JS = """entry => {
    const [around, below] = [entry, entry.querySelector("small")].map(each => each.getBoundingClientRect());
    return [below.x - around.x, below.bottom - around.bottom];
}"""


def test_profile_menu_explanations_are_below_entries(alice, bob):
    alice.goto("/players/bob/")
    alice.get_by_label("Mute, block, report").click()
    entry = alice.get_by_role("button", name="Block them")
    for size in (DESKTOP["viewport"], PHONE_SIZE):
        alice.set_viewport_size(size)
        # Not in a column beside it.
        expect_value(entry, EXPLANATION_JS, lambda beyond: beyond[0] < 30 and beyond[1] <= 1)
