"""A match without a mouse: single keys, Tab and Enter, live regions."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import run_quick_site
from tests.browser.playing import END_NAMES, button, get_state, match_code, wait_for_version
from tests.browser.tables import (
    in_first_round,
    open_match_at,
    post_move,
    start_against_computers,
    start_match,
    wait_for_turn,
)
from tests.server import Site

ARROW = {"L": "ArrowLeft", "R": "ArrowRight", "U": "ArrowUp", "D": "ArrowDown"}
TO = {"": "", "L": " to the left", "R": " to the right", "U": " upwards", "D": " downwards"}
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


def focus(page: Page) -> str:
    return page.evaluate(FOCUS_VISIBLE_JS)


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


# The name of the focused element, without its aria-hidden countdown.
FOCUSED_NAME_JS = """() => document.activeElement.ariaLabel
    ?? [...document.activeElement.childNodes].filter(part => part.ariaHidden !== "true")
        .map(part => part.textContent).join("").trim()"""


def tab_to(page: Page, name: str, key: str = "Tab") -> None:
    for _ in range(120):
        page.keyboard.press(key)
        assert focus(page) in ("seen", "lost")  # lost: the focus is in the browser's toolbar
        if page.evaluate(FOCUSED_NAME_JS) == name:
            return
    raise AssertionError(f"{key} does not come to {name}")


@pytest.mark.parametrize("way", [move_by_keys, move_by_tab])
def test_match_by_keyboard_only(open_page, way):
    page, other = open_page(guest=True), open_page(guest=True)
    start_match(page, other, target="20")
    if way is move_by_tab:
        page.evaluate("document.documentElement.dataset.keys = 'off'")
    tab_to(page, "Skip to the main part")
    page.keyboard.press("Enter")
    for _ in range(300):
        mover, now = wait_for_turn(page, other)
        wait_for_version(page, now["version"])
        if now["status"] == "finished":
            break
        proceed = button(page, "Continue")
        if proceed.is_visible():
            tab_to(page, "Continue")
            page.keyboard.press("Enter")
            expect(proceed).to_be_hidden()
            assert focus(page) == "seen"
        if mover is other:
            post_move(other, now["legal"][0], now)
            wait_for_version(page, now["version"] + 1)
            continue
        way(page, now)
        wait_for_version(page, now["version"] + 1)
        assert focus(page) == "seen"
    expect(page.locator("#over")).to_be_visible()
    assert focus(page) == "seen"


def has_multi_tile_move(now: dict) -> bool:
    """Return whether there is a move of several tiles and all tiles have a key."""
    return len(now["hand"]) <= 9 and any("+" in move for move in now["legal"])


def test_multi_tile_move_by_keys(alice, bob):
    now = open_match_at(in_first_round(has_multi_tile_move), alice, bob, preset="gomuggins")
    page, _ = wait_for_turn(alice, bob)
    wait_for_version(page, now["version"])
    move = next(move for move in now["legal"] if "+" in move)
    for part in move.split("+"):
        tile, _, end = part.partition("@")
        page.keyboard.press(str(now["hand"].index(tile) + 1))
        page.keyboard.press(ARROW[end])

    page.keyboard.press("Enter")

    wait_for_version(page, now["version"] + 1)
    assert {laid["tile"] for laid in get_state(page)["layout"]} >= {part[:3] for part in move.split("+")}
    assert focus(page) == "seen"


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


def test_arrows_cycle_through_extra_ends(alice, bob):
    now = open_match_at(in_first_round(tile_with_extra_end), alice, bob, preset="five-up")
    page, _ = wait_for_turn(alice, bob)
    wait_for_version(page, now["version"])
    tile = tile_with_extra_end(now)
    places = {move for move in now["legal"] if move.startswith(f"{tile}@")}
    page.keyboard.press(str(now["hand"].index(tile) + 1))

    visited = []
    for _ in range(len(places) + 1):
        page.keyboard.press("ArrowRight")
        visited.append(page.evaluate("document.activeElement.value"))
    assert set(visited) == places and visited[0] == visited[-1]
    page.keyboard.press("ArrowLeft")
    assert page.evaluate("document.activeElement.value") == visited[-2]
    page.keyboard.press("Enter")

    wait_for_version(page, now["version"] + 1)
    assert tile in {laid["tile"] for laid in get_state(page)["layout"]}


def test_focus_moves_to_hand_after_round_end(alice, bob):
    between_rounds = lambda now: now["last_round"] and not now["layout"]  # noqa: E731
    now = open_match_at(between_rounds, alice, bob, watched=True)
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


def test_chosen_tile_focuses_first_place_until_escape(alice, bob):
    def has_choice_of_places(now: dict) -> bool:
        return len(now["hand"]) <= 9 and any(has_choice(move.partition("@")[0], now) for move in now["legal"])

    now = open_match_at(in_first_round(has_choice_of_places), alice, bob)
    page, _ = wait_for_turn(alice, bob)
    wait_for_version(page, now["version"])
    tile = next(tile for tile in (move.partition("@")[0] for move in now["legal"]) if has_choice(tile, now))
    page.keyboard.press(str(now["hand"].index(tile) + 1))
    expect(page.locator("#status")).to_contain_text("Choose its place:")
    expect(page.locator("#status")).to_contain_text("An arrow key plays it there")
    places = page.locator(f"#board .spot[data-tile='{tile}']:visible")
    expect(places.first).to_be_focused()
    page.keyboard.press("Tab")
    expect(places.nth(1)).to_be_focused()
    page.keyboard.press("Escape")
    expect(page.locator("#status")).to_be_empty()
    expect(page.locator(f"#hand .hand-tile[data-tile='{tile}']")).to_be_focused()


def test_keys_type_text_in_text_field(open_page):
    page = open_page(guest=True)
    start_against_computers(page)
    _, now = wait_for_turn(page)
    wait_for_version(page, now["version"])
    page.locator("#chat summary").click()
    message = page.get_by_label("Message")
    message.focus()
    before = page.locator("#status").text_content()

    page.keyboard.type("123456789 pm lrud ehsbn")

    assert message.input_value() == "123456789 pm lrud ehsbn"
    assert page.locator("#status").text_content() == before
    assert page.locator("#hand [aria-pressed=true]").count() == 0
    assert get_state(page)["version"] == now["version"]


def test_single_keys_can_be_disabled(open_page):
    page = open_page(guest=True)
    page.goto("/preferences/")
    with page.expect_response(lambda answer: answer.request.method == "POST"):
        page.get_by_label("one-key shortcuts at the table", exact=False).uncheck(force=True)
    start_against_computers(page)
    _, now = wait_for_turn(page)
    wait_for_version(page, now["version"])
    before = page.locator("#status").text_content()

    for key in "123456789pehsbn":
        page.keyboard.press(key)
    page.keyboard.press("Space")

    page.wait_for_timeout(200)
    assert get_state(page)["version"] == now["version"]
    assert page.locator("#hand [aria-pressed=true]").count() == 0
    assert page.locator("#status").text_content() == before


def test_opponents_move_keeps_focus(alice, bob):
    start_match(alice, bob)
    mover, now = wait_for_turn(alice, bob)
    other = bob if mover is alice else alice
    for place in (other.locator("#hand .hand-tile").nth(2), other.locator("#moves")):
        place.focus()
        mover, now = wait_for_turn(alice, bob)
        if mover is other:
            break
        post_move(mover, now["legal"][0], now)
        wait_for_version(other, now["version"] + 1)
        expect(place).to_be_focused()


# Announcements

RECORD_ANNOUNCEMENTS_JS = """() => {
    window.heard = [];
    for (const region of document.querySelectorAll("#status, #urgent"))
        new MutationObserver(() => heard.push(region.textContent)).observe(region, { childList: true });
}"""


def test_every_move_is_announced_once(alice, bob):
    start_match(alice, bob, target="30")
    for page in (alice, bob):
        page.evaluate(RECORD_ANNOUNCEMENTS_JS)
        expect(page.locator("#status")).to_have_attribute("aria-live", "polite")

    for _ in range(300):
        page, now = wait_for_turn(alice, bob)
        if now["status"] == "finished":
            break
        post_move(page, now["legal"][0], now)
        for each in (alice, bob):
            wait_for_version(each, now["version"] + 1)

    record = alice.request.get(f"/games/{match_code(alice)}/record.json").json()
    for page, seat in ((alice, 0), (bob, 1)):
        expect(page.locator("#status")).to_contain_text(page.locator("#over h2").text_content())
        heard = " ".join(page.evaluate("heard"))
        said = re.findall(r"(?:alice|bob|You) (?:led|played|drew|passed)[^.:]*", heard)
        assert [re.sub(r"drew \d-\d", "drew a tile", each) for each in said] == [
            sentence for round_ in record["rounds"] for sentence in in_words(round_["moves"], seat)
        ]
        assert "Your turn." in heard


def in_words(moves: list[dict], listener: int) -> Iterator[str]:
    """Yield the sentence of each move of a round; draws of another player are counted, as each arrives alone.

    A draw that ends the round names its tile, as all hands are open then.
    """
    draws = 0
    for number, move in enumerate(moves, 1):
        name = "You" if move["seat"] == listener else ("alice", "bob")[move["seat"]]
        draws = draws + 1 if move["move"] == "draw" else 0
        if draws:
            is_named = name == "You" or number == len(moves)
            yield f"{name} drew {'a tile' if is_named or draws == 1 else f'{draws} tiles in a row'}"
        elif move["move"] == "pass":
            yield f"{name} passed"
        else:
            tile, _, end = move["move"].partition("@")
            points = f", {move['scored']} points" if move["scored"] else ""
            yield f"{name} {'played' if end else 'led'} {tile}{TO[end]}{points}"


def is_alices_turn_after_five_tiles(now: dict) -> bool:
    """Return whether alice is on turn after five tiles, with more than one tile in boneyard and bob's hand."""
    return (
        len(now["layout"]) == 5 and now["you"] == 0 and now["boneyard"] > 1 and now["seats"][1]["tiles"] > 1
    )


def test_query_keys_announce_state(alice, bob):
    now = open_match_at(is_alices_turn_after_five_tiles, alice, bob)
    wait_for_version(alice, now["version"])
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
    assert f"alice {now['scores'][0]}, bob {now['scores'][1]}" in asks("s")
    counts = asks("b")
    assert f"{now['boneyard']} tiles in the boneyard" in counts
    assert f"bob, {now['seats'][1]['tiles']} tiles" in counts
    assert now["layout"][-1]["tile"] in asks("n")


def test_query_keys_answer_before_first_tile(alice, bob):
    start_match(alice, bob)
    wait_for_version(alice, 0)
    for key, answer in (("e", "Nothing lies on the table."), ("n", "Round 1.")):
        alice.keyboard.press(key)
        expect(alice.locator("#status")).to_contain_text(answer)


def test_question_mark_opens_and_closes_the_list_of_keys(alice):
    start_against_computers(alice)
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


def test_line_is_described_in_text(alice, bob):
    now = open_match_at(lambda now: len(now["layout"]) == 6, alice, bob)
    wait_for_version(alice, now["version"])
    words = alice.locator("#board .visually-hidden").text_content()
    assert f"Lead: {now['layout'][0]['tile']}." in words
    assert all(laid["tile"] in words for laid in now["layout"])


def test_call_button_without_scripts_shows_no_key(open_page):
    page = open_page(guest=True, scripts=False)
    start_against_computers(page, "muggins-200")
    assert page.locator("#call").evaluate("call => getComputedStyle(call, '::after').display") == "none"
