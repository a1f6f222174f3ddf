"""The order in which a play shows: the tile lands, then the count and the ends, then the points, then the scores."""

import re
from collections.abc import Callable
from functools import partial
from itertools import pairwise

from playwright.sync_api import Page, expect

from tests.browser.playing import button, get_state, match_code, press_move, wait_for_version
from tests.browser.stored import DealUnsuitable, Wanted, store_match
from tests.browser.tables import in_first_round, open_match, open_match_at, post_move, wait_for_turn
from tests.browser.waiting import expect_value

MAX_TURNS = 60
SETTLE_MS = 1200  # the frames that follow the opening of a socket, such as of who is here, which a busy page draws late
# A longer line turns and is drawn smaller: the board zooms, and no tile flies.
MAX_TILES_AT_FULL_SCALE = 6
# What each painted frame shows, of the opponent's and of the viewer's own tiles.
RECORD_FRAMES_JS = """() => {
    window.frames = [];
    const shown = (id) => {
        const each = document.getElementById(id);
        return each && Number(each.dataset.shown ?? each.textContent);
    };
    // The animations of the style sheet let a tile settle where it is.
    const isFlight = (each) => !(each instanceof CSSAnimation) && each.playState === "running" &&
        /translate/.test(each.effect.getKeyframes?.()[0].transform ?? "");
    const isMoving = (tile) => tile.getAnimations().some(isFlight);
    const opacity = (each) => Number(getComputedStyle(each).opacity);
    const record = () => {
        const tiles = [...document.querySelectorAll("#line-wide .laid [data-tile]")];
        const flash = document.querySelector("#line-wide .flash");
        frames.push({
            laid: tiles.length,
            flying: tiles.some(isMoving),
            above: tiles.some(isMoving) ? getComputedStyle(document.querySelector("#board")).zIndex : "",
            hasBegun: window.hasBegun ?? true,
            count: shown("total"),
            ends: [...document.querySelectorAll("#line-wide .line-end")].filter(opacity).length,
            points: flash !== null && opacity(flash) > 0 ? flash.parentElement.id : "",
            scores: [shown("score-0"), shown("score-1")],
        });
        requestAnimationFrame(record);
    };
    requestAnimationFrame(record);
}"""


# Another change of the page comes while the tile flies, as of a clock.
SWAP_IN_FLIGHT_JS = """async () => {
    const { name } = performance.getEntriesByType("resource").find(({ name }) => /match\\/board[.\\w]*js$/.test(name));
    const { measure, animateChanges } = await import(name);
    const swap = () => {
        if (!frames.at(-1)?.flying) return requestAnimationFrame(swap);
        measure();
        animateChanges();
        window.isSwapped = true;
    };
    requestAnimationFrame(swap);
}"""

# The browser begins the flight late, as on a busy machine.
BEGIN_LATE_JS = """() => {
    const { get } = Object.getOwnPropertyDescriptor(Animation.prototype, "ready");
    const later = (flight) => new Promise((done) => setTimeout(() => { window.hasBegun = true; done(flight); }, 700));
    window.hasBegun = false;
    Object.defineProperty(Animation.prototype, "ready", { get() { return get.call(this).then(later); } });
}"""


HAS_OPTIMISTIC_MODULE_JS = """() => performance.getEntriesByType("resource")
    .some(({ name }) => name.includes("/match/optimistic."))"""
# No tile flies, and no score counts up.
IS_STILL_JS = """() => !document.querySelector("[data-shown]") && !document.getAnimations().some(
    (each) => !(each instanceof CSSAnimation) && each.effect.target?.closest(".laid"))"""


def find_count(now: dict) -> int:
    """Return the count, where players must find it only of a line without doubles; else 0."""
    if now["count"] is not None:
        return now["count"]
    has_double = any(tile["tile"][0] == tile["tile"][-1] for tile in now["layout"])
    return 0 if has_double or len(now["layout"]) < 2 else sum(now["ends"].values())


def after_play_that_makes_five(seat: int) -> Callable[[dict], bool]:
    """Return a condition: this seat has played a tile with one place that makes the count another multiple of five.

    It is early in the first round, and the play does not end the round.
    """
    states: list[dict] = []

    def is_made(now: dict) -> bool:
        before = states[-1] if states and states[-1]["version"] + 1 == now["version"] else None
        states[:] = [now]
        if now["last_round"] or len(now["layout"]) > MAX_TILES_AT_FULL_SCALE + 1:
            raise DealUnsuitable
        if before is None or before["you"] != seat or "@" not in before["legal"][0]:
            return False
        tile = before["legal"][0].partition("@")[0]
        places = sum(move.startswith(f"{tile}@") for move in before["legal"])
        count = find_count(now)
        is_scored = count > 0 and count % 5 == 0 and count != find_count(before)
        return places == 1 and len(before["hand"]) > 1 and is_scored

    return is_made


def store_before_five(page: Page, other: Page, seat: int, **fields: str) -> tuple[str, str]:
    """Store a match just before such a play of this seat. Return its code and the move."""
    wanted = Wanted(after_play_that_makes_five(seat), leave_out=1)
    code, (move,) = store_match(wanted, page, other, target="500", **fields)
    return code, move


def first(frames: list[dict], holds) -> int:
    """Return the index of the first frame for which `holds` is true."""
    return next(number for number, frame in enumerate(frames) if holds(frame))


def test_own_tile_lands_before_count_points_and_score(open_page):
    page, other = open_page("alice", reduced_motion="no-preference"), open_page("bob")
    code, move = store_before_five(page, other, 0, preset="all-fives")
    page.goto(f"/games/{code}/")
    page.mouse.move(300, 300)
    expect_value(page, HAS_OPTIMISTIC_MODULE_JS)
    tile = move.partition("@")[0]
    press = lambda: page.locator(f"#hand [data-tile='{tile}']").dispatch_event("click")  # noqa: E731
    assert_tile_lands_first(page, press)


def test_opponents_tile_lands_before_count_points_and_score(open_page):
    page, other = open_page("alice", reduced_motion="no-preference"), open_page("bob")
    for setup in ("", SWAP_IN_FLIGHT_JS, BEGIN_LATE_JS):
        code, move = store_before_five(page, other, 1, preset="all-fives")
        page.goto(f"/games/{code}/")
        assert_tile_lands_first(page, partial(post_move, other, move, get_state(other, code)), setup)


def assert_tile_lands_first(page: Page, play: Callable[[], object], setup: str = "") -> None:
    """Assert what the page shows, frame by frame, of a scoring play."""
    now = get_state(page)
    expect(page.locator("html")).to_have_attribute("data-live", "on")
    page.wait_for_timeout(SETTLE_MS)  # the animations of the move before, which a busy page begins late
    page.wait_for_function(IS_STILL_JS)
    page.evaluate(RECORD_FRAMES_JS)
    if setup:
        page.evaluate(setup)
    play()
    wait_for_version(page, now["version"] + 1)
    after = get_state(page)
    expect(page.locator("#line-wide .flash")).to_be_visible()
    page.wait_for_function("scores => frames.at(-1).scores.join() === scores.join()", arg=after["scores"])

    if setup == SWAP_IN_FLIGHT_JS:
        expect_value(page, "() => isSwapped")
    frames = page.evaluate("frames")
    assert {frame["count"] for frame in frames if not frame["hasBegun"]} <= {frames[0]["count"]}
    start = first(frames, lambda frame: frame["flying"])
    landed = first(frames[start:], lambda frame: not frame["flying"]) + start
    before = frames[0]
    assert {frame["above"] for frame in frames[start:landed]} == {"1"}, frames[start:landed]
    assert not any(frame["flying"] for frame in frames[landed:]), "the tile flew twice"
    assert [frame["laid"] for frame in frames[landed:]] == [len(after["layout"])] * len(frames[landed:])
    counted = first(frames, lambda frame: frame["count"] == after["count"])
    # The points of the move before stay on the board until this one.
    pointed = first(frames, lambda frame: frame["points"] not in ("", before["points"]))
    scored = first(frames, lambda frame: frame["scores"] != before["scores"])
    if before["count"] != after["count"]:
        assert landed <= counted
    assert landed <= pointed <= scored
    # Covering the spinner's second side opens two more ends. A busy page may have drawn the first frames in part, and
    # shows them for one frame where another change restarts the flight.
    ends = [frame["ends"] for frame in frames]
    early = [number for number in ends[start + 1 : landed] if number > max(ends[: start + 1])]
    assert len(early) <= 1, (ends, start, landed)
    for seat in (0, 1):
        shown = [frame["scores"][seat] for frame in frames]
        assert all(one <= two for one, two in pairwise(shown)), shown


# Resolves once the modules are loaded and a sound is heard: the audio starts some time after the press.
COUNT_CLACKS_JS = """async () => {
    let sounds = 0;
    const { start } = AudioScheduledSourceNode.prototype;
    AudioScheduledSourceNode.prototype.start = function (...when) {
        sounds += 1;
        if (this.frequency?.value === 620) window.clacks += 1;
        return start.apply(this, when);
    };
    const frame = () => new Promise(requestAnimationFrame);
    const load = async (module) => {
        for (;; await frame())
            for (const { name } of performance.getEntriesByType("resource"))
                if (name.includes(`/match/${module}.`)) return import(name);
    };
    await load("optimistic");
    const { soundProd } = await load("sounds");
    for (; !sounds; await frame()) soundProd();
}"""


def test_own_tile_clacks_too(alice, bob):
    open_match_at(lambda now: now["you"] == 0 and "@" in now["legal"][0], alice, bob, shown=[alice])
    code = match_code(alice)
    alice.locator("#race").click()  # browsers allow audio then
    alice.evaluate(COUNT_CLACKS_JS)
    heard = set()
    for _ in range(MAX_TURNS):
        player, now = wait_for_turn(alice, bob, code=code)
        wait_for_version(alice, now["version"])
        alice.evaluate("window.clacks = 0")
        if player is alice:
            press_move(alice, now["legal"][0], now)
        else:
            post_move(bob, now["legal"][0], now)
        wait_for_version(alice, now["version"] + 1)
        if now["legal"][0] not in ("draw", "pass"):
            expect_value(alice, "() => clacks", 1)
            heard.add(player)
        if heard == {alice, bob}:
            return
    raise AssertionError("somebody played no tile")


def test_own_tile_clacks_before_the_socket_opens(alice, bob):
    alice.route_web_socket("**/ws/games/*", lambda socket: None)  # no frame comes
    now = open_match_at(lambda now: now["you"] == 0 and "@" in now["legal"][0], alice, bob, shown=[alice])
    alice.locator("#race").click()  # browsers allow audio then
    alice.evaluate(COUNT_CLACKS_JS)
    alice.evaluate("window.clacks = 0")
    press_move(alice, now["legal"][0], now)
    expect_value(alice, "() => clacks", 1)


# Presses a key once `shuffledTiles` are shuffled; then `isSkipped` tells whether the animation is over at once.
SKIP_SHUFFLE_JS = """new MutationObserver((_changes, observer) => {
    if (!document.querySelector(".shuffle")) return;
    observer.disconnect();
    window.shuffledTiles = document.querySelectorAll(".shuffle use").length;
    setTimeout(() => {
        document.dispatchEvent(new KeyboardEvent("keydown", { key: "Shift", bubbles: true }));
        setTimeout(() => { window.isSkipped = !document.querySelector(".shuffle"); });
    });
}).observe(document, { childList: true, subtree: true });"""


@in_first_round
def is_opponents_lead(now: dict) -> bool:
    """Return whether seat 1 leads the first round."""
    if now["version"]:
        raise DealUnsuitable
    return now["you"] == 1


def open_first_deal(open_page, script: str, flag: str) -> tuple[Page, Page, dict]:
    """Open a match with motion, until `script` has set `flag`. Return the page, the other, and the other's state."""
    page, other = open_page("alice", reduced_motion="no-preference"), open_page("bob")
    page.add_init_script(script)
    now = open_match_at(is_opponents_lead, page, other, shown=[page])
    page.wait_for_function(f"() => window.{flag} !== undefined")
    return page, other, now


def test_first_deal_is_animated_once_and_skippable(open_page):
    page, other, _ = open_first_deal(open_page, SKIP_SHUFFLE_JS, "isSkipped")
    expect_value(page, "() => isSkipped")
    expect(page.locator("#table.is-dealing")).to_have_count(0)
    page.reload()
    expect(page.locator("#hand .hand-tile svg").first).to_be_visible()
    assert page.locator(".shuffle").count() == 0
    open_match_at(is_opponents_lead, page, other)
    expect_value(page, "() => window.shuffledTiles", 8)
    expect(page.locator(".shuffle")).to_have_count(0)
    expect(other.locator("#hand .hand-tile svg").first).to_be_visible()
    assert other.locator(".shuffle").count() == 0, "although the system asks for reduced motion"


PAUSE_SHUFFLE_JS = """new MutationObserver(() => {
    const heap = document.querySelector(".shuffle");
    if (!heap || window.isPaused) return;
    window.isPaused = true;
    setTimeout(() => { for (const each of document.getAnimations()) each.pause(); });
}).observe(document, { childList: true, subtree: true });"""


def test_tile_laid_during_the_deal_is_in_view(open_page):
    page, other, now = open_first_deal(open_page, PAUSE_SHUFFLE_JS, "isPaused")
    expect(page.locator(".shuffle")).to_be_visible()
    post_move(other, now["legal"][0], now)
    expect(page.locator("#board .laid [data-tile]:visible")).to_have_count(1)
    assert page.locator("#table.is-dealing").count()
    expect(page.locator(".shuffle")).to_be_hidden()


def test_call_shows_at_the_callers_plate(open_page):
    caller, other = open_page("alice"), open_page("bob")
    code, move = store_before_five(caller, other, 1, preset="muggins-200")
    open_match(code, caller, other)
    after = post_move(other, move, get_state(other))
    wait_for_version(caller, after["version"])
    button(caller, "Muggins!").click()
    wait_for_version(caller, after["version"] + 1)
    gained = sum(get_state(caller)["scores"]) - sum(after["scores"])
    assert gained
    side = get_state(caller)["you"]
    for each in (caller, other):
        expect(each.locator(f"#seat-{side} .bubble")).to_have_text(f"Muggins! +{gained}")
        assert each.locator(f"#seat-{1 - side} .bubble").count() == 0
        assert each.locator("#board .flash").count() == 0
    expect(caller.locator(f"#seat-{side}")).to_have_class(re.compile("mine"))


def test_emote_appears_at_both_plates_and_is_muted_with_one_press(open_page):
    page, other = open_page("alice"), open_page("bob")
    open_match_at(lambda now: True, page, other)
    seat = 0
    page.locator("#chat summary").click()
    page.get_by_role("button", name="Applause").click()
    for each in (page, other):
        expect(each.locator(f"#seat-{seat} .emote")).to_have_attribute("aria-label", "Applause")
    expect(other.locator("#status")).to_have_text("alice: Applause.")
    other.locator("#chat summary").click()
    with other.expect_response(lambda response: "/emote" in response.url):  # a reload would cancel it
        other.get_by_role("button", name="Mute emotes").click()
    expect(other.locator(f"#seat-{seat} .emote")).to_be_hidden()
    expect(other.get_by_role("button", name="Show emotes")).to_be_visible()
    other.reload()
    expect(other.locator("html")).to_have_attribute("data-emotes", "off")
    other.locator("#chat summary").click()
    other.get_by_role("button", name="Show emotes").click()
    expect(other.locator("html")).to_have_attribute("data-emotes", "on")
