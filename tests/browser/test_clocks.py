"""Displayed clocks compared with the server's time."""

import re
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from itertools import pairwise

import pytest
from playwright.sync_api import Page, WebSocketRoute, expect

from tests.browser.playing import get_state, press_move, wait_for_version
from tests.browser.tables import post_move, start_match, wait_for_turn
from tests.server import Site

IDLE_SECONDS = 60
TOLERANCE_SECONDS = 1.5  # for a busy machine


# The text of a clock after its next update: a page that a busy machine has held up may show an old one.
READ_CLOCK_JS = "clock => new Promise(done => setTimeout(() => done(clock.innerText), 400))"
READ_COUNTDOWN_JS = """time => new Promise(
    done => setTimeout(() => done([time.innerText, time.dataset.until]), 400))"""


def seconds(face: str) -> float:
    minutes, rest = re.search(r"(\d+):([\d.]+)", face).groups()
    return int(minutes) * 60 + float(rest)


def assert_clock_is_right(page: Page, seat: int) -> None:
    """Assert that the clock shows a time between the server's ones before and after."""
    before = get_state(page)["seats"][seat]["clock"]
    shown = seconds(page.locator(f"#seat-{seat} .clock").evaluate(READ_CLOCK_JS))
    after = get_state(page)["seats"][seat]["clock"]
    assert after - TOLERANCE_SECONDS <= shown <= before + TOLERANCE_SECONDS


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

    until = time.monotonic() + IDLE_SECONDS
    while time.monotonic() < until or polls.count(204) < 2:
        assert_clock_is_right(alice, turn)
        alice.wait_for_timeout(2000)


# The texts that are written into clocks within three seconds.
RECORD_WRITTEN_CLOCKS_JS = """() => new Promise((done) => {
    const written = [];
    new MutationObserver((changes) => written.push(...changes.map(({ target }) => target.textContent)))
        .observe(document.getElementById("seats"), { childList: true, characterData: true, subtree: true });
    setTimeout(() => done(written), 3000);
})"""


def test_clock_is_written_only_when_it_changes(alice, bob):
    start_match(alice, bob, clock="300+5")
    while len(get_state(alice)["layout"]) < 2:  # no clock runs in a first turn
        page, now = wait_for_turn(alice, bob)
        post_move(page, now["legal"][0], now)
    wait_for_version(alice, get_state(alice)["version"])
    written = alice.evaluate(RECORD_WRITTEN_CLOCKS_JS)
    assert written and all(text != before for before, text in pairwise(written)), written


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
    expect(alice.locator("html")).to_have_attribute("data-live", "on")  # else clocks stand still
    assert_clock_is_right(alice, after["turn"])


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
        before = datetime.now(UTC)
        shown, moment = countdown.evaluate(READ_COUNTDOWN_JS)
        after, until = datetime.now(UTC), datetime.fromisoformat(moment)
        longest, shortest = ((until - now).total_seconds() for now in (before, after))
        assert shortest - TOLERANCE_SECONDS < seconds(shown) < longest + TOLERANCE_SECONDS
        alice.evaluate("htmx.trigger('#sync', 'due')")
        alice.wait_for_timeout(1000)

    assert 204 in polls


def test_refusal_ends_with_the_standstill_of_matches(site, alice, bob):
    start_match(alice, bob)
    page, now = wait_for_turn(alice, bob)
    with standing_still(site):
        expect(page.locator("#absent")).to_contain_text("Matches and clocks stand still")
        press_move(page, now["legal"][0], now)
        expect(page.locator("#refusal")).to_contain_text("Matches and clocks stand still")
    expect(page.locator("#absent")).to_be_hidden()
    expect(page.locator("#refusal")).to_be_empty()


@contextmanager
def standing_still(site: Site) -> Iterator[None]:
    """Let all matches of the site stand still."""
    save = "from operators.models import SiteSettings as S; S(pk=1, maintenance={}, matches_halt={}).save()"
    site.manage("shell", "-c", save.format(True, True))
    try:
        yield
    finally:
        site.manage("shell", "-c", save.format(False, False))
