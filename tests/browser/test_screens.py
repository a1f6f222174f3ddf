"""The table on screens of all shapes: nothing outside the window, too small or covered."""

import pytest
from playwright.sync_api import expect

from tests.browser.playing import button, get_state, press_move, wait_for_version
from tests.browser.tables import (
    host_tile_with_choice,
    in_first_round,
    open_match,
    open_match_at,
    open_table,
    start_against_computers,
    start_match,
    start_unwatched_match,
    wait_for_turn,
)

SIDEWAYS = [(844, 390), (932, 430)]
MIN_HALF_TILE_PX = 20
NEXT_BOARD_FACTOR = 1.22  # one long line in fifty needs the next larger board
MIN_TOUCH_PX = 44

HALF_TILE_JS = """() => {
    const seen = [...document.querySelectorAll("#board > svg")].find(svg => svg.getClientRects().length);
    return 40 * seen.getScreenCTM().a;
}"""
OUTSIDE_WINDOW_JS = """selector => [...document.querySelectorAll(selector)]
    .filter(part => part.getClientRects().length)
    .filter(part => {
        const box = part.getBoundingClientRect();
        return box.left < -1 || box.top < -1 || box.right > innerWidth + 1 || box.bottom > innerHeight + 1;
    })
    .map(part => part.outerHTML.slice(0, 90))"""
# Pairs of overlapping texts.
OVERLAPPING_TEXT_JS = """() => {
    const hidden = part => part && (getComputedStyle(part).clipPath !== "none" || hidden(part.parentElement));
    const words = [];
    const walk = document.createTreeWalker(document.querySelector("#play-room"), NodeFilter.SHOW_TEXT);
    for (let node = walk.nextNode(); node; node = walk.nextNode()) {
        const part = node.parentElement;
        if (!node.data.trim() || !part.checkVisibility({ visibilityProperty: true })) continue;
        if (part.closest(".visually-hidden, .over, .rail, svg") || hidden(part)) continue;
        const range = document.createRange();
        range.selectNodeContents(node);
        for (const line of range.getClientRects()) {
            let [left, right, top, bottom] = [line.left, line.right, line.top + 2, line.bottom - 2];
            for (let around = part; around; around = around.parentElement) {
                if (around !== part && getComputedStyle(around).overflowX === "visible") continue;
                const box = around.getBoundingClientRect();  // clipped text is not visible
                [left, right] = [Math.max(left, box.left), Math.min(right, box.right)];
                [top, bottom] = [Math.max(top, box.top), Math.min(bottom, box.bottom)];
            }
            if (right > left && bottom > top) words.push({ node, left, right, top, bottom });
        }
    }
    return words.flatMap((one, i) => words.slice(i + 1)
        .filter(other => one.node !== other.node)
        .filter(other => Math.min(one.right, other.right) - Math.max(one.left, other.left) > 2
            && Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top) > 4)
        .map(other => [one.node.data.trim(), other.node.data.trim()]));
}"""
TRUNCATED_NAMES_JS = """() => [...document.querySelectorAll(".seat .name a, .player-name")]
    .filter(name => name.checkVisibility() && getComputedStyle(name).clipPath === "none")
    .filter(name => name.scrollWidth > name.clientWidth + 1).map(name => name.textContent)"""
PARTS = (
    "#board button.spot, #hand .hand-tile, #acts .button, #bone .button, #claim label, .seat, .racer, #peek"
)


def size(width: int, height: int) -> dict[str, int]:
    return {"width": width, "height": height}


def assert_table_fits_window(page) -> None:
    assert page.evaluate(OUTSIDE_WINDOW_JS, PARTS) == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert page.evaluate("document.documentElement.scrollHeight <= innerHeight")
    assert page.evaluate(OVERLAPPING_TEXT_JS) == []
    assert page.evaluate(TRUNCATED_NAMES_JS) == []


@pytest.mark.parametrize(("width", "height"), SIDEWAYS)
@pytest.mark.parametrize("preset", ["all-fives", "muggins-200-pairs", "sebastopol"])
def test_landscape_phone_shows_whole_table(open_page, preset, width, height):
    page = open_page(guest=True, phone=True)
    page.set_viewport_size(size(width, height))
    start_against_computers(page, preset, 2 if preset == "all-fives" else 4)
    page, now = wait_for_turn(page)
    wait_for_version(page, now["version"])

    assert_table_fits_window(page)
    assert page.evaluate(HALF_TILE_JS) >= MIN_HALF_TILE_PX
    for box in page.locator("#acts .button, #bone .draw").evaluate_all(
        "buttons => buttons.map(each => each.getBoundingClientRect().toJSON())"
    ):
        assert box["height"] >= MIN_TOUCH_PX or not box["height"]


def test_longest_lines_stay_readable(open_page, bob):
    page = open_page("erna", phone=True)
    rules = {"rule-set": "12", "rule-hand_size": "9", "target": "500"}
    long_line = lambda now: len(now["layout"]) >= 31  # noqa: E731
    now = open_match_at(long_line, page, bob, preset="draw", **rules)

    for width, height in (*SIDEWAYS, (360, 640)):
        page.set_viewport_size(size(width, height))
        page.goto(f"/games/{now['match']}/")
        wait_for_version(page, now["version"])
        assert NEXT_BOARD_FACTOR * page.evaluate(HALF_TILE_JS) >= MIN_HALF_TILE_PX - (width == 360) * 4, (
            width,
            height,
        )
        assert_table_fits_window(page)


LOOKS = {
    "phone": {"phone": True},
    "sideways": {"phone": True, "viewport": size(844, 390)},
    "small sideways": {"phone": True, "viewport": size(640, 360)},
    "desktop": {},
}


@pytest.mark.parametrize("look", LOOKS.values(), ids=LOOKS)
@pytest.mark.parametrize(("preset", "seats"), [("all-fives", 2), ("muggins-200-pairs", 4)])
def test_no_overlap_at_double_text_size(open_page, preset, seats, look):
    page = open_page(guest=True, **look)
    start_against_computers(page, preset, seats)
    page, now = wait_for_turn(page)
    wait_for_version(page, now["version"])

    page.evaluate("document.documentElement.style.fontSize = '200%'")

    assert page.evaluate(OVERLAPPING_TEXT_JS) == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert page.evaluate("document.querySelector('#board').clientWidth > 0.4 * innerWidth")


@pytest.mark.parametrize("language", ["en", "ru", "es"])
def test_landscape_buttons_fit_at_double_text_size(open_page, language):
    page = open_page(guest=True, phone=True, viewport=size(640, 360), locale=language)
    start_against_computers(page, "muggins-200", 2)
    page, now = wait_for_turn(page)
    wait_for_version(page, now["version"])

    page.evaluate("document.documentElement.style.fontSize = '200%'")

    wide = "buttons => buttons.filter(each => each.scrollWidth > each.clientWidth + 1).map(each => each.id)"
    assert page.locator("#acts .button, #bone .draw").evaluate_all(wide) == []


# Elements that a click in their middle does not reach.
UNCLICKABLE_JS = """selector => [...document.querySelectorAll(selector)]
    .filter(part => part.checkVisibility({ visibilityProperty: true }))
    .filter(part => {
        const box = part.getBoundingClientRect();
        return !part.contains(document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2));
    })
    .map(part => part.outerHTML.slice(0, 90))"""


@pytest.mark.parametrize("held", [10, 15, 24, 36])
def test_all_tiles_and_boneyard_are_clickable(open_page, bob, held):
    page = open_page("erna")
    start_match(page, bob, preset="draw", **{"rule-set": "12", "rule-hand_size": str(held), "target": "500"})
    for width, height in ((1280, 800), (1180, 800), (1000, 700), (861, 700), (768, 1024), (390, 844)):
        page.set_viewport_size(size(width, height))
        assert page.evaluate(UNCLICKABLE_JS, "#hand .hand-tile, #bone .draw, #acts .button") == [], width


def test_strip_of_waiting_table_covers_nothing(open_page, bob):
    page = open_page("wanda")  # her only match: others, in which it is her turn, would come first
    start_match(page, bob, clock="1800+20")
    open_table(page, clock="1800+20")
    for width, height in ((1280, 800), (390, 844), (360, 640)):
        page.set_viewport_size(size(width, height))
        page.reload()
        expect(page.locator("#strip > div")).to_contain_text("Your table")
        strip, play = (page.locator(part).bounding_box() for part in ("#strip > div", "#play-room"))
        assert strip["y"] + strip["height"] <= play["y"] + 1
        assert_table_fits_window(page)


def test_names_are_complete_on_smallest_phone(open_page):
    four = [open_page(guest=True, phone=True, viewport=size(360, 640)) for _ in range(4)]
    start_match(*four, preset="sebastopol")
    assert_table_fits_window(four[0])


@pytest.mark.parametrize(("width", "height"), [(360, 640), (390, 844), (640, 360), (844, 390)])
@pytest.mark.parametrize(("preset", "seats"), [("all-fives", 2), ("sebastopol", 4), ("muggins-200-pairs", 4)])
def test_absence_banner_covers_nothing(open_page, preset, seats, width, height):
    players = [open_page(guest=True, phone=True, viewport=size(width, height)) for _ in range(seats)]
    code = start_unwatched_match(*players, preset=preset)
    seen = get_state(players[0], code)
    absent, here = players[seen["turn"]], players[(seen["turn"] + 1) % seats]
    open_match(code, absent, here)
    expect(absent.locator("html")).to_have_attribute("data-live", "on")
    absent.close()

    expect(here.locator("#absent .away")).to_be_visible()

    assert_table_fits_window(here)


# Overlaps of hands, plates, tiles and ledger at the end of a round.
OVERLAPPING_SCENE_JS = """() => {
    const boxes = selector => [...document.querySelectorAll(selector)].filter(part => part.checkVisibility())
        .map(part => ({ part, ...part.getBoundingClientRect().toJSON() })).filter(box => box.width && box.height);
    const kinds = ["#board > svg .laid [data-tile]", ".open-hands", ".seat:not(.mine)", ".ledger"].map(boxes);
    return kinds.flatMap((kind, i) => kind.flatMap(one => kinds.slice(i + 1).flat()
        .filter(other => Math.min(one.right, other.right) - Math.max(one.left, other.left) > 2
            && Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top) > 2)
        .map(other => [one.part.outerHTML.slice(0, 60), other.part.outerHTML.slice(0, 60)])));
}"""


def test_claim_numbers_are_touch_sized(open_page):
    page = open_page(guest=True, phone=True, viewport=size(360, 640))
    start_against_computers(page, "muggins-200")
    page, now = wait_for_turn(page)
    wait_for_version(page, now["version"])

    for box in page.locator("#claim label").evaluate_all(
        "labels => labels.map(label => label.getBoundingClientRect().toJSON())"
    ):
        assert box["width"] >= MIN_TOUCH_PX and box["height"] >= MIN_TOUCH_PX - 2


PLACES_VISIBLE_JS = """() => {
    const felt = document.querySelector("#board").getBoundingClientRect();
    return [...document.querySelectorAll("#board button.spot")]
        .filter(place => place.getClientRects().length).map(place => place.getBoundingClientRect())
        .every(box => box.left >= felt.left - 1 && box.right <= felt.right + 1
            && box.top >= felt.top - 1 && box.bottom <= felt.bottom + 1);
}"""


# A corner of the board without a place, which a click would play.
FREE_CORNER_JS = """board => {
    const { left, right, top, bottom } = board.getBoundingClientRect();
    const isFree = (part) => board.contains(part) && !part.closest("button");
    const [x, y] = [[left, top], [right - 40, top], [left, bottom - 40], [right - 40, bottom - 40]]
        .map(([x, y]) => [x + 20, y + 20]).find(([x, y]) => isFree(document.elementFromPoint(x, y)));
    return { x: x - left, y: y - top };
}"""


def test_zoom_scrolls_to_places(open_page, bob):
    page = open_page("erna", phone=True)

    def long_and_mine(now: dict) -> bool:
        return (
            len(now["layout"]) > 14
            and now["seats"][now["you"]]["name"] == "erna"
            and any("@" in move for move in now["legal"])
        )

    now = open_match_at(long_and_mine, page, bob, preset="draw", **{"rule-set": "9", "target": "300"})
    page.set_viewport_size(size(360, 640))
    page.goto(f"/games/{now['match']}/")
    wait_for_version(page, now["version"])
    board = page.locator("#board")
    look_closer = lambda: board.click(position=board.evaluate(FREE_CORNER_JS))  # noqa: E731
    look_closer()
    expect(page.locator("#board.is-zoomed")).to_be_attached()  # the module loads on first use

    for tile in {move.partition("@")[0] for move in now["legal"] if move.count("@") == 1}:
        page.locator(f"#hand .hand-tile[data-tile='{tile}']").evaluate("tile => tile.click()")
        assert page.evaluate(PLACES_VISIBLE_JS), tile
        if page.locator("#board.is-zoomed").count():
            look_closer()  # zoom out
        look_closer()  # at highlighted places
        assert page.evaluate(PLACES_VISIBLE_JS), tile
        page.keyboard.press("Escape")

    if not page.locator("#board.is-zoomed").count():
        look_closer()
    expect(page.locator("#board.is-zoomed")).to_be_attached()
    page.set_viewport_size(size(640, 360))  # rotated: the other drawing is not zoomed
    expect(page.locator("#board[data-shape=wide]:not(.is-zoomed)")).to_be_attached()
    assert page.locator("#board").evaluate("board => board.scrollWidth <= board.clientWidth + 1")


@pytest.mark.parametrize("width, height", [(390, 844), (360, 640), (844, 390), (640, 360)])
def test_hand_fits_window_without_scripts(open_page, width, height):
    page = open_page(guest=True)
    start_against_computers(page)
    plain = open_page(scripts=False, storage_state=page.context.storage_state())
    plain.set_viewport_size({"width": width, "height": height})
    plain.goto(f"/games/{get_state(page)['match']}/")
    expect(plain.locator(".reload-link")).to_be_visible()
    assert plain.evaluate(OUTSIDE_WINDOW_JS, "#hand .hand-tile") == []


@pytest.mark.parametrize("width", [721, 768, 861, 1024])
def test_page_head_is_one_line_on_tablet(open_page, width):
    page = open_page(guest=True, viewport=size(width, 1024))  # guest names are the longest
    page.goto("/")
    tall = page.evaluate(
        """() => {
            const head = document.querySelector(".site-head").getBoundingClientRect();
            return [...document.querySelectorAll(".site-head :is(a, summary, .own-name)")]
                .filter(part => !part.closest(".menu") && part.getBoundingClientRect().bottom > head.bottom + 1)
                .map(part => part.textContent.trim());
        }"""
    )
    assert tall == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


@pytest.mark.parametrize("width", [721, 831, 844])
@pytest.mark.parametrize("language", ["en", "ru", "es"])
def test_page_head_of_visitor_fits_window(open_page, language, width):
    page = open_page(viewport=size(width, 390))
    page.goto(f"/{language}/")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_rotation_redraws_board_in_other_shape(open_page):
    page = open_page(guest=True, phone=True)
    start_against_computers(page)
    width, height = (page.viewport_size[side] for side in ("width", "height"))
    for shape, turned in (("tall", False), ("wide", True), ("tall", False)):
        page.set_viewport_size(size(height, width) if turned else size(width, height))
        expect(page.locator(f"#board[data-shape={shape}] > svg#line-{shape}")).to_be_visible()
        expect(page.locator("#board > svg:not(.places)")).to_have_count(1)
        _, now = wait_for_turn(page)
        wait_for_version(page, now["version"])
        press_move(page, now["legal"][0], now)
        wait_for_version(page, now["version"] + 1)
        _, now = wait_for_turn(page)  # after the computer's move nothing changes
        wait_for_version(page, now["version"])
        expect(page.locator(f"#line-{shape} .laid [data-tile]")).to_have_count(len(now["layout"]))


@pytest.mark.parametrize(("width", "height"), [(859, 501), (760, 620), (700, 700)])
def test_wide_flat_felt_uses_wide_drawing(open_page, width, height):
    page = open_page(guest=True, viewport=size(width, height))
    start_against_computers(page, "all-fives", 4)
    page, now = wait_for_turn(page)
    wait_for_version(page, now["version"])

    expect(page.locator("#board[data-shape=wide] > #line-wide")).to_be_visible()
    assert_table_fits_window(page)


def test_board_stays_visible_after_offline_rotation(open_page):
    page = open_page(guest=True, phone=True)
    start_against_computers(page)
    expect(page.locator("#board[data-shape=tall]")).to_be_attached()
    page.context.set_offline(True)
    box = page.viewport_size
    page.set_viewport_size(size(box["height"], box["width"]))
    expect(page.locator("#line-tall")).to_be_visible()

    page.context.set_offline(False)

    expect(page.locator("#board[data-shape=wide] > #line-wide")).to_be_visible()


def test_chosen_tile_survives_rotation(alice, bob):
    now = open_match_at(in_first_round(host_tile_with_choice), alice, bob)
    wait_for_version(alice, now["version"])
    tile = host_tile_with_choice(now)
    button(alice, tile).click()
    places = alice.locator(f"#board .spot[data-tile='{tile}']:visible")
    lit = sum(move.startswith(f"{tile}@") for move in now["legal"])
    expect(places).to_have_count(lit)
    for shape, turned in (("tall", size(600, 900)), ("wide", size(1280, 800))):
        alice.set_viewport_size(turned)
        expect(alice.locator(f"#board[data-shape={shape}]")).to_be_attached()
        expect(places).to_have_count(lit)
