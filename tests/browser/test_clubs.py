"""A club from its form to the second night, with a phone and a keyboard in mind."""

from playwright.sync_api import expect

from tests.browser.axe import assert_accessible
from tests.browser.playing import button


def test_club_is_started_and_its_pages_are_accessible(alice):
    alice.goto("/clubs/new")
    assert_accessible(alice, "the form of a club", ".club-new")
    alice.get_by_label("Name", exact=True).fill("Los Compadres")
    alice.get_by_label("About the club").fill("**Every Friday.**")
    alice.get_by_label("public: listed here").check()
    button(alice, "Start the club").click()
    expect(alice.get_by_role("heading", level=1)).to_have_text("Los Compadres")

    alice.get_by_role("link", name="People, members, seasons").click()
    alice.get_by_label("Names, one a line").fill("Ana\nLuis")
    button(alice, "Add these names").click()
    button(alice, "Make a link").click()
    expect(alice.get_by_role("img", name="The invitation")).to_be_visible()
    alice.locator("summary", has_text="Ana").click()
    assert_accessible(alice, "the desk of a club", ".club-page")
    alice.locator("details[open]").get_by_role("button", name="Take off the list").click()
    expect(alice.locator("summary", has_text="Ana")).to_have_count(0)

    alice.goto("/clubs/los-compadres/")
    alice.get_by_role("link", name="Make the first night").click()
    expect(alice.locator("[name=club]")).to_have_value("los-compadres")
    alice.get_by_label("Name", exact=True).fill("Friday")
    expect(alice.get_by_label("When", exact=True)).not_to_have_value("")  # the page's script writes it
    button(alice, "Make the night").click()
    alice.locator(".eyebrow").get_by_role("link", name="Los Compadres").click()
    expect(alice.get_by_role("heading", name="Friday")).to_be_visible()
    assert_accessible(alice, "a club", ".club-page")
