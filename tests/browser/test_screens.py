"""The table on screens of all shapes: nothing outside the window, too small or covered.

Each table is opened once; all sizes and text zooms of it follow in one page.
"""

from playwright.sync_api import Page, expect

from tests.browser.layout import (
    BOARD_SHARE,
    DOUBLE_TEXT_JS,
    FITS_WINDOW,
    HALF_TILE,
    HALF_TILE_JS,
    LONG_FACTS_JS,
    LONGEST_GUESTS,
    MIN_HALF_TILE_PX,
    MIN_TOUCH_PX,
    NO_OVERLAPPING_TEXT,
    NO_SIDEWAYS_SCROLL,
    PERSONAS_ON_ONE_LINE,
    READABLE,
    SIDEWAYS,
    SINGLE_TEXT_JS,
    SMALL_CONTROLS_JS,
    UNCLICKABLE_JS,
    Check,
    Position,
    against,
    at_least,
    become_guest,
    can_only,
    find_faults,
    find_faults_at,
    hand_tiles_at_least,
    is_first,
    is_led_by,
    is_true,
    open_position,
    outside,
    set_language,
    size,
    wait_until_drawn,
)
from tests.browser.playing import button, get_state, press_move, wait_for_version
from tests.browser.stored import Wanted, store_match
from tests.browser.tables import (
    host_tile_with_choice,
    in_first_round,
    open_alone,
    open_match,
    open_match_at,
    open_table,
    start_against_computers,
    wait_for_turn,
)
from tests.browser.waiting import expect_value

NEXT_BOARD_FACTOR = 1.22  # one long line in fifty needs the next larger board
SMALL_WINDOWS = ((390, 844), (360, 640), (320, 568), (360, 560))
PHONE_AT_200 = (195, 422)
DOUBLE_SIDEWAYS = ((844, 390), (640, 360))
AT_400 = ((98, 211), (320, 180))  # a phone and a desk
DESKS = ((1440, 900), (1280, 800), (1181, 800), (1180, 800), (1024, 768), (900, 700), (860, 700))
FLAT_FELTS = ((859, 501), (760, 620), (700, 700))
ON_PHONES = [
    against("all-fives", 1),
    against("muggins-200", 1),
    against("muggins-200-pairs", 3),
    against("dominican", 3, "master"),
    against("sebastopol", 3),
    against("cuban", 3),
    against("all-fives", 2, "master"),
]
ON_DESKS = [
    against("muggins-200", 2, "master"),
    against("muggins-200-pairs", 3, "master"),
    against("all-fives", 3, "master"),
    against("dominican", 3, "master"),
]
BOARD_WIDTH = at_least("the board's share", "document.querySelector('#board').clientWidth / innerWidth", 0.4)
ROOM_AT_DOUBLE_TEXT = (NO_OVERLAPPING_TEXT, NO_SIDEWAYS_SCROLL, BOARD_WIDTH)
BUTTONS_TOUCH_SIZED = Check("too small", SMALL_CONTROLS_JS, ["#acts .button, #bone .draw", 0, MIN_TOUCH_PX])


def find_faults_of_phone(page: Page, what: str) -> list[str]:
    """Return what is wrong with a table at all sizes and text sizes of a phone."""
    faults = find_faults_at(page, SIDEWAYS, *FITS_WINDOW, HALF_TILE, BUTTONS_TOUCH_SIZED, what=what)
    hand_in_view = outside("#hand .hand-tile")
    faults += find_faults_at(page, [*SMALL_WINDOWS, PHONE_AT_200], *READABLE, hand_in_view, what=what)
    faults += find_faults_at(page, AT_400, *READABLE, what=what)
    low = outside("#hand .hand-tile, #acts .button, #claim label, .seat, .racer")
    faults += find_faults_at(page, [(640, 290)], *READABLE, low, hand_tiles_at_least(34), what=what)

    page.evaluate(DOUBLE_TEXT_JS)
    what += " at double text size"
    in_view = outside("#hand .hand-tile, #claim label, #acts .button")
    wide_tiles = hand_tiles_at_least(44)
    faults += find_faults_at(page, [(390, 844)], *READABLE, in_view, wide_tiles, BOARD_WIDTH, what=what)
    faults += find_faults_at(page, [(640, 360)], *ROOM_AT_DOUBLE_TEXT, what=what)
    page.evaluate(LONG_FACTS_JS)
    in_view = outside("#hand .hand-tile, #claim label, #acts .button, .draw")
    faults += find_faults_at(page, [(844, 390)], *READABLE, in_view, BOARD_WIDTH, what=what)
    page.evaluate(SINGLE_TEXT_JS)
    return faults + find_faults_at(page, [(640, 360), *SIDEWAYS], PERSONAS_ON_ONE_LINE, what=what)


def test_tables_fit_every_phone(open_page):
    page, faults = open_page(phone=True), []
    for position in ON_PHONES:
        open_position(page, position)
        faults += find_faults_of_phone(page, position.name)
    assert faults == []


def test_tables_fit_every_desk(open_page):
    page, faults = open_page(), []
    shape = is_true(
        "not wide", "document.querySelector('#board[data-shape=wide] > #line-wide').checkVisibility()"
    )
    for position in ON_DESKS:
        open_position(page, position)
        faults += find_faults_at(page, DESKS, PERSONAS_ON_ONE_LINE, *FITS_WINDOW, what=position.name)
        if position.preset == "all-fives":
            faults += find_faults_at(page, FLAT_FELTS, *FITS_WINDOW, shape, what=position.name)
        page.evaluate(DOUBLE_TEXT_JS)
        what = f"{position.name} at double text size"
        faults += find_faults_at(page, [(1280, 800)], *ROOM_AT_DOUBLE_TEXT, what=what)
    open_position(page, against("all-fives", 1))
    page.evaluate(DOUBLE_TEXT_JS)
    faults += find_faults_at(page, [(1280, 800)], *ROOM_AT_DOUBLE_TEXT, what="two seats at double text size")
    assert faults == []


def test_hostile_positions_fit_every_phone(open_page):
    page, faults = open_page(phone=True), []
    long_rules = {"rule-set": "12", "rule-hand_size": "9", "target": "500"}
    hostile = {
        "fits nothing": Position("all-fives", LONGEST_GUESTS[:1], can_only("draw")),
        "fits nothing, passes": Position("block", LONGEST_GUESTS[:1], can_only("pass")),
        "many ends": Position("five-up", LONGEST_GUESTS[:1], has_many_ends, {"set": "12"}),
        "long line": Position("draw", LONGEST_GUESTS[:1], has_long_line, long_rules),
        "ten tiles, led by the partner": Position(
            "cuban", ["casual"] * 3, is_second_play, {"clock": "none", "private": "on"}
        ),
        "ten tiles, longest names, clock": Position("cuban", LONGEST_GUESTS, is_second_play),
        "longest name, clock": Position("all-fives", LONGEST_GUESTS[:1]),
        "longest names": Position("sebastopol", LONGEST_GUESTS, is_first),
        "longest names, clock": Position("sebastopol", LONGEST_GUESTS, is_first, {"clock": "300+5"}),
    }
    for what, position in hostile.items():
        open_position(page, position)
        faults += find_faults_at(page, [*SIDEWAYS, (360, 640)], *FITS_WINDOW, what=what)
        faults += find_faults_at(page, [PHONE_AT_200, *AT_400], *READABLE, what=what)
        if position.others == LONGEST_GUESTS[: len(position.others)] and "clock" in what:
            faults += find_faults_at(page, [(360, 640)], BOARD_SHARE, what=what)
            page.evaluate(DOUBLE_TEXT_JS)
            faults += find_faults_at(
                page, DOUBLE_SIDEWAYS, *ROOM_AT_DOUBLE_TEXT, what=f"{what} at double text size"
            )
        if position.condition is is_second_play:
            page.evaluate(SINGLE_TEXT_JS)
            faults += find_faults_at(page, [PHONE_AT_200], outside("#hand .hand-tile"), what=what)
        if position.condition is has_long_line:
            for sizes, least in ((SIDEWAYS, MIN_HALF_TILE_PX), ([(360, 640)], MIN_HALF_TILE_PX - 4)):
                readable = at_least("half a tile", f"{NEXT_BOARD_FACTOR} * ({HALF_TILE_JS})()", least)
                faults += find_faults_at(page, sizes, readable, what=what)
    assert faults == []


def is_second_play(now: dict) -> bool:
    """Return whether the first seat is to play after its partner's lead and a rival's answer."""
    return now["you"] == 0 and len(now["layout"]) == 2


def has_many_ends(now: dict) -> bool:
    return now["you"] == 0 and len(now["ends"]) > 7


def has_long_line(now: dict) -> bool:
    return now["you"] == 0 and len(now["layout"]) >= 31


def test_controls_of_called_table_are_for_fingers_in_every_language(open_page):
    page, faults = open_page(phone=True), []
    now = open_position(page, against("muggins-200", 1))
    claims = Check("too small", SMALL_CONTROLS_JS, ["#claim label", MIN_TOUCH_PX, MIN_TOUCH_PX - 2])
    faults += find_faults_at(page, [(360, 640)], claims)
    for part in ("#bone .draw", "#board"):
        expect(page.locator(part)).to_have_css("touch-action", "manipulation")  # quick presses do not zoom

    page.set_viewport_size(size(640, 360))
    for language in ("en", "ru", "es", "pt"):
        set_language(page, now["seats"][0]["name"], language)
        page.reload()
        expect(page.locator("html")).to_have_attribute("lang", language)
        wait_until_drawn(page, now)
        page.evaluate(DOUBLE_TEXT_JS)
        faults += find_faults(page, WORDS_FIT_BUTTONS, what=language)
    assert faults == []


WORDS_FIT_BUTTONS = Check(
    "words beyond a button",
    """() => [...document.querySelectorAll("#acts .button, #bone .draw")]
        .filter(each => each.scrollWidth > each.clientWidth + 1).map(each => each.id)""",
)


def test_all_tiles_and_boneyard_are_clickable(open_page):
    page, faults = open_page(), []
    clickable = Check("unclickable", UNCLICKABLE_JS, "#hand .hand-tile, #bone .draw, #acts .button")
    for held in (10, 15, 24, 36):
        rules = {"rule-set": "12", "rule-hand_size": str(held), "target": "500"}
        open_position(page, Position("draw", LONGEST_GUESTS[:1], is_first, rules))
        sizes = ((1280, 800), (1180, 800), (1000, 700), (861, 700), (768, 1024), (390, 844))
        faults += find_faults_at(page, sizes, clickable, what=f"{held} in hand")
    assert faults == []


def test_strip_of_waiting_table_covers_nothing(open_page):
    page = open_page(guest=True)  # others' matches, in which it is their turn, would come first
    now = open_alone(page, LONGEST_GUESTS[:1], is_first)
    open_table(page, clock="1800+20")
    page.reload()
    expect(page.locator("#strip > div")).to_contain_text("Your table")
    wait_until_drawn(page, now)
    lower_edge, upper_edge = (
        f"document.querySelector('{part}').getBoundingClientRect()" for part in ("#strip > div", "#play-room")
    )
    above = is_true("strip over the table", f"{lower_edge}.bottom <= {upper_edge}.top + 1")
    assert find_faults_at(page, ((1280, 800), (390, 844), (360, 640)), *FITS_WINDOW, above) == []


def test_absence_banner_covers_nothing(open_page):
    page, faults = open_page(phone=True), []
    for preset, seats in (("all-fives", 2), ("sebastopol", 4), ("muggins-200-pairs", 4)):
        become_guest(page)
        second_leads = Wanted(is_led_by(1), LONGEST_GUESTS[: seats - 1], away=10)
        code, _ = store_match(second_leads, page, preset=preset)
        open_match(code, page)
        expect(page.locator("#absent .away")).to_contain_text("is away. You can go on in")
        wait_until_drawn(page, get_state(page, code))
        sizes = ((360, 640), (390, 844), (640, 360), (844, 390))
        faults += find_faults_at(page, sizes, *FITS_WINDOW, what=preset)
        expect(page.locator("#absent .away")).to_be_visible()
    assert faults == []


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


def test_zoom_scrolls_to_places(open_page):
    page = open_page(guest=True, phone=True, viewport=size(360, 640))

    def long_and_mine(now: dict) -> bool:
        return len(now["layout"]) > 14 and now["you"] == 0 and any("@" in move for move in now["legal"])

    long_rules = {"rule-set": "9", "target": "300"}
    now = open_alone(page, LONGEST_GUESTS[:1], long_and_mine, preset="draw", **long_rules)
    wait_until_drawn(page, now)
    board = page.locator("#board")
    look_closer = lambda: board.click(position=board.evaluate(FREE_CORNER_JS))  # noqa: E731
    look_closer()
    expect(page.locator("#board.is-zoomed")).to_be_attached()  # the module loads on first use

    for tile in {move.partition("@")[0] for move in now["legal"] if move.count("@") == 1}:
        page.locator(f"#hand .hand-tile[data-tile='{tile}']").evaluate("tile => tile.click()")
        expect_value(page, PLACES_VISIBLE_JS)
        if page.locator("#board.is-zoomed").count():
            look_closer()  # zoom out
        look_closer()  # at highlighted places
        expect_value(page, PLACES_VISIBLE_JS)
        page.keyboard.press("Escape")

    if not page.locator("#board.is-zoomed").count():
        look_closer()
    expect(page.locator("#board.is-zoomed")).to_be_attached()
    page.set_viewport_size(size(640, 360))  # rotated: the other drawing is not zoomed
    expect(page.locator("#board[data-shape=wide]:not(.is-zoomed)")).to_be_attached()
    expect_value(board, "board => board.scrollWidth <= board.clientWidth + 1")


def test_hand_and_buttons_fit_window_without_scripts(open_page):
    page = open_page(guest=True, phone=True, scripts=False)
    now = open_alone(page, LONGEST_GUESTS[:1], is_first)
    page.goto(f"/games/{now['match']}/?still=1")
    expect(page.locator(".reload-link")).to_be_visible()
    parts = "#hand .hand-tile, #acts .button, #bone .draw, .reload-link a"
    faults = []
    for width, height in ((390, 844), (360, 640), (640, 360), *SIDEWAYS):
        page.set_viewport_size(size(width, height))
        faults += find_faults(page, outside(parts))
    assert faults == []


PAGE_HEAD_ON_ONE_LINE = Check(
    "below the first line",
    """() => {
        const head = document.querySelector(".site-head").getBoundingClientRect();
        return [...document.querySelectorAll(".site-head :is(a, summary, .own-name)")]
            .filter(part => !part.closest(".menu") && part.getBoundingClientRect().bottom > head.bottom + 1)
            .map(part => part.textContent.trim());
    }""",
)


def test_page_head_fits_tablets(open_page):
    page = open_page(guest=True)  # guest names are the longest
    page.goto("/")
    sizes = [(width, 1024) for width in (721, 768, 861, 1024)]
    assert find_faults_at(page, sizes, PAGE_HEAD_ON_ONE_LINE, NO_SIDEWAYS_SCROLL) == []


def test_page_head_of_visitor_fits_window(open_page):
    page, faults = open_page(), []
    for language in ("en", "ru", "es", "pt"):
        page.goto(f"/{language}/")
        sizes = [(width, 390) for width in (721, 831, 844)]
        faults += find_faults_at(page, sizes, NO_SIDEWAYS_SCROLL, what=language)
    assert faults == []


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


def test_board_stays_visible_after_offline_rotation(open_page):
    page = open_page(guest=True, phone=True)
    open_alone(page, LONGEST_GUESTS[:1], is_first)
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
