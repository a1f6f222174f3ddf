"""A phone held sideways or rotated: messages over the felt, replays, the result sheet."""

import re

from playwright.sync_api import expect

from tests.browser.layout import (
    LONGEST_GUESTS,
    NO_OVERLAPPING_TEXT,
    NO_SIDEWAYS_SCROLL,
    SIDEWAYS,
    Check,
    find_faults,
    find_faults_at,
    is_first,
    outside,
    settle,
    size,
)
from tests.browser.playing import button, wait_for_version
from tests.browser.tables import in_first_round, open_alone, open_ended_match, post_move
from tests.browser.waiting import expect_box, expect_value, until
from tests.waiting import attempts


def tile_with_single_end(now: dict) -> str:
    """Return a tile in the host's hand that fits exactly one end, or an empty string."""
    tiles = [move.partition("@")[0] for move in now["legal"] if "@" in move]
    return next((tile for tile in tiles if tiles.count(tile) == 1 and now["you"] == 0), "")


def test_place_of_dragged_tile_survives_rotation(alice):
    now = open_alone(alice, LONGEST_GUESTS[:1], in_first_round(tile_with_single_end))
    wait_for_version(alice, now["version"])
    tile = tile_with_single_end(now)
    button(alice, tile).hover()
    alice.mouse.down()
    place = alice.locator(f"#board .spot[data-tile='{tile}']:visible")
    for step in attempts("the place of the dragged tile"):
        alice.mouse.move(400, 500 - 10 * (step % 20))
        if place.count():
            break
    expect(place).to_have_count(1)

    alice.set_viewport_size(size(600, 900))

    expect(alice.locator("#board[data-shape=tall]")).to_be_attached()
    expect(place).to_have_count(1)
    alice.mouse.up()


RECORD_ANIMATIONS_JS = """() => {
    window.moved = [];
    document.addEventListener("animationstart", event => window.moved.push(event.animationName));
}"""


def test_rotation_does_not_repeat_points_flash(open_page):
    page = open_page(guest=True, phone=True, reduced_motion="no-preference")
    just_scored = in_first_round(lambda now: now["you"] == 0 and now["scores"][1])
    now = open_alone(page, LONGEST_GUESTS[:1], just_scored)
    wait_for_version(page, now["version"])
    expect(page.locator("#line-tall .flash")).to_be_visible()
    settle(page)
    page.evaluate(RECORD_ANIMATIONS_JS)

    for shape, turned in (("wide", size(844, 390)), ("tall", size(390, 844))):
        page.set_viewport_size(turned)
        expect(page.locator(f"#board[data-shape={shape}] #line-{shape} .flash")).to_be_visible()
        settle(page)  # an animation would begin with the next frame
        expect_value(page, "() => moved", [])


# Pairs of selectors whose elements overlap by more than their edges.
OVERLAPS_JS = """pairs => {
    const boxes = selector => [...document.querySelectorAll(selector)].filter(part => part.checkVisibility())
        .map(part => part.getBoundingClientRect());
    return pairs.filter(([one, other]) => boxes(one).some(a => boxes(other).some(
        b => Math.min(a.right, b.right) - Math.max(a.left, b.left) > 2
            && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 2)));
}"""


def no_overlap(part: str, *others: str) -> Check:
    return Check("overlap", OVERLAPS_JS, [[part, other] for other in others])


def is_other_seats_turn(now: dict) -> bool:
    return now["you"] == 1 and len(now["layout"]) > 2


def test_landscape_premove_covers_nothing(open_page):
    page, faults = open_page(guest=True, phone=True, viewport=size(640, 360)), []
    open_alone(page, LONGEST_GUESTS[:1], in_first_round(is_other_seats_turn))
    parts = ("#board > svg .laid [data-tile]", "#hand", "#bone .draw", "#count")
    checks = (no_overlap("#premove", *parts), outside("#premove, #premove *"))
    for width, height in ((640, 360), *SIDEWAYS):
        page.set_viewport_size(size(width, height))
        expect(page.locator("#board[data-shape=wide]")).to_be_attached()
        for tile in page.locator("#hand .hand-tile").all():
            tile.dispatch_event("click")
            name = tile.get_attribute("data-tile")
            expect(page.locator("#premove")).to_contain_text(name)
            faults += find_faults(page, *checks, what=name)
        page.locator("#premove .take-back").click()
        expect(page.locator("#premove")).to_be_hidden()
    assert faults == []


def test_premove_appears_with_its_style(open_page):
    page, held = open_page(guest=True), []
    page.route(re.compile(r"/premove[.\w]*\.css"), lambda route: held.append(route))
    open_alone(page, LONGEST_GUESTS[:1], in_first_round(is_other_seats_turn))
    page.locator("#hand .hand-tile").first.dispatch_event("click")
    until(page, lambda: held, "the request for the style")
    settle(page)
    expect(page.locator("#premove")).to_be_hidden()

    held[0].continue_()

    expect(page.locator("#premove")).to_be_visible()


def test_landscape_connection_message_leaves_hand_free(open_page):
    page = open_page(guest=True, phone=True, viewport=size(844, 390))
    open_alone(page, LONGEST_GUESTS[:1], is_first)
    expect(page.locator("html")).to_have_attribute("data-live", "on")

    page.context.set_offline(True)

    expect(page.locator(".if-lost")).to_be_visible()
    assert find_faults(page, no_overlap(".if-lost", "#hand, .hand-tile, #acts .button")) == []


def has_two_moves(now: dict) -> bool:
    return now["you"] == 0 and now["version"] > 1


def test_landscape_replay_shows_whole_line(open_page):
    page = open_page(guest=True, phone=True, viewport=size(640, 360))
    now = open_alone(page, LONGEST_GUESTS[:1], in_first_round(has_two_moves))
    post_move(page, "resign", now)
    page.goto(f"/games/{now['match']}/replay/?move=2")

    parts = ".replay .board, .replay .board svg .laid [data-tile], .replay .seat, .steps .icon-button"
    steps = no_overlap(".steps", ".replay .board", ".replay .seat", ".glance")
    sizes = ((640, 360), *SIDEWAYS)
    in_view = outside(f"{parts}, .glance p")
    assert find_faults_at(page, sizes, in_view, steps, NO_SIDEWAYS_SCROLL) == []
    words = page.locator(".glance p")
    expect(words).to_be_in_viewport()
    expect(words).to_contain_text("Round 1")
    expect(words).to_contain_text(page.locator("#said").text_content())
    page.locator(".glance").get_by_role("link", name="Back to the table").click()
    expect(page).to_have_url(re.compile(f"/games/{now['match']}/$"))


# Parts of the result sheet that are clipped, with the longest names and scores.
CLIPPED_RESULT_JS = """() => {
    for (const name of document.querySelectorAll("#over .result > span > span"))
        name.lastChild.replaceWith("dapper-dormouse-2097");
    for (const score of document.querySelectorAll("#over .result b")) score.textContent = "135";
    const sheet = document.querySelector("#over").getBoundingClientRect();
    const beyond = part => {
        const box = part.getBoundingClientRect();
        return box.left < sheet.left || box.right > sheet.right || box.bottom > Math.min(sheet.bottom, innerHeight);
    };
    return [
        ...[...document.querySelectorAll("#over .choices .button")].filter(beyond),
        ...[...document.querySelectorAll("#over .result > span")].filter(
            side => beyond(side) || side.scrollWidth > side.clientWidth + 1),
    ].map(part => part.textContent.trim());
}"""


# Whether the final line, which grows no more, takes less of the board than its tiles could have.
LINE_TOO_SMALL_JS = """() => {
    const svg = [...document.querySelectorAll("#board > svg:not(.places)")].find(each => each.getClientRects().length);
    const board = svg.getBoundingClientRect(), scale = svg.getScreenCTM().a, line = svg.getBBox();
    const part = Math.max(line.width * scale / board.width, line.height * scale / board.height);
    return part > 0.85 || 80 * scale > 60 ? [] : [part, 80 * scale];
}"""


def test_result_sheet_and_final_line_fit_every_phone(open_page):
    page = open_page(guest=True, phone=True)
    open_ended_match(page, others=LONGEST_GUESTS, target="50")
    expect(button(page, "Rematch")).to_be_visible()
    sizes = ((640, 360), *SIDEWAYS, (390, 844), (360, 640))
    assert find_faults_at(page, sizes, Check("clipped", CLIPPED_RESULT_JS)) == []
    for width, height in ((390, 844), (844, 390)):
        page.set_viewport_size(size(width, height))
        expect_value(page, LINE_TOO_SMALL_JS, [])


IS_UNCOVERED_JS = """part => {
    const box = part.getBoundingClientRect();
    const shown = document.elementFromPoint(box.x + box.width / 2, box.bottom - 4);
    return part.contains(shown);
}"""
IS_SUM_IN_VIEW_JS = """rounds => rounds.querySelector("td.by-round-sum").getBoundingClientRect().right
    <= rounds.getBoundingClientRect().right + 1"""


def test_offer_and_sum_stay_in_view_of_a_long_sheet(open_page):
    asking, asked = open_page(guest=True), open_page(guest=True, phone=True)
    open_ended_match(asking, asked, preset="block", target="80")  # more than one round can give
    button(asking, "Rematch").click()
    offer = asked.locator("#over .offer")
    expect(offer).to_contain_text("rematch")
    for width, height in ((390, 844), (844, 390)):
        asked.set_viewport_size(size(width, height))
        settle(asked)
        expect_value(offer, IS_UNCOVERED_JS)

    rounds = asking.locator("#over .by-round")
    rounds.locator("table").evaluate("table => { table.style.width = '600px'; }")  # as after many rounds
    expect_value(rounds, IS_SUM_IN_VIEW_JS)


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
    page = open_page(guest=True, phone=True, viewport=size(667, 375))
    names = ("calm-beaver-4868", "keen-owl-2097", "merry-marten-8648")  # on two lines each
    open_ended_match(page, others=names, preset="muggins-200-pairs", target="50")
    expect(page.locator("#over")).to_be_visible()
    settle(page)
    left = page.locator("#over").bounding_box()["x"]
    expect_box(page.locator("#board"), lambda line: line["x"] < 10 and line["x"] + line["width"] <= left + 1)

    page.locator("#close-sheet").click()

    expect(page.locator("#over")).to_be_hidden()
    page.locator(".ledger h2").evaluate("title => { title.textContent += ' and a long title'.repeat(5); }")
    readable = lambda found: found[0] <= found[1] + 1 and found[2] >= LEAST_OPEN_TILE_PX  # noqa: E731
    expect_value(page, LEDGER_JS, readable)
    assert find_faults(page, NO_OVERLAPPING_TEXT) == []


# The room beside the words of the button.
ROOM_BESIDE_WORDS_JS = """button => {
    const words = document.createRange();
    words.selectNodeContents(button);
    const [inner, outer] = [words.getBoundingClientRect(), button.getBoundingClientRect()];
    return Math.min(inner.left - outer.left, outer.right - inner.right);
}"""


def tile_played_with_others(now: dict) -> str:
    """Return a tile of the host that may be played together with another, or an empty string."""
    moves = [move for move in now["legal"] if "+" in move and now["you"] == 0]
    return moves[0].partition("+")[0].partition("@")[0] if moves else ""


def test_landscape_button_holds_its_words(open_page):
    page = open_page(guest=True, phone=True, viewport=size(844, 390), locale="ru")
    several = in_first_round(tile_played_with_others)
    now = open_alone(page, LONGEST_GUESTS[:1], several, preset="kozel")
    wait_for_version(page, now["version"])
    page.locator(f"#hand .hand-tile[data-tile='{tile_played_with_others(now)}']").click()
    together = page.locator("#acts .together")
    expect(together).to_have_text("Сыграть 1 кость")
    expect_value(together, ROOM_BESIDE_WORDS_JS, lambda room: room >= 4)
