"""How the pauses after a round, and after the play that ends one (`call_last`), end by themselves.

What they show while they last: test_round_pauses.py.
"""

from playwright.sync_api import expect

from tests.browser.playing import button, wait_for_version
from tests.browser.tables import open_match_at, post_move
from tests.browser.test_keys import RECORD_ANNOUNCEMENTS_JS
from tests.browser.test_round_pauses import ONE_EACH, open_last_move_of_round
from tests.browser.waiting import expect_value


def test_pause_for_calls_ends_without_a_reload_and_continue_has_the_focus(alice, bob):
    now = open_match_at(lambda now: now["you"] == 0, alice, bob, preset="muggins-200", **ONE_EACH)
    wait_for_version(bob, now["version"])
    bob.evaluate(RECORD_ANNOUNCEMENTS_JS)  # a reload would lose what is recorded

    button(alice, now["legal"][0]).press("Enter")

    for page in (alice, bob):
        expect(page.locator("#round-end")).to_be_visible()
        expect(page.locator("#calls")).to_be_hidden()
    expect(alice.locator("#go-on")).to_be_focused()
    heard = expect_value(
        bob, "() => heard", lambda heard: any("Nobody called" in sentence for sentence in heard)
    )
    assert sum("Any calls?" in sentence for sentence in heard) <= 1


def test_round_pause_ends_without_a_reload(alice, bob):
    now = open_last_move_of_round(alice, bob, shown=[alice])
    alice.evaluate("document.documentElement.dataset.sameDocument = 'yes'")
    post_move(alice, now["legal"][0], now)
    expect(button(alice, "Continue")).to_be_visible()

    expect(button(alice, "Continue")).to_be_hidden()
    expect(alice.locator("#board .laid [data-tile]")).to_have_count(0)
    expect(alice.locator("#hand")).to_have_css("visibility", "visible")
    expect(alice.locator("html[data-same-document=yes]")).to_be_attached()
