"""Lost connections: the page shows that it is not live, and recovers soon."""

import json
import re
import time
from collections.abc import Callable

from playwright.sync_api import Page, Route, expect

from tests.browser.playing import END_NAMES, button, get_state, press_move, wait_for_version
from tests.browser.tables import (
    host_tile_with_choice,
    in_first_round,
    open_alone,
    open_match_at,
    post_move,
)
from tests.browser.test_clocks import TOLERANCE_SECONDS, seconds
from tests.browser.waiting import expect_value, until
from tests.proxy import NetworkProxy

RECOVERY_SECONDS = 5  # from the network's return to a current page
BUSY_MACHINE_FACTOR = 3  # how much later a page may recover on a busy machine
NOTICE_MS = 7000  # of the page's clock, within which it says that the network is dead
RESPONSE_SECONDS = 5  # how long a move waits for its response; so long the server accepts it
# Longer than a move waits to be resent: 5 s, twice if the page notices the cut after that and sends it as a form.
RESEND_MS = 12_000
GUEST = ["greta"]
# `stateWhenOffline` becomes the connection's state right after the event.
RECORD_STATE_WHEN_OFFLINE_JS = """() => {
    window.stateWhenOffline = new Promise((done) => addEventListener(
        "offline", () => setTimeout(() => done(document.documentElement.dataset.live)), { once: true }));
}"""


def can_play_a_tile(now: dict) -> bool:
    """Return whether the host is on turn with a tile that fits, which does not end the round."""
    return now["you"] == 0 and "@" in now["legal"][0] and len(now["hand"]) > 1


def has_to_draw(now: dict) -> bool:
    """Return whether the host draws, so that they move at least twice."""
    return now["you"] == 0 and now["legal"] == ["draw"]


def open_at_turn_of(one: Page, other: Page, condition=can_play_a_tile) -> dict:
    """Open a stored match on `one`'s page, at their turn. Return their state. The other plays over HTTP."""
    now = open_match_at(in_first_round(condition), one, other, shown=[one])
    expect_live(one)
    return now


def open_live(page: Page, condition=can_play_a_tile, **fields: str) -> dict:
    """Open a stored match against a guest without a page, at the page's turn. Return its state."""
    now = open_alone(page, GUEST, in_first_round(condition), **fields)
    expect_live(page)
    return now


def open_while_other_moves(page: Page, other: Page, condition=can_play_a_tile) -> dict:
    """Open a stored match on the page at the other's turn. Return the other's state."""
    now = open_match_at(in_first_round(condition), other, page, shown=[page])
    expect_live(page)
    return now


def expect_live(page: Page) -> None:
    expect(page.locator("html")).to_have_attribute("data-live", "on")


def wait_for_stored(page: Page, code: str, version: int) -> None:
    """Wait until the server has stored this version, as this player asks over HTTP."""
    until(page, lambda: get_state(page, code)["version"] >= version, f"version {version} to be stored")


def cut(page: Page, network: NetworkProxy, milliseconds: int = NOTICE_MS) -> None:
    """Drop the traffic for some time of the page's clock, which is Playwright's, until the page says so."""
    network.drop_traffic()
    page.clock.run_for(milliseconds)
    expect(page.locator(".if-lost")).to_be_visible()


def test_page_recovers_after_lost_traffic(dora, bob, network):
    now = open_while_other_moves(dora, bob, has_to_draw)
    expect(dora.locator(".if-lost")).to_be_hidden()

    for cut_seconds in (1, 12):
        network.drop_traffic()
        now = post_move(bob, now["legal"][0], now)
        dora.wait_for_timeout(cut_seconds * 1000)  # real time: the browser's requests time out in it, too
        if cut_seconds > RECOVERY_SECONDS:
            expect(dora.locator(".if-lost")).to_be_visible()
        network.restore()
        back = time.monotonic()

        wait_for_version(dora, now["version"])
        assert time.monotonic() - back < BUSY_MACHINE_FACTOR * RECOVERY_SECONDS
        expect(dora.locator(".if-lost")).to_be_hidden()


def test_player_continues_after_disconnect(dora, bob, network):
    dora.clock.install()
    now = open_while_other_moves(dora, bob)
    cut(dora, network)
    now = post_move(bob, now["legal"][0], now)
    network.restore()
    wait_for_version(dora, now["version"])

    now["legal"] = dora.locator("#hand").get_attribute("data-legal").split()
    press_move(dora, now["legal"][0], now)

    wait_for_stored(bob, now["match"], now["version"] + 1)


def test_browser_offline_event_applies_at_once(dora):
    open_live(dora)

    dora.evaluate(RECORD_STATE_WHEN_OFFLINE_JS)
    dora.context.set_offline(True)
    expect_value(dora, "() => stateWhenOffline", "lost")
    expect(dora.locator(".if-lost")).to_be_visible()

    with dora.expect_event("requestfailed", lambda request: "/match/queries." in request.url):
        dora.keyboard.press("h")  # a module whose load fails is loaded again

    dora.context.set_offline(False)
    expect(dora.locator(".if-lost")).to_be_hidden()
    dora.keyboard.press("h")
    expect(dora.locator("#status")).to_contain_text(get_state(dora)["hand"][0])
    assert button(dora, "Resign").count() and get_state(dora)["status"] == "playing"


def test_offline_move_is_reported_and_can_be_repeated(dora):
    now = open_live(dora)
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


def test_unsent_move_report_ends_with_next_version(dora):
    now = open_live(dora)
    dora.context.set_offline(True)
    expect(dora.locator(".if-lost")).to_be_visible()
    press_move(dora, now["legal"][0], now)
    expect(dora.locator("#refusal")).not_to_be_empty()

    post_move(dora, now["legal"][0], now)  # as from another tab
    dora.context.set_offline(False)

    wait_for_version(dora, now["version"] + 1)
    expect(dora.locator("#refusal")).to_be_empty()


def test_move_lost_in_transit_is_reported(dora, bob, network):
    dora.clock.install()
    now = open_at_turn_of(dora, bob)
    network.drop_traffic()

    press_move(dora, now["legal"][0], now)
    cut(dora, network, RESEND_MS)
    network.restore()

    expect(dora.locator("#refusal")).to_have_text("That was not sent. Play it again.")
    assert get_state(bob, now["match"])["version"] == now["version"]
    press_move(dora, now["legal"][0], now)
    wait_for_stored(bob, now["match"], now["version"] + 1)


def test_move_reported_as_unsent_is_not_played_later(dora, bob, network):
    sent: list[str] = []
    dora.on("websocket", lambda socket: socket.on("framesent", lambda text: sent.append(text)))
    dora.clock.install()
    now = open_at_turn_of(dora, bob)
    network.hold_traffic()
    press_move(dora, now["legal"][0], now)
    expires_ms = next(int(json.loads(text)["expires"]) for text in sent if '"move"' in text)
    dora.clock.run_for(RESEND_MS)
    expect(dora.locator(".if-lost")).to_be_visible()
    network.restore()
    expect(dora.locator("#refusal")).to_have_text("That was not sent. Play it again.")
    until(dora, lambda: 1000 * time.time() > expires_ms, "the move to be too old for the server")

    network.release()
    # For the held move to reach the server, which drops it without a word to this page.
    dora.wait_for_timeout(700)

    assert get_state(bob, now["match"])["version"] == now["version"]
    press_move(dora, now["legal"][0], now)
    wait_for_stored(bob, now["match"], now["version"] + 1)
    wait_for_version(dora, now["version"] + 1)
    expect(dora.locator("#refusal")).to_be_empty()


def test_page_with_late_scripts_can_move(dora):
    now = open_live(dora)

    def delay(route: Route) -> None:
        time.sleep(RESPONSE_SECONDS + 1)  # longer than the server accepts a move that is as old as the page
        route.continue_()

    dora.route(re.compile("/js/match/clocks[.]"), delay)
    dora.reload()
    expect_live(dora)
    sentences = watch_refusals(dora)
    press_move(dora, now["legal"][0], now)

    wait_for_version(dora, now["version"] + 1)
    assert sentences() == []


def close_socket(page: Page) -> None:
    """Load the page anew without a socket: its moves are sent as forms."""
    page.route_web_socket("**/ws/games/**", lambda socket: socket.close())
    page.reload()


def test_move_with_lost_response_is_not_reported(dora):
    now = open_live(dora)
    close_socket(dora)
    sentences = watch_refusals(dora)

    def lose_response(route):
        route.fetch()
        route.abort()

    dora.route("**/move", lose_response)
    press_move(dora, now["legal"][0], now)

    wait_for_version(dora, now["version"] + 1)
    assert sentences() == []


def test_move_that_did_not_arrive_is_reported(dora):
    now = open_live(dora)
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


def test_pass_on_its_way_takes_the_turn_back(dora):
    now = open_live(dora, lambda now: now["legal"] == ["pass"] and now["you"] == 0, preset="block")
    held: list[Route] = []
    close_socket(dora)
    dora.route("**/move", lambda route: held.append(route))

    button(dora, "Pass").click()
    expect(dora.locator("#table.is-sending")).to_be_visible()
    expect(dora.locator(".seat.mine")).to_have_css("opacity", "0.55")
    until(dora, lambda: held, "the move to be sent")
    held[0].continue_()
    wait_for_version(dora, now["version"] + 1)
    expect(dora.locator("#table.is-sending")).to_have_count(0)


def test_move_that_arrives_twice_is_not_refused(dora):
    now = open_live(dora)
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
    now = open_at_turn_of(dora, bob, _has_choice_before_last_tile)
    tile = host_tile_with_choice(now)
    end = next(move for move in now["legal"] if move.startswith(f"{tile}@")).partition("@")[2]
    button(dora, tile).click()
    place = button(dora, f"{END_NAMES[end]}, {now['ends'][end]}").element_handle()

    network.break_connections()
    place.evaluate(
        "place => { place.focus(); place.click(); }"
    )  # before the page shows that the connection is lost
    network.restore()

    wait_for_version(dora, now["version"] + 1)
    assert get_state(bob, now["match"])["layout"][-1]["tile"] == tile
    expect(dora.locator("#refusal")).to_be_empty()


def test_clocks_pause_while_disconnected(dora, bob, network):
    each_had_a_turn = in_first_round(lambda now: len(now["layout"]) > 1)  # so that clocks run
    now = open_match_at(each_had_a_turn, dora, bob, shown=[dora], clock="300+5")
    expect_live(dora)
    clock = dora.locator(f"#seat-{now['turn']} .clock")

    network.drop_traffic()
    expect(dora.locator(".if-lost")).to_be_visible()
    stood = clock.inner_text()
    dora.wait_for_timeout(1500)  # a running clock shows another second
    expect(clock).to_have_text(stood)

    network.restore()
    expect_live(dora)
    expect(clock).not_to_have_text(stood)
    before = seconds(clock.inner_text())
    left = get_state(bob, now["match"])["seats"][now["turn"]]["clock"]
    after = seconds(clock.inner_text())
    assert after - TOLERANCE_SECONDS < left < before + TOLERANCE_SECONDS


def test_lost_response_after_stored_move_is_ignored(dora):
    now = open_live(dora)
    held = []

    def keep_the_answer(route):
        route.fetch()
        held.append(route)

    dora.route("**/move", keep_the_answer)
    dora.evaluate("document.documentElement.dataset.live = 'failed'")  # moves are sent as forms
    press_move(dora, now["legal"][0], now)
    wait_for_version(dora, now["version"] + 1)

    until(dora, lambda: held, "the move to be sent")
    with dora.expect_event("requestfailed"):
        held[0].abort()
    dora.wait_for_timeout(300)  # for what the page might do of it
    expect(dora.locator("#refusal")).to_be_empty()
