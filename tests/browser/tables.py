"""Tables and matches created over HTTP; moves over HTTP."""

import re
from collections.abc import Callable, Sequence
from random import Random

from playwright.sync_api import Page, expect

from tests.browser.conftest import csrf_token, post_form
from tests.browser.playing import (
    MATCH_URL,
    dismiss_round_end,
    get_state,
    match_code,
    take_turn,
    wait_for_action,
    wait_for_calls,
)
from tests.browser.stored import DealUnsuitable, Wanted, store_match
from tests.browser.waiting import until
from tests.seeds import SEED
from tests.waiting import attempts

MATCH_SECONDS = 300  # for a whole match on a busy machine
TABLE = re.compile(r"/(?:tables|games)/([0-9a-z]{10})/")


def open_table(page: Page, preset: str = "all-fives", **fields: str) -> str:
    """Create a table and return its URL."""
    choices = {"preset": preset, "seats": "2", "clock": "1800+20"} | fields
    where = post_form(page.context, "/tables/new", **choices)
    assert TABLE.search(where), f"no table: {where}"
    return where


def open_step(page: Page, name: str) -> None:
    """Open a step of the form of a new table, which closes the others."""
    step = page.locator("details.step").filter(has=page.locator("summary b", has_text=name))
    if step.get_attribute("open") is None:
        step.locator("summary").click()


def start_match(page: Page, *others: Page, preset: str = "all-fives", **fields: str) -> str:
    """Start a match and open it on all pages. Return its URL."""
    open_match(start_unwatched_match(page, *others, preset=preset, **fields), page, *others)
    return page.url


def start_unwatched_match(page: Page, *others: Page, preset: str = "all-fives", **fields: str) -> str:
    """Start a match without opening its page. Return its code."""
    made = open_table(page, preset, seats=str(len(others) + 1), **fields)
    code = TABLE.search(made)[1]
    for seat, other in enumerate(others, 1):
        post_form(other.context, made, f"/tables/{code}/sit", seat=str(seat))
    for one in (page, *others):
        post_form(one.context, made, f"/tables/{code}/commit", commitment="")
    # An open page of a player may have committed meanwhile: the match begins once it has revealed.
    until(page, lambda: page.request.get(f"/games/{code}/state.json").ok, f"the match of {made} to begin")
    return code


def open_match(code: str, *pages: Page) -> None:
    for page in pages:
        page.goto(f"/games/{code}/")
        assert MATCH_URL.search(page.url), page.url


def start_against_computers(
    page: Page, preset: str = "all-fives", seats: int = 2, level: str = "casual"
) -> None:
    """Start a match against computers and open it."""
    where = post_form(page.context, "/", f"/play/{preset}/", seats=str(seats), clock="none", computer=level)
    page.goto(where)
    match_code(page)


def post_move(page: Page, move: str, now: dict, **fields: str) -> dict | None:
    """Post a move for the state `now` over HTTP. Return the state after it.

    Return None if it came too late: at a called table a computer may have called meanwhile.
    """
    wait_for_calls(page, now)
    form: dict[str, str | float | bool] = {
        "csrfmiddlewaretoken": csrf_token(page.context),
        "version": str(now["version"]),
        "move": move,
    }
    answer = page.request.post(
        f"/games/{now['match']}/move", form={**form, **fields}, headers={"Accept": "application/json"}
    )
    called = now["rules"]["claims"] == "muggins" and any(seat["kind"] == "computer" for seat in now["seats"])
    assert answer.ok or (called and answer.status == 409), answer.text()
    return answer.json() if answer.ok else None


def wait_for_turn(*pages: Page, code: str = "") -> tuple[Page, dict]:
    """Wait for the turn of one of the pages, or the end. Return that page and its state."""

    def find_turn() -> tuple[Page, dict] | None:
        for page in pages:
            now = get_state(page, code)
            if now["legal"] or now["status"] == "finished":
                return page, now
        return None

    return until(pages[0], find_turn, "a turn of these pages")


def play_until(condition, *pages: Page, code: str = "") -> dict:
    """Post first legal moves until `condition(state)` of the seat on turn. Return that state.

    Raise `DealUnsuitable` if the match ends before.
    """
    page, now = wait_for_turn(*pages, code=code)
    for _ in attempts("the position", seconds=MATCH_SECONDS):
        if condition(now):
            break
        if now["status"] == "finished":
            raise DealUnsuitable
        after = post_move(page, now["legal"][0], now)
        if after and after["legal"]:
            now = after
        else:
            page, now = wait_for_turn(*(each for each in pages if each is not page), page, code=code)
    return now


def press_then_post(*pages: Page, presses: int) -> dict:
    """Play to the end: the first moves by the pages' buttons, the others over HTTP. Return the last state.

    The pages show all moves; a press takes several times as long as a request.
    """
    chance = Random(1)
    for page in pages:
        match_code(page)
    for _ in attempts("the end of the match, or of the presses", seconds=MATCH_SECONDS):
        if presses <= 0 or (todo := wait_for_action(*pages))[1] == "over":
            break
        page, what = todo
        if what == "continue":
            dismiss_round_end(page)
        else:
            presses -= take_turn(page, chance)
    end = play_until(lambda now: now["status"] == "finished", *pages)
    for page in pages:
        expect(page.locator("#over")).to_be_visible()
    return end


def in_first_round(condition):
    """Return `condition` limited to the first round: later, the first key press only dismisses the round's end."""

    def condition_in_first_round(now: dict):
        if now["last_round"]:
            raise DealUnsuitable
        return condition(now)

    return condition_in_first_round


def tile_with_choice(now: dict) -> str:
    """Return a tile in hand that fits several ends, or an empty string."""
    tiles = [move.partition("@")[0] for move in now["legal"] if "+" not in move]
    return next((tile for tile in tiles if tiles.count(tile) > 1), "")


def host_tile_with_choice(now: dict) -> str:
    """Return `tile_with_choice` on the host's turn, else an empty string."""
    return tile_with_choice(now) if now["you"] == 0 else ""


def open_match_at(
    condition: Callable[[dict], object],
    *pages: Page,
    preset: str = "all-fives",
    watched: bool = False,
    shown: Sequence[Page] = (),
    **fields: str,
) -> dict:
    """Store a match in which `condition(state)` holds for the seat on turn, and open it. Return that seat's state.

    `watched`: the pages see the last move come. `shown`: only these pages open it; the others only post moves.
    """
    wanted = Wanted(condition, leave_out=int(watched))
    code, moves = store_match(wanted, *pages, preset=preset, **fields)
    open_match(code, *(shown or pages))
    for move in moves:
        page, now = wait_for_turn(*pages, code=code)
        post_move(page, move, now)
    return wait_for_turn(*pages, code=code)[1]


def open_ended_match(
    *pages: Page,
    condition: Callable[[dict], object] = lambda _now: True,
    others: Sequence[str] = (),
    preset: str = "all-fives",
    watched: bool = False,
    **fields: str,
) -> str:
    """Store a match that has come to its end, where `condition(state)` holds, and open it. Return its code.

    `others` are names of guests at the further seats, who have no page. `watched`: the pages see the last move come.
    """
    wanted = Wanted(condition, others, ended=True, leave_out=int(watched))
    code, moves = store_match(wanted, *pages, preset=preset, **fields)
    open_match(code, *pages)
    for move in moves:
        page, now = wait_for_turn(*pages, code=code)
        post_move(page, move, now)
    return code


def open_alone(
    page: Page,
    others: Sequence[str],
    condition: Callable[[dict], object] = lambda _now: True,
    *,
    preset: str = "all-fives",
    seed: str = SEED,
    **fields: str,
) -> dict:
    """Store a match of the page's user with guests named `others`, who have no page, and open it. Return its state.

    `condition(state)` holds for the seat on turn, which is the page's own if `others` shall not count as away.
    """
    wanted = Wanted(condition, others, seed=seed)
    code, _ = store_match(wanted, page, preset=preset, **fields)
    open_match(code, page)
    return get_state(page, code)
