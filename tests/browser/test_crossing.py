"""Answers, pushes and moves that cross on the way; and a page of which something has been taken away."""

import re

from playwright.sync_api import Page, WebSocketRoute, expect

from tests.browser.playing import press_move, wait_for_version
from tests.browser.tables import post_move
from tests.browser.test_dead_line import to_turn_of

LONG_BEFORE_IT_ASKS = 8000  # milliseconds, of 20,000
BESIDE_THE_PLAY = '<span id="pace" hx-swap-oob="true"></span>'


def tiles(page: Page) -> list[str]:
    return page.locator("#hand .hand-tile").evaluate_all("all => all.map(each => each.dataset.tile)")


def by_weight(tile: str) -> tuple[int, str]:
    return sum(map(int, tile.split("-"))), tile


def test_an_answer_that_news_overtakes_leaves_the_hand_as_its_holder_has_it(alice, bob):
    now = to_turn_of(bob, alice)
    alice.locator("#order").select_option("weight")
    held = []
    alice.route("**/sync?*", lambda route: held.append(route))
    alice.evaluate("htmx.trigger('#sync', 'due')")
    while not held:
        alice.wait_for_timeout(50)
    post_move(bob, now["legal"][0], now)
    wait_for_version(alice, now["version"] + 1)
    expect(alice.locator("#hand")).not_to_have_attribute("data-checksum", re.compile("."))

    held[0].continue_()

    expect(alice.locator("#hand")).to_have_attribute("data-checksum", re.compile("."))
    assert tiles(alice) == sorted(tiles(alice), key=by_weight, reverse=True)


def test_a_move_that_came_through_is_not_sent_again_because_a_new_socket_speaks_of_something_else(alice, bob):
    sockets: list[WebSocketRoute] = []
    silent = []

    def pass_on(socket: WebSocketRoute) -> None:
        server = socket.connect_to_server()
        if sockets:
            socket.send(BESIDE_THE_PLAY)
        sockets.append(socket)
        server.on_message(lambda said: None if socket in silent else socket.send(said))

    alice.route_web_socket(re.compile("/ws/games/"), pass_on)
    now = to_turn_of(alice, bob)
    silent.extend(sockets)
    press_move(alice, now["legal"][0], now)
    wait_for_version(bob, now["version"] + 1)
    silent[-1].close(code=1011)

    wait_for_version(alice, now["version"] + 1)
    alice.wait_for_timeout(1000)
    expect(alice.locator("#refusal")).to_be_empty()


def test_a_page_of_which_something_has_been_taken_away_asks_for_it_with_the_next_move(alice, bob):
    now = to_turn_of(bob, alice)
    fact = f"#fact-{now['you']}"
    alice.locator(fact).evaluate("fact => fact.remove()")

    post_move(bob, now["legal"][0], now)

    wait_for_version(alice, now["version"] + 1)
    expect(alice.locator(fact)).to_have_text(bob.locator(fact).text_content())


def test_a_page_that_was_told_something_else_when_it_asked_by_itself_is_put_right_by_a_nudge(alice, bob):
    now = to_turn_of(bob, alice)
    fact = f"#fact-{now['you']}"
    alice.evaluate(
        """fact => {
            document.querySelector(fact).textContent = "away";
            delete document.getElementById("seats").dataset.checksum;
            document.getElementById("sync").dataset.checksum = "0v1";
        }""",
        fact,
    )

    bob.context.new_page().goto(bob.url)

    expect(alice.locator(fact)).not_to_have_text("away", timeout=LONG_BEFORE_IT_ASKS)
