"""Race conditions between responses, pushes and moves; recovery of a page with missing elements."""

import re

from playwright.sync_api import Route, WebSocketRoute, expect

from tests.browser.playing import press_move, wait_for_version
from tests.browser.tables import open_match_at, post_move
from tests.browser.test_connection import (
    can_play_a_tile,
    expect_live,
    open_at_turn_of,
    open_live,
    open_while_other_moves,
    wait_for_stored,
)
from tests.browser.waiting import expect_value, until

UNRELATED_FRAME = '<span id="pace" hx-swap-oob="true"></span>'


# Leave only the requests that the page makes because of a frame.
STOP_POLLING_JS = """() => document.addEventListener("htmx:beforeRequest", event => {
    const { path, triggeringEvent } = event.detail.requestConfig;
    if (path.includes("/sync") && triggeringEvent?.type !== "due") event.preventDefault();
})"""


TILES_JS = "() => [...document.querySelectorAll('#hand .hand-tile')].map((each) => each.dataset.tile)"


def is_by_weight(tiles: list[str]) -> bool:
    """Return whether the heaviest tile is first, and so on."""
    return tiles == sorted(tiles, key=lambda tile: (sum(map(int, tile.split("-"))), tile), reverse=True)


def test_late_response_keeps_hand_order(alice, bob):
    now = open_while_other_moves(alice, bob)
    alice.locator("#tools > summary").click()
    alice.locator("#order").select_option("weight")
    expect_value(alice, TILES_JS, is_by_weight)
    held = []
    alice.route("**/sync?*", lambda route: held.append(route))
    alice.evaluate("htmx.trigger('#sync', 'due')")
    until(alice, lambda: held, "the page to request its state")
    post_move(bob, now["legal"][0], now)
    wait_for_version(alice, now["version"] + 1)
    # A push of the move has none, but the first frame of a socket that opens late has one.
    alice.locator("#hand").evaluate("hand => hand.removeAttribute('data-checksum')")

    held[0].continue_()

    expect(alice.locator("#hand")).to_have_attribute("data-checksum", re.compile("."))
    expect_value(alice, TILES_JS, is_by_weight)


def test_stored_move_is_not_resent_after_reconnect(alice, bob):
    sockets: list[WebSocketRoute] = []
    silent = []
    pongs: list[str | bytes] = []
    moves: list[str | bytes] = []

    def pass_on(socket: WebSocketRoute) -> None:
        server = socket.connect_to_server()
        if sockets:
            socket.send(UNRELATED_FRAME)
        sockets.append(socket)

        def receive(said: str | bytes) -> None:
            if socket in silent:
                return
            if said == "pong":
                pongs.append(said)
            socket.send(said)

        def send(said: str | bytes) -> None:
            if "move" in said:
                moves.append(said)
            server.send(said)

        server.on_message(receive)
        socket.on_message(send)

    alice.route_web_socket(re.compile("/ws/games/"), pass_on)
    alice.clock.install()
    now = open_at_turn_of(alice, bob)
    silent.extend(sockets)
    press_move(alice, now["legal"][0], now)
    wait_for_stored(bob, now["match"], now["version"] + 1)
    silent[-1].close(code=1011)

    wait_for_version(alice, now["version"] + 1)
    expect_live(alice)
    pongs.clear()
    alice.clock.run_for(3000)  # the page pings: the answer comes after that to a move
    until(alice, lambda: pongs, "the answer to a ping")
    assert len(moves) == 1
    expect(alice.locator("#refusal")).to_be_empty()


def test_refusal_of_a_late_copy_is_not_shown_beside_the_form(alice):
    sockets: list[WebSocketRoute] = []

    def pass_on(socket: WebSocketRoute) -> None:
        server = socket.connect_to_server()
        sockets.append(socket)
        socket.on_message(lambda said: None if "move" in said else server.send(said))

    alice.route_web_socket(re.compile("/ws/games/"), pass_on)
    now = open_live(alice)
    forms: list[Route] = []
    alice.route("**/move", lambda route: forms.append(route))
    press_move(alice, now["legal"][0], now)
    until(alice, lambda: forms, "the page to send the move as a form")
    sockets[-1].send('<p id="refusal" role="alert" hx-swap-oob="morph">That was not sent. Play it again.</p>')
    sockets[-1].send('<span id="pace" hx-swap-oob="true" class="later"></span>')
    expect(alice.locator("#pace.later")).to_be_attached()
    expect(alice.locator("#refusal")).to_be_empty()
    expect(alice.locator("#laid-ahead")).to_have_count(1)

    forms[0].continue_()

    wait_for_version(alice, now["version"] + 1)
    expect(alice.locator("#refusal")).to_be_empty()


def test_missing_element_is_restored_with_next_move(alice, bob):
    now = open_while_other_moves(alice, bob)
    fact = f"#fact-{now['you']}"
    alice.locator(fact).evaluate("fact => fact.remove()")

    post_move(bob, now["legal"][0], now)

    expect(alice.locator(fact)).to_contain_text(now["legal"][0].partition("@")[0])


def test_notification_repairs_diverged_page(alice, bob):
    now = open_match_at(can_play_a_tile, bob, alice)
    expect_live(alice)
    fact = f"#fact-{now['you']}"
    alice.evaluate(STOP_POLLING_JS)
    alice.evaluate(
        """fact => {
            document.querySelector(fact).textContent = "away";
            delete document.getElementById("seats").dataset.checksum;
            document.getElementById("sync").dataset.checksum = "0v1";
        }""",
        fact,
    )

    bob.context.new_page().goto(bob.url)

    expect(alice.locator(fact)).not_to_have_text("away")
