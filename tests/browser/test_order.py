"""The order in which a play shows: the tile lands, then the count and the ends, then the points, then the scores."""

import re
from itertools import pairwise

import pytest
from playwright.sync_api import Page, expect

from tests.browser.playing import get_state, press_move, wait_for_version
from tests.browser.tables import DealUnsuitable, post_move, start_match, wait_for_turn

MAX_TURNS = 60
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


# No tile flies, and no score counts up.
IS_STILL_JS = """() => !document.querySelector("[data-shown]") && !document.getAnimations().some(
    (each) => !(each instanceof CSSAnimation) && each.effect.target?.closest(".laid"))"""


def find_scoring_tile(page: Page) -> str:
    """Return a tile in hand that would score at once, by its hint, or ""."""
    titles = page.locator("#hand .is-plays").evaluate_all(
        "all => all.map((each) => [each.dataset.tile, each.title])"
    )
    for tile, title in titles:
        makes = re.search(r"makes (\d+)$", title)
        if makes and int(makes[1]) and int(makes[1]) % 5 == 0:
            return tile
    return ""


def play_until_scoring_tile(player: Page, other: Page) -> str:
    """Play until `player` can score by pressing one tile, early in the first round; return the tile."""
    for _ in range(MAX_TURNS):
        page, now = wait_for_turn(player, other)
        if now["status"] == "finished" or now["last_round"]:
            break
        wait_for_version(page, now["version"])
        if len(now["layout"]) > MAX_TILES_AT_FULL_SCALE:
            break
        is_last = len(now["hand"]) == 1  # which ends the round
        if page is player and now["layout"] and not is_last and (tile := find_scoring_tile(player)):
            return tile
        post_move(page, now["legal"][0], now)
    raise DealUnsuitable


def start_at_scoring_tile(player: Page, other: Page) -> str:
    for _ in range(20):
        start_match(player, other, target="500")
        try:
            return play_until_scoring_tile(player, other)
        except DealUnsuitable:
            continue
    raise AssertionError("nobody could score")


def first(frames: list[dict], holds) -> int:
    """Return the index of the first frame for which `holds` is true."""
    return next(number for number, frame in enumerate(frames) if holds(frame))


@pytest.mark.parametrize(
    ("own", "setup"),
    [(True, ""), (False, ""), (False, SWAP_IN_FLIGHT_JS), (False, BEGIN_LATE_JS)],
    ids=["own tile", "opponent's tile", "change in flight", "late flight"],
)
def test_tile_lands_before_count_points_and_score(open_page, own, setup):
    page = open_page("alice", reduced_motion="no-preference")
    other = open_page("bob")
    mover = page if own else other
    tile = start_at_scoring_tile(mover, page if mover is other else other)
    now = get_state(mover)
    wait_for_version(page, now["version"])
    page.mouse.move(300, 300)
    page.wait_for_timeout(1200)  # the animations of the move before, which a busy page begins late
    page.wait_for_function(IS_STILL_JS)
    page.evaluate(RECORD_FRAMES_JS)
    if setup:
        page.evaluate(setup)
    mover.locator(f"#hand [data-tile='{tile}']").dispatch_event("click")
    wait_for_version(page, now["version"] + 1)
    after = get_state(page)
    expect(page.locator("#line-wide .flash")).to_be_visible()
    page.wait_for_function("scores => frames.at(-1).scores.join() === scores.join()", arg=after["scores"])

    assert setup != SWAP_IN_FLIGHT_JS or page.evaluate("isSwapped")
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
    # Covering the spinner's second side opens two more ends.
    assert all(frame["ends"] <= before["ends"] for frame in frames[start + 1 : landed]), frames[start:landed]
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
    start_match(alice, bob)
    alice.locator("#race").click()  # browsers allow audio then
    alice.evaluate(COUNT_CLACKS_JS)
    heard = set()
    for _ in range(MAX_TURNS):
        player, now = wait_for_turn(alice, bob)
        for page in (alice, bob):
            wait_for_version(page, now["version"])
        alice.evaluate("window.clacks = 0")
        press_move(player, now["legal"][0], now)
        wait_for_version(alice, now["version"] + 1)
        if now["legal"][0] not in ("draw", "pass"):
            alice.wait_for_function("() => clacks === 1")
            heard.add(player)
        if heard == {alice, bob}:
            return
    raise AssertionError("somebody played no tile")


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


def start_first_deal(open_page, script: str, flag: str) -> tuple[Page, Page]:
    """Start a match with motion, until `script` has set `flag`. Return the page that shows the deal, and the other."""
    page, other = open_page("alice", reduced_motion="no-preference"), open_page("bob")
    page.add_init_script(script)
    start_match(page, other)
    page.wait_for_function(f"window.{flag} !== undefined")
    return page, other


def test_first_deal_is_animated_once_and_skippable(open_page):
    page, other = start_first_deal(open_page, SKIP_SHUFFLE_JS, "isSkipped")
    assert page.evaluate("isSkipped")
    expect(page.locator("#table.is-dealing")).to_have_count(0)
    page.reload()
    assert page.locator(".shuffle").count() == 0
    expect(page.locator("#hand .hand-tile svg").first).to_be_visible()
    start_match(other, page)
    page.wait_for_function("window.shuffledTiles === 8")
    expect(page.locator(".shuffle")).to_have_count(0)
    start_match(other, page)
    assert other.locator(".shuffle").count() == 0, "although the system asks for reduced motion"


PAUSE_SHUFFLE_JS = """new MutationObserver(() => {
    const heap = document.querySelector(".shuffle");
    if (!heap || window.isPaused) return;
    window.isPaused = true;
    setTimeout(() => { for (const each of document.getAnimations()) each.pause(); });
}).observe(document, { childList: true, subtree: true });"""


def test_tile_laid_during_the_deal_is_in_view(open_page):
    page, other = start_first_deal(open_page, PAUSE_SHUFFLE_JS, "isPaused")
    expect(page.locator(".shuffle")).to_be_visible()
    now = get_state(page)
    leader = page if now["legal"] else other
    post_move(leader, get_state(leader)["legal"][0], now)
    expect(page.locator("#board .laid [data-tile]:visible")).to_have_count(1)
    assert page.locator("#table.is-dealing").count()
    expect(page.locator(".shuffle")).to_be_hidden()


def test_call_shows_at_the_callers_plate(open_page):
    page, other = open_page("alice"), open_page("bob")
    start_match(page, other, preset="muggins-200", target="500")
    for _ in range(MAX_TURNS):
        player, now = wait_for_turn(page, other)
        caller = other if player is page else page
        after = post_move(player, now["legal"][0], now)
        # A round's last tile can be called for a moment only.
        has_ended = after["round"] > now["round"] or after["wait_until"]
        if now["legal"][0] in ("draw", "pass") or has_ended:
            continue
        wait_for_version(caller, after["version"])
        caller.get_by_role("button", name="Muggins!", exact=True).click()
        caller.wait_for_function(
            "version => document.querySelector('#refusal').textContent"
            " || Number(document.querySelector('#version').value) > version",
            arg=after["version"],
        )
        if gained := sum(get_state(caller)["scores"]) - sum(after["scores"]):
            break
    side = get_state(caller)["you"]
    for each in (page, other):
        expect(each.locator(f"#seat-{side} .bubble")).to_have_text(f"Muggins! +{gained}")
        assert each.locator(f"#seat-{1 - side} .bubble").count() == 0
        assert each.locator("#board .flash").count() == 0
    expect(caller.locator(f"#seat-{side}")).to_have_class(re.compile("mine"))


def test_emote_appears_at_both_plates_and_is_muted_with_one_press(open_page):
    page, other = open_page("alice"), open_page("bob")
    start_match(page, other)
    seat = get_state(page)["you"]
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
