"""Profiles, challenges and the moderation desk."""

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.fonts import assert_fits_any_font
from tests.browser.playing import button
from tests.browser.tables import play_until, start_against_computers, start_unwatched_match


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
    start_against_computers(bruno)
    frida.goto("/players/bruno/")
    challenge_link(frida).click()
    dialog = frida.get_by_role("dialog", name="Challenge", exact=True)
    dialog.get_by_label("Players").select_option("2")
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


def test_moderator_handles_case(site, alice, bob, open_page):
    olga = open_page("olga")
    site.manage(
        "shell",
        "-c",
        "from django.contrib.auth.models import Group; from accounts.models import User;"
        "olga = User.objects.get(username='olga'); olga.is_staff = True; olga.save();"
        "olga.groups.add(Group.objects.get(name='Moderators'))",
    )
    alice.goto("/players/bob/")
    alice.locator(".relations summary").click()
    alice.locator(".relations [name=reason]").select_option("collusion")
    button(alice, "Send report").click()
    olga.goto("/admin/")
    links = olga.locator("#content-main a, #nav-sidebar a").evaluate_all(
        "them => them.map(each => each.href)"
    )
    lists = {link for link in links if re.search(r"/admin/\w+/\w+/$", link)}
    assert len(lists) >= 6, lists
    for link in sorted(lists):
        assert olga.goto(link).ok, link
        assert olga.evaluate(LISTS_FIT_JS), link
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
    olga.set_viewport_size({"width": 390, "height": 844})
    for address in [*sorted(lists), case, "/admin/", "/admin/games/report/cases/", "/admin/figures/"]:
        olga.goto(address)
        assert olga.evaluate(PAGE_FITS_JS), address
    olga.goto("/admin/games/report/")
    reports = olga.locator("#result_list tbody .field-what")
    assert reports.first.evaluate("cell => cell.clientWidth") >= 100  # whole words, not one letter a line
    bob.goto("/players/bob/")
    expect(bob.locator("main")).to_contain_text("shouting")
    olga.goto(case)
    button(olga, "Undo").first.click()
    expect(olga.locator("#content")).to_contain_text("undone")
    bob.reload()
    expect(bob.locator("main")).not_to_contain_text("shouting")


TEXT_SIZE_JS = "size => (document.documentElement.style.fontSize = `${size}px`)"


@pytest.mark.parametrize(("width", "text"), [(390, 16), (360, 32), (1280, 16), (1280, 32)])
def test_profile_fits_screens_and_text_sizes(open_page, width, text):
    alice, bob = open_page("alice", viewport={"width": width, "height": 800}), open_page("bob")
    code = start_unwatched_match(alice, bob, target="5")
    play_until(lambda now: now["status"] == "finished", alice, bob, code=code)

    alice.goto("/players/bob/")

    expect(alice.get_by_role("heading", name="You and bob")).to_be_visible()
    expect(alice.locator(".latest").get_by_role("img").first).to_be_visible()
    alice.evaluate(TEXT_SIZE_JS, text)
    assert_fits_any_font(alice, "a profile")
    alice.locator(".relations summary").click()
    box = alice.locator(".relations .menu").bounding_box()
    assert box["x"] >= 0 and box["x"] + box["width"] <= width


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


def test_profile_menu_explanations_are_below_entries(alice, open_page):
    bob = open_page("bob", phone=True)
    bob.goto("/")
    for page, name in ((alice, "bob"), (bob, "alice")):
        page.goto(f"/players/{name}/")
        page.get_by_label("Mute, block, report").click()
        entry = page.get_by_role("button", name="Block them")
        around = entry.bounding_box()
        below = entry.locator("small").bounding_box()
        assert below["x"] - around["x"] < 30, "not in a column beside it"
        assert below["y"] + below["height"] <= around["y"] + around["height"] + 1
