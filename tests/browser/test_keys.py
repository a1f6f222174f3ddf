"""A match without a mouse: single keys, Tab and Enter, live regions."""

import re
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import run_quick_site
from tests.browser.playing import END_NAMES, button, get_state, press_move, wait_for_version
from tests.browser.tables import (
    host_tile_with_choice,
    in_first_round,
    open_alone,
    open_match_at,
    post_move,
    tile_with_choice,
    wait_for_turn,
)
from tests.browser.waiting import expect_value
from tests.server import Site
from tests.waiting import attempts

ARROW = {"L": "ArrowLeft", "R": "ArrowRight", "U": "ArrowUp", "D": "ArrowDown"}
# Whether losing the focus changes the shadow or outline of the element, of the tile inside, or of its label.
FOCUS_VISIBLE_JS = """() => {
    const at = document.activeElement;
    if (at === document.body) return "lost";
    if (at.id === "main") return "seen";
    const rings = () => [at, at.querySelector("svg"), at.nextElementSibling].filter(Boolean).map(getComputedStyle).map(
        (look) => [look.boxShadow, look.outlineStyle !== "none" && look.outlineColor !== "rgba(0, 0, 0, 0)"].join());
    const focused = rings();
    at.blur();
    const plain = rings();
    at.focus({ preventScroll: true });
    return focused.join() !== plain.join() ? "seen" : `not seen on ${at.outerHTML.slice(0, 120)}`;
}"""


@pytest.fixture(scope="module")
def shared_site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """Return a server whose pause after a round lasts until somebody has come to Continue by Tab."""
    yield from run_quick_site(tmp_path_factory, ROUND_PAUSE_MS="600000")


def expect_focus_seen(page: Page) -> None:
    expect_value(page, FOCUS_VISIBLE_JS, "seen")


def move_by_keys(page: Page, now: dict) -> None:
    """Play the first legal move by single keys, or by Tab if its tile is beyond the ninth."""
    move = now["legal"][0]
    if move in ("draw", "pass"):
        page.keyboard.press({"draw": "Space", "pass": "p"}[move])
        return
    tile, _, end = move.partition("@")
    key = now["hand"].index(tile) + 1
    if key > 9:
        move_by_tab(page, now)
        return
    page.keyboard.press(str(key))
    if has_choice(tile, now):
        page.keyboard.press(ARROW[end])


def move_by_tab(page: Page, now: dict) -> None:
    """Play the first legal move by Tab and Enter."""
    move = now["legal"][0]
    if move in ("draw", "pass"):
        tab_to(page, move.capitalize())
    else:
        tile, _, end = move.partition("@")
        tab_to(page, tile)
        if has_choice(tile, now):
            page.keyboard.press("Enter")
            tab_to(page, f"{END_NAMES[end]}, {now['ends'][end]}", "Shift+Tab")
    page.keyboard.press("Enter")


def has_choice(tile: str, now: dict) -> bool:
    return len([move for move in now["legal"] if move.partition("@")[0] == tile]) > 1


# Whether the focus is seen, and the name of its element without its aria-hidden countdown.
FOCUS_AND_NAME_JS = f"""() => [({FOCUS_VISIBLE_JS})(), document.activeElement.ariaLabel
    ?? [...document.activeElement.childNodes].filter(part => part.ariaHidden !== "true")
        .map(part => part.textContent).join("").trim()]"""


def tab_to(page: Page, name: str, key: str = "Tab") -> None:
    for _ in range(120):
        page.keyboard.press(key)
        focus, focused = page.evaluate(FOCUS_AND_NAME_JS)
        assert focus in ("seen", "lost"), focus  # lost: the focus is in the browser's toolbar
        if focused == name:
            return
    raise AssertionError(f"{key} does not come to {name}")


def must_draw_near_the_end(now: dict) -> bool:
    """Return whether the first seat must draw while the other one is about to end the first round."""
    return (
        now["you"] == 0
        and now["legal"] == ["draw"]
        and now["seats"][1]["tiles"] <= 2
        and not now["last_round"]
    )


@pytest.mark.parametrize("way", [move_by_keys, move_by_tab])
def test_rounds_end_by_keyboard_only(open_page, way):
    page, other = open_page("alice"), open_page("bob")
    open_match_at(must_draw_near_the_end, page, other, shown=[page], **{"rule-rounds": "2", "target": "null"})
    if way is move_by_tab:
        page.evaluate("document.documentElement.dataset.keys = 'off'")
    skip_to_main(page)
    now = play_on(page, other, way, lambda now: now["round"] == 2 and now["turn"] == 0)
    proceed = button(page, "Continue")
    expect(proceed).to_be_visible()
    tab_to(page, "Continue")
    page.keyboard.press("Enter")
    expect(page.locator("#go-on")).to_have_count(
        0
    )  # the page closes the scene before the server deals the hand
    expect_focus_seen(page)
    way(page, now)
    wait_for_version(page, now["version"] + 1)
    expect_focus_seen(page)


@pytest.mark.parametrize("way", [move_by_keys, move_by_tab])
def test_match_ends_by_keyboard_only(open_page, way):
    page, other = open_page("alice"), open_page("bob")
    open_match_at(must_draw_near_the_end, page, other, shown=[page], **{"rule-rounds": "1"})
    skip_to_main(page)
    play_on(page, other, way, lambda now: now["status"] == "finished")
    expect(page.locator("#over")).to_be_visible()
    expect_focus_seen(page)


def skip_to_main(page: Page) -> None:
    tab_to(page, "Skip to the main part")
    page.keyboard.press("Enter")


def play_on(
    page: Page, other: Page, way: Callable[[Page, dict], None], is_reached: Callable[[dict], bool]
) -> dict:
    """Play `page` by the keyboard and `other` over HTTP until the state of `page` is reached. Return it."""
    for _ in attempts("the state to be reached"):
        now = get_state(page)
        wait_for_version(page, now["version"])
        if is_reached(now):
            break
        if now["turn"] == 0:
            way(page, now)
            wait_for_version(page, now["version"] + 1)
            expect_focus_seen(page)
        else:
            now = get_state(other, now["match"])
            post_move(other, now["legal"][0], now)
    return now


def has_multi_tile_move(now: dict) -> bool:
    """Return whether the first seat has a move of several tiles and all tiles have a key."""
    return now["you"] == 0 and len(now["hand"]) <= 9 and any("+" in move for move in now["legal"])


def test_multi_tile_move_by_keys(alice):
    now = open_alone(alice, ["patient-paul"], in_first_round(has_multi_tile_move), preset="gomuggins")
    move = next(move for move in now["legal"] if "+" in move)
    for part in move.split("+"):
        tile, _, end = part.partition("@")
        alice.keyboard.press(str(now["hand"].index(tile) + 1))
        alice.keyboard.press(ARROW[end])

    alice.keyboard.press("Enter")

    wait_for_version(alice, now["version"] + 1)
    assert {laid["tile"] for laid in get_state(alice)["layout"]} >= {part[:3] for part in move.split("+")}
    expect_focus_seen(alice)


def tile_with_extra_end(now: dict) -> str | None:
    """Return a tile among the first nine that fits several ends, one of them beyond L, R, U and D."""
    return next(
        (
            tile
            for tile in now["hand"][:9]
            if now["hand"] != [tile]  # this would end the round
            and len(places := [move for move in now["legal"] if move.startswith(f"{tile}@")]) > 1
            and any(len(move.partition("@")[2]) > 1 for move in places)
        ),
        None,
    )


def test_arrows_cycle_through_extra_ends(alice):
    def is_found(now: dict) -> bool:
        return now["you"] == 0 and tile_with_extra_end(now) is not None

    now = open_alone(alice, ["patient-paul"], in_first_round(is_found), preset="five-up")
    tile = tile_with_extra_end(now)
    places = {move for move in now["legal"] if move.startswith(f"{tile}@")}
    alice.keyboard.press(str(now["hand"].index(tile) + 1))

    visited = []
    for _ in range(len(places) + 1):
        alice.keyboard.press("ArrowRight")
        visited.append(alice.evaluate("document.activeElement.value"))
    assert set(visited) == places and visited[0] == visited[-1]
    alice.keyboard.press("ArrowLeft")
    expect_value(alice, "document.activeElement.value", visited[-2])
    alice.keyboard.press("Enter")

    wait_for_version(alice, now["version"] + 1)
    assert tile in {laid["tile"] for laid in get_state(alice)["layout"]}


def test_focus_moves_to_hand_after_round_end(alice, bob):
    leads_next = lambda now: now["you"] == 0 and now["last_round"] and not now["layout"]  # noqa: E731
    now = open_match_at(leads_next, alice, bob, watched=True)
    expect(button(alice, "Continue")).to_be_visible()
    tab_to(alice, "Continue")
    alice.keyboard.press("Enter")
    expect(button(alice, "Continue")).to_be_hidden()
    expect(alice.locator("#hand .hand-tile").first).to_be_focused()

    expect(button(bob, "Continue")).to_be_visible()
    # Nor in the accessibility tree.
    expect(bob.get_by_role("group", name=re.compile("^Your hand"))).to_have_count(0)
    for key in ("1", "p"):
        bob.keyboard.press(key)
    expect(bob.locator("#hand")).to_have_css("visibility", "visible")
    assert get_state(bob)["version"] == now["version"]  # keys do not play from a hidden hand


def test_chosen_tile_focuses_first_place_until_escape(alice):
    now = open_alone(alice, ["patient-paul"], in_first_round(is_choice_by_key))
    tile = tile_with_choice(now)
    alice.keyboard.press(str(now["hand"].index(tile) + 1))
    expect(alice.locator("#status")).to_contain_text("Choose its place:")
    expect(alice.locator("#status")).to_contain_text("An arrow key plays it there")
    places = alice.locator(f"#board .spot[data-tile='{tile}']:visible")
    expect(places.first).to_be_focused()
    alice.keyboard.press("Tab")
    expect(places.nth(1)).to_be_focused()
    alice.keyboard.press("Escape")
    expect(alice.locator("#status")).to_be_empty()
    expect(alice.locator(f"#hand .hand-tile[data-tile='{tile}']")).to_be_focused()

    alice.keyboard.press("Enter")
    expect(places.first).to_be_focused()
    alice.keyboard.press("Enter")
    expect(
        alice.locator("#hand")
    ).to_be_focused()  # "Your hand, 6 tiles", not a tile that cannot be played now
    expect(alice.locator("#status")).to_contain_text(f"You played {tile}")


def is_choice_by_key(now: dict) -> bool:
    return len(now["hand"]) <= 9 and bool(host_tile_with_choice(now))


def test_keys_type_text_in_text_field(alice):
    now = open_alone(alice, ["patient-paul"], can_play_by_key)
    alice.locator("#chat summary").click()
    message = alice.get_by_label("Message")
    message.focus()
    before = alice.locator("#status").text_content()

    alice.keyboard.type("123456789 pm lrud ehsbn")

    expect(message).to_have_value("123456789 pm lrud ehsbn")
    assert_nothing_chosen(alice, before)
    alice.locator("#chat summary").click()
    assert_only_move(alice, now)


def can_play_by_key(now: dict) -> bool:
    """Return whether each key of a tile plays it, or chooses it, for the first seat in the first round."""
    return now["you"] == 0 and len(now["layout"]) == 3 and "@" in now["legal"][0] and not now["last_round"]


def assert_nothing_chosen(page: Page, status: str | None) -> None:
    assert page.locator("#status").text_content() == status
    expect(page.locator("#hand [aria-pressed=true]")).to_have_count(0)


def assert_only_move(page: Page, now: dict) -> None:
    """Play the first legal move by the buttons, and assert that no other one was played before."""
    press_move(page, now["legal"][0], now)
    wait_for_version(page, now["version"] + 1)
    tiles = [laid["tile"] for laid in get_state(page)["layout"]]
    assert set(tiles) - {laid["tile"] for laid in now["layout"]} == {now["legal"][0].partition("@")[0]}


def test_single_keys_can_be_disabled(open_page):
    page = open_page(guest=True)
    page.goto("/preferences/")
    with page.expect_response(lambda answer: answer.request.method == "POST"):
        page.get_by_label("one-key shortcuts at the table", exact=False).uncheck(force=True)
    now = open_alone(page, ["patient-paul"], can_play_by_key)
    before = page.locator("#status").text_content()

    for key in "123456789pehsbn":
        page.keyboard.press(key)
    page.keyboard.press("Space")

    assert_nothing_chosen(page, before)
    assert_only_move(page, now)


def test_opponents_move_keeps_focus(alice, bob):
    open_match_at(lambda now: len(now["layout"]) == 3, alice, bob)
    for place in ("#hand .hand-tile >> nth=2", "#moves"):
        mover, now = wait_for_turn(alice, bob)
        other = bob if mover is alice else alice
        other.locator(place).focus()
        post_move(mover, now["legal"][0], now)
        wait_for_version(other, now["version"] + 1)
        expect(other.locator(place)).to_be_focused()


# Announcements

RECORD_ANNOUNCEMENTS_JS = """() => {
    window.heard = [];
    for (const region of document.querySelectorAll("#status, #urgent"))
        new MutationObserver(() => heard.push(region.textContent)).observe(region, { childList: true });
}"""


def is_hosts_turn_after_five_tiles(now: dict) -> bool:
    """Return whether the host is on turn after five tiles, with more than one tile in boneyard and the other's hand."""
    return (
        len(now["layout"]) == 5 and now["you"] == 0 and now["boneyard"] > 1 and now["seats"][1]["tiles"] > 1
    )


def test_query_keys_announce_state(alice):
    now = open_alone(alice, ["greta"], is_hosts_turn_after_five_tiles)
    status = alice.locator("#status")

    def asks(key: str) -> str:
        before = status.text_content()
        alice.keyboard.press(key)
        expect(status).not_to_have_text(before, use_inner_text=False)
        return status.text_content()

    ends = asks("e")
    for end, suit in now["ends"].items():
        assert f"{END_NAMES[end]}, {suit}" in ends
    assert f"Count {now['count']}" in ends
    hand = asks("h")
    for tile in now["hand"]:
        fits = [move for move in now["legal"] if move.partition("@")[0] == tile]
        said = re.search(rf"{tile} ([^.]*)", hand)[1]
        assert (
            all(f"fits the {END_NAMES[move[-1]]}, makes" in said for move in fits)
            if fits
            else said == "does not fit"
        )
    assert f"alice {now['scores'][0]}, greta {now['scores'][1]}" in asks("s")
    counts = asks("b")
    assert f"{now['boneyard']} tiles in the boneyard" in counts
    assert f"greta, {now['seats'][1]['tiles']} tiles" in counts
    assert now["layout"][-1]["tile"] in asks("n")


def test_query_keys_answer_before_first_tile(alice):
    open_alone(alice, ["greta"], lambda now: now["version"] == 0)
    for key, answer in (("e", "Nothing lies on the table."), ("n", "Round 1.")):
        alice.keyboard.press(key)
        expect(alice.locator("#status")).to_contain_text(answer)


def test_question_mark_opens_and_closes_the_list_of_keys(alice):
    open_alone(alice, ["greta"], is_hosts_turn_after_five_tiles)
    alice.set_viewport_size({"width": 1280, "height": 720})
    listed = alice.locator(".keys dl")
    expect(listed).to_be_hidden()
    alice.keyboard.press("?")
    expect(listed).to_be_in_viewport()
    resign = button(alice, "Resign").first
    resign.scroll_into_view_if_needed()
    expect(resign).to_be_in_viewport()
    alice.keyboard.press("?")
    expect(listed).to_be_hidden()


def test_call_button_without_scripts_shows_no_key(open_page):
    page = open_page("alice", scripts=False)
    open_alone(page, ["greta"], is_hosts_turn_after_five_tiles, preset="muggins-200")
    expect_value(page.locator("#call"), "call => getComputedStyle(call, '::after').display", "none")
