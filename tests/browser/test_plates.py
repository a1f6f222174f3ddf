"""Player plates: short names fit one line on every screen."""

import pytest

from games.wording.personas import PERSONAS
from tests.browser.playing import wait_for_version
from tests.browser.tables import play_until, start_against_computers, start_match, wait_for_turn
from tests.browser.test_screens import (
    OUTSIDE_WINDOW_JS,
    OVERLAPPING_TEXT_JS,
    SIDEWAYS,
    assert_table_fits_window,
    size,
)

# The given names that would wrap or be truncated on a plate.
BROKEN = """names => {
    const plates = [...document.querySelectorAll(".seat:not(.mine) .name :is(a, .player-name)")];
    return names.filter(name => {
        for (const plate of plates) plate.textContent = name;
        return plates.some(plate => plate.scrollWidth > plate.clientWidth + 1 && plate.clientWidth
            || plate.getBoundingClientRect().height > 1.7 * parseFloat(getComputedStyle(plate).fontSize));
    });
}"""
NAMES = [figure.name for figures in PERSONAS.values() for figure in figures]


@pytest.mark.parametrize(("preset", "seats"), [("all-fives", 2), ("all-fives", 3), ("dominican", 4)])
def test_computer_names_fit_one_line_in_landscape(open_page, preset, seats):
    page = open_page(guest=True, phone=True)
    start_against_computers(page, preset, seats, level="master")
    page, now = wait_for_turn(page)
    wait_for_version(page, now["version"])
    for width, height in ((640, 360), *SIDEWAYS):
        page.set_viewport_size(size(width, height))
        assert page.evaluate(BROKEN, NAMES) == [], (width, height)


def test_landscape_replay_shows_full_names(open_page):
    guests = [open_page(guest=True, phone=True) for _ in range(4)]
    start_match(*guests, preset="dominican", target="20")
    now = play_until(lambda now: now["status"] == "finished", *guests)
    page = guests[0]
    for width, height in ((640, 360), *SIDEWAYS):
        page.set_viewport_size(size(width, height))
        page.goto(f"/games/{now['match']}/replay/?move=3")
        assert page.evaluate(BROKEN, NAMES) == [], (width, height)
        assert page.evaluate(OUTSIDE_WINDOW_JS, ".replay .board, .replay .seat, .open-hand svg") == []


LONGEST_PASS = 'пропуск на <b>4·<wbr>2</b><span class="visually-hidden">; нет костей с 4, 2</span>'
DRAWS = ("drew 2 · <i>6-4</i>", "robó 2 · <i>6-4</i>")
SHOW_PASS_JS = """html => {
    const facts = [...document.querySelectorAll(".seat:not(.mine) .subline")];
    for (const fact of facts) fact.innerHTML = html;
    return facts.filter(fact => fact.scrollWidth > fact.clientWidth || fact.scrollHeight > fact.clientHeight + 1
        || fact.getBoundingClientRect().bottom > document.querySelector("#race").getBoundingClientRect().top).length;
}"""


@pytest.mark.parametrize("clock", ["900+10", "none"])
def test_landscape_plates_show_what_was_passed_on(open_page, clock):
    guests = [open_page(guest=True, phone=True) for _ in range(4)]
    start_match(*guests, preset="dominican", clock=clock, private="on")
    for width, height in ((640, 360), *SIDEWAYS):
        guests[0].set_viewport_size(size(width, height))
        for fact in (LONGEST_PASS, *DRAWS):
            assert guests[0].evaluate(SHOW_PASS_JS, fact) == 0, (width, height, fact)


@pytest.mark.parametrize(
    ("preset", "seats"), [("muggins-200", 3), ("muggins-200-pairs", 4), ("all-fives", 4), ("dominican", 4)]
)
def test_computer_names_fit_one_line_on_desktop(open_page, preset, seats):
    page = open_page(guest=True)
    start_against_computers(page, preset, seats, level="master")
    page, now = wait_for_turn(page)
    wait_for_version(page, now["version"])
    for width, height in (
        (1440, 900),
        (1280, 800),
        (1181, 800),
        (1180, 800),
        (1024, 768),
        (900, 700),
        (860, 700),
    ):
        page.set_viewport_size(size(width, height))
        assert page.evaluate(BROKEN, NAMES) == [], width
        assert_table_fits_window(page)


@pytest.mark.parametrize(("width", "height"), [(390, 844), (360, 640)])
def test_phone_plates_have_equal_height(open_page, width, height):
    page = open_page(guest=True, phone=True, viewport=size(width, height))
    others = [open_page(name) for name in ("bo", "nimble-dormouse-xyz", "gentle-mole")]
    start_match(page, *others, preset="dominican")
    heights = page.locator(".seat:not(.mine)").evaluate_all(
        "plates => plates.map(plate => plate.offsetHeight)"
    )
    assert len(set(heights)) == 1
    page.locator(".mine").evaluate("plate => plate.dataset.turn = ''")
    own = page.locator(".mine .subline")
    own.evaluate("fact => fact.innerHTML = '<b>Your turn</b> <time>9:58</time>'")
    assert own.evaluate("fact => fact.scrollHeight <= fact.clientHeight")

    start_match(page, others[0], preset="five-up", set="12")
    play_until(lambda now: len(now["layout"]) > 1, page, others[0])
    page.locator(".mine .subline").evaluate(
        "fact => fact.innerHTML = 'drew 1 on <b>11·<wbr>8·<wbr>7·<wbr>6·<wbr>5·<wbr>3·<wbr>2·<wbr>0</b>'"
    )
    page.locator(".ends-sum b").evaluate("count => count.textContent = '24'")
    assert page.evaluate(OVERLAPPING_TEXT_JS) == []
    assert page.locator(".mine").evaluate("plate => plate.offsetHeight") <= 48
    page.locator(".mine .subline").evaluate("fact => fact.innerHTML = 'drew 10 · <i>12-11</i>'")
    assert page.evaluate(OVERLAPPING_TEXT_JS) == []
    assert page.locator(".mine").evaluate("plate => plate.offsetHeight") <= 48


SIGNS_JS = """() => {
    const shown = [...document.querySelectorAll("#seats .seat:not(.mine) :is(.is-computer, .partner, .partner-sign)")]
        .filter(part => part.offsetWidth > 12 && part.offsetHeight > 12);
    return shown.map(part => `${part.closest(".seat").id} ${part.classList[0]}`).sort();
}"""


def test_phone_plates_tell_computers_and_partner(open_page):
    page, partner = open_page(guest=True, phone=True), open_page(guest=True)
    start_against_computers(page, "dominican", 4)
    for width, sign in ((390, "partner"), (360, "partner-sign")):
        page.set_viewport_size(size(width, 780))
        computers = [f"seat-{seat} avatar" for seat in (1, 2, 3)]
        assert page.evaluate(SIGNS_JS) == sorted([*computers, f"seat-2 {sign}"]), width

    others = [open_page(guest=True) for _ in range(2)]
    start_match(page, others[0], partner, others[1], preset="dominican")  # with a clock
    page.set_viewport_size(size(390, 780))
    assert page.evaluate(SIGNS_JS) == ["seat-2 partner-sign"]
