"""Displayed clocks compared with the server's time."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from itertools import pairwise

import pytest
from django.db.models import F
from playwright.sync_api import Page, WebSocketRoute, expect

from games.models import Match, Seat
from games.time.presence import AWAY_DELAY
from operators.models import SiteSettings
from tests.browser.playing import get_state, press_move, wait_for_version
from tests.browser.stored import Wanted, change_rows, store_match
from tests.browser.tables import in_first_round, open_alone, open_match, open_match_at, post_move
from tests.browser.waiting import until

IDLE_SECONDS = 60
STEP_SECONDS = 1  # of the page's clock, in which an answer to a ping may come late
TOLERANCE_SECONDS = 3  # for a busy machine, whose answers to pings come late


# The text of a clock after its next update: a page that a busy machine has held up may show an old one.
READ_CLOCK_JS = "clock => new Promise(done => setTimeout(() => done(clock.innerText), 400))"
READ_COUNTDOWN_JS = """time => new Promise(
    done => setTimeout(() => done([time.innerText, time.dataset.until]), 400))"""


def seconds(face: str) -> float:
    minutes, rest = re.search(r"(\d+):([\d.]+)", face).groups()
    return int(minutes) * 60 + float(rest)


def assert_clock_is_right(page: Page, seat: int, ahead: int = 0) -> None:
    """Assert that the clock shows a time between the server's ones before and after, `ahead` seconds later."""
    before = get_state(page)["seats"][seat]["clock"] - ahead
    shown = seconds(page.locator(f"#seat-{seat} .clock").evaluate(READ_CLOCK_JS))
    after = get_state(page)["seats"][seat]["clock"] - ahead
    assert after - TOLERANCE_SECONDS <= shown <= before + TOLERANCE_SECONDS


@pytest.fixture
def polls(alice):
    """Return the list that collects the status codes of alice's polls."""
    answers = []
    alice.on("response", lambda answer: answers.append(answer.status) if "/sync" in answer.url else None)
    return answers


def open_with_running_clock(alice: Page, bob: Page, seat: int = 0) -> dict:
    """Open a stored match on alice's page, on turn of this seat, after both have had a first turn."""
    runs = in_first_round(lambda now: len(now["layout"]) > 1 and now["you"] == seat and len(now["hand"]) > 1)
    now = open_match_at(runs, alice, bob, shown=[alice], clock="300+5")
    expect(alice.locator("html")).to_have_attribute("data-live", "on")
    return now


def pass_time(page: Page, said: list[str], duration: int) -> None:
    """Let seconds pass on the page's clock, in steps: the server answers each ping of it in real time."""
    for _ in range(0, duration, STEP_SECONDS):
        page.clock.run_for(1000 * STEP_SECONDS)
        until(page, lambda: said.count("pong") >= said.count("ping"), "the answer to a ping")


def test_clock_is_right_during_idle_minute(alice, bob, polls):
    said: list[str] = []

    def listen(socket):
        for event in ("framesent", "framereceived"):
            socket.on(event, lambda text: said.append(text))

    alice.on("websocket", listen)
    alice.clock.install()
    now = open_with_running_clock(alice, bob)
    assert_clock_is_right(alice, now["turn"])

    pass_time(alice, said, IDLE_SECONDS)

    until(alice, lambda: polls.count(204) >= 2, "two polls in an idle minute")
    assert_clock_is_right(alice, now["turn"], ahead=IDLE_SECONDS)


# Collects the texts that are written into clocks.
RECORD_WRITTEN_CLOCKS_JS = """() => {
    window.written = [];
    new MutationObserver((changes) => written.push(...changes.map(({ target }) => target.textContent)))
        .observe(document.getElementById("seats"), { childList: true, characterData: true, subtree: true });
}"""


def test_clock_is_written_only_when_it_changes(alice, bob):
    alice.clock.install()
    open_with_running_clock(alice, bob)
    alice.evaluate(RECORD_WRITTEN_CLOCKS_JS)
    alice.clock.run_for(3000)
    written = alice.evaluate("written")
    assert written and all(text != before for before, text in pairwise(written)), written


def test_clock_stands_still_in_first_turn(alice, bob):
    def is_first_turn(now: dict) -> bool:
        return now["you"] == 0 and [tile["seat"] for tile in now["layout"]] == [1]

    open_match_at(in_first_round(is_first_turn), alice, bob, shown=[alice], clock="300+5")

    rest = alice.locator(".mine time[data-until]")
    expect(rest).not_to_have_text(rest.inner_text())  # both are updated by the same timer
    expect(alice.locator(".mine .clock")).to_have_text("5:00")


def test_delayed_frame_keeps_clock_right(alice, bob):
    held: list[tuple[WebSocketRoute, str | bytes]] = []
    holding = [False]

    def pass_on(socket):
        server = socket.connect_to_server()
        server.on_message(lambda said: held.append((socket, said)) if holding[0] else socket.send(said))

    alice.route_web_socket(re.compile("/ws/games/"), pass_on)
    now = open_with_running_clock(alice, bob, seat=1)

    holding[0] = True
    post_move(bob, now["legal"][0], now)
    alice.wait_for_timeout(2000 * TOLERANCE_SECONDS)  # a delay that would show
    holding[0] = False
    for socket, said in held:
        socket.send(said)

    after = get_state(alice)
    wait_for_version(alice, after["version"])
    expect(alice.locator("html")).to_have_attribute("data-live", "on")  # else clocks stand still
    assert_clock_is_right(alice, after["turn"])


def test_absence_countdown_is_right_while_polling(alice, polls):
    code, _ = store_match(Wanted(lambda now: now["you"] == 1, ["greta"]), alice, preset="all-fives")
    begin_earlier(alice, code, AWAY_DELAY)
    open_match(code, alice)
    countdown = alice.locator("#absent time")
    countdown.wait_for(state="visible")

    for _ in range(4):
        before = datetime.now(UTC)
        shown, moment = countdown.evaluate(READ_COUNTDOWN_JS)
        after, ends = datetime.now(UTC), datetime.fromisoformat(moment)
        longest, shortest = ((ends - now).total_seconds() for now in (before, after))
        assert shortest - TOLERANCE_SECONDS < seconds(shown) < longest + TOLERANCE_SECONDS
        count = len(polls)
        alice.evaluate("htmx.trigger('#sync', 'due')")
        until(alice, lambda count=count: len(polls) > count, "the answer to a poll")

    assert 204 in polls


def test_refusal_ends_with_the_standstill_of_matches(alice):
    now = open_alone(alice, ["greta"], lambda now: now["you"] == 0)
    with standing_still(alice):
        expect(alice.locator("#absent")).to_contain_text("Matches and clocks stand still")
        press_move(alice, now["legal"][0], now)
        expect(alice.locator("#refusal")).to_contain_text("Matches and clocks stand still")
    expect(alice.locator("#absent")).to_be_hidden()
    expect(alice.locator("#refusal")).to_be_empty()


def begin_earlier(page: Page, code: str, by: timedelta) -> None:
    """Let the match and its turn have begun earlier, and nobody have loaded a page of it."""
    earlier = {name: F(name) - by for name in ("started_at", "turn_began_at", "next_action_at")}

    def change() -> None:
        Match.objects.filter(code=code).update(**earlier)
        Seat.objects.filter(match__code=code).update(page_at=None)

    change_rows(page, change)


@contextmanager
def standing_still(page: Page) -> Iterator[None]:
    """Let all matches of the page's site stand still."""
    change_rows(page, lambda: SiteSettings(pk=1, maintenance=True, matches_halt=True).save())
    try:
        yield
    finally:
        change_rows(page, lambda: SiteSettings(pk=1, maintenance=False, matches_halt=False).save())
