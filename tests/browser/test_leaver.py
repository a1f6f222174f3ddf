"""A player leaves a table of three: the others choose on the page, also without scripts."""

from playwright.sync_api import expect

from tests.browser.playing import button
from tests.browser.tables import open_alone, open_match_at


def resign(page):
    button(page, "Resign").click()
    page.locator(".asked").get_by_role("button", name="Resign").click()


def test_remaining_players_choose_and_hear_result(alice, bob, open_page):
    dora = open_page("dora", scripts=False)
    open_match_at(lambda now: True, alice, bob, dora)
    resign(alice)

    expect(alice.get_by_role("heading", name="You have left the match")).to_be_visible()
    expect(bob.get_by_role("heading", name="alice has left the match")).to_be_visible()
    expect(bob.locator("#status")).to_contain_text("A computer may take the seat: the first answer decides.")
    dora.reload()
    dora.get_by_role("button", name="Let a computer play on").click()

    expect(bob.get_by_role("heading", name="alice has left the match")).to_be_hidden()
    expect(bob.get_by_role("group", name="alice")).to_contain_text("computer")
    expect(dora.locator("#facts")).to_contain_text("casual")


def test_leaver_on_a_phone_sees_no_unsent_message_and_no_rail(alice):
    alice.set_viewport_size({"width": 390, "height": 844})
    alice.clock.install()
    open_alone(alice, ["greta", "hanna"])
    expect(alice.locator("html")).to_have_attribute("data-live", "on")
    alice.locator("#peek").click()
    expect(alice.locator("#rail")).to_be_visible()
    resign(alice)

    expect(alice.get_by_role("heading", name="You have left the match")).to_be_in_viewport()
    expect(alice.locator("#rail")).to_be_hidden()
    alice.clock.run_for(5500)  # longer than a move waits for its response
    expect(alice.locator("#refusal")).to_be_empty()
