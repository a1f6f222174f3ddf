"""Around a match: lobby, invitation link, talk, spectators, rematch, replay."""

import re
from random import Random

import pytest
from playwright.sync_api import Page, expect

from tests.browser import playing
from tests.browser.conftest import post_form
from tests.browser.playing import TIMEOUT_SECONDS, button, get_state, match_code, take_turn, wait_for_version
from tests.browser.stored import Wanted, store_match
from tests.browser.tables import (
    TABLE,
    in_first_round,
    open_alone,
    open_ended_match,
    open_match_at,
    open_table,
    post_move,
    wait_for_turn,
)
from tests.browser.waiting import expect_box, expect_value, until

FITS_WINDOW_JS = "() => document.documentElement.scrollWidth <= innerWidth"

PRESS_AT_SWAP_JS = """() => document.addEventListener("htmx:afterSwap", () => {
    window.swapped = true;
    setTimeout(() => document.body.dispatchEvent(new KeyboardEvent("keydown", {key: "ArrowRight", bubbles: true})));
}, {once: true})"""
HOLD_ARROW_JS = """async () => {
    const began = performance.now();
    for (let n = 0; n < 40; n++) {
        document.body.dispatchEvent(new KeyboardEvent("keydown", {key: "ArrowRight", repeat: true, bubbles: true}));
        await new Promise((done) => setTimeout(done, 20));
    }
    return performance.now() - began;
}"""


def is_first_turn(now: dict) -> bool:
    """Return whether the first player leads."""
    return now["you"] == 0 and not now["version"]


def begin_over_http(address: str, host: Page, guest: Page) -> None:
    """Seat the guest at a table for two, and start the match."""
    post_form(guest.context, address, f"{address}sit", seat="1")
    for page in (host, guest):
        post_form(page.context, address, f"{address}commit", commitment="")


def test_open_table_appears_and_disappears_in_lobby(bob, open_page):
    host, watching = open_page("dora"), open_page()
    watching.goto("/")
    row = watching.locator(".open-table").filter(has_text="dora")

    address = open_table(host)
    expect(row).to_have_count(1)

    begin_over_http(address, host, bob)
    expect(row).to_have_count(0)
    watching.goto("/watch/")  # the lobby shows three matches
    expect(watching.get_by_role("link", name="dora").first).to_be_visible()


def test_invite_link_seats_anonymous_visitor(alice, open_page):
    friend = open_page(phone=True)
    alice.goto("/")
    alice.locator("#friend").get_by_role("button", name="Get a link").click()
    alice.wait_for_url(TABLE)

    friend.goto(alice.url)
    button(friend, "Sit here").first.click()

    assert match_code(friend) == match_code(alice)
    assert get_state(friend)["you"] == 1
    assert get_state(friend)["seats"][1]["kind"] == "guest"


@pytest.mark.parametrize("begun", [False, True])
def test_late_sit_is_refused_and_redirected_to_match(alice, bob, open_page, begun):
    late, on_the_way = open_page("charlie"), [True]

    def slow_news(socket) -> None:
        server = socket.connect_to_server()
        server.on_message(lambda said: None if on_the_way else socket.send(said))

    late.route_web_socket("**/ws/tables/**", slow_news)
    address = open_table(alice)
    late.goto(address)

    def begin() -> None:
        for page in (alice, bob):
            post_form(page.context, address, f"{address}commit", commitment="")

    post_form(bob.context, address, f"{address}sit", seat="1")
    if begun:
        begin()
    button(late, "Sit here").click()
    if not begun:
        expect(late.get_by_role("alert")).to_have_text("All seats are taken.")
        on_the_way.clear()
        begin()
    expect(late).to_have_url(re.compile("/games/"))
    expect(late.locator("#messages")).to_have_text("This match has started. You can watch it.")


def test_refusal_at_table_survives_updates(alice, bob, open_page):
    late = open_page("charlie")
    address = open_table(alice, seats="3")
    late.goto(address)
    post_form(bob.context, address, f"{address}sit", seat="1")
    expect(button(late, "Sit here")).to_have_count(1)
    late.locator("[name=seat]").evaluate("seat => { seat.value = 1; }")
    button(late, "Sit here").click()
    expect(late.get_by_role("alert")).to_have_text("This seat is taken.")

    post_form(bob.context, address, f"{address}leave")
    expect(button(late, "Sit here")).to_have_count(2)
    expect(late.get_by_role("alert")).to_have_text("This seat is taken.")
    button(late, "Sit here").first.click()
    expect(late.get_by_role("alert")).to_have_count(0)


def test_host_returns_to_waiting_table(open_page):
    host = open_page("erik")
    open_table(host)
    host.goto("/")
    host.get_by_role("link", name="Back to your table").click()
    button(host, "Leave the table").click()
    expect(host.get_by_role("link", name="Back to your table")).to_have_count(0)


def test_lobby_and_watch_page_follow_moves(alice, bob, open_page):
    store_match(Wanted(is_first_turn), alice, bob, preset="draw")  # of one match alone no filter is offered
    code, _ = store_match(Wanted(is_first_turn), alice, bob, preset="all-fives")
    stranger, watching = open_page(phone=True), open_page()
    stranger.goto("/")
    watching.goto("/watch/")
    expect(stranger.get_by_role("heading", level=1)).to_contain_text("Dominoes with people")
    now = get_state(alice, code)
    post_move(alice, now["legal"][0], now)
    # The lobby shows a few of the running matches.
    expect(stranger.locator("#playing-now").get_by_role("link", name="Watch").first).to_be_visible()
    on_watch = watching.locator(f"#featured [data-tile], #watch-{code} [data-tile]")
    expect(on_watch.first).to_be_visible()
    expect_value(stranger, FITS_WINDOW_JS)
    watching.get_by_text("People only").click()
    watching.wait_for_url(re.compile("people=on"))


def test_host_is_redirected_to_match_from_any_page(bob, open_page):
    host = open_page("frida")
    open_table(host)
    host.goto("/rules/")
    expect(host.locator("#waits")).to_contain_text("You are waiting at your table")
    bob.goto("/")
    bob.get_by_role("button", name="Join frida, All Fives").click()
    match_code(bob)
    match_code(host)


def test_players_and_spectators_have_separate_talk(alice, bob, open_page):
    code = open_match_at(is_first_turn, alice, bob)["match"]
    spectator = open_page(guest=True)
    spectator.goto(f"/games/{code}/")
    expect(alice.locator("#spectators")).to_contain_text("1 watching")

    for page in (alice, bob, spectator):
        page.locator("#chat summary").click()
    alice.locator("#say [name=text]").fill("good luck")
    button(alice, "Send").click()
    spectator.locator("#say [name=text]").fill("who leads?")
    button(spectator, "Send").click()

    expect(bob.locator("#talk-log")).to_contain_text("good luck")
    expect(spectator.locator("#talk-log")).to_contain_text("who leads?")
    expect(spectator.locator("#talk-log")).not_to_contain_text("good luck")
    expect(bob.locator("#talk-log")).not_to_contain_text("who leads?")


def test_phone_spectator_sees_names_and_moves_but_no_hand(alice, bob, open_page):
    spectator = open_page(phone=True)
    now = open_match_at(is_first_turn, alice, bob, shown=[spectator])
    expect_box(spectator.locator(".plate-0"), lambda lower: lower["width"] > 200)
    expect_value(spectator.locator(".plate-0 .name"), "name => name.scrollWidth <= name.clientWidth")

    after = post_move(alice, now["legal"][0], now)

    laid = after["layout"][0]["tile"]
    expect(spectator.locator(f"#board [data-tile='{laid}']").first).to_be_attached()
    assert spectator.locator("#hand .hand-tile").count() == 0
    assert get_state(spectator)["hand"] == []


def test_phone_rail_closes_for_result(open_page):
    page = open_page(guest=True, phone=True)
    open_alone(page, ["rail-guest"], is_first_turn)
    page.locator("#peek").click()
    button(page, "Resign").first.click()
    page.locator("#leave [name=move][value=resign]").click()

    again = page.locator("#over").get_by_role("button", name="Rematch")
    expect(again).to_be_visible()
    again.click(trial=True)  # nothing covers it
    expect(page.locator("#moves")).to_be_hidden()


LONG_LIST = 26  # moves, more than the list shows
HIDDEN = (
    "Object.defineProperty(document, 'hidden', {get: () => true});"
    "Object.defineProperty(document, 'visibilityState', {get: () => 'hidden'});"
)


def test_hidden_tab_title_announces_match_start(open_page, bob):
    page = open_page(guest=True)  # a guest has no other match that the title would announce
    page.add_init_script(HIDDEN)
    address = open_table(page)
    page.goto(address)
    begin_over_http(address, page, bob)
    match_code(page)

    expect(page).to_have_title(re.compile(r"^● (The match begins|Your turn)"))
    expect(page.locator("#favicon")).to_have_attribute("href", re.compile("icon-turn"))


def test_hidden_tab_title_announces_turn_and_end_though_notifications_fail(open_page, bob):
    page = open_page(guest=True)
    page.add_init_script("""window.Notification = class {
        static permission = 'granted';
        constructor() { window.isTried = true; throw TypeError(); }
    }""")
    now = open_match_at(lambda now: now["you"] == 1 and not now["version"], page, bob, shown=[page])
    wait_for_version(page, 0)
    expect(page.locator("html")).to_have_attribute("data-live", "on")
    page.evaluate(HIDDEN + "document.dispatchEvent(new Event('visibilitychange'))")
    expect(page).not_to_have_title(re.compile("Your turn"))

    now = post_move(bob, now["legal"][0], now)

    expect(page).to_have_title(re.compile("Your turn"))
    expect_value(page, "() => window.isTried")
    assert take_turn(page, Random(1))
    now = get_state(bob, now["match"])
    post_move(bob, "resign", now)
    expect(page).to_have_title(re.compile("^● You won"))


LIST_OVERFLOWS_JS = (
    "() => { const m = document.querySelector('#moves'); return m.scrollHeight > m.clientHeight + 20; }"
)
LEFT_BELOW_JS = """() => {
    const moves = document.querySelector('#moves');
    return moves.scrollTop > 0 && Math.abs(moves.scrollHeight - moves.clientHeight - moves.scrollTop);
}"""
# A script that follows the play would have scrolled by the second frame.
SCROLL_TOP_LATER_JS = """async () => {
    for (let frame = 0; frame < 2; frame++) await new Promise(requestAnimationFrame);
    return document.querySelector('#moves').scrollTop;
}"""


def test_move_list_follows_play_unless_scrolled_up(alice, bob):
    alice.set_viewport_size({"width": 1280, "height": 620})
    long = in_first_round(lambda now: now["version"] >= LONG_LIST)
    now = open_match_at(long, alice, bob, shown=[alice], watched=True, target="1000")
    expect_value(alice, LIST_OVERFLOWS_JS)
    expect_value(alice, LEFT_BELOW_JS, lambda left: left is not False and left < 3)

    alice.evaluate("document.querySelector('#moves').scrollTop = 0")
    mover, now = wait_for_turn(alice, bob, code=now["match"])
    post_move(mover, now["legal"][0], now)
    wait_for_version(alice, now["version"] + 1)
    expect_value(alice, SCROLL_TOP_LATER_JS, 0)


def has_tile_to_play(now: dict) -> bool:
    """Return whether the first player can add a tile to others."""
    return now["you"] == 0 and "@" in now["legal"][0]


def test_dragged_tile_keeps_size_and_loses_ring(alice):
    now = open_alone(alice, ["drag-guest"], in_first_round(has_tile_to_play))
    wait_for_version(alice, now["version"])
    tile = alice.locator("#hand .hand-tile:is(.is-plays, .is-choose)").first
    expect(tile).to_be_visible()
    box = tile.locator("svg").bounding_box()
    alice.mouse.move(box["x"] + 20, box["y"] + 20)
    alice.mouse.down()
    alice.mouse.move(box["x"] + 40, box["y"] - 120, steps=4)

    expect_box(alice.locator(".flying"), lambda flying: abs(flying["width"] - box["width"]) <= 2)
    expect_value(
        alice.locator(".sprite #bv .ring"),
        "ring => [getComputedStyle(ring).fill, getComputedStyle(ring).visibility]",
        ["none", "hidden"],
    )
    ring = "tile => getComputedStyle(tile).getPropertyValue('--ring')"
    expect_value(alice.locator(".flying"), ring, "")
    expect_value(alice.locator("#hand .is-dragged"), ring, "hidden")
    alice.mouse.up()


# The pointer events of a touch drag to the middle of the felt; no click follows.
TOUCH_DRAG_JS = """tile => {
    const [from, felt] = [tile, document.querySelector("#board")].map(each => each.getBoundingClientRect());
    const path = [from, from, felt].map(box => [box.x + box.width / 2, box.y + box.height / 2]);
    path[1][1] -= 30;
    const send = (name, [x, y]) => tile.dispatchEvent(new PointerEvent(name,
        { bubbles: true, pointerId: 7, pointerType: "touch", isPrimary: true, clientX: x, clientY: y }));
    send("pointerdown", path[0]);
    for (const place of path) send("pointermove", place);
    send("pointerup", path[2]);
}"""


def test_lead_by_touch_drag(open_page):
    page = open_page(guest=True, phone=True)
    tile = open_alone(page, ["touch-guest"], is_first_turn)["legal"][0]
    wait_for_version(page, 0)
    expect(page.locator("html")).to_have_attribute("data-live", "on")

    button(page, tile).evaluate(TOUCH_DRAG_JS)

    wait_for_version(page, 1)
    assert [laid["tile"] for laid in get_state(page)["layout"]] == [tile]


def test_unread_talk_is_marked_on_phone(open_page):
    one, other = open_page(guest=True, phone=True), open_page(guest=True)
    code = open_match_at(is_first_turn, one, other, shown=[one])["match"]
    post_form(other.context, "/", f"/games/{code}/say", text="good luck")
    unread = one.locator("html[data-unread]")
    expect(unread).to_be_attached()
    one.locator("#peek").click()
    one.locator("#chat summary").first.click()
    expect(one.locator("#talk-log")).to_contain_text("good luck")
    expect(unread).not_to_be_attached()


def test_resign_is_confirmed_and_rematch_rotates_seats(alice, bob):
    now = open_match_at(is_first_turn, alice, bob)
    first = now["match"]
    for page in (alice, bob):  # beside "Ask … to move", shown until a clock runs
        expect_value(page.locator("#resign"), "button => button.getBoundingClientRect().right <= innerWidth")
    post_move(alice, now["legal"][0], now)

    bob.get_by_role("button", name="Resign").first.click()
    bob.locator(".asked .button-danger").click()
    expect(alice.locator("#over")).to_be_visible()
    playing.press_rematch(bob, alice)

    for page in (alice, bob):
        expect(page).to_have_url(re.compile(rf"/games/(?!{first})"), timeout=1000 * TIMEOUT_SECONDS)
    assert match_code(bob) == match_code(alice)
    assert [seat["name"] for seat in get_state(alice)["seats"]] == ["bob", "alice"]


def test_replay_controls_and_deal_verification(open_page):
    page = open_page(guest=True)
    code = open_ended_match(page, others=["replayed"], target="40")
    page.goto(f"/games/{code}/verify/")
    expect(page.locator("#verdict")).to_contain_text("every deal of this match was fixed by its seal")

    page.goto(f"/games/{code}/replay/?move=1")
    page.keyboard.press("ArrowRight")
    expect(page.locator(".step-number b")).to_have_text("2")
    expect(page).to_have_url(re.compile(r"\?move=2$"))
    page.evaluate(PRESS_AT_SWAP_JS)
    page.keyboard.press("ArrowRight")
    expect(page.locator(".step-number b")).to_have_text("4")
    expect_value(page, "() => window.swapped")  # a key that followed the link has loaded a new page
    asked = []
    page.on("request", lambda request: asked.append(request.url))
    took = page.evaluate(HOLD_ARROW_JS)
    steps = [url for url in asked if "replay/?move=" in url]
    assert 0 < len(steps) <= took / 150 + 2, "more than one address may"
    page.locator("#move").focus()
    page.keyboard.press("End")
    last = page.locator("#move").get_attribute("max")
    expect(page.locator(".step-number b")).to_have_text(last)
    held = []
    page.route("**/replay/?move=*", lambda route: held.append(route), times=1)
    page.keyboard.press("Home")  # its answer is late, and replaces what is pressed meanwhile
    until(page, lambda: held, "the request")
    page.keyboard.press("End")
    with page.expect_response(re.compile(rf"move={last}$")):
        held[0].continue_()
    expect(page.locator(".step-number b")).to_have_text(last)
    button(page, "Play from here").click()
    expect(button(page, "Play from here")).to_have_attribute("aria-pressed", "false")
    page.keyboard.press("Home")
    expect(page.locator(".step-number b")).to_have_text("0")
    button(page, "Play from here").click()
    expect(button(page, "Play from here")).to_have_attribute("aria-pressed", "true")
    expect(page.locator(".step-number b")).not_to_have_text("0")
    button(page, "Play from here").click()
    expect(button(page, "Play from here")).to_have_attribute("aria-pressed", "false")
