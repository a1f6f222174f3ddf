"""Race conditions between responses, pushes and moves; recovery of a page with missing elements."""

import re

from playwright.sync_api import Page, Route, WebSocketRoute, expect

from tests.browser.playing import get_state, press_move, wait_for_version
from tests.browser.tables import open_match_at, post_move
from tests.browser.test_connection import start_match_at_turn_of

UNRELATED_FRAME = '<span id="pace" hx-swap-oob="true"></span>'


# Leave only the requests that the page makes because of a frame.
STOP_POLLING_JS = """() => document.addEventListener("htmx:beforeRequest", event => {
    const { path, triggeringEvent } = event.detail.requestConfig;
    if (path.includes("/sync") && triggeringEvent?.type !== "due") event.preventDefault();
})"""


def tiles(page: Page) -> list[str]:
    return page.locator("#hand .hand-tile").evaluate_all("all => all.map(each => each.dataset.tile)")


def by_weight(tile: str) -> tuple[int, str]:
    return sum(map(int, tile.split("-"))), tile


def test_late_response_keeps_hand_order(alice, bob):
    now = start_match_at_turn_of(bob, alice)
    alice.locator("#order").select_option("weight")
    while tiles(alice) != sorted(tiles(alice), key=by_weight, reverse=True):
        alice.wait_for_timeout(50)  # for the script that sorts
    held = []
    alice.route("**/sync?*", lambda route: held.append(route))
    alice.evaluate("htmx.trigger('#sync', 'due')")
    while not held:
        alice.wait_for_timeout(50)
    post_move(bob, now["legal"][0], now)
    wait_for_version(alice, now["version"] + 1)
    # A push of the move has none, but the first frame of a socket that opens late has one.
    alice.locator("#hand").evaluate("hand => hand.removeAttribute('data-checksum')")

    held[0].continue_()

    expect(alice.locator("#hand")).to_have_attribute("data-checksum", re.compile("."))
    assert tiles(alice) == sorted(tiles(alice), key=by_weight, reverse=True)


def test_stored_move_is_not_resent_after_reconnect(alice, bob):
    sockets: list[WebSocketRoute] = []
    silent = []

    def pass_on(socket: WebSocketRoute) -> None:
        server = socket.connect_to_server()
        if sockets:
            socket.send(UNRELATED_FRAME)
        sockets.append(socket)
        server.on_message(lambda said: None if socket in silent else socket.send(said))

    alice.route_web_socket(re.compile("/ws/games/"), pass_on)
    now = start_match_at_turn_of(alice, bob)
    silent.extend(sockets)
    press_move(alice, now["legal"][0], now)
    wait_for_version(bob, now["version"] + 1)
    silent[-1].close(code=1011)

    wait_for_version(alice, now["version"] + 1)
    alice.wait_for_timeout(1000)
    expect(alice.locator("#refusal")).to_be_empty()


def test_refusal_of_a_late_copy_is_not_shown_beside_the_form(alice, bob):
    sockets: list[WebSocketRoute] = []

    def pass_on(socket: WebSocketRoute) -> None:
        server = socket.connect_to_server()
        sockets.append(socket)
        socket.on_message(lambda said: None if "move" in said else server.send(said))

    alice.route_web_socket(re.compile("/ws/games/"), pass_on)
    now = start_match_at_turn_of(alice, bob)
    forms: list[Route] = []
    alice.route("**/move", lambda route: forms.append(route))
    press_move(alice, now["legal"][0], now)
    while not forms:
        alice.wait_for_timeout(100)
    sockets[-1].send('<p id="refusal" role="alert" hx-swap-oob="morph">That was not sent. Play it again.</p>')
    alice.wait_for_timeout(500)
    expect(alice.locator("#refusal")).to_be_empty()
    expect(alice.locator("#laid-ahead")).to_have_count(1)

    forms[0].continue_()

    wait_for_version(alice, now["version"] + 1)
    expect(alice.locator("#refusal")).to_be_empty()


def test_missing_element_is_restored_with_next_move(alice, bob):
    now = open_match_at(lambda now: len(now["layout"]) == 2 and "@" in now["legal"][0], alice, bob)
    mover, other = (alice, bob) if get_state(alice)["you"] == now["you"] else (bob, alice)
    for page in (mover, other):
        wait_for_version(page, now["version"])
    fact = f"#fact-{now['you']}"
    other.locator(fact).evaluate("fact => fact.remove()")

    post_move(mover, now["legal"][0], now)

    expect(other.locator(fact)).to_contain_text(now["legal"][0].partition("@")[0])


def test_notification_repairs_diverged_page(alice, bob):
    now = start_match_at_turn_of(bob, alice)
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
