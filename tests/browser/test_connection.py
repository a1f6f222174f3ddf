"""Lost connections: the page shows that it is not live, and recovers soon."""

import re
import time
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser.playing import END_NAMES, button, get_state, press_move, wait_for_version
from tests.browser.tables import (
    host_tile_with_choice,
    in_first_round,
    open_match_at,
    post_move,
    start_match,
    wait_for_turn,
)
from tests.browser.test_clocks import TOLERANCE_SECONDS, seconds

RECOVERY_SECONDS = 5  # from the network's return to a current page
BUSY_MACHINE_FACTOR = 3  # how much later a page may recover on a busy machine
# Longer than a move waits to be resent: 5 s, twice if the page notices the cut after that and sends it as a form.
RESEND_MS = 12_000
# `stateWhenOffline` becomes the connection's state right after the event.
RECORD_STATE_WHEN_OFFLINE_JS = """() => {
    window.stateWhenOffline = new Promise((done) => addEventListener(
        "offline", () => setTimeout(() => done(document.documentElement.dataset.live)), { once: true }));
}"""


def start_match_at_bobs_turn(dora, bob) -> dict:
    """Start a match and play to bob's turn. Return bob's state."""
    now = start_match_at_turn_of(bob, dora)
    wait_for_version(dora, now["version"])
    return now


def start_match_at_turn_of(one, other) -> dict:
    """Start a match and play to `one`'s turn, displayed on their page. Return their state."""
    start_match(one, other)
    page, now = wait_for_turn(one, other)
    while page is not one:
        post_move(page, now["legal"][0], now)
        page, now = wait_for_turn(one, other)
    wait_for_version(one, now["version"])
    expect(one.locator("html")).to_have_attribute("data-live", "on")
    return now


@pytest.mark.parametrize("seconds", [1, 12])
def test_page_recovers_after_lost_traffic(dora, bob, network, seconds):
    now = start_match_at_bobs_turn(dora, bob)
    expect(dora.locator(".if-lost")).to_be_hidden()

    network.drop_traffic()
    post_move(bob, now["legal"][0], now)
    bob.wait_for_timeout(seconds * 1000)
    if seconds > RECOVERY_SECONDS:
        expect(dora.locator(".if-lost")).to_be_visible()
    network.restore()
    back = time.monotonic()

    wait_for_version(dora, now["version"] + 1)
    assert time.monotonic() - back < BUSY_MACHINE_FACTOR * RECOVERY_SECONDS
    expect(dora.locator(".if-lost")).to_be_hidden()


def test_player_continues_after_disconnect(dora, bob, network):
    now = start_match_at_bobs_turn(dora, bob)
    network.drop_traffic()
    post_move(bob, now["legal"][0], now)
    expect(dora.locator(".if-lost")).to_be_visible()
    network.restore()
    wait_for_version(dora, now["version"] + 1)

    now = get_state(bob)
    while now["turn"] == now["you"]:
        post_move(bob, now["legal"][0], now)
        now = get_state(bob)
    wait_for_version(dora, now["version"])
    now["legal"] = dora.locator("#hand").get_attribute("data-legal").split()
    press_move(dora, now["legal"][0], now)

    wait_for_version(bob, now["version"] + 1)


def test_browser_offline_event_applies_at_once(dora, bob):
    start_match_at_bobs_turn(dora, bob)

    dora.evaluate(RECORD_STATE_WHEN_OFFLINE_JS)
    dora.context.set_offline(True)
    assert dora.evaluate("stateWhenOffline") == "lost"
    expect(dora.locator(".if-lost")).to_be_visible()

    dora.context.set_offline(False)
    expect(dora.locator(".if-lost")).to_be_hidden()
    assert button(dora, "Resign").count() and get_state(dora)["status"] == "playing"


def test_offline_move_is_reported_and_can_be_repeated(dora, bob):
    now = start_match_at_turn_of(dora, bob)
    dora.context.set_offline(True)
    expect(dora.locator(".if-lost")).to_be_visible()

    press_move(dora, now["legal"][0], now)

    expect(dora.locator("#refusal")).to_have_text(
        "Not sent: there is no connection. Play it again when it is back."
    )
    expect(dora.locator("#hand [aria-pressed=true]")).to_have_count(0)
    dora.context.set_offline(False)
    expect(dora.locator(".if-lost")).to_be_hidden()
    expect(dora.locator("#refusal")).to_have_text("That was not sent. Play it again.")
    assert get_state(dora)["version"] == now["version"]

    press_move(dora, now["legal"][0], now)
    wait_for_version(dora, now["version"] + 1)
    expect(dora.locator("#refusal")).to_be_empty()


def test_unsent_move_report_ends_with_next_version(dora, bob):
    now = start_match_at_turn_of(dora, bob)
    dora.context.set_offline(True)
    expect(dora.locator(".if-lost")).to_be_visible()
    press_move(dora, now["legal"][0], now)
    expect(dora.locator("#refusal")).not_to_be_empty()

    post_move(dora, now["legal"][0], now)  # as from another tab
    dora.context.set_offline(False)

    wait_for_version(dora, now["version"] + 1)
    expect(dora.locator("#refusal")).to_be_empty()


def test_move_lost_in_transit_is_reported(dora, bob, network):
    now = start_match_at_turn_of(dora, bob)
    network.drop_traffic()

    press_move(dora, now["legal"][0], now)
    expect(dora.locator(".if-lost")).to_be_visible()
    dora.wait_for_timeout(RESEND_MS)
    network.restore()

    expect(dora.locator("#refusal")).to_have_text("That was not sent. Play it again.")
    assert get_state(bob)["version"] == now["version"]
    press_move(dora, now["legal"][0], now)
    wait_for_version(bob, now["version"] + 1)


def test_move_reported_as_unsent_is_not_played_later(dora, bob, network):
    now = start_match_at_turn_of(dora, bob)
    network.hold_traffic()
    press_move(dora, now["legal"][0], now)
    expect(dora.locator(".if-lost")).to_be_visible()
    dora.wait_for_timeout(RESEND_MS)
    network.restore()
    expect(dora.locator("#refusal")).to_have_text("That was not sent. Play it again.")

    network.release()
    dora.wait_for_timeout(2000)

    assert get_state(bob)["version"] == now["version"]
    press_move(dora, now["legal"][0], now)
    wait_for_version(bob, now["version"] + 1)
    expect(dora.locator("#refusal")).to_be_empty()


def test_page_with_late_scripts_can_move(dora, bob):
    now = start_match_at_turn_of(dora, bob)

    def delay(route: Route) -> None:
        time.sleep(7)  # longer than a move waits to be resent
        route.continue_()

    dora.route(re.compile("/js/match/clocks[.]"), delay)
    dora.reload()
    expect(dora.locator("html")).to_have_attribute("data-live", "on")
    sentences = watch_refusals(dora)
    press_move(dora, now["legal"][0], now)

    wait_for_version(dora, now["version"] + 1)
    assert sentences() == []


def close_socket(page: Page) -> None:
    """Load the page anew without a socket: its moves are sent as forms."""
    page.route_web_socket("**/ws/games/**", lambda socket: socket.close())
    page.reload()


def test_move_with_lost_response_is_not_reported(dora, bob):
    now = start_match_at_turn_of(dora, bob)
    close_socket(dora)
    sentences = watch_refusals(dora)

    def lose_response(route):
        route.fetch()
        route.abort()

    dora.route("**/move", lose_response)
    press_move(dora, now["legal"][0], now)

    wait_for_version(dora, now["version"] + 1)
    assert sentences() == []


def test_move_that_did_not_arrive_is_reported(dora, bob):
    now = start_match_at_turn_of(dora, bob)
    close_socket(dora)
    dora.route("**/move", lambda route: route.abort())
    with dora.expect_response("**/sync*"):  # the page asks first
        press_move(dora, now["legal"][0], now)

    expect(dora.locator("#refusal")).to_have_text("That was not sent. Play it again.")
    expect(dora.locator("#hand .is-laid")).to_have_count(0)
    dora.unroute("**/move")
    press_move(dora, now["legal"][0], now)
    wait_for_version(dora, now["version"] + 1)
    expect(dora.locator("#refusal")).to_be_empty()


def test_pass_on_its_way_takes_the_turn_back(dora, bob):
    has_to_pass = in_first_round(lambda now: now["legal"] == ["pass"] and now["you"] == 0)
    now = open_match_at(has_to_pass, dora, bob, preset="block")
    wait_for_version(dora, now["version"])
    held: list[Route] = []
    close_socket(dora)
    dora.route("**/move", lambda route: held.append(route))

    button(dora, "Pass").click()
    expect(dora.locator("#table.is-sending")).to_be_visible()
    expect(dora.locator(".seat.mine")).to_have_css("opacity", "0.55")
    while not held:
        dora.wait_for_timeout(50)
    held[0].continue_()
    wait_for_version(dora, now["version"] + 1)
    expect(dora.locator("#table.is-sending")).to_have_count(0)


def test_move_that_arrives_twice_is_not_refused(dora, bob):
    now = start_match_at_turn_of(dora, bob)
    close_socket(dora)
    sentences = watch_refusals(dora)

    def send_twice(route):
        route.fetch()
        route.continue_()

    dora.route("**/move", send_twice)
    with dora.expect_response("**/move") as answer:
        press_move(dora, now["legal"][0], now)

    assert answer.value.status == 409
    wait_for_version(dora, now["version"] + 1)
    assert sentences() == []


def watch_refusals(page: Page) -> Callable[[], list[str]]:
    """Return a function that returns all sentences that the page has shown as refusals since now."""
    page.evaluate("""() => {
        globalThis.refusals = [];
        new MutationObserver(() => {
            const sentence = document.getElementById("refusal").textContent;
            if (sentence) refusals.push(sentence);
        }).observe(document.getElementById("table"), { subtree: true, childList: true, characterData: true });
    }""")
    return lambda: page.evaluate("refusals")


def _has_choice_before_last_tile(now: dict) -> bool:
    return len(now["hand"]) > 1 and bool(host_tile_with_choice(now))


def test_move_during_reconnect_is_sent_by_new_socket(dora, bob, network):
    now = open_match_at(in_first_round(_has_choice_before_last_tile), dora, bob)
    wait_for_version(dora, now["version"])
    expect(dora.locator("html")).to_have_attribute("data-live", "on")
    tile = host_tile_with_choice(now)
    end = next(move for move in now["legal"] if move.startswith(f"{tile}@")).partition("@")[2]
    button(dora, tile).click()
    place = button(dora, f"{END_NAMES[end]}, {now['ends'][end]}").element_handle()

    network.break_connections()
    place.evaluate(
        "place => { place.focus(); place.click(); }"
    )  # before the page shows that the connection is lost
    network.restore()

    wait_for_version(bob, now["version"] + 1)
    wait_for_version(dora, now["version"] + 1)
    assert get_state(bob)["layout"][-1]["tile"] == tile
    expect(dora.locator("#refusal")).to_be_empty()


def test_failed_module_load_is_retried(dora, bob):
    start_match_at_bobs_turn(dora, bob)
    dora.context.set_offline(True)
    expect(dora.locator(".if-lost")).to_be_visible()
    with dora.expect_event("requestfailed", lambda request: "/match/queries." in request.url):
        dora.keyboard.press("h")

    dora.context.set_offline(False)
    expect(dora.locator(".if-lost")).to_be_hidden()
    dora.keyboard.press("h")

    expect(dora.locator("#status")).to_contain_text(get_state(dora)["hand"][0])


def test_clocks_pause_while_disconnected(dora, bob, network):
    start_match(dora, bob, clock="300+5")
    while len(get_state(bob)["layout"]) < 2:  # each has had a turn, so that clocks run
        page, now = wait_for_turn(dora, bob)
        post_move(page, now["legal"][0], now)
    turn = get_state(bob)["turn"]
    wait_for_version(dora, get_state(bob)["version"])
    clock = dora.locator(f"#seat-{turn} .clock")

    network.drop_traffic()
    expect(dora.locator(".if-lost")).to_be_visible()
    stood = clock.inner_text()
    dora.wait_for_timeout(3000)
    assert clock.inner_text() == stood

    network.restore()
    expect(dora.locator("html")).to_have_attribute("data-live", "on")
    expect(clock).not_to_have_text(stood)
    before = seconds(clock.inner_text())
    left = get_state(bob)["seats"][turn]["clock"]
    after = seconds(clock.inner_text())
    assert after - TOLERANCE_SECONDS < left < before + TOLERANCE_SECONDS


def test_lost_response_after_stored_move_is_ignored(dora, bob):
    now = start_match_at_turn_of(dora, bob)
    held = []

    def keep_the_answer(route):
        route.fetch()
        held.append(route)

    dora.route("**/move", keep_the_answer)
    dora.evaluate("document.documentElement.dataset.live = 'failed'")  # moves are sent as forms
    press_move(dora, now["legal"][0], now)
    wait_for_version(dora, now["version"] + 1)

    while not held:
        dora.wait_for_timeout(50)
    with dora.expect_event("requestfailed"):
        held[0].abort()
    dora.wait_for_timeout(300)
    expect(dora.locator("#refusal")).to_be_empty()
