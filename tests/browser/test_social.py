"""Around a match: lobby, invitation link, talk, spectators, rematch, replay."""

import re
from random import Random

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import post_form
from tests.browser.playing import (
    TIMEOUT_SECONDS,
    button,
    get_state,
    match_code,
    play_to_the_end,
    take_turn,
    wait_for_version,
)
from tests.browser.tables import TABLE, open_table


def make_table(page, **fields: str) -> str:
    """Create a table of All Fives with a long clock. Return its URL."""
    page.goto("/tables/new")
    page.locator("[name=clock]").select_option("1800+20")
    for name, value in fields.items():
        page.locator(f"[name={name}]").fill(value)
    button(page, "Create table").click()
    page.wait_for_url(TABLE)
    return page.url


def match_of(one, other, **fields: str) -> str:
    other.goto(make_table(one, **fields))
    button(other, "Sit here").first.click()
    code = match_code(one)
    assert match_code(other) == code
    return code


def test_open_table_appears_and_disappears_in_lobby(bob, open_page):
    host, watching = open_page("dora"), open_page()
    watching.goto("/")
    row = watching.locator("#open tr, .open-tables tr").filter(has_text="dora")

    address = make_table(host)
    expect(row).to_have_count(1)

    bob.goto(address)
    button(bob, "Sit here").first.click()
    expect(row).to_have_count(0)
    watching.goto("/watch/")  # the lobby shows six matches
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
    make_table(host)
    host.goto("/")
    host.get_by_role("link", name="Back to your table").click()
    button(host, "Leave the table").click()
    expect(host.get_by_role("link", name="Back to your table")).to_have_count(0)


def test_lobby_and_watch_page_follow_moves(alice, bob, open_page):
    code = match_of(alice, bob)
    stranger, watching = open_page(phone=True), open_page()
    stranger.goto("/")
    watching.goto("/watch/")
    expect(stranger.get_by_role("heading", level=1)).to_contain_text("Dominoes with people")
    one = alice if get_state(alice)["you"] == get_state(alice)["turn"] else bob
    take_turn(one, Random(1))
    # The front page shows a few of the running matches.
    expect(stranger.locator(":is(.featured, .game) [data-tile]").first).to_be_visible()
    on_watch = watching.locator(f"#featured [data-tile], #watch-{code} [data-tile]")
    expect(on_watch.first).to_be_visible()
    assert stranger.evaluate("document.documentElement.scrollWidth <= innerWidth")
    watching.get_by_text("People only").click()
    watching.wait_for_url(re.compile("people=on"))


def test_host_is_redirected_to_match_from_any_page(bob, open_page):
    host = open_page("frida")
    make_table(host)
    host.goto("/rules/")
    expect(host.locator("#waits")).to_contain_text("You are waiting at your table")
    bob.goto("/")
    bob.get_by_role("button", name="Join the table of frida").click()
    match_code(bob)
    match_code(host)


def test_players_and_spectators_have_separate_talk(alice, bob, open_page):
    code = match_of(alice, bob)
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


def test_spectator_sees_moves_but_no_hand(alice, bob, open_page):
    code = match_of(alice, bob)
    spectator = open_page()
    spectator.goto(f"/games/{code}/")

    while not (take_turn(alice, Random(1)) or take_turn(bob, Random(1))):
        pass

    laid = get_state(alice)["layout"][0]["tile"]
    expect(spectator.locator(f"#board [data-tile='{laid}']").first).to_be_attached()
    assert spectator.locator("#hand .hand-tile").count() == 0
    assert get_state(spectator)["hand"] == []


def test_lower_plate_fits_name_for_phone_spectator(alice, bob, open_page):
    code = match_of(alice, bob)
    spectator = open_page(phone=True)
    spectator.goto(f"/games/{code}/")

    lower, name = spectator.locator(".plate-0"), spectator.locator(".plate-0 .name")
    assert lower.bounding_box()["width"] > 200
    assert name.evaluate("name => name.scrollWidth <= name.clientWidth")


def test_phone_rail_closes_for_result(bob, open_page):
    alice = open_page(guest=True, phone=True)
    match_of(alice, bob)
    alice.locator("#peek").click()
    button(alice, "Resign").first.click()
    alice.locator("#leave [name=move][value=resign]").click()

    again = alice.locator("#over").get_by_role("button", name="Rematch")
    expect(again).to_be_visible()
    again.click(trial=True)  # nothing covers it
    expect(alice.locator("#moves")).to_be_hidden()


WAITING = r"(\(\d+\) )?"  # in a title: matches of other tests that wait for her
HIDDEN = (
    "Object.defineProperty(document, 'hidden', {get: () => true});"
    "Object.defineProperty(document, 'visibilityState', {get: () => 'hidden'});"
)


def test_hidden_tab_title_announces_match_start(alice, bob):
    alice.add_init_script(HIDDEN)
    bob.goto(make_table(alice))
    button(bob, "Sit here").first.click()
    match_code(alice)

    expect(alice).to_have_title(re.compile(rf"^{WAITING}● (The match begins|Your turn)"))
    assert "icon-turn" in alice.locator("#favicon").get_attribute("href")


def test_page_works_if_notification_fails(alice, bob):
    alice.add_init_script(
        HIDDEN
        + "window.Notification = class { static permission = 'granted'; constructor() { throw TypeError(); } }"
    )
    match_of(alice, bob)
    while get_state(alice)["version"] < 4:
        take_turn(alice, Random(1)) or take_turn(bob, Random(1))

    wait_for_version(alice, get_state(alice)["version"])
    assert get_state(alice)["turn"] is not None


def test_move_list_follows_play_unless_scrolled_up(alice, bob):
    match_of(alice, bob, target="1000")
    alice.set_viewport_size({"width": 1280, "height": 620})
    chance = Random(1)
    longer = "(moves => moves.scrollHeight > moves.clientHeight + 20)(document.querySelector('#moves'))"
    while not alice.evaluate(longer):  # a round may end before its list overflows
        take_turn(alice, chance) or take_turn(bob, chance)
    left = "(moves => moves.scrollHeight - moves.clientHeight - moves.scrollTop)(document.querySelector('#moves'))"
    alice.wait_for_function(f"() => Math.abs({left}) < 3")
    assert alice.evaluate("document.querySelector('#moves').scrollTop") > 0

    alice.evaluate("document.querySelector('#moves').scrollTop = 0")
    before = get_state(alice)["version"]
    while get_state(alice)["version"] == before:
        take_turn(alice, chance) or take_turn(bob, chance)
    wait_for_version(alice, before + 1)
    assert alice.evaluate("document.querySelector('#moves').scrollTop") == 0


def test_dragged_tile_keeps_size_and_loses_ring(alice, bob):
    match_of(alice, bob)
    while not get_state(alice)["legal"] or "draw" in get_state(alice)["legal"]:
        take_turn(bob, Random(1)) or take_turn(alice, Random(1))
    wait_for_version(alice, get_state(alice)["version"])
    tile = alice.locator("#hand .hand-tile:is(.is-plays, .is-choose)").first
    box = tile.locator("svg").bounding_box()
    alice.mouse.move(box["x"] + 20, box["y"] + 20)
    alice.mouse.down()
    alice.mouse.move(box["x"] + 40, box["y"] - 120, steps=4)

    assert alice.locator(".flying").bounding_box()["width"] == pytest.approx(box["width"], abs=2)
    ring = alice.locator(".sprite #bv .ring")
    assert ring.evaluate("ring => [getComputedStyle(ring).fill, getComputedStyle(ring).visibility]") == [
        "none",
        "hidden",
    ]
    assert not alice.locator(".flying").evaluate("tile => getComputedStyle(tile).getPropertyValue('--ring')")
    dragged = alice.locator("#hand .is-dragged")
    assert dragged.evaluate("tile => getComputedStyle(tile).getPropertyValue('--ring')") == "hidden"
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
    one, other = open_page(guest=True, phone=True), open_page(guest=True, phone=True)
    match_of(one, other)
    page = one if get_state(one)["turn"] == get_state(one)["you"] else other
    tile = get_state(page)["legal"][0]
    wait_for_version(page, 0)

    button(page, tile).evaluate(TOUCH_DRAG_JS)

    wait_for_version(page, 1)
    assert [laid["tile"] for laid in get_state(page)["layout"]] == [tile]


def test_hidden_tab_title_announces_match_end(alice, bob):
    match_of(alice, bob)
    while get_state(alice)["version"] < 2:
        take_turn(alice, Random(1)) or take_turn(bob, Random(1))
    alice.evaluate(HIDDEN + "document.dispatchEvent(new Event('visibilitychange'))")
    button(bob, "Resign").first.click()
    bob.locator(".asked .button-danger").click()
    expect(alice).to_have_title(re.compile(f"^{WAITING}● You won"))


def test_unread_talk_is_marked_on_phone(open_page):
    one, other = open_page(guest=True, phone=True), open_page(guest=True)
    match_of(one, other)
    other.locator("#chat summary").click()
    other.locator("#say [name=text]").fill("good luck")
    button(other, "Send").click()
    unread = one.locator("html[data-unread]")
    expect(unread).to_be_attached()
    one.locator("#peek").click()
    one.locator("#chat summary").first.click()
    expect(one.locator("#talk-log")).to_contain_text("good luck")
    expect(unread).not_to_be_attached()


def test_hidden_tab_title_announces_own_turn(alice, bob):
    match_of(alice, bob)
    now = get_state(alice)
    mover, other = (alice, bob) if now["turn"] == now["you"] else (bob, alice)
    plain = other.title()

    other.evaluate(HIDDEN + "document.dispatchEvent(new Event('visibilitychange'))")
    while not take_turn(mover, Random(1)) or get_state(mover)["turn"] == get_state(mover)["you"]:
        pass

    expect(other).not_to_have_title(plain)
    expect(other).to_have_title(re.compile("Your turn"))


def test_resign_is_confirmed_and_rematch_rotates_seats(alice, bob):
    first = match_of(alice, bob)
    for page in (alice, bob):  # beside "Ask … to move", shown until a clock runs
        assert page.locator("#resign").evaluate(
            "button => button.getBoundingClientRect().right <= innerWidth"
        )
    while not (take_turn(alice, Random(1)) or take_turn(bob, Random(1))):
        pass

    bob.get_by_role("button", name="Resign").first.click()
    bob.locator(".asked .button-danger").click()
    expect(alice.locator("#over")).to_be_visible()
    button(bob, "Rematch").click()
    button(alice, "Rematch").click()

    for page in (alice, bob):
        expect(page).to_have_url(re.compile(rf"/games/(?!{first})"), timeout=1000 * TIMEOUT_SECONDS)
    assert match_code(bob) == match_code(alice)
    assert [seat["name"] for seat in get_state(alice)["seats"]] == ["bob", "alice"]


def test_replay_controls_and_deal_verification(open_page):
    page = open_page(guest=True)
    page.goto("/tables/new")
    page.locator("[name=target]").fill("40")
    page.locator("[name=clock]").select_option("none")
    page.get_by_label("Seat 2").select_option("beginner")
    button(page, "Create table").click()
    play_to_the_end(page)
    code = match_code(page)

    page.goto(f"/games/{code}/verify/")
    expect(page.locator("#verdict")).to_contain_text("every deal of this match was fixed by its seal")

    page.goto(f"/games/{code}/replay/?move=1")
    page.keyboard.press("ArrowRight")
    expect(page.locator(".step-number b")).to_have_text("2")
    expect(page).to_have_url(re.compile(r"\?move=2$"))
    page.locator("#move").focus()
    page.keyboard.press("End")
    expect(page.locator(".step-number b")).to_have_text(page.locator("#move").get_attribute("max"))
    button(page, "Play from here").click()
    expect(button(page, "Play from here")).to_have_attribute("aria-pressed", "false")
    page.keyboard.press("Home")
    expect(page.locator(".step-number b")).to_have_text("0")
    button(page, "Play from here").click()
    expect(button(page, "Play from here")).to_have_attribute("aria-pressed", "true")
    expect(page.locator(".step-number b")).not_to_have_text("0")
    button(page, "Play from here").click()
    expect(button(page, "Play from here")).to_have_attribute("aria-pressed", "false")
