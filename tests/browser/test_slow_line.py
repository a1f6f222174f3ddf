"""Lines with seconds of latency: moves are played once, also around a cut."""

import time

import pytest
from playwright.sync_api import Page, Request, Route, expect

from tests.browser.playing import MOVE_RESULT_JS, button, get_state, press_move, submit_move, wait_for_version
from tests.browser.tables import open_match_at, post_move
from tests.browser.test_connection import (
    BUSY_MACHINE_FACTOR,
    start_match_at_bobs_turn,
    start_match_at_turn_of,
    watch_refusals,
)
from tests.proxy import NetworkProxy


def slow_down(page: Page, network: NetworkProxy, round_trip: float = 4.0) -> None:
    """Load the page over a slow line. Once its socket is open it knows how slow the line is."""
    network.round_trip = round_trip
    page.reload()
    expect(page.locator("html")).to_have_attribute("data-live", "on")


def test_move_is_sent_once_on_a_slow_line(dora, bob, network):
    now = start_match_at_turn_of(dora, bob)
    slow_down(dora, network, 3.0)
    network.round_trip = 5.4  # longer than a move waits on a fast line
    forms: list[str] = []

    def record_form(request: Request) -> None:
        if request.method == "POST":
            forms.append(request.url)

    dora.on("request", record_form)

    press_move(dora, now["legal"][0], now)
    expect(dora.get_by_text("Sending…")).to_be_visible()
    wait_for_version(dora, now["version"] + 1)

    expect(dora.get_by_text("Sending…")).to_be_hidden()
    assert forms == []
    expect(dora.locator("#refusal")).to_be_empty()


@pytest.mark.parametrize("seconds", [1, 12])
def test_slow_line_recovers_in_three_round_trips(dora, bob, network, seconds):
    now = start_match_at_bobs_turn(dora, bob)
    slow_down(dora, network)

    network.drop_traffic()
    post_move(bob, now["legal"][0], now)
    bob.wait_for_timeout(seconds * 1000)
    network.restore()
    back = time.monotonic()

    wait_for_version(dora, now["version"] + 1)
    # Three round trips; before, a ping after 2 seconds.
    assert time.monotonic() - back < BUSY_MACHINE_FACTOR * (3 * network.round_trip + 2)
    expect(dora.locator(".if-lost")).to_be_hidden()


@pytest.mark.parametrize("seconds", [2, 9])
def test_move_pressed_while_a_slow_line_is_cut_is_played_once(dora, bob, network, seconds):
    now = start_match_at_turn_of(dora, bob)
    slow_down(dora, network)
    sentences = watch_refusals(dora)

    network.drop_traffic()
    press_move(dora, now["legal"][0], now)
    dora.wait_for_timeout(seconds * 1000)
    network.restore()

    wait_for_version(dora, now["version"] + 1)
    assert sentences() == []


def test_move_pressed_at_the_end_of_a_long_cut_is_played_once(dora, bob, network):
    now = start_match_at_turn_of(dora, bob)
    slow_down(dora, network, 1.7)
    sentences = watch_refusals(dora)

    network.drop_traffic()
    expect(dora.locator(".if-lost")).to_be_visible()
    press_move(dora, now["legal"][0], now)
    dora.wait_for_timeout(2000)  # the form times out before the page is connected again
    network.restore()

    wait_for_version(dora, now["version"] + 1)
    assert sentences() == []


def test_tile_is_laid_when_the_script_for_it_comes_late(dora, bob, network, site):
    held: list[Route] = []
    dora.route("**/match/optimistic.*", lambda route: held.append(route))
    now = open_match_at(lambda now: now["you"] == 0 and _tiles(now), dora, bob)
    expect(dora.locator("html")).to_have_attribute("data-live", "on")

    network.drop_traffic()
    submit_move(dora, next(iter(_tiles(now).values())))
    expect(dora.get_by_text("Sending…")).to_be_visible()
    expect(dora.locator("#laid-ahead")).to_have_count(0)
    while not held:
        dora.wait_for_timeout(50)
    for route in held:
        route.fulfill(response=route.fetch(url=route.request.url.replace(network.url, site.url)))

    expect(dora.locator("#laid-ahead")).to_have_count(1)


def test_second_press_during_a_cut_is_not_played(dora, bob, network):
    now = open_match_at(lambda now: now["you"] == 0 and len(_tiles(now)) > 1, dora, bob)
    expect(dora.locator("html")).to_have_attribute("data-live", "on")
    first, second = list(_tiles(now).values())[:2]

    network.drop_traffic()
    submit_move(dora, first)
    expect(dora.locator(".if-lost")).to_be_visible()
    submit_move(dora, second)
    network.restore()

    dora.wait_for_function(MOVE_RESULT_JS, arg=now["version"] + 1)  # a slow machine may give the first one up
    assert second.partition("@")[0] not in {tile["tile"] for tile in get_state(bob)["layout"]}


def _tiles(now: dict) -> dict[str, str]:
    """Return a move for each tile that can be played alone."""
    plays = [move for move in now["legal"] if move not in ("draw", "pass") and "+" not in move]
    return {move.partition("@")[0]: move for move in plays}


def test_slow_line_with_news_is_not_lost(dora, bob, network):
    start_match_at_turn_of(dora, bob)
    with dora.expect_websocket(lambda socket: "/ws/games/" in socket.url) as opened:
        slow_down(dora, network, 3.0)
    bob.locator("#chat summary").click()
    bob.locator("#say [name=text]").fill("good luck")
    network.round_trip = 5.0
    dora.evaluate("""() => {
        globalThis.states = [];
        new MutationObserver(() => states.push(document.documentElement.dataset.live))
            .observe(document.documentElement, { attributeFilter: ["data-live"] });
    }""")

    with opened.value.expect_event("framereceived", lambda text: text == "pong"):
        pass
    button(bob, "Send").click()  # arrives soon after the next ping, long before its answer
    dora.wait_for_timeout(10_000)

    expect(dora.locator("#talk-log")).to_contain_text("good luck")
    assert dora.evaluate("states") == []
