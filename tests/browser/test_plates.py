"""Player plates: short names fit one line on every screen."""

import re

from playwright.sync_api import expect

from tests.browser.layout import (
    LONGEST_GUESTS,
    NO_OVERLAPPING_TEXT,
    PERSONAS_ON_ONE_LINE,
    SIDEWAYS,
    Check,
    Position,
    against,
    find_faults_at,
    is_first,
    is_true,
    open_position,
    outside,
    size,
)
from tests.browser.playing import button
from tests.browser.tables import open_ended_match
from tests.browser.waiting import expect_value

LONGEST_PASS = 'пропуск на <b>4·<wbr>2</b><span class="visually-hidden">; нет костей с 4, 2</span>'
DRAWS = ("drew 2 · <i>6-4</i>", "robó 2 · <i>6-4</i>")
# Facts that are cut or reach into the race.
CUT_FACTS_JS = """html => {
    const facts = [...document.querySelectorAll(".seat:not(.mine) .subline")];
    for (const fact of facts) fact.innerHTML = html;
    return facts.filter(fact => fact.scrollWidth > fact.clientWidth || fact.scrollHeight > fact.clientHeight + 1
        || fact.getBoundingClientRect().bottom > document.querySelector("#race").getBoundingClientRect().top)
        .map(fact => fact.textContent);
}"""
# Facts of a replay that are cut beside short names.
CUT_REPLAY_FACTS_JS = """() => {
    for (const name of document.querySelectorAll(".replay .name a")) name.textContent = "Anna";
    return [...document.querySelectorAll(".replay .subline")].filter(fact => fact.scrollWidth > fact.clientWidth)
        .map(fact => fact.textContent);
}"""


def test_landscape_replay_shows_full_names_and_the_tile_that_was_played(open_page):
    page = open_page(guest=True, phone=True)
    code = open_ended_match(page, others=LONGEST_GUESTS, preset="dominican", target="20")
    page.goto(f"/games/{code}/replay/?move=2")
    button(page, "Play from here").click()
    expect(page).to_have_url(re.compile("move=3"))
    expect(button(page, "Play from here")).to_be_focused()  # though the step has replaced it
    sizes = ((640, 360), *SIDEWAYS)
    parts = outside(".replay .board, .replay .seat, .open-hand svg")
    faults = find_faults_at(page, sizes, PERSONAS_ON_ONE_LINE, parts)
    page.goto(f"/games/{code}/replay/?move=4")
    sizes = ((390, 844), (640, 360), (667, 375), *SIDEWAYS)
    faults += find_faults_at(page, sizes, Check("cut facts", CUT_REPLAY_FACTS_JS))
    assert faults == []


def test_landscape_plates_show_what_was_passed_on(open_page):
    page, faults = open_page(phone=True), []
    facts = [Check(f"cut {fact}", CUT_FACTS_JS, fact) for fact in (LONGEST_PASS, *DRAWS)]
    for clock in ("900+10", "none"):
        fields = {"clock": clock, "private": "on"}
        open_position(page, Position("dominican", LONGEST_GUESTS, is_first, fields))
        faults += find_faults_at(page, ((640, 360), *SIDEWAYS), *facts, what=f"clock {clock}")
    assert faults == []


HEIGHTS_JS = """() => {
    const heights = [...document.querySelectorAll(".seat:not(.mine)")].map(plate => plate.offsetHeight);
    return new Set(heights).size === 1 ? [] : heights;
}"""
# Whether the own fact is cut on one's own turn.
OWN_TURN_JS = """() => {
    document.querySelector(".mine").dataset.turn = "";
    const fact = document.querySelector(".mine .subline");
    fact.innerHTML = "<b>Your turn</b> <time>9:58</time>";
    return fact.scrollHeight <= fact.clientHeight ? [] : [fact.scrollHeight, fact.clientHeight];
}"""
WRITE_LONG_FACT_JS = """html => {
    document.querySelector(".mine .subline").innerHTML = html;
    document.querySelector(".ends-sum b").textContent = "24";
}"""
LONG_FACTS = (
    "drew 1 on <b>11·<wbr>8·<wbr>7·<wbr>6·<wbr>5·<wbr>3·<wbr>2·<wbr>0</b>",
    "drew 10 · <i>12-11</i>",
)
PHONES = ((390, 844), (360, 640))


def test_phone_plates_have_equal_height(open_page):
    page = open_page(phone=True)
    names = ("bok", "nimble-dormouse-xyz", "gentle-mole")
    open_position(page, Position("dominican", names, is_first))
    checks = (Check("unequal heights", HEIGHTS_JS), Check("cut own fact", OWN_TURN_JS))
    assert find_faults_at(page, PHONES, *checks) == []


def test_phone_plate_holds_long_facts(open_page):
    page, faults = open_page(phone=True), []
    open_position(page, Position("five-up", LONGEST_GUESTS[:1], is_second_play, {"set": "12"}))
    for fact in LONG_FACTS:
        page.evaluate(WRITE_LONG_FACT_JS, fact)
        low = is_true("a high plate", "document.querySelector('.mine').offsetHeight <= 48")
        faults += find_faults_at(page, PHONES, NO_OVERLAPPING_TEXT, low, what=fact)
    assert faults == []


def is_second_play(now: dict) -> bool:
    return now["you"] == 0 and len(now["layout"]) > 1


SIGNS_JS = """() => {
    const shown = [...document.querySelectorAll("#seats .seat:not(.mine) :is(.is-computer, .partner, .partner-sign)")]
        .filter(part => part.offsetWidth > 12 && part.offsetHeight > 12);
    return shown.map(part => `${part.closest(".seat").id} ${part.classList[0]}`).sort();
}"""


def test_phone_plates_tell_computers_and_partner(open_page):
    page = open_page(phone=True)
    open_position(page, against("dominican", 3))
    for width, sign in ((390, "partner"), (360, "partner-sign")):
        page.set_viewport_size(size(width, 780))
        computers = [f"seat-{seat} avatar" for seat in (1, 2, 3)]
        expect_value(page, SIGNS_JS, sorted([*computers, f"seat-2 {sign}"]))

    open_position(page, Position("dominican", LONGEST_GUESTS, is_first))  # with a clock
    page.set_viewport_size(size(390, 780))
    expect_value(page, SIGNS_JS, ["seat-2 partner-sign"])
