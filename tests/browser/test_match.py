"""A whole match between two browsers, from the lobby to the leaderboard."""

import re
from random import Random

import pytest
from playwright.sync_api import expect

from tests.browser.playing import (
    button,
    dismiss_round_end,
    get_state,
    match_code,
    press_move,
    take_turn,
    wait_for_version,
)
from tests.browser.tables import (
    TABLE,
    post_move,
    press_then_post,
    start_against_computers,
    start_match,
    wait_for_turn,
)


def meet(one, other, preset: str = "all-fives", **fields: str) -> str:
    """`one` makes a table, `other` sits down; both are led to the match."""
    one.goto(f"/tables/new?preset={preset}")
    for name, value in fields.items():
        one.locator(f"[name={name}]").fill(value)
    button(one, "Create table").click()
    one.wait_for_url(TABLE)
    other.goto(one.url)
    button(other, "Sit here").first.click()
    code = match_code(one)
    assert match_code(other) == code
    return code


def test_rated_match_appears_on_leaderboard(alice, bob):
    alice.goto("/tables/new")
    alice.get_by_text("Rated", exact=True).click()
    alice.locator("[name=clock]").select_option("1800+20")
    alice.locator("[name=target]").fill("50")
    button(alice, "Create table").click()
    alice.wait_for_url(TABLE)
    bob.goto(alice.url)
    button(bob, "Sit here").first.click()

    end = press_then_post(alice, bob, presses=16)

    assert end["rated"]
    assert end["result"]["how"] == "target"
    expect(button(alice, "Rematch")).to_be_visible()
    record = alice.request.get(f"/games/{match_code(alice)}/record.json")
    assert record.json()["result"]["winners"] == end["result"]["winners"]
    alice.goto("/leaderboard/muggins/")
    expect(alice.get_by_role("link", name="alice", exact=True).first).to_be_visible()
    expect(alice.get_by_role("link", name="bob", exact=True).first).to_be_visible()


def test_guest_without_scripts_plays_phone(open_page):
    plain = open_page(guest=True, scripts=False)
    phone = open_page(guest=True, phone=True)
    plain.goto("/tables/new")
    plain.locator("[name=target]").fill("20")
    button(plain, "Create table").click()
    phone.goto(plain.url)
    button(phone, "Sit here").first.click()
    phone.wait_for_url(re.compile("/games/"))
    plain.wait_for_timeout(100)
    plain.goto(phone.url)
    match = phone.url

    chance = Random(3)
    for _ in range(2000):
        now = get_state(plain)
        if now["status"] == "finished":
            break
        if now["last_round"] is not None and not now["layout"]:
            plain.goto(match)
            dismiss_round_end(plain)
            dismiss_round_end(phone)
        if now["turn"] == now["you"]:
            plain.goto(match)
            press_move(plain, chance.choice(now["legal"]), now)
        elif not take_turn(phone, chance):
            phone.wait_for_timeout(20)
    plain.goto(match)
    expect(plain.locator("#over")).to_be_visible()
    expect(phone.locator("#over")).to_be_visible()
    assert phone.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_opponents_move_appears_without_reload(alice, bob):
    meet(alice, bob)
    now = get_state(alice)
    mover, other = (alice, bob) if now["turn"] == now["you"] else (bob, alice)
    mine = get_state(mover)
    wait_for_version(mover, 0)

    press_move(mover, mine["legal"][0], mine)

    wait_for_version(other, 1)
    tile = mine["legal"][0]
    expect(other.locator(f"[data-tile='{tile}']").first).to_be_attached()
    expect(other.locator("[role=status]").filter(has_text=tile).first).to_be_attached()


NEWEST_TILES_JS = """() => [...document.querySelectorAll("#line-wide .laid [data-tile]")]
    .filter(tile => getComputedStyle(tile).getPropertyValue("--last")).map(tile => tile.dataset.tile)"""
BACKS_JS = """plate => [
    [...plate.children].filter(back => getComputedStyle(back).display !== "none").length,
    getComputedStyle(plate, "::after").content,
]"""


def test_newest_tile_ring_and_backs_on_plate(alice, bob):
    meet(alice, bob)
    while len((now := get_state(alice))["layout"]) < 3:
        take_turn(alice, Random(2)) or take_turn(bob, Random(2))
        wait_for_version(alice, get_state(alice)["version"])
        held = get_state(alice)["seats"][1 - now["you"]]["tiles"]
        assert alice.locator(".seat:not(.mine) .backs").evaluate(BACKS_JS) == [min(held, 7), f'"{held}"']
    assert alice.evaluate(NEWEST_TILES_JS) == [now["layout"][-1]["tile"]]


def test_match_against_computer(open_page):
    page = open_page(guest=True)
    page.goto("/")
    page.locator("#computer").get_by_role("button", name="Play").click()
    match_code(page)
    for _ in range(6):
        _, now = wait_for_turn(page)
        take_turn(page, Random(1))
        wait_for_version(page, now["version"] + 1)

    now = get_state(page)
    assert not now["rated"]
    assert now["layout"] or now["last_round"]


def test_reload_and_second_tab_show_current_state(alice, bob):
    meet(alice, bob)
    tab = alice.context.new_page()
    tab.goto(alice.url)
    for _ in range(3):
        for page in (alice, bob):
            take_turn(page, Random(1))
    version = get_state(alice)["version"]

    alice.reload()

    wait_for_version(alice, version)
    wait_for_version(tab, version)
    assert alice.locator("[name=version]").first.input_value() == str(version)


def test_match_survives_server_kill(alice, bob, site):
    meet(alice, bob)
    for _ in range(2):
        take_turn(alice, Random(1)) or take_turn(bob, Random(1))
    before = get_state(alice)

    site.kill()
    site.start()

    for page in (alice, bob):
        expect(page.locator("html")).to_have_attribute("data-live", "on", timeout=60_000)
    after = get_state(alice)
    assert (after["version"], after["layout"]) == (before["version"], before["layout"])
    for _ in range(40):
        if take_turn(alice, Random(2)) or take_turn(bob, Random(2)):
            break
    wait_for_version(alice, before["version"] + 1)
    wait_for_version(bob, before["version"] + 1)


def test_house_rules_load_when_opened(open_page):
    page = open_page(guest=True)
    page.goto("/")
    expect(page.locator("#create [name=rule-set]")).to_have_count(0)
    page.locator("#create .house summary").click()
    expect(page.locator("#create [name=rule-set]")).to_be_visible()


@pytest.mark.parametrize("set_", ["9", "12"])
def test_match_with_larger_set(open_page, set_):
    page = open_page(guest=True, phone=True)
    page.goto("/tables/new?preset=draw")
    page.locator(".house summary").click()
    page.locator("[name=rule-set]").select_option(set_)
    page.locator("[name=target]").fill("30")
    page.get_by_label("Seat 2").select_option("casual")
    page.locator("[name=clock]").select_option("none")
    button(page, "Create table").click()

    end = press_then_post(page, presses=8)

    assert end["rules"]["set"] == int(set_)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_opponents_move_appears_without_scripts(open_page, alice):
    plain = open_page(guest=True, scripts=False)
    address = start_match(alice, plain)
    mover = get_state(alice)
    if mover["turn"] != mover["you"]:
        post_move(plain, get_state(plain)["legal"][0], get_state(plain))
        mover = get_state(alice)
    plain.goto(address)
    move = mover["legal"][0]
    told = "alice drew a tile" if move == "draw" else move.partition("@")[0]

    post_move(alice, move, mover)

    expect(plain.locator(f"#status:has-text('{told}')")).to_be_attached()


def test_hint_is_shown_on_press(open_page):
    page = open_page(guest=True)
    start_against_computers(page)
    _, now = wait_for_turn(page)
    wait_for_version(page, now["version"])
    address = page.url
    button(page, "Hint").click()
    expect(page.locator("#refusal")).to_contain_text("Hint: ")
    assert page.url == address


def test_audio_starts_after_first_interaction(open_page, bob):
    page = open_page("erna")
    page.add_init_script("""window.AudioContext = class extends AudioContext {
        constructor() {
            super();
            (window.made ??= []).push(navigator.userActivation.hasBeenActive);
        }
    };""")
    with page.expect_response("**/match/sounds.*"):  # for the sound of the match's start
        start_match(page, bob)
    page.wait_for_load_state("networkidle")

    page.mouse.click(5, 5)

    page.wait_for_function("() => window.made?.length")
    assert page.evaluate("made") == [True]
