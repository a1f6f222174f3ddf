"""Displayed clocks compared with the server's time."""

import re
import time
from datetime import UTC, datetime

import pytest
from playwright.sync_api import WebSocketRoute, expect

from tests.browser.playing import get_state, wait_for_version
from tests.browser.tables import post_move, start_match, wait_for_turn

IDLE_SECONDS = 60
TOLERANCE_SECONDS = 1.5  # for a busy machine


def seconds(face: str) -> float:
    minutes, rest = re.search(r"(\d+):([\d.]+)", face).groups()
    return int(minutes) * 60 + float(rest)


@pytest.fixture
def polls(alice):
    """Return the list that collects the status codes of alice's polls."""
    answers = []
    alice.on("response", lambda answer: answers.append(answer.status) if "/sync" in answer.url else None)
    return answers


def test_clock_is_right_during_idle_minute(alice, bob, polls):
    start_match(alice, bob, clock="300+5")
    while len(get_state(alice)["layout"]) < 2:  # no clock runs in a first turn
        page, now = wait_for_turn(alice, bob)
        post_move(page, now["legal"][0], now)
    wait_for_version(alice, get_state(alice)["version"])
    turn = get_state(alice)["turn"]
    clock = alice.locator(f"#seat-{turn} .clock")

    until = time.monotonic() + IDLE_SECONDS
    while time.monotonic() < until:
        before = get_state(alice)["seats"][turn]["clock"]
        shown = seconds(clock.inner_text())
        after = get_state(alice)["seats"][turn]["clock"]
        assert after - TOLERANCE_SECONDS <= shown <= before + TOLERANCE_SECONDS
        alice.wait_for_timeout(2000)

    assert polls.count(204) >= 2


def test_clock_stands_still_in_first_turn(alice, bob):
    start_match(alice, bob, clock="300+5")
    page, now = wait_for_turn(alice, bob)
    post_move(page, now["legal"][0], now)
    page, now = wait_for_turn(alice, bob)
    wait_for_version(page, now["version"])
    assert len(now["layout"]) == 1

    rest = page.locator(".mine time[data-until]")
    expect(rest).not_to_have_text(rest.inner_text())  # both are updated by the same timer
    expect(page.locator(".mine .clock")).to_have_text("5:00")


def test_delayed_frame_keeps_clock_right(alice, bob):
    held: list[tuple[WebSocketRoute, str | bytes]] = []
    holding = [False]

    def pass_on(socket):
        server = socket.connect_to_server()
        server.on_message(lambda said: held.append((socket, said)) if holding[0] else socket.send(said))

    alice.route_web_socket(re.compile("/ws/games/"), pass_on)
    start_match(alice, bob, clock="300+5")
    page, now = wait_for_turn(alice, bob)
    while len(now["layout"]) < 2 or page is alice:
        post_move(page, now["legal"][0], now)
        page, now = wait_for_turn(alice, bob)

    holding[0] = True
    post_move(bob, now["legal"][0], now)
    alice.wait_for_timeout(4000)
    holding[0] = False
    for socket, said in held:
        socket.send(said)

    after = get_state(alice)
    wait_for_version(alice, after["version"])
    shown = seconds(alice.locator(f"#seat-{after['turn']} .clock").inner_text())
    assert abs(shown - get_state(alice)["seats"][after["turn"]]["clock"]) <= TOLERANCE_SECONDS


def test_absence_countdown_is_right_while_polling(alice, bob, polls):
    start_match(alice, bob)
    page, now = wait_for_turn(alice, bob)
    if page is alice:
        while get_state(alice)["turn"] == now["you"]:
            here = get_state(alice)
            post_move(alice, here["legal"][0], here)
    bob.close()
    countdown = alice.locator("#absent time")
    countdown.wait_for(state="visible")

    for _ in range(8):
        until = datetime.fromisoformat(countdown.get_attribute("data-until"))
        rest = (until - datetime.now(UTC)).total_seconds()
        assert abs(seconds(countdown.inner_text()) - rest) < TOLERANCE_SECONDS
        alice.evaluate("htmx.trigger('#sync', 'due')")
        alice.wait_for_timeout(1000)

    assert 204 in polls
