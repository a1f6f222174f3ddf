"""The end of a round and of a match on the felt."""

import re

from playwright.sync_api import Route, expect

from tests.browser.playing import button, get_state, match_code, wait_for_version
from tests.browser.tables import (
    open_match_at,
    play_until,
    post_move,
    start_against_computers,
    start_match,
    wait_for_turn,
)
from tests.browser.waiting import expect_value

# Record the text of the scores at each change, and the animated values drawn over it.
WATCH_SCORES = """() => {
    window.read = [];
    window.drawn = [];
    new MutationObserver(() => {
        const scores = [...document.querySelectorAll("[id^=score-]")];
        read.push(scores.map((score) => Number(score.textContent)));
        drawn.push(...scores.map((score) => score.dataset.shown).filter(Boolean));
    }).observe(document.querySelector("#race"), { attributes: true, childList: true, subtree: true });
}"""


IS_FOCUS_IN_VIEW_JS = """() => {
    const { left, right, top, bottom } = document.activeElement.getBoundingClientRect();
    const on = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
    return document.activeElement.contains(on);
}"""


def test_result_sheet_and_rematch_offer(alice, bob):
    start_match(alice, bob, target="5")
    _, now = wait_for_turn(alice, bob)
    first = now["match"]
    while now["status"] == "playing":
        page, now = wait_for_turn(alice, bob)
        if now["status"] == "playing":
            post_move(page, now["legal"][0], now)
    laid = [tile["tile"] for tile in now["layout"]]

    for each in (alice, bob):
        expect(each.locator("#over")).to_be_focused()
        expect(each.locator(".open-hands")).to_have_count(2)
        for tile in laid:
            expect(each.locator(f"#board .laid [data-tile='{tile}']").first).to_be_attached()
    alice.keyboard.press("Escape")
    expect(alice.locator("#over")).to_be_hidden()
    expect(alice.get_by_role("link", name="Result", exact=True)).to_be_focused()
    alice.keyboard.press("Enter")
    button(alice, "Rematch").click()

    expect(alice.locator("#over")).to_contain_text("Not answered yet: bob.")
    expect(bob.locator("#over")).to_contain_text("alice wants a rematch.")
    button(bob, "Decline").click()
    expect(alice.locator("#over")).to_contain_text("bob declined the rematch.")
    expect(button(alice, "Rematch")).to_be_hidden()
    expect(button(alice, "Keep the table")).to_be_visible()
    expect(button(bob, "Keep the table")).to_be_hidden()
    button(bob, "Rematch").click()
    button(alice, "Rematch").click()
    for each in (alice, bob):
        # The last to agree is redirected twice, by response and socket: the first navigation is aborted.
        expect(each).to_have_url(re.compile(rf"/games/(?!{first})"))


def test_result_sheet_opens_before_its_script_is_loaded(alice, bob):
    start_match(alice, bob)
    alice.route(re.compile("/match/ending"), lambda _route: None)  # no answer
    page, now = wait_for_turn(alice, bob)
    post_move(page, "resign", now)
    expect(alice.locator("#over")).to_be_focused()


def test_escape_before_the_script_of_the_result_closes_it(open_page):
    page = open_page(guest=True)
    held: list[Route] = []
    page.route(re.compile("/match/ending"), lambda route: held.append(route))
    start_against_computers(page)
    _, now = wait_for_turn(page)
    post_move(page, "resign", now)
    expect(page.locator("#over")).to_be_focused()
    page.keyboard.press("Escape")
    while not held:
        page.wait_for_timeout(50)
    for route in held:
        route.continue_()
    expect(page.locator("#over")).to_be_hidden()


def test_next_steps_do_not_cover_what_has_the_focus(open_page):
    page = open_page(guest=True, viewport={"width": 1280, "height": 720})
    start_against_computers(page)
    play_until(lambda now: now["status"] == "finished", page)
    expect(page.locator("#over")).to_be_focused()
    expect(page.locator("#over .first-steps")).to_be_attached()
    while page.evaluate("document.activeElement.id") != "ask-again":
        page.keyboard.press("Tab")
        assert page.evaluate(IS_FOCUS_IN_VIEW_JS), page.evaluate("document.activeElement.outerHTML")


SHADOW_JS = (
    "getComputedStyle(document.querySelector('#over .next-step')).boxShadow.includes('rgba(0, 0, 0, 0.5)')"
)


def test_result_sheet_shows_that_it_scrolls(open_page):
    page, other = open_page("alice"), open_page("bob")
    start_match(page, other)
    post_move(page, "resign", get_state(page))
    expect(page.locator("#over-h")).to_be_visible()
    assert not page.evaluate(SHADOW_JS), "everything is in view"
    page.locator("#over .how").evaluate("words => words.style.height = '60rem'")  # as of a long match
    expect_value(page, f"() => {SHADOW_JS}")
    page.locator("#over").evaluate("sheet => sheet.scrollTo(0, sheet.scrollHeight)")
    expect_value(page, f"() => !({SHADOW_JS})")


def test_keep_table_after_declined_rematch(open_page):
    alice, bob = open_page("alice", phone=True), open_page("bob")
    start_match(alice, bob, target="5")
    play_until(lambda now: now["status"] == "finished", alice, bob)
    expect(alice.locator("#over")).to_be_focused()
    expect(alice.locator("#peek")).to_contain_text(re.compile("You (won|lost) by"))
    alice.locator("#close-sheet").click()
    button(alice, "Rematch").click()
    expect(bob.locator("#over")).to_contain_text("alice wants a rematch.")
    expect(alice.get_by_role("link", name="Result", exact=True)).to_be_focused()
    button(bob, "Decline").click()
    alice.get_by_role("link", name="Result", exact=True).click()
    button(alice, "Keep the table").click()
    expect(alice).to_have_url(re.compile("/tables/"))
    expect(alice.locator("main")).to_contain_text("All Fives")


FELT = "() => JSON.stringify(document.querySelector('#board').getBoundingClientRect())"
LAID = "() => [...document.querySelectorAll('#line-wide .laid [data-tile]')].map(tile => tile.dataset.tile)"
PRESS_TILE_JS = """([tile, version]) => {
    document.querySelector("#version").value = version;
    const button = document.querySelector(`#hand [data-tile="${tile}"]`);
    button.click();
    return [document.querySelectorAll(`#line-wide .laid [data-tile="${tile}"]`).length,
            getComputedStyle(button.firstElementChild).visibility];
}"""


def fits_once(now: dict) -> str | None:
    """Return a tile in hand that fits exactly one place."""
    return next((t for t in now["hand"] if sum(m.startswith(t) for m in now["legal"]) == 1), None)


LOADED_MODULE_JS = """() => performance.getEntriesByType("resource")
    .map(each => each.name).find(name => /optimistic/.test(name))"""


def move_pointer_until_preload(page) -> None:
    """Move the pointer until the page has preloaded its module. Chromium ignores input before the first paint."""
    for step in range(100):
        page.mouse.move(200 + step, 200)
        if module := page.evaluate(LOADED_MODULE_JS):
            page.evaluate("module => import(module).then(() => null)", module)
            return
        page.wait_for_timeout(100)
    raise AssertionError("no module was loaded")


def test_phone_bar_equals_reload(open_page):
    phone, other = open_page("alice", phone=True), open_page("bob")
    start_match(phone, other)
    for _ in range(4):
        page, now = wait_for_turn(phone, other)
        post_move(page, now["legal"][0], now)
    wait_for_version(phone, now["version"] + 1)
    told, drawn = phone.locator("#newest").inner_text(), phone.locator("#newest-mark").inner_html()
    phone.reload()
    assert told.split() == phone.locator("#newest").inner_text().split()
    assert drawn == phone.locator("#newest-mark").inner_html()


def test_own_tile_is_laid_ahead_and_returns_if_refused(alice, bob):
    now = open_match_at(fits_once, alice, bob)
    page, _ = wait_for_turn(alice, bob)
    wait_for_version(page, now["version"])
    tile = fits_once(now)
    felt, laid = page.evaluate(FELT), page.evaluate(LAID)
    move_pointer_until_preload(page)

    assert page.evaluate(PRESS_TILE_JS, [tile, 999]) == [1, "hidden"]
    expect(page.locator("#refusal")).not_to_be_empty()
    assert page.evaluate(LAID) == laid
    expect(button(page, tile).locator("svg")).to_have_css("visibility", "visible")

    assert page.evaluate(PRESS_TILE_JS, [tile, now["version"]]) == [1, "hidden"]
    wait_for_version(page, now["version"] + 1)
    assert page.evaluate(LAID) == [*laid, tile]
    assert page.evaluate(FELT) == felt


def test_own_tile_stays_after_full_response(alice, bob):
    now = open_match_at(fits_once, alice, bob)
    page, _ = wait_for_turn(alice, bob)
    wait_for_version(page, now["version"])
    tile, laid = fits_once(now), page.evaluate(LAID)
    move_pointer_until_preload(page)
    after_a_lost_frame = (
        f"move => (document.querySelector('#sync').dataset.checksum = 'lost', ({PRESS_TILE_JS})(move))"
    )
    assert page.evaluate(after_a_lost_frame, [tile, now["version"]]) == [1, "hidden"]
    wait_for_version(page, now["version"] + 1)
    assert page.evaluate(LAID) == [*laid, tile]


def test_refusal_appears_at_unplayable_tile(alice, bob):
    now = open_match_at(
        lambda now: (
            now["layout"] and any(not any(m.startswith(t) for m in now["legal"]) for t in now["hand"])
        ),
        alice,
        bob,
    )
    page = alice if get_state(alice)["you"] == now["you"] else bob
    wait_for_version(page, now["version"])
    tile = next(t for t in now["hand"] if not any(m.startswith(t) for m in now["legal"]))
    button(page, tile).dispatch_event("click")
    said = page.locator("#refusal")
    expect(said).to_contain_text(re.compile(rf"^{tile} does not fit: the ends? wants? \d"))
    at, box = said.bounding_box(), button(page, tile).bounding_box()
    assert at["x"] <= box["x"] + box["width"] / 2 <= at["x"] + at["width"]
    assert 0 <= box["y"] - at["y"] - at["height"] < 40


HELD = "() => [...document.querySelectorAll('#hand .hand-tile')].map(tile => [tile.dataset.tile, tile.dataset.key])"


def test_premove_is_played_and_hand_order_kept(alice, bob):
    sent = []
    now = open_match_at(lambda now: len(now["layout"]) == 2, alice, bob, preset="block")
    page, other = (alice, bob) if get_state(alice)["you"] == now["you"] else (bob, alice)
    other.on("request", lambda request: sent.append(request.url) if request.method == "POST" else None)
    wait_for_version(other, now["version"])
    hand, suits = get_state(other)["hand"], set(map(str, now["ends"].values()))
    tile = next((each for each in hand if suits & set(each.split("-"))), hand[0])
    button(other, tile).dispatch_event("click")
    expect(other.locator("#premove")).to_contain_text(f"{tile} when it is your turn")
    assert sent == []

    post_move(page, now["legal"][0], now)
    expect(other.locator("#premove")).to_be_hidden()
    after = get_state(other)
    if tile in after["hand"] and not any(move.startswith(tile) for move in after["legal"]):
        expect(other.locator("#refusal")).to_contain_text(f"{tile} does not fit now")
    else:
        expect(other.locator(f"#hand [data-tile='{tile}']:not(.is-chosen)")).to_have_count(0)

    other.locator("#order").select_option("weight")
    weigh = sorted(get_state(other)["hand"], key=lambda tile: sum(map(int, tile.split("-"))), reverse=True)
    heaviest = sum(map(int, weigh[0].split("-")))
    other.wait_for_function(f"() => ({HELD})()[0][0].split('-').reduce((a, b) => +a + +b) === {heaviest}")
    other.reload()
    other.wait_for_function(f"() => ({HELD})()[0][0].split('-').reduce((a, b) => +a + +b) === {heaviest}")
    assert [key for _tile, key in other.evaluate(HELD)] == [str(n + 1) for n in range(len(weigh))]


def test_score_animation_keeps_text_right(open_page):
    page, other = open_page(guest=True, reduced_motion="no-preference"), open_page(guest=True)
    start_match(page, other)
    page.evaluate(WATCH_SCORES)
    true = set()

    def has_counted_up(now: dict) -> bool:
        true.update(now["scores"])
        return page.evaluate("drawn.length > 1")

    play_until(has_counted_up, page, other)
    expect(page.locator("[data-shown]")).to_have_count(0)
    assert set(page.evaluate("read.flat()")) <= true


def test_rematch_is_followed_although_its_script_comes_late(alice, bob):
    held = []
    bob.route(re.compile(r"/ending[.\w]*\.js"), lambda route: held.append(route))
    start_match(alice, bob)
    button(bob, "Resign").first.click()
    bob.locator(".asked .button-danger").click()
    first = match_code(bob)
    for page in (bob, alice):
        button(page, "Rematch").click()
    expect(bob.locator("#go-to-rematch")).to_be_attached()

    held[0].continue_()

    expect(bob).to_have_url(re.compile(rf"/games/(?!{first})"))


def test_result_sheet_shows_every_round(open_page):
    guests = [open_page(guest=True) for _ in range(3)]
    start_match(*guests, preset="draw", target="300")  # mostly ten rounds
    play_until(lambda now: now["status"] == "finished", *guests)
    rounds = guests[0].locator("#over .by-round")
    for width, height in ((1440, 900), (390, 844), (667, 375)):
        guests[0].set_viewport_size({"width": width, "height": height})
        expect(rounds).to_be_attached()
        assert rounds.evaluate("box => box.scrollWidth <= box.clientWidth"), (width, height)
