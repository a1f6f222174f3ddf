"""What is wrong with a page's layout, at many sizes of one page: nothing outside the window, too small or covered.

A check is the source of a JavaScript function that returns a list of what is wrong. A test collects the faults of all
sizes of a page in a list and asserts once that it is empty.
"""

import json
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from playwright.sync_api import Page, ViewportSize, expect

from accounts.models import User
from games.wording.personas import PERSONAS
from tests.browser.conftest import post_form
from tests.browser.playing import wait_for_version
from tests.browser.stored import change_rows
from tests.browser.tables import in_first_round, open_alone
from tests.browser.waiting import expect_value

SIDEWAYS = [(844, 390), (932, 430)]
MIN_HALF_TILE_PX = 20
MIN_TOUCH_PX = 44
LONGEST_GUESTS = ("dapper-dormouse-2097", "nimble-dormouse-8648", "gentle-cricket-4868")
SETTLE_ATTEMPTS, SETTLE_INTERVAL_MS = 50, 100  # a page may be about to draw what a fault is found in

OUTSIDE_WINDOW_JS = """selector => [...document.querySelectorAll(selector)]
    .filter(part => part.getClientRects().length)
    .map(part => ({ part, box: part.getBoundingClientRect() }))
    .filter(({ box }) =>
        box.left < -1 || box.top < -1 || box.right > innerWidth + 1 || box.bottom > innerHeight + 1)
    .map(({ part, box }) => [part.outerHTML.slice(0, 90), box.left, box.top, box.right, box.bottom].join(" "))"""
# Pairs of overlapping texts.
OVERLAPPING_TEXT_JS = """() => {
    const hidden = part => part && (getComputedStyle(part).clipPath !== "none" || hidden(part.parentElement));
    const words = [];
    const walk = document.createTreeWalker(document.querySelector("#play-room"), NodeFilter.SHOW_TEXT);
    for (let node = walk.nextNode(); node; node = walk.nextNode()) {
        const part = node.parentElement;
        if (!node.data.trim() || !part.checkVisibility({ visibilityProperty: true })) continue;
        if (part.closest(".visually-hidden, .over, .rail, svg") || hidden(part)) continue;
        const range = document.createRange();
        range.selectNodeContents(node);
        for (const line of range.getClientRects()) {
            let [left, right, top, bottom] = [line.left, line.right, line.top + 2, line.bottom - 2];
            for (let around = part; around; around = around.parentElement) {
                if (around !== part && getComputedStyle(around).overflowX === "visible") continue;
                const box = around.getBoundingClientRect();  // clipped text is not visible
                [left, right] = [Math.max(left, box.left), Math.min(right, box.right)];
                [top, bottom] = [Math.max(top, box.top), Math.min(bottom, box.bottom)];
            }
            if (right > left && bottom > top) words.push({ node, left, right, top, bottom });
        }
    }
    return words.flatMap((one, i) => words.slice(i + 1)
        .filter(other => one.node !== other.node)
        .filter(other => Math.min(one.right, other.right) - Math.max(one.left, other.left) > 2
            && Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top) > 4)
        .map(other => [one.node.data.trim(), other.node.data.trim()]));
}"""
TRUNCATED_NAMES_JS = """() => [...document.querySelectorAll(".seat .name a, .player-name")]
    .filter(name => name.checkVisibility() && getComputedStyle(name).clipPath === "none")
    .filter(name => name.scrollWidth > name.clientWidth + 1).map(name => name.textContent)"""
# Pairs of buttons, claims, tiles and plates that overlap.
OVERLAPPING_CONTROLS_JS = """() => {
    const parts = [...document.querySelectorAll(
        "#acts .button, #claim label, #bone .draw, #hand, #board, #seats .seat")]
        .filter(part => part.checkVisibility({ visibilityProperty: true }))
        .map(part => ({ part, box: part.getBoundingClientRect() }));
    return parts.flatMap((one, i) => parts.slice(i + 1)
        .filter(other => Math.min(one.box.right, other.box.right) - Math.max(one.box.left, other.box.left) > 2
            && Math.min(one.box.bottom, other.box.bottom) - Math.max(one.box.top, other.box.top) > 2)
        .map(other => [one.part.outerHTML.slice(0, 70), other.part.outerHTML.slice(0, 70)]));
}"""
# Overlaps of hands, plates, tiles and ledger at the end of a round.
OVERLAPPING_SCENE_JS = """() => {
    const boxes = selector => [...document.querySelectorAll(selector)].filter(part => part.checkVisibility())
        .map(part => ({ part, ...part.getBoundingClientRect().toJSON() })).filter(box => box.width && box.height);
    const kinds = ["#board > svg .laid [data-tile]", ".open-hands", ".seat:not(.mine)", ".ledger"].map(boxes);
    return kinds.flatMap((kind, i) => kind.flatMap(one => kinds.slice(i + 1).flat()
        .filter(other => Math.min(one.right, other.right) - Math.max(one.left, other.left) > 2
            && Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top) > 2)
        .map(other => [one.part.outerHTML.slice(0, 60), other.part.outerHTML.slice(0, 60)])));
}"""
# Words of names that are broken inside.
BROKEN_NAMES_JS = """() => [...document.querySelectorAll("#seats .seat:not(.mine) .name :is(a, .player-name)")]
    .flatMap(name => {
        const text = name.firstChild;
        return [...text.data.matchAll(/[a-z]+/gi)].filter(word => {
            const range = document.createRange();
            range.setStart(text, word.index);
            range.setEnd(text, word.index + word[0].length);
            return new Set([...range.getClientRects()].map(box => Math.round(box.top))).size > 1;
        }).map(word => word[0]);
    })"""
# Which of the widest of the given names would wrap or be truncated on a plate.
WRAPPED_NAMES_JS = """names => {
    const plates = [...document.querySelectorAll(".seat:not(.mine) .name :is(a, .player-name)")];
    const line = document.createElement("canvas").getContext("2d");
    line.font = getComputedStyle(plates[0]).font;
    const width = name => line.measureText(name).width;
    return names.sort((one, other) => width(other) - width(one)).slice(0, 3).filter(name => {
        for (const plate of plates) plate.textContent = name;
        return plates.some(plate => plate.scrollWidth > plate.clientWidth + 1 && plate.clientWidth
            || plate.getBoundingClientRect().height > 1.7 * parseFloat(getComputedStyle(plate).fontSize));
    });
}"""
# What a plate says after draws on two ends.
LONG_FACTS_JS = """() => document.querySelectorAll("#seats .seat:not(.mine) .subline").forEach(
    fact => { fact.innerHTML = "drew 2 on <b>5·<wbr>3</b>"; })"""
HALF_TILE_JS = """() => {
    const seen = [...document.querySelectorAll("#board > svg")].find(svg => svg.getClientRects().length);
    return 40 * seen.getScreenCTM().a;
}"""
# Controls that are too small for a finger.
SMALL_CONTROLS_JS = """([selector, width, height]) => [...document.querySelectorAll(selector)]
    .map(part => ({ part, box: part.getBoundingClientRect() }))
    .filter(({ box }) => box.height && (box.height < height || box.width < width))
    .map(({ part, box }) => `${part.outerHTML.slice(0, 60)} ${box.width} ${box.height}`)"""
# Elements that a click in their middle does not reach.
UNCLICKABLE_JS = """selector => [...document.querySelectorAll(selector)]
    .filter(part => part.checkVisibility({ visibilityProperty: true }))
    .filter(part => {
        const box = part.getBoundingClientRect();
        return !part.contains(document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2));
    })
    .map(part => part.outerHTML.slice(0, 90))"""
# Whether the page has drawn itself at its size, with the board in the shape that its style sheet asks for.
IS_SETTLED_JS = """async () => {
    await new Promise(requestAnimationFrame);
    await new Promise(requestAnimationFrame);
    const board = document.querySelector("#play-room #board");
    if (!board || document.documentElement.dataset.live !== "on") return true;
    return board.dataset.shape === getComputedStyle(board).getPropertyValue("--shape").trim();
}"""
DOUBLE_TEXT_JS = "document.documentElement.style.fontSize = '200%'"
SINGLE_TEXT_JS = "document.documentElement.style.fontSize = ''"


class Check(NamedTuple):
    """The source of a function, called with `argument`, that lists what is wrong."""

    name: str
    function: str
    argument: object = None


def at_least(name: str, expression: str, least: float) -> Check:
    """Return a check that a number of the page is not below `least`."""
    return Check(name, f"() => [{expression}].filter(value => !(value >= {least}))")


def is_true(name: str, expression: str) -> Check:
    """Return a check that an expression of the page is true."""
    return Check(name, f"() => ({expression}) ? [] : ['not so']")


PARTS = (
    "#board button.spot, #hand .hand-tile, #acts .button, #bone .button, #claim label, .seat, .racer, #peek"
)
NO_SIDEWAYS_SCROLL = is_true("scrolls sideways", "document.documentElement.scrollWidth <= innerWidth")
NO_SCROLL = is_true("scrolls", "document.documentElement.scrollHeight <= innerHeight")
NO_OVERLAPPING_TEXT = Check("overlapping text", OVERLAPPING_TEXT_JS)
NO_TRUNCATED_NAMES = Check("truncated names", TRUNCATED_NAMES_JS)
NO_OVERLAPPING_CONTROLS = Check("overlapping controls", OVERLAPPING_CONTROLS_JS)
FITS_WINDOW = (
    Check("outside the window", OUTSIDE_WINDOW_JS, PARTS),
    NO_SIDEWAYS_SCROLL,
    NO_SCROLL,
    NO_OVERLAPPING_TEXT,
    NO_TRUNCATED_NAMES,
)
BOARD_SHARE = at_least(
    "the board's share",
    "document.querySelector('#board').getBoundingClientRect().height / innerHeight",
    0.4 - 0.001,
)
READABLE = (
    BOARD_SHARE,
    NO_SIDEWAYS_SCROLL,
    NO_OVERLAPPING_TEXT,
    NO_OVERLAPPING_CONTROLS,
    NO_TRUNCATED_NAMES,
    Check("broken names", BROKEN_NAMES_JS),
)

HALF_TILE = at_least("half a tile", f"({HALF_TILE_JS})()", MIN_HALF_TILE_PX)
# Writes each persona's name on the plates.
PERSONAS_ON_ONE_LINE = Check(
    "wrapped names", WRAPPED_NAMES_JS, [figure.name for figures in PERSONAS.values() for figure in figures]
)


def outside(selector: str) -> Check:
    return Check("outside the window", OUTSIDE_WINDOW_JS, selector)


def hand_tiles_at_least(width: float) -> Check:
    widths = "[...document.querySelectorAll('.hand-tile svg')].map(tile => tile.clientWidth)"
    return at_least("the width of a tile in hand", f"Math.min(...{widths})", width)


def size(width: int, height: int) -> ViewportSize:
    return {"width": width, "height": height}


def settle(page: Page) -> None:
    """Wait until the page has drawn itself at its size."""
    expect_value(page, IS_SETTLED_JS)


def find_faults(page: Page, *checks: Check, what: str = "") -> list[str]:
    """Return what is still wrong after a short time, each with `what` and the page's size."""
    calls = (f"{json.dumps(i)}: ({c.function})({json.dumps(c.argument)})" for i, c in enumerate(checks))
    source = f"() => ({{ {', '.join(calls)} }})"
    found: list[list[object]] = []
    for _ in range(SETTLE_ATTEMPTS):
        found = list(page.evaluate(source).values())
        if not any(found):
            return []
        page.wait_for_timeout(SETTLE_INTERVAL_MS)  # the page may still be about to draw
    shown = page.viewport_size
    at = f"{shown['width']}x{shown['height']}" if shown else ""
    return [f"{what} {at}: {c.name} {faults}" for c, faults in zip(checks, found, strict=True) if faults]


def find_faults_at(page: Page, sizes: Iterable[tuple[int, int]], *checks: Check, what: str = "") -> list[str]:
    """Return what is wrong at each of these sizes of the page."""
    faults = []
    for width, height in sizes:
        page.set_viewport_size(size(width, height))
        settle(page)
        faults += find_faults(page, *checks, what=what)
    return faults


def is_early(now: dict) -> bool:
    """Return whether it is the first seat's turn, early in a match, and nothing can be called."""
    return now["you"] == 0 and 2 <= len(now["layout"]) < 7 and (now["count"] or 1) % 5 != 0


def is_led_by(seat: int) -> Callable[[dict], bool]:
    """Return a condition: the match begins, and this seat leads."""
    return in_first_round(lambda now: now["you"] == seat and not now["layout"])


is_first = is_led_by(0)


def can_only(move: str) -> Callable[[dict], bool]:
    """Return a condition: the first seat fits nothing, and may only draw or pass."""
    return lambda now: now["you"] == 0 and len(now["layout"]) > 2 and now["legal"] == [move]


class Position(NamedTuple):
    """A match of a guest with `others` (`stored.Wanted`) at a position."""

    preset: str
    others: Sequence[str]
    condition: Callable[[dict], object] = is_early
    fields: dict[str, str] = {}

    @property
    def name(self) -> str:
        return f"{self.preset} of {len(self.others) + 1}"


def against(preset: str, computers: int, level: str = "casual") -> Position:
    return Position(preset, [level] * computers, fields={"clock": "none", "private": "on"})


def become_guest(page: Page) -> None:
    """Log the page's context in as a new guest, who has no match."""
    page.goto("about:blank")  # its socket would come back as the new guest's
    page.context.clear_cookies()
    post_form(page.context, "/accounts/login/", "/accounts/guest/")


def set_language(page: Page, name: str, language: str) -> None:
    """Set the language of the user with this name. The page has it once it is loaded."""
    change_rows(page, lambda: User.objects.filter(username=name).update(language=language))


def open_position(page: Page, position: Position) -> dict:
    """Open the match as a new guest, who has no other; return its state."""
    become_guest(page)
    now = open_alone(page, position.others, position.condition, preset=position.preset, **position.fields)
    wait_until_drawn(page, now)
    return now


def wait_until_drawn(page: Page, now: dict) -> None:
    """Wait until the page is connected and shows this state at its size: nothing changes it until somebody moves."""
    expect(page.locator("html")).to_have_attribute("data-live", "on")
    wait_for_version(page, now["version"])
    settle(page)
