"""Tests of the SVG of tiles, the line and the spots, including escaping."""

import re
from itertools import combinations
from random import Random
from types import SimpleNamespace
from xml.etree.ElementTree import Element, fromstring

import pytest

from boneyard.board import frame_size
from boneyard.engine.layout import lay_out, line, tip_table
from boneyard.engine.matches import begin
from boneyard.engine.moves import parse as parse_move
from boneyard.engine.perspective import perspective
from boneyard.engine.presets import PRESETS
from boneyard.engine.tiles import HIGH, LOW, NAMES, SET_SIZES, parse
from games.drawing.line import UNIT, draw_line
from games.drawing.marks import breakable_name
from games.drawing.spots import MIN_BOARD_PIXELS, MIN_TAP_PIXELS, Spot, draw_spots
from games.drawing.tiles import draw_boneyard, draw_symbols, keep_figures_together
from games.table.hand import Hand

from .lines import board_of, random_line
from .test_board import tiles_laid

MUGGINS_LINE = "6-6 6-3@R 3-0@R 6-2@L 6-5@U"


def view_of(
    laid,
    spinner: str = "first",
    highest: int = 6,
    counted: bool = True,
    scored: int = 0,
    award=None,
    called: bool = False,
):
    """Return the parts of a perspective that are drawn."""
    table = tip_table(spinner, highest)
    layout = lay_out(table, None, [(each.tile, each.end) for each in laid])
    last = laid[-1]
    text = NAMES[last.tile] if last.end is None else f"{NAMES[last.tile]}@{last.end}"
    return SimpleNamespace(
        line=line(table, tuple(laid)),
        laid=tuple(laid),
        rules=SimpleNamespace(adds_ends=counted or called),
        terms=SimpleNamespace(must_claim=called),
        end_values=layout.values if counted and not called else None,
        ends=layout.ends,
        log=(SimpleNamespace(move=parse_move(text), scored=scored, award=award),),
    )


def spots_of(view, tile: int, state: str = "open", plans: bool = False) -> list[Spot]:
    return [
        Spot(
            tile,
            end,
            f"{end} end, {suit}",
            "makes 10",
            state,
            f"{NAMES[tile]}@{end}",
            plans,
        )
        for end, suit in view.ends.items()
        if suit in (HIGH[tile], LOW[tile])
    ]


def elements(art: str) -> Element:
    return fromstring(f"<all>{art}</all>")


def render_spots(view, found: list[Spot]) -> str:
    return "".join(
        f'<svg id="{id}"{attributes}>{art}</svg>' for id, attributes, art in draw_spots(view, found)
    )


def drawn(art: str) -> tuple[Element, Element]:
    """Return the wide and the tall drawing."""
    wide, tall = elements(art)
    assert wide.get("class", "").endswith("wide") and tall.get("class", "").endswith("tall")
    return wide, tall


@pytest.mark.parametrize(("highest", "size"), [(6, 4200), (9, 6100), (12, 8400)])
def test_symbols_cover_only_the_set(highest: int, size: int):
    shapes = draw_symbols(highest)
    ids = {element.get("id") for element in elements(shapes).iter() if element.get("id")}
    halves = {f"{way}{suit}" for way in "vh" for suit in range(highest + 1)}
    assert ids == halves | {"gf", "bv", "bh", "gv", "gh", "bk", "pin"} | {f"side-{side}" for side in range(4)}
    assert len(shapes) <= size


@pytest.mark.parametrize("suit", range(13))
def test_half_has_the_right_number_of_pips(suit: int):
    halves = {element.get("id"): element for element in elements(draw_symbols(12)).iter()}
    for way in "vh":
        for path in halves[f"{way}{suit}"]:
            pips = re.findall(r"M(-?[\d.]+) (-?[\d.]+)h", path.get("d"))
            assert len(set(pips)) == suit
            assert all(abs(float(x)) < 16 and abs(float(y) + 1) < 16 for x, y in pips)


@pytest.mark.parametrize(("spinner", "highest", "length"), [("first", 6, 20), ("none", 12, 60)])
def test_every_laid_tile_is_drawn_once_per_shape(spinner: str, highest: int, length: int):
    laid = random_line(Random(3), highest, spinner, length)
    shapes = draw_symbols(highest)
    for art in drawn(draw_line(view_of(laid, spinner, highest))):
        tiles = art.findall("g[@class='laid']/g")
        assert [tile.get("data-tile") for tile in tiles] == [NAMES[each.tile] for each in laid]
        assert not [tile for tile in tiles if tile.get("class")], "the style sheet highlights the last tile"
        for tile in tiles:
            body, *halves = [use.get("href").removeprefix("#") for use in tile]
            suits = sorted((int(half[1:]) for half in halves if half != "pin"), reverse=True)
            assert "-".join(map(str, suits)) == tile.get("data-tile")
            assert all(half == "pin" or half[0] == body[1] for half in halves)
            assert all(f'id="{name}"' in shapes for name in (body, *halves))


def test_only_the_spinner_has_a_pin():
    wide, tall = drawn(draw_line(view_of(tiles_laid(MUGGINS_LINE + " 5-5@U"))))
    for art in (wide, tall):
        pinned = [
            tile.get("data-tile") for tile in art.iter("g") if tile.find("use[@href='#pin']") is not None
        ]
        assert pinned == ["6-6"]


def test_chips_show_counts_and_rings_on_free_sides():
    for art in drawn(draw_line(view_of(tiles_laid(MUGGINS_LINE)))):
        chips = {
            chip.get("data-end"): "".join(chip.itertext()) for chip in art.findall("g[@class='line-end']")
        }
        assert chips == {"L": "2", "R": "0", "U": "5", "D": ""}


def test_lone_double_counts_at_both_sides():
    for art in drawn(draw_line(view_of(tiles_laid("5-5")))):
        chips = {
            chip.get("data-end"): "".join(chip.itertext()) for chip in art.findall("g[@class='line-end']")
        }
        assert chips == {"L": "5", "R": "5"}


def test_chips_show_suits_without_a_count():
    for art in drawn(draw_line(view_of(tiles_laid("6-6 6-3@R"), counted=False))):
        chips = {
            c.get("data-end"): "".join(c.itertext()) for c in art.findall("g[@class='line-end is-quiet']")
        }
        assert chips == {"L": "6", "R": "3"}


def test_no_chips_where_points_are_claimed():
    art = draw_line(view_of(tiles_laid(MUGGINS_LINE), called=True))
    assert "<circle" not in art and "<text" not in art


def test_closed_arm_has_a_title():
    for art in drawn(draw_line(view_of(tiles_laid("6-6 6-3@R")))):
        closed = [group.find("title").text for group in art.findall("g") if group.find("title") is not None]
        assert closed == ["opens when both sides of the spinner are covered"] * 2


def test_points_flash_only_when_scored():
    assert draw_line(view_of(tiles_laid("6-6 6-3@R"), scored=15)).count('class="flash"') == 2
    assert 'class="flash"' not in draw_line(view_of(tiles_laid("6-6 6-3@R")))


def test_points_for_passes_flash():
    drawn = draw_line(view_of(tiles_laid("6-6 6-3@R"), award=(0, 25)))
    assert drawn.count('class="flash"') == 2 and drawn.count("+25") == 2


@pytest.mark.parametrize("shape", ["wide", "tall"])
def test_view_box_grows_with_the_scale(shape: str):
    for length in (3, 22):
        laid = random_line(Random(5), 6, "none", length)
        art = dict(zip(("wide", "tall"), drawn(draw_line(view_of(laid, "none"))), strict=True))[shape]
        x, y, width, height = map(float, art.get("viewBox").split())
        half_width, half_height = frame_size(shape, board_of(laid, "none", shape).step)
        assert (x, y) == (-width / 2, -height / 2)
        assert width / 2 >= half_width * UNIT and height / 2 >= half_height * UNIT


def test_spot_is_a_button_over_a_ghost_tile():
    view = view_of(tiles_laid(MUGGINS_LINE))
    for art in drawn(render_spots(view, spots_of(view, parse("6-5")))):
        groups = art.findall("g")
        assert len(groups) == 2
        for group, move in zip(groups, ("6-5@U", "6-5@D"), strict=True):
            button = group.find("foreignObject/button")
            assert (button.get("type"), button.get("name")) == (None, "move")  # the default type is submit
            assert button.get("value") == f"{button.get('data-tile')}@{button.get('data-end')}" == move
            assert (
                button.get("aria-label")
                == f"{button.get('data-end')} end, {view.ends[button.get('data-end')]}"
            )
            ghost, *halves = group.findall("use")
            assert ghost.get("class") == "ghost"
            assert sorted(use.get("href")[2:] for use in halves) == ["5", "6"]


def test_spot_on_a_turned_arm_names_its_corner():
    line = "5-2 5-5@L 5-3@L 6-3@L 6-2@L 4-2@L 4-1@L 6-1@L 6-0@L 4-0@L 4-4@L 5-4@L 6-5@L 6-4@L 4-3@L 3-0@L"
    view = view_of(tiles_laid(line), "none")
    wide, tall = (
        art.find("g/foreignObject/button") for art in drawn(render_spots(view, spots_of(view, parse("1-0"))))
    )
    assert wide.get("title") == "makes 10, at the upper right"
    assert tall.get("title") == "makes 10"  # turned twice, back on its own side
    assert wide.get("aria-label") == tall.get("aria-label") == "L end, 0"


def test_spot_on_a_free_side_names_its_double():
    chance, match = Random(1), begin(PRESETS["five-up"].rules, 2, bytes(32), "a.")
    while not (found := [spot for spot in Hand(perspective(match, match.turn)).spots if spot.end == "U"]):
        match = match.play(match.turn, chance.choice([*match.legal_moves]))
    assert re.search(r"makes \d+, free side of (\d)-\1$", found[0].hint)


@pytest.mark.parametrize("shape", ["wide", "tall"])
def test_four_arms_keep_to_their_sides(shape: str):
    chance = Random(3)
    for _ in range(6):
        board = board_of(random_line(chance, 6, "first", 24), "first", shape)
        if board.spinner is not None:
            assert not any(map(board.displaced_corner, board.ends))


def test_hidden_and_planned_spots():
    view = view_of(tiles_laid(MUGGINS_LINE))
    hidden = render_spots(view, spots_of(view, parse("6-5"), "hidden"))
    assert hidden.count('class="line-end is-legal is-hidden"') == hidden.count('class="spot"') == 4
    planned = render_spots(view, spots_of(view, parse("6-5"), "planned", plans=True))
    assert planned.count('aria-pressed="true"') == planned.count('form="pick" name="chosen"') == 4


def test_spot_texts_are_escaped():
    view = view_of(tiles_laid(MUGGINS_LINE))
    payload = '"><script>alert(1)</script>&'
    place = spots_of(view, parse("6-5"))[0]._replace(name=payload, hint=payload, value=payload)
    for art in drawn(render_spots(view, [place])):
        button = art.find("g/foreignObject/button")
        assert (button.get("aria-label"), button.get("title"), button.get("value")) == (
            payload,
            payload,
            payload,
        )
        assert art.find(".//script") is None


@pytest.mark.parametrize("spinner", ["none", "first", "cross"])
def test_buttons_are_large_enough_and_never_overlap(spinner: str):
    rng = Random(spinner)
    for _ in range(25):
        laid = random_line(rng, 6, spinner, rng.randint(2, 24))
        view = view_of(laid, spinner)
        unlaid = set(range(SET_SIZES[6])) - {each.tile for each in laid}
        for tile in unlaid:
            for art in drawn(
                render_spots(view, spots_of(view, tile)) or "<svg class='wide'/><svg class='tall'/>"
            ):
                check_buttons(art)


def ghost_at(use: Element) -> tuple[float, float, float, float]:
    """Return left, top, width and height of a ghost."""
    x, y = float(use.get("x", 0)), float(use.get("y", 0))
    width, height = (36, 76) if use.get("href") == "#gv" else (76, 36)
    return x - width / 2, y - height / 2, width, height


def check_buttons(art: Element) -> None:
    buttons = [
        tuple(float(it.get(name)) for name in ("x", "y", "width", "height"))
        for it in art.iter("foreignObject")
    ]
    ghosts = [ghost_at(it) for it in art.iter("use") if it.get("class") == "ghost"]
    assert len(ghosts) == len(buttons)
    for (x, y, width, height), (gx, gy, gwidth, gheight) in zip(buttons, ghosts, strict=True):
        assert x <= gx and y <= gy and x + width >= gx + gwidth and y + height >= gy + gheight
    for (x, y, width, height), (ox, oy, owidth, oheight) in combinations(buttons, 2):
        assert (
            x + width <= ox + 0.01
            or ox + owidth <= x + 0.01
            or y + height <= oy + 0.01
            or oy + oheight <= y + 0.01
        )
    if len(buttons) == 1:
        across, down = MIN_BOARD_PIXELS["tall" if "tall" in art.get("class") else "wide"]
        _, _, shown_width, shown_height = map(float, art.get("viewBox").split())
        pixel = min(across / shown_width, down / shown_height)
        assert min(buttons[0][2:]) * pixel >= MIN_TAP_PIXELS - 0.01


def test_boneyard_shows_at_most_six_tiles():
    assert [draw_boneyard(tiles).count("#bk") for tiles in (0, 1, 6, 14)] == [0, 1, 6, 6]


@pytest.mark.parametrize(("spinner", "highest"), [("first", 6), ("none", 9), ("cross", 12)])
def test_drawing_names_only_displayed_tiles(spinner: str, highest: int):
    """Check also that no other numbers look like tiles, which would confuse searches for leaks."""
    rng = Random(highest)
    named = re.compile(r"(?<![\w-])(\d{1,2}-\d{1,2})(?![\w-])")
    for _ in range(20):
        laid = random_line(rng, highest, spinner, rng.randint(1, min(40, SET_SIZES[highest] - 1)))
        view = view_of(laid, spinner, highest, scored=5)
        tile = rng.choice(sorted(set(range(SET_SIZES[highest])) - {each.tile for each in laid}))
        shown = {NAMES[each.tile] for each in laid}
        assert set(named.findall(draw_symbols(highest) + draw_line(view))) == shown
        assert set(named.findall(render_spots(view, spots_of(view, tile)))) <= {NAMES[tile]}


def test_name_breaks_after_its_underscores():
    assert breakable_name("Max_Guer<b>") == "Max_<wbr>Guer&lt;b&gt;"


@pytest.mark.parametrize(
    ("text", "html"),
    [
        ("mara reached 61 with 5-4 (+1)", "mara reached 61 with <i>5-4</i> (+1)"),
        ("no points: 1 + 4 − 21 < 0.", "no points: <i>1 + 4 − 21 &lt; 0</i>."),
        ("(18 + 19 − 8) ÷ 5", "<i>(18 + 19 − 8) ÷ 5</i>"),
        ("2, rounded to 0, 13 <b>", "2, rounded to 0, 13 &lt;b&gt;"),
    ],
)
def test_no_line_breaks_inside_figures(text, html):
    assert keep_figures_together(text) == html
