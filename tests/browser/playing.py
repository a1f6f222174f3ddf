"""Helpers to play through the page's buttons. `state.json` is only used for the legal moves."""

import re
from random import Random

from playwright.sync_api import Locator, Page, TimeoutError, expect

from tests.browser.waiting import until
from tests.waiting import attempts

END_NAMES = {"L": "left end", "R": "right end", "U": "upper end", "D": "lower end"}
MATCH_URL = re.compile(r"/games/([0-9a-z]{10})/")
TIMEOUT_SECONDS = 60  # for moves of other players on a busy machine


def match_code(page: Page) -> str:
    # Not `wait_for_url`: a waiting page may be told of the match twice, and the second navigation aborts the first.
    expect(page).to_have_url(MATCH_URL, timeout=1000 * TIMEOUT_SECONDS)
    page.wait_for_load_state()
    return MATCH_URL.search(page.url)[1]


def get_state(page: Page, code: str = "") -> dict:
    """Return `state.json` of the match on the page, or of the match with `code`."""
    return page.request.get(f"/games/{code or match_code(page)}/state.json").json()


def wait_for_calls(page: Page, now: dict) -> None:
    """Wait until the last play can no longer be called. `wait_until` has only whole seconds, so poll."""
    if now["wait_until"]:
        until(page, lambda: not get_state(page, now["match"])["wait_until"], "the end of the pause for calls")


def button(page: Page, name: str):
    return page.get_by_role("button", name=name, exact=True)


def press_rematch(first: Page, second: Page) -> None:
    """Press *Rematch* in `first`, then in `second`, when the offer has come: it moves the button."""
    button(first, "Rematch").click()
    expect(second.locator("#offered")).to_be_visible()
    button(second, "Rematch").click()


# Page status for error messages.
PAGE_STATUS_JS = """() => JSON.stringify({
    live: document.documentElement.dataset.live,
    version: document.querySelector("#version")?.value,
    ...Object.fromEntries(["refusal", "status", "urgent"].map(id => [id, document.getElementById(id)?.textContent])),
    chosen: [...document.querySelectorAll("#hand [aria-pressed=true]")].map(tile => tile.dataset.tile),
})"""


# Board status for error messages, if a highlighted place cannot be clicked.
BOARD_STATUS_JS = """() => JSON.stringify([
    document.querySelector("#table").className,
    ...["board", "line-wide", "line-tall", "places-wide", "places-tall"].map(id => document.getElementById(id)).map(
        part => part && [part.cloneNode().outerHTML, getComputedStyle(part).display, part.getBoundingClientRect()]),
    ...[...document.querySelectorAll(".is-legal:not(.is-hidden) .spot")].map(
        spot => [spot.outerHTML, spot.parentElement.outerHTML, spot.getBoundingClientRect()]),
])"""


def wait_for_version(page: Page, version: int) -> None:
    """Wait until the page shows this version or a later one."""
    try:
        page.wait_for_function(
            "version => Number(document.querySelector('[name=version]')?.value) >= version"
            " || document.querySelector('#over') !== null",
            arg=version,
        )
    except TimeoutError as late:
        raise AssertionError(f"not at version {version}: {page.evaluate(PAGE_STATUS_JS)}") from late


def press_move(page: Page, move: str, now: dict) -> None:
    """Play `move` through the page: click each tile, and its place if there is a choice."""
    if move in ("draw", "pass"):
        button(page, move.capitalize()).click()
        return
    plays = [part.partition("@")[::2] for part in move.split("+")]
    parts = move.split("+")
    for number, (tile, end) in enumerate(plays):
        button(page, tile).click()
        if end and len(_places(tile, parts[:number], now)) > 1:
            _press_place(page, button(page, f"{END_NAMES[end]}, {now['ends'][end]}"))
    if len(plays) > 1 or _plans(plays[0], now):
        page.get_by_role("button", name=re.compile(r"^Play \d+ tiles?(, makes \d+)?$")).click()


def submit_move(page: Page, move: str) -> None:
    """Submit the form with the move's button, at once: between two clicks the page may reload or be replaced."""
    move_button = page.locator(f"#play button[name=move][value='{move}']").first
    move_button.evaluate("button => button.form.requestSubmit(button)")


def _press_place(page: Page, place: Locator) -> None:
    try:
        place.click()
    except TimeoutError as late:
        raise AssertionError(f"{page.evaluate(BOARD_STATUS_JS)} {page.evaluate(PAGE_STATUS_JS)}") from late


def _places(tile: str, planned: list[str], now: dict) -> list[str]:
    """Return the plays of this tile that go with those planned; the page asks for a place if there are several."""
    alone = [m for m in now["legal"] if "+" not in m and m.partition("@")[0] == tile]
    together = [set(m.split("+")) for m in now["legal"] if "+" in m]
    return [m for m in alone if not planned or any({*planned, m} <= moves for moves in together)]


def _plans(play: tuple[str, str], now: dict) -> bool:
    return any("+" in m and "@".join(play) in m.split("+") for m in now["legal"])


# The result of a click: "played", or "not sent" as on a machine so busy that the connection seems lost.
MOVE_RESULT_JS = """version => {
    const shown = Number(document.querySelector("#version")?.value);
    if (shown >= version || document.querySelector("#over")) return "played";
    const room = document.querySelector("#play-room").dataset;
    return [room.away, room.notSent].includes(document.querySelector("#refusal").textContent) && "not sent";
}"""


def take_turn(page: Page, chance: Random) -> bool:
    """Play a random move if it is this page's turn, repeated if it was not sent. Return whether one was played."""
    now = get_state(page)
    if now["status"] == "finished" or now["turn"] != now["you"] or not now["legal"]:
        return False
    wait_for_version(page, now["version"])
    wait_for_calls(page, now)
    move = chance.choice(now["legal"])
    press_move(page, move, now)
    for _ in attempts(f"{move} to be sent"):
        if _wait_for_result(page, move, now) != "not sent":
            break
        expect(page.locator("html")).to_have_attribute("data-live", "on")
        press_move(page, move, now)
    return True


def _wait_for_result(page: Page, move: str, now: dict) -> str:
    try:
        return page.wait_for_function(MOVE_RESULT_JS, arg=now["version"] + 1).json_value()
    except TimeoutError as late:
        where = f"{move} at version {now['version']}, wait until {now['wait_until']}"
        raise AssertionError(f"nothing came of {where}: {page.evaluate(PAGE_STATUS_JS)}") from late


def dismiss_round_end(page: Page) -> None:
    """Click Continue at the end of a round, if shown."""
    proceed = button(page, "Continue")
    if proceed.count() and proceed.first.is_visible():
        try:
            proceed.first.click(timeout=5000)
        except TimeoutError:
            expect(proceed).to_be_hidden()  # the pause has ended


# The next action of a page: "over", "continue", "move" or "".
NEXT_ACTION_JS = """() => {
    if (document.querySelector("#over")) return "over";
    if (document.querySelector("#go-on")?.checkVisibility()) return "continue";
    return document.querySelector("#hand")?.dataset.legal ? "move" : "";
}"""


def wait_for_action(*pages: Page) -> tuple[Page, str]:
    """Wait until one of the pages has a next action. Return the page and the action."""

    def find_action() -> tuple[Page, str] | None:
        return next(((page, what) for page in pages if (what := page.evaluate(NEXT_ACTION_JS))), None)

    return until(
        pages[0],
        find_action,
        "an action of a page",
        status=lambda: [page.evaluate(PAGE_STATUS_JS) for page in pages],
    )


def play_to_the_end(*pages: Page, seed: int = 1, most: int = 3000) -> dict:
    """Play random legal moves on all pages until the match is over. Return its last state."""
    chance = Random(seed)
    for page in pages:
        match_code(page)
    for _ in range(most):
        page, what = wait_for_action(*pages)
        if what == "over":
            for each in pages:
                expect(each.locator("#over")).to_be_visible()
            return get_state(page)
        if what == "continue":
            dismiss_round_end(page)
        else:
            take_turn(page, chance)
    raise AssertionError("the match did not end")
