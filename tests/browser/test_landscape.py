"""A phone held sideways or rotated: messages over the felt, replays, the result sheet."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.playing import button, wait_for_version
from tests.browser.tables import (
    in_first_round,
    open_match_at,
    play_until,
    post_move,
    start_against_computers,
    start_match,
    wait_for_turn,
)
from tests.browser.test_screens import OUTSIDE_WINDOW_JS, OVERLAPPING_TEXT_JS, SIDEWAYS, size


def tile_with_single_end(now: dict) -> str:
    """Return a tile in the host's hand that fits exactly one end, or an empty string."""
    tiles = [move.partition("@")[0] for move in now["legal"] if "@" in move]
    return next((tile for tile in tiles if tiles.count(tile) == 1 and now["you"] == 0), "")


def test_place_of_dragged_tile_survives_rotation(alice, bob):
    now = open_match_at(in_first_round(tile_with_single_end), alice, bob)
    wait_for_version(alice, now["version"])
    tile = tile_with_single_end(now)
    button(alice, tile).hover()
    alice.mouse.down()
    place = alice.locator(f"#board .spot[data-tile='{tile}']:visible")
    for step in range(1, 20):
        alice.mouse.move(400, 500 - 10 * step)
        if place.count():
            break
        alice.wait_for_timeout(100)
    expect(place).to_have_count(1)

    alice.set_viewport_size(size(600, 900))

    expect(alice.locator("#board[data-shape=tall]")).to_be_attached()
    expect(place).to_have_count(1)
    alice.mouse.up()


RECORD_ANIMATIONS_JS = """() => {
    window.moved = [];
    document.addEventListener("animationstart", event => window.moved.push(event.animationName));
}"""
TWO_FRAMES = "() => new Promise(requestAnimationFrame).then(() => new Promise(requestAnimationFrame))"


def test_rotation_does_not_repeat_points_flash(open_page, bob):
    page = open_page("erna", phone=True, reduced_motion="no-preference")
    now = open_match_at(in_first_round(lambda now: any(now["scores"])), page, bob)
    wait_for_version(page, now["version"])
    expect(page.locator("#line-tall .flash")).to_be_visible()
    page.evaluate(RECORD_ANIMATIONS_JS)

    for shape, turned in (("wide", size(844, 390)), ("tall", size(390, 844))):
        page.set_viewport_size(turned)
        expect(page.locator(f"#board[data-shape={shape}] #line-{shape} .flash")).to_be_visible()
        page.evaluate(TWO_FRAMES)
        assert page.evaluate("moved") == []


# Whether elements of two selectors overlap by more than their edges.
OVERLAPS_JS = """([one, other]) => {
    const boxes = selector => [...document.querySelectorAll(selector)].filter(part => part.checkVisibility())
        .map(part => part.getBoundingClientRect());
    return boxes(one).some(a => boxes(other).some(b => Math.min(a.right, b.right) - Math.max(a.left, b.left) > 2
        && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 2));
}"""


def is_second_seats_turn(now: dict) -> bool:
    return now["you"] == 1 and len(now["layout"]) > 2


@pytest.mark.parametrize(("width", "height"), [(640, 360), *SIDEWAYS])
def test_landscape_premove_covers_nothing(open_page, bob, width, height):
    page = open_page("erna", phone=True)
    open_match_at(in_first_round(is_second_seats_turn), page, bob)
    page.set_viewport_size(size(width, height))
    expect(page.locator("#board[data-shape=wide]")).to_be_attached()

    for tile in page.locator("#hand .hand-tile").all():
        tile.dispatch_event("click")

        expect(page.locator("#premove")).to_contain_text(tile.get_attribute("data-tile"))
        for part in ("#board > svg .laid [data-tile]", "#hand", "#bone .draw", "#count"):
            assert not page.evaluate(OVERLAPS_JS, ["#premove", part]), part
        assert page.evaluate(OUTSIDE_WINDOW_JS, "#premove, #premove *") == []


def test_premove_appears_with_its_style(open_page, bob):
    page, held = open_page("erna"), []
    page.route(re.compile(r"/premove[.\w]*\.css"), lambda route: held.append(route))
    open_match_at(in_first_round(is_second_seats_turn), page, bob)
    page.locator("#hand .hand-tile").first.dispatch_event("click")
    while not held:
        page.wait_for_timeout(50)
    page.wait_for_timeout(500)
    expect(page.locator("#premove")).to_be_hidden()

    held[0].continue_()

    expect(page.locator("#premove")).to_be_visible()


def test_landscape_connection_message_leaves_hand_free(open_page):
    page = open_page(guest=True, phone=True, viewport=size(844, 390))
    start_against_computers(page)
    expect(page.locator("html")).to_have_attribute("data-live", "on")

    page.context.set_offline(True)

    expect(page.locator(".if-lost")).to_be_visible()
    assert not page.evaluate(OVERLAPS_JS, [".if-lost", "#hand, .hand-tile, #acts .button"])


@pytest.mark.parametrize(("width", "height"), [(640, 360), *SIDEWAYS])
def test_landscape_replay_shows_whole_line(open_page, width, height):
    page = open_page(guest=True, phone=True, viewport=size(width, height))
    start_against_computers(page)
    page, now = wait_for_turn(page)
    post_move(page, now["legal"][0], now)
    page, now = wait_for_turn(page)
    post_move(page, "resign", now)
    page.goto(f"/games/{now['match']}/replay/?move=2")

    parts = ".replay .board, .replay .board svg .laid [data-tile], .replay .seat, .steps .icon-button"
    assert page.evaluate(OUTSIDE_WINDOW_JS, parts) == []
    for part in (".replay .board", ".replay .seat", ".glance"):
        assert not page.evaluate(OVERLAPS_JS, [".steps", part]), part
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    words = page.locator(".glance p")
    expect(words).to_be_in_viewport()
    expect(words).to_contain_text("Round 1")
    expect(words).to_contain_text(page.locator("#said").text_content())
    page.locator(".glance").get_by_role("link", name="Back to the table").click()
    expect(page).to_have_url(re.compile(f"/games/{now['match']}/$"))


@pytest.mark.parametrize(("width", "height"), [(390, 844), (360, 640), *SIDEWAYS])
def test_hand_and_buttons_fit_window_without_scripts(open_page, width, height):
    page = open_page(guest=True, phone=True, viewport=size(width, height))
    start_against_computers(page)
    page, now = wait_for_turn(page)
    plain = open_page(
        phone=True, scripts=False, viewport=size(width, height), storage_state=page.context.storage_state()
    )
    plain.goto(f"/games/{now['match']}/?still=1")

    expect(plain.locator(".reload-link")).to_be_visible()
    for part in (".hand-tile", "#acts .button", "#bone .draw", ".reload-link a"):
        for one in plain.locator(part).all():
            box = one.bounding_box()
            if box:
                assert box["y"] >= 0 and box["y"] + box["height"] <= height + 1, part


# Parts of the result sheet that are clipped.
CLIPPED_RESULT_JS = """() => {
    const sheet = document.querySelector("#over").getBoundingClientRect();
    const beyond = part => {
        const box = part.getBoundingClientRect();
        return box.left < sheet.left || box.right > sheet.right || box.bottom > Math.min(sheet.bottom, innerHeight);
    };
    return [
        ...[...document.querySelectorAll("#over .choices > *")].filter(beyond),
        ...[...document.querySelectorAll("#over .result > span")].filter(
            side => beyond(side) || side.scrollWidth > side.clientWidth + 1),
    ].map(part => part.textContent.trim());
}"""


def test_result_sheet_fits_every_phone(open_page):
    guests = [open_page(guest=True, phone=True) for _ in range(4)]
    start_match(*guests, target="50")
    now = play_until(lambda now: now["status"] == "finished", *guests)
    page = guests[0]
    for width, height in ((640, 360), *SIDEWAYS, (390, 844), (360, 640)):
        page.set_viewport_size(size(width, height))
        page.goto(f"/games/{now['match']}/")
        for name in page.locator("#over .result > span > span").all():  # the longest guest name
            name.evaluate("name => name.lastChild.replaceWith('dapper-dormouse-2097')")
        for score in page.locator("#over .result b").all():
            score.evaluate("score => { score.textContent = '135'; }")
        expect(button(page, "Rematch")).to_be_visible()

        assert page.evaluate(CLIPPED_RESULT_JS) == [], (width, height)


IS_UNCOVERED_JS = """part => {
    const box = part.getBoundingClientRect();
    const shown = document.elementFromPoint(box.x + box.width / 2, box.bottom - 4);
    return part.contains(shown);
}"""


def test_offer_and_sum_stay_in_view_of_a_long_sheet(open_page):
    asking, asked = open_page(guest=True), open_page(guest=True, phone=True)
    start_match(asking, asked, preset="block", target="80")  # more than one round can give
    play_until(lambda now: now["status"] == "finished", asking, asked)
    button(asking, "Rematch").click()
    offer = asked.locator("#over .offer")
    expect(offer).to_contain_text("rematch")
    for width, height in ((390, 844), (844, 390)):
        asked.set_viewport_size(size(width, height))
        assert offer.evaluate(IS_UNCOVERED_JS), (width, height)

    rounds = asking.locator("#over .by-round")
    rounds.locator("table").evaluate("table => { table.style.width = '600px'; }")  # as after many rounds
    box, total = rounds.bounding_box(), rounds.locator("td.by-round-sum").first.bounding_box()
    assert total["x"] + total["width"] <= box["x"] + box["width"] + 1


# The lower edge of the board, the upper one of the ledger, and the least width of a tile of nine open ones.
LEDGER_JS = """() => {
    const hand = document.querySelector(".open-hands:has(.open-tile)"), tile = hand.querySelector(".open-tile");
    for (const old of [...hand.querySelectorAll(".open-tile")].slice(1)) old.remove();
    for (let i = 1; i < 9; i++) tile.after(tile.cloneNode(true));
    const widths = [...hand.querySelectorAll(".open-tile")].map(each => each.getBoundingClientRect().width);
    const box = selector => document.querySelector(selector).getBoundingClientRect();
    return [box("#board").bottom, box(".ledger").top, Math.min(...widths)];
}"""
LEAST_OPEN_TILE_PX = 10


def test_landscape_end_of_a_round_leaves_line_and_hands_readable(open_page):
    guests = [open_page(guest=True, phone=True) for _ in range(4)]
    start_match(*guests, preset="muggins-200-pairs", target="50")
    play_until(lambda now: now["status"] == "finished", *guests)
    page = guests[0]
    page.set_viewport_size(size(667, 375))
    expect(page.locator("#over")).to_be_visible()
    sheet, line = page.locator("#over").bounding_box(), page.locator("#board").bounding_box()
    assert line["x"] < 10 and line["x"] + line["width"] <= sheet["x"] + 1

    page.locator("#close-sheet").click()

    page.locator(".ledger h2").evaluate("title => { title.textContent += ' and a long title'.repeat(5); }")
    board, ledger, tile = page.evaluate(LEDGER_JS)
    assert board <= ledger + 1
    assert tile >= LEAST_OPEN_TILE_PX
    assert page.evaluate(OVERLAPPING_TEXT_JS) == []


def test_landscape_button_holds_its_words(open_page):
    page = open_page(guest=True, phone=True, viewport=size(844, 390))
    start_against_computers(page, "kozel")
    page.locator("#acts").evaluate(
        """acts => { acts.innerHTML = '<button class="button together">Сыграть 1 кость</button>'; }"""
    )
    room = page.locator("#acts .together").evaluate("""button => {
        const words = document.createRange();
        words.selectNodeContents(button);
        const [inner, outer] = [words.getBoundingClientRect(), button.getBoundingClientRect()];
        return Math.min(inner.left - outer.left, outer.right - inner.right);
    }""")
    assert room >= 4


def test_replay_plates_show_the_tile_that_was_played(open_page):
    guests = [open_page(guest=True, phone=True) for _ in range(4)]
    start_match(*guests, preset="dominican", target="20")
    now = play_until(lambda now: now["status"] == "finished", *guests)
    page = guests[0]
    for width, height in ((390, 844), (640, 360), (667, 375), *SIDEWAYS):
        page.set_viewport_size(size(width, height))
        page.goto(f"/games/{now['match']}/replay/?move=4")
        page.locator(".replay .name a").evaluate_all(
            "names => names.forEach(a => { a.textContent = 'Anna'; })"
        )
        cut = page.locator(".replay .subline").evaluate_all(
            "facts => facts.filter(fact => fact.scrollWidth > fact.clientWidth).map(fact => fact.textContent)"
        )
        assert cut == [], (width, height)
