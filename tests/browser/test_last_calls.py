"""The pause after the play that ends a round, in which it can be called (`call_last`)."""

import json
import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import expect

from tests.browser.axe import assert_accessible
from tests.browser.conftest import run_quick_site
from tests.browser.playing import button, get_state
from tests.browser.tables import open_match, post_move, start_unwatched_match, wait_for_turn
from tests.browser.test_keys import RECORD_ANNOUNCEMENTS_JS
from tests.server import Site

# The leader lays its only tile: the round is over with it.
ONE_EACH = {"rule-hand_size": json.dumps({"2": 1, "3": 1, "4": 1})}


@pytest.fixture(scope="module")
def shared_site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """Return a server whose pause for calls is long enough to look at."""
    yield from run_quick_site(tmp_path_factory, CALL_PAUSE_MS="19000")


def test_continue_has_the_focus_after_ones_own_last_tile(alice, bob):
    code = start_unwatched_match(alice, bob, preset="muggins-200", **ONE_EACH)
    open_match(code, alice, bob)
    leader, now = wait_for_turn(alice, bob)
    button(leader, now["legal"][0]).press("Enter")
    expect(leader.locator("#calls")).to_be_visible()
    expect(leader.locator("#go-on")).to_be_focused()


def test_pause_is_shown_and_said_once(alice, bob):
    code = start_unwatched_match(alice, bob, preset="muggins-200", **ONE_EACH)
    open_match(code, alice, bob)
    leader, now = wait_for_turn(alice, bob)
    other = bob if leader is alice else alice
    other.evaluate(RECORD_ANNOUNCEMENTS_JS)
    post_move(leader, now["legal"][0], now)
    for page in (alice, bob):
        expect(page.locator("#calls")).to_be_visible()
        expect(page.locator("#calls b")).to_have_text("Any calls?")
        expect(page.locator("#calls time")).to_have_text(re.compile(r"^1?\d$"))
        expect(page.locator("#round-end")).to_be_hidden()
        expect(page.locator(".ends-sum")).not_to_contain_text("Count")
    expect(button(other, "Muggins!")).to_be_enabled()
    expect(button(leader, "Muggins!")).to_have_attribute("aria-disabled", "true")
    assert get_state(other)["turn"] is None and get_state(other)["last_round"] is None
    (said,) = [sentence for sentence in other.evaluate("heard") if "Any calls?" in sentence]
    assert re.search(r" led \d-\d: open .*\. Any calls\?$", said), said
    assert_accessible(other)
    # Over by itself, without a reload.
    for page in (alice, bob):
        expect(page.locator("#round-end")).to_be_visible()
        expect(page.locator("#calls")).to_be_hidden()
    assert len([sentence for sentence in other.evaluate("heard") if "Any calls?" in sentence]) == 1
    assert any("Nobody called" in sentence for sentence in other.evaluate("heard"))
