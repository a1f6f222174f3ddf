"""A network that swallows, sleeps or changes: the page says that it is not live, and is right soon after."""

import time

import pytest
from playwright.sync_api import expect

from tests.browser.playing import button, press, shows, state
from tests.browser.tables import match, on_turn, send
from tests.proxy import Network

SOON = 5  # seconds in which a page is right once the network is back


@pytest.fixture
def network(site):
    network = Network(site.port)
    yield network
    network.end()


@pytest.fixture
def dora(visitor, network):
    """Somebody on that network."""
    return visitor("dora", base_url=network.url)


def bobs_turn(dora, bob) -> dict:
    """A match of the two that has come to bob's turn; what he sees."""
    match(bob, dora)
    page, now = on_turn(dora, bob)
    while page is not bob:
        send(dora, now["legal"][0], now)
        page, now = on_turn(dora, bob)
    shows(dora, now["version"])
    return now


@pytest.mark.parametrize("seconds", [1, 12])
def test_whatever_was_swallowed_the_page_is_right_soon_after(dora, bob, network, seconds):
    now = bobs_turn(dora, bob)
    expect(dora.locator(".if-lost")).to_be_hidden()

    network.swallow()
    send(bob, now["legal"][0], now)
    bob.wait_for_timeout(seconds * 1000)
    if seconds > SOON:
        expect(dora.locator(".if-lost")).to_be_visible()
    network.pass_again()
    back = time.monotonic()

    shows(dora, now["version"] + 1)
    assert time.monotonic() - back < SOON
    expect(dora.locator(".if-lost")).to_be_hidden()


def test_who_was_cut_off_plays_on(dora, bob, network):
    now = bobs_turn(dora, bob)
    network.swallow()
    send(bob, now["legal"][0], now)
    expect(dora.locator(".if-lost")).to_be_visible()
    network.pass_again()
    shows(dora, now["version"] + 1)

    now = state(bob)
    while now["turn"] == now["you"]:
        send(bob, now["legal"][0], now)
        now = state(bob)
    shows(dora, now["version"])
    now["legal"] = dora.locator("#hand").get_attribute("data-legal").split()
    press(dora, now["legal"][0], now)

    shows(bob, now["version"] + 1)


def test_the_browsers_word_that_it_is_offline_is_believed_at_once(dora, bob):
    bobs_turn(dora, bob)

    dora.context.set_offline(True)
    expect(dora.locator(".if-lost")).to_be_visible(timeout=1500)

    dora.context.set_offline(False)
    expect(dora.locator(".if-lost")).to_be_hidden()
    assert button(dora, "Resign").count() and state(dora)["status"] == "playing"
