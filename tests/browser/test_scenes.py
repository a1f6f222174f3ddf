"""The end of a round and of a match on the felt."""

import re

from playwright.sync_api import Route, expect

from tests.browser.axe import assert_accessible
from tests.browser.layout import LONGEST_GUESTS, find_faults_at, is_first, is_true, wait_until_drawn
from tests.browser.playing import button, get_state, press_rematch, wait_for_version
from tests.browser.stored import Wanted, store_match
from tests.browser.tables import (
    in_first_round,
    open_alone,
    open_ended_match,
    open_match,
    open_match_at,
    post_move,
    wait_for_turn,
)
from tests.browser.waiting import expect_value, sleep_of, until
from tests.waiting import attempts

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
    first = open_ended_match(alice, bob, target="5", watched=True)
    laid = [tile["tile"] for tile in get_state(alice, first)["layout"]]

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
    press_rematch(bob, alice)
    for each in (alice, bob):
        # The last to agree is redirected twice, by response and socket: the first navigation is aborted.
        expect(each).to_have_url(re.compile(rf"/games/(?!{first})"))


def test_escape_before_the_script_of_the_result_closes_it(open_page):
    page = open_page(guest=True)
    held: list[Route] = []
    page.route(re.compile("/match/ending"), lambda route: held.append(route))
    now = open_alone(page, LONGEST_GUESTS[:1], is_first)
    wait_for_version(page, now["version"])
    post_move(page, "resign", now)
    expect(page.locator("#over")).to_be_focused()  # before its script is loaded
    page.keyboard.press("Escape")
    until(page, lambda: held, "the request for the script")
    for route in held:
        route.continue_()
    expect(page.locator("#over")).to_be_hidden()


def test_share_before_the_script_of_the_result_opens_the_dialog(open_page):
    page = open_page(guest=True)
    page.route(re.compile("/match/ending"), lambda _route: None)
    now = open_alone(page, LONGEST_GUESTS[:1], is_first)
    wait_for_version(page, now["version"])
    post_move(page, "resign", now)
    page.locator("#over").get_by_label("More").click()
    button(page, "Share").dblclick()
    expect(page.get_by_role("dialog", name="Share")).to_be_visible()  # one dialog


def test_next_steps_do_not_cover_what_has_the_focus(open_page):
    page = open_page(guest=True, viewport={"width": 1280, "height": 720})
    open_ended_match(page, others=["casual"], target="5", clock="none", private="on")
    page.locator("#over").focus()
    expect(page.locator("#over .first-steps")).to_be_attached()
    for _ in attempts("the focus on the last button"):
        if page.evaluate("document.activeElement.id") == "ask-again":
            break
        page.keyboard.press("Tab")
        expect_value(page, IS_FOCUS_IN_VIEW_JS)


ARE_REASONS_BESIDE_TILES_JS = """[...document.querySelectorAll("#partner + ul li")].every(row => {
    const [tile, reason] = [row.firstElementChild, document.createRange()];
    reason.selectNodeContents(row);
    reason.setStartAfter(tile);
    return reason.getBoundingClientRect().left >= tile.getBoundingClientRect().right;
})"""


def test_why_opens_what_the_plays_of_a_computer_partner_showed(open_page):
    page = open_page(guest=True, viewport={"width": 1280, "height": 800})
    open_ended_match(
        page, others=["casual"] * 3, preset="jamaican-partner", target="1", clock="none", private="on"
    )
    page.locator("#close-sheet").click()
    page.get_by_role("link", name=re.compile("Why did .+ play so")).click()
    expect(page.locator("#look-back h3")).to_have_text(re.compile("Why .+ played so"))
    expect(page.locator("#partner + ul li").first).to_be_in_viewport()
    page.set_viewport_size({"width": 320, "height": 568})
    expect_value(page, ARE_REASONS_BESIDE_TILES_JS)
    assert_accessible(page, part="#look-back")
    page.keyboard.press("Escape")
    expect(page.locator("#look-back")).to_be_hidden()


SHADOW_JS = "getComputedStyle(document.querySelector('#over .next')).boxShadow.includes('rgba(0, 0, 0, 0.5)')"


def test_result_sheet_shows_that_it_scrolls(open_page):
    page = open_page(guest=True)
    post_move(page, "resign", open_alone(page, LONGEST_GUESTS[:1], is_first))
    expect(page.locator("#over-h")).to_be_visible()
    expect_value(page, f"() => {SHADOW_JS}", False)  # everything is in view
    page.locator("#over .how").evaluate("words => words.style.height = '60rem'")  # as of a long match
    expect_value(page, f"() => {SHADOW_JS}")
    page.locator("#over .sheet-body").evaluate("sheet => sheet.scrollTo(0, sheet.scrollHeight)")
    expect_value(page, f"() => !({SHADOW_JS})")


def test_keep_table_after_declined_rematch(open_page):
    alice, bob = open_page("alice", phone=True), open_page("bob")
    open_ended_match(alice, bob, target="5", watched=True)
    expect(alice.locator("#over")).to_be_focused()
    expect(alice.locator("#peek")).to_contain_text(re.compile("You (won|lost) by"))
    alice.locator("#close-sheet").click()
    expect(alice.locator("#over")).to_be_hidden()  # it has a button of this name, too
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
    """Return a tile in the host's hand that fits exactly one place."""
    if now["you"] != 0:
        return None
    return next((t for t in now["hand"] if sum(m.startswith(t) for m in now["legal"]) == 1), None)


LOADED_MODULE_JS = """() => performance.getEntriesByType("resource")
    .map(each => each.name).find(name => /optimistic/.test(name))"""


def move_pointer_until_preload(page) -> None:
    """Move the pointer until the page has preloaded its module. Chromium ignores input before the first paint."""
    for step in attempts("the module to be loaded", interval=0.1, sleep=sleep_of(page)):
        page.mouse.move(200 + step % 100, 200)
        if module := page.evaluate(LOADED_MODULE_JS):
            page.evaluate("module => import(module).then(() => null)", module)
            break


def test_phone_bar_equals_reload(open_page):
    phone, other = open_page("alice", phone=True), open_page("bob")
    is_fifth = in_first_round(lambda now: now["version"] > 4)
    now = open_match_at(is_fifth, phone, other, watched=True, shown=[phone])
    wait_for_version(phone, now["version"])
    told, drawn = phone.locator("#newest").inner_text(), phone.locator("#newest-mark").inner_html()
    phone.reload()
    expect_value(
        phone.locator("#newest"), "bar => bar.innerText.split(/\\s+/).join(' ')", " ".join(told.split())
    )
    expect_value(phone.locator("#newest-mark"), "mark => mark.innerHTML", drawn)


def test_own_tile_is_laid_ahead_and_returns_if_refused(alice):
    page, now = alice, open_alone(alice, LONGEST_GUESTS[:1], fits_once)
    wait_until_drawn(page, now)
    tile = fits_once(now)
    felt, laid = page.evaluate(FELT), page.evaluate(LAID)
    move_pointer_until_preload(page)

    pressed = page.evaluate(PRESS_TILE_JS, [tile, 999])
    assert pressed == [1, "hidden"]
    expect(page.locator("#refusal")).not_to_be_empty()
    expect_value(page, LAID, laid)
    expect(button(page, tile).locator("svg")).to_have_css("visibility", "visible")

    pressed = page.evaluate(PRESS_TILE_JS, [tile, now["version"]])
    assert pressed == [1, "hidden"]
    wait_for_version(page, now["version"] + 1)
    expect_value(page, LAID, [*laid, tile])
    expect_value(page, FELT, felt)


def test_own_tile_stays_after_full_response(alice):
    page, now = alice, open_alone(alice, LONGEST_GUESTS[:1], fits_once)
    wait_until_drawn(page, now)
    tile, laid = fits_once(now), page.evaluate(LAID)
    move_pointer_until_preload(page)
    after_a_lost_frame = (
        f"move => (document.querySelector('#sync').dataset.checksum = 'lost', ({PRESS_TILE_JS})(move))"
    )
    pressed = page.evaluate(after_a_lost_frame, [tile, now["version"]])
    assert pressed == [1, "hidden"]
    wait_for_version(page, now["version"] + 1)
    expect_value(page, LAID, [*laid, tile])


def unplayable_tile(now: dict) -> str | None:
    """Return a tile in the host's hand that fits nowhere."""
    if now["you"] != 0 or not now["layout"]:
        return None
    return next((t for t in now["hand"] if not any(m.startswith(t) for m in now["legal"])), None)


# Whether the refusal is over the tile.
IS_AT_TILE_JS = """tile => {
    const at = document.querySelector("#refusal").getBoundingClientRect(), box = tile.getBoundingClientRect();
    const middle = box.x + box.width / 2, between = box.y - at.bottom;
    return at.left <= middle && middle <= at.right && 0 <= between && between < 40;
}"""


def test_refusal_appears_at_unplayable_tile(alice):
    now = open_alone(alice, LONGEST_GUESTS[:1], unplayable_tile)
    wait_for_version(alice, now["version"])
    tile = unplayable_tile(now)
    button(alice, tile).dispatch_event("click")
    said = re.compile(rf"^{tile} does not fit: the ends? wants? \d")
    expect(alice.locator("#refusal")).to_contain_text(said)
    expect_value(button(alice, tile), IS_AT_TILE_JS)


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

    other.locator("#tools > summary").click()
    other.locator("#order").select_option("weight")
    weigh = sorted(get_state(other)["hand"], key=lambda tile: sum(map(int, tile.split("-"))), reverse=True)
    heaviest = sum(map(int, weigh[0].split("-")))
    other.wait_for_function(f"() => ({HELD})()[0][0].split('-').reduce((a, b) => +a + +b) === {heaviest}")
    other.reload()
    other.wait_for_function(f"() => ({HELD})()[0][0].split('-').reduce((a, b) => +a + +b) === {heaviest}")
    keys = [str(n + 1) for n in range(len(weigh))]
    expect_value(other, HELD, lambda held: [key for _tile, key in held] == keys)


def test_score_animation_keeps_text_right(open_page):
    page, other = open_page(guest=True, reduced_motion="no-preference"), open_page(guest=True)
    has_scored = in_first_round(lambda now: max(now["scores"]) >= 10)
    code, moves = store_match(Wanted(has_scored, leave_out=1), page, other, preset="all-fives")
    open_match(code, page)
    wait_until_drawn(page, get_state(page, code))
    page.evaluate(WATCH_SCORES)
    true = set(get_state(page, code)["scores"])
    for move in moves:
        mover, now = wait_for_turn(page, other, code=code)
        true.update(post_move(mover, move, now)["scores"])

    expect_value(page, "() => drawn.length > 1")
    expect(page.locator("[data-shown]")).to_have_count(0)
    expect_value(page, "() => read.flat()", lambda read: set(read) <= true)


def test_rematch_is_followed_although_its_script_comes_late(alice, open_page):
    bob = open_page("bob", service_workers="block")  # a worker would send the script from its store
    held = []
    bob.route(re.compile(r"/ending[.\w]*\.js"), lambda route: held.append(route))
    now = open_match_at(is_first, alice, bob)
    first = now["match"]
    for page in (bob, alice):  # before that a press loads another page
        expect(page.locator("html")).to_have_attribute("data-live", "on")
    post_move(alice, "resign", now)
    press_rematch(bob, alice)  # the last to agree is redirected by the response
    expect(bob.locator("#go-to-rematch")).to_be_attached()

    held[0].continue_()

    expect(bob).to_have_url(re.compile(rf"/games/(?!{first})"))


def test_result_sheet_shows_every_round(open_page):
    page = open_page(guest=True)
    short_rounds = {"rule-hand_size": "3", "target": "300"}
    many = lambda now: now["round"] >= 10  # noqa: E731
    open_ended_match(page, others=LONGEST_GUESTS[:2], condition=many, preset="block", **short_rounds)
    expect(page.locator("#over .by-round")).to_be_attached()
    box = "document.querySelector('#over .by-round')"
    newest = f"{box}.querySelector('tbody td:nth-child(3)').getBoundingClientRect()"
    in_view = is_true("newest round out of view", f"{newest}.right <= {box}.getBoundingClientRect().right")
    in_one_row = is_true(
        "acts in several rows",
        "new Set([...document.querySelectorAll('#over .choices > *')].map(a => a.offsetTop)).size === 1",
    )
    in_window = is_true(
        "acts out of view",
        "document.querySelector('#over .choices').getBoundingClientRect().bottom <= innerHeight"
        " && document.querySelector('.sheet-body').scrollHeight <= document.querySelector('.sheet-body').clientHeight",
    )
    sizes = (1440, 900), (1024, 700), (390, 844)
    assert find_faults_at(page, (*sizes, (667, 375)), in_view, in_one_row) == []
    assert find_faults_at(page, sizes, in_window) == []


def test_share_shows_and_copies_link_words_and_picture(open_page):
    page = open_page(guest=True)
    now = open_alone(page, LONGEST_GUESTS[:1], is_first)
    post_move(page, "resign", get_state(page, now["match"]))
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.locator("#over").get_by_label("More").click()
    button(page, "Share").click()
    dialog = page.get_by_role("dialog", name="Share")
    expect_value(dialog.locator("img"), "image => image.naturalWidth", 1200)
    assert_accessible(page, "the dialog to share", "dialog")
    for part, field in (("Copy the text", "The result in words"), ("Copy", "Link to send")):
        dialog.get_by_role("button", name=part, exact=True).click()
        expect(dialog.get_by_role("status")).to_have_text("Copied.")
        expect_value(page, "navigator.clipboard.readText()", dialog.get_by_label(field).input_value())
    page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)
    expect(button(page, "Share")).to_be_focused()
