"""Lines with seconds of latency: moves are played once, also around a cut."""

import time

import pytest
from playwright.sync_api import Page, Request, Route, expect

from tests.browser.conftest import post_form
from tests.browser.playing import MOVE_RESULT_JS, get_state, press_move, submit_move, wait_for_version
from tests.browser.stored import Wanted, store_match
from tests.browser.tables import in_first_round, open_alone, post_move, tile_with_choice
from tests.browser.test_connection import (
    BUSY_MACHINE_FACTOR,
    can_play_a_tile,
    cut,
    expect_live,
    has_to_draw,
    open_at_turn_of,
    open_while_other_moves,
    watch_refusals,
)
from tests.browser.test_keys import is_choice_by_key
from tests.browser.waiting import expect_value, until
from tests.proxy import NetworkProxy

# How fast the time of a page passes on which the line is slow. More would leave a busy machine too little time.
SPEED = 2
# The page's clock, its timers, the timeouts of its requests and what it measured of its own request.
QUICKEN_JS = """{
const speed = %d;
const { timeOrigin } = performance;
const now = performance.now.bind(performance);
performance.now = () => speed * now();
Date.now = () => timeOrigin + speed * now();
for (const name of ["setTimeout", "setInterval"]) {
    const start = window[name];
    window[name] = (callback, delay, ...rest) => start(callback, (delay ?? 0) / speed, ...rest);
}
const { set, get } = Object.getOwnPropertyDescriptor(XMLHttpRequest.prototype, "timeout");
Object.defineProperty(XMLHttpRequest.prototype, "timeout", { get, set(delay) { set.call(this, delay / speed); } });
const find = performance.getEntriesByType.bind(performance);
performance.getEntriesByType = (type) => type === "navigation" ? find(type).map((entry) => ({
    type: entry.type, requestStart: speed * entry.requestStart, responseStart: speed * entry.responseStart,
})) : find(type);
}"""


@pytest.fixture
def quick(dora: Page) -> Page:
    """Return dora's page, whose time passes SPEED times as fast. Seconds in these tests are the page's."""
    dora.add_init_script(QUICKEN_JS % SPEED)
    return dora


def wait(page: Page, seconds: float) -> None:
    """Wait so long that `seconds` pass on the page."""
    page.wait_for_timeout(1000 * seconds / SPEED)  # as the caller asks


def set_round_trip(network: NetworkProxy, seconds: float) -> None:
    network.round_trip = seconds / SPEED


def slow_down(page: Page, network: NetworkProxy, round_trip: float = 4.0) -> None:
    """Load the page over a slow line. Once its socket is open it knows how slow the line is."""
    set_round_trip(network, round_trip)
    page.reload()
    expect_live(page)


def test_move_is_sent_once_on_a_slow_line(quick, bob, network):
    now = open_at_turn_of(quick, bob)
    slow_down(quick, network, 3.0)
    set_round_trip(network, 5.4)  # longer than a move waits on a fast line
    forms: list[str] = []

    def record_form(request: Request) -> None:
        if request.method == "POST":
            forms.append(request.url)

    quick.on("request", record_form)

    press_move(quick, now["legal"][0], now)
    expect(quick.get_by_text("Sending…")).to_be_visible()
    wait_for_version(quick, now["version"] + 1)

    expect(quick.get_by_text("Sending…")).to_be_hidden()
    assert forms == []
    expect(quick.locator("#refusal")).to_be_empty()


def test_slow_line_recovers_in_three_round_trips(quick, bob, network):
    now = open_while_other_moves(quick, bob, has_to_draw)
    slow_down(quick, network)

    for cut_seconds in (1, 12):
        network.drop_traffic()
        now = post_move(bob, now["legal"][0], now)
        wait(quick, cut_seconds)
        network.restore()
        back = time.monotonic()

        wait_for_version(quick, now["version"])
        # Three round trips; before, a ping after 2 seconds.
        took = SPEED * (time.monotonic() - back)
        assert took < BUSY_MACHINE_FACTOR * (3 * SPEED * network.round_trip + 2)
        expect(quick.locator(".if-lost")).to_be_hidden()


@pytest.mark.parametrize("seconds", [2, 9])
def test_move_pressed_while_a_slow_line_is_cut_is_played_once(quick, bob, network, seconds):
    now = open_at_turn_of(quick, bob)
    slow_down(quick, network)
    sentences = watch_refusals(quick)

    network.drop_traffic()
    press_move(quick, now["legal"][0], now)
    wait(quick, seconds)
    network.restore()

    wait_for_version(quick, now["version"] + 1)
    assert sentences() == []


def test_move_pressed_at_the_end_of_a_long_cut_is_played_once(quick, bob, network):
    now = open_at_turn_of(quick, bob)
    slow_down(quick, network, 1.7)
    sentences = watch_refusals(quick)

    network.drop_traffic()
    expect(quick.locator(".if-lost")).to_be_visible()
    press_move(quick, now["legal"][0], now)
    wait(quick, 2)  # the form times out before the page is connected again
    network.restore()

    wait_for_version(quick, now["version"] + 1)
    assert sentences() == []


def test_tile_is_laid_when_the_script_for_it_comes_late(dora, bob, network, site):
    held: list[Route] = []
    dora.route("**/match/optimistic.*", lambda route: held.append(route))
    now = open_at_turn_of(dora, bob)

    network.drop_traffic()
    submit_move(dora, next(iter(_tiles(now).values())))
    expect(dora.get_by_text("Sending…")).to_be_visible()
    expect(dora.locator("#laid-ahead")).to_have_count(0)
    until(dora, lambda: held, "the page to request the script")
    for route in held:
        route.fulfill(response=route.fetch(url=route.request.url.replace(network.url, site.url)))

    expect(dora.locator("#laid-ahead")).to_have_count(1)


def test_focus_stays_in_hand_when_the_script_for_it_comes_late(alice):
    now = open_alone(alice, ["patient-paul"], in_first_round(is_choice_by_key))
    alice.route("**/match/optimistic.*", lambda _route: None)
    alice.keyboard.press(str(now["hand"].index(tile_with_choice(now)) + 1))
    expect(alice.locator("#board .spot:visible").first).to_be_focused()
    alice.keyboard.press("Enter")
    expect(alice.locator("#hand")).to_be_focused()


def test_second_press_during_a_cut_is_not_played(dora, bob, network):
    dora.clock.install()
    now = open_at_turn_of(dora, bob, lambda now: now["you"] == 0 and len(_tiles(now)) > 1)
    first, second = list(_tiles(now).values())[:2]

    network.drop_traffic()
    submit_move(dora, first)
    cut(dora, network)
    submit_move(dora, second)
    network.restore()

    dora.wait_for_function(MOVE_RESULT_JS, arg=now["version"] + 1)  # a slow machine may give the first one up
    assert second.partition("@")[0] not in {tile["tile"] for tile in get_state(bob, now["match"])["layout"]}


def _tiles(now: dict) -> dict[str, str]:
    """Return a move for each tile that can be played alone."""
    plays = [move for move in now["legal"] if move not in ("draw", "pass") and "+" not in move]
    return {move.partition("@")[0]: move for move in plays}


def test_line_with_three_seconds_of_latency_can_play(quick, bob, network):
    code, _ = store_match(Wanted(in_first_round(can_play_a_tile)), quick, bob, preset="all-fives")
    now = get_state(quick, code)
    set_round_trip(network, 3.0)
    quick.goto("/rules/")
    with quick.expect_websocket(lambda socket: "/ws/games/" in socket.url) as opened:
        quick.goto(f"/games/{code}/")
    press_move(quick, now["legal"][0], now)  # before the socket is open
    wait_for_version(quick, now["version"] + 1)
    expect_live(quick)
    for _ in range(3):
        with opened.value.expect_event("framereceived", lambda text: text == "pong"):
            pass
    expect_live(quick)


def test_slow_line_with_news_is_not_lost(dora, bob, network):
    now = open_at_turn_of(dora, bob)
    dora.goto("/rules/")  # a page of the match would open another socket while it waits for the next page
    network.round_trip = 3.0
    with dora.expect_websocket(lambda socket: "/ws/games/" in socket.url) as opened:
        dora.goto(f"/games/{now['match']}/")
    expect_live(dora)
    network.round_trip = 5.0
    dora.evaluate("""() => {
        globalThis.states = [];
        new MutationObserver(() => states.push(document.documentElement.dataset.live))
            .observe(document.documentElement, { attributeFilter: ["data-live"] });
    }""")

    with opened.value.expect_event("framereceived", lambda text: text == "pong"):
        pass
    # Arrives soon after the next ping, long before its answer.
    post_form(bob.context, "/", f"/games/{now['match']}/say", text="good luck")
    expect(dora.locator("#talk-log")).to_contain_text("good luck")
    with opened.value.expect_event("framereceived", lambda text: text == "pong"):
        pass

    expect_value(dora, "() => states", [])
