"""Tables and matches made over HTTP, for tests of what follows; moves that way, too."""

import re
import time
from contextlib import suppress

from playwright.sync_api import Page

from tests.browser.conftest import submit
from tests.browser.playing import CODE, state

PATIENCE = 60  # seconds at most for computers on a busy machine
DEALS = 40
TABLE = re.compile(r"/(?:tables|games)/([0-9a-z]{10})/")


def table(page: Page, preset: str = "all-fives", **fields: str) -> str:
    """The address of a new table of this person."""
    choices = {"preset": preset, "seats": "2", "clock": "1800+20"} | fields
    where = submit(page.context, "/tables/new", **choices)
    assert TABLE.search(where), f"no table: {where}"
    return where


def match(page: Page, *others: Page, preset: str = "all-fives", **fields: str) -> str:
    """The address of a match just begun, which all of them look at."""
    made = table(page, preset, seats=str(len(others) + 1), **fields)
    code = TABLE.search(made)[1]
    for seat, other in enumerate(others, 1):
        submit(other.context, made, f"/tables/{code}/sit", seat=str(seat))
    for one in (page, *others):
        submit(one.context, made, f"/tables/{code}/nonce", nonce="a")
    for one in (page, *others):
        one.goto(f"/games/{code}/")
        assert CODE.search(one.url), one.url
    return page.url


def against_computers(page: Page, preset: str = "all-fives", seats: int = 2, level: str = "casual") -> None:
    """Open a match against computers that has just begun."""
    where = submit(page.context, "/", f"/play/{preset}/", seats=str(seats), clock="none", computer=level)
    page.goto(where)
    page.wait_for_url(CODE)


def send(page: Page, move: str, now: dict, **fields: str) -> None:
    """A move without a press, on the state `now`; at a called table a computer may have called meanwhile."""
    form: dict[str, str | float | bool] = {
        "csrfmiddlewaretoken": page.locator("[name=csrfmiddlewaretoken]").first.input_value(),
        "version": str(now["version"]),
        "move": move,
    }
    answer = page.request.post(
        f"/games/{now['match']}/move", form={**form, **fields}, headers={"Accept": "application/json"}
    )
    called = now["rules"]["claims"] == "muggins" and any(seat["kind"] == "computer" for seat in now["seats"])
    assert answer.ok or (called and answer.status == 409), answer.text()


def on_turn(*pages: Page) -> tuple[Page, dict]:
    """Whose turn it is among these, and what they see; they wait for computers."""
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        for page in pages:
            now = state(page)
            if now["legal"] or now["status"] == "finished":
                return page, now
        pages[0].wait_for_timeout(30)
    raise AssertionError("nobody is on turn")


class NotThisDeal(Exception):
    """The match, or the part of it that a test is about, has ended before what it waits for."""


def play_until(happens, *pages: Page) -> dict:
    """First legal moves without the pages until `happens(state)` for the seat on turn; that state, or NotThisDeal."""
    while True:
        page, now = on_turn(*pages)
        if happens(now):
            return now
        if now["status"] == "finished":
            raise NotThisDeal
        send(page, now["legal"][0], now)


def in_the_first_round(happens):
    """`happens`, given up with the round: of a later one the first key closes the end of that before."""

    def happens_in_time(now: dict):
        if now["last_round"]:
            raise NotThisDeal
        return happens(now)

    return happens_in_time


def match_that_comes_to(happens, *pages: Page, preset: str = "all-fives", **fields: str) -> dict:
    """Matches, each on other deals, until in one `happens(state)` for the seat on turn; that state."""
    for _ in range(DEALS):
        match(*pages, preset=preset, **fields)
        with suppress(NotThisDeal):
            return play_until(happens, *pages)
    raise AssertionError(f"it came to that in none of {DEALS} matches")
