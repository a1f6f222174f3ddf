"""Learning pages: accessible, usable by keyboard, not wider than a phone."""

import re

from playwright.sync_api import expect

from tests.browser.axe import assert_accessible
from tests.browser.fonts import assert_fits_any_font
from tests.browser.playing import button

# Numbers of shipped puzzles: 4-3 fits one end; 3-0 fits both; 4-4 and 6-6 may be laid in one turn.
ONE_PLACE, TWO_PLACES, SEVERAL_TILES = 2, 5, 35
# With the part of each that another page's template has not.
PAGES = {
    "/learn/": "",
    "/learn/line/3/": "",
    "/learn/calling/4/": ".lesson",
    "/learn/count/": "",
    "/learn/hold/": "",
    f"/learn/puzzles/{SEVERAL_TILES}/": "",
    "/verify/": "",
    "/fairness/numbers/": "",
}


def test_learning_pages_are_accessible_and_fit_phone(open_page):
    page = open_page()
    for path, part in PAGES.items():
        page.goto(path)
        assert_accessible(page, part=part)
        for plain_form in page.locator("noscript").all():
            expect(plain_form).to_be_hidden()  # its source is text where scripts run

    phone = open_page(phone=True, locale="es")
    for path in PAGES:
        phone.goto(path)
        assert_fits_any_font(phone, path)


def test_count_exercise_by_keyboard_without_scripts(open_page):
    page = open_page(scripts=False)
    page.goto("/learn/count/")
    button(page, "Start").press("Enter")
    page.get_by_label("The count").fill("5")
    page.keyboard.press("Enter")
    expect(page.locator("#said")).to_contain_text(re.compile(r"Right: 5\.|No, it was \d+\."))
    expect(page.get_by_label("The count")).to_be_empty()


def test_count_countdown_runs(open_page):
    page = open_page()
    page.goto("/learn/count/")
    button(page, "Start").click()
    expect(page.locator("#left")).to_have_text(re.compile(r"0:[0-5]\d"))


def test_lesson_by_keyboard_and_touch(open_page):
    page = open_page()
    page.goto("/learn/")
    page.get_by_role("link", name="The line").press("Enter")
    expect(page.locator(".lesson-prompt")).to_be_focused()
    button(page, "4-3").press("Enter")
    expect(page.locator("#said")).to_contain_text("read again")
    expect(page.locator("#said")).to_be_focused()
    button(page, "6-6").press("Enter")
    expect(page.locator(".lesson-prompt")).to_contain_text("like numbers touch")

    phone = open_page(phone=True, scripts=False)
    phone.goto("/learn/blocking/2/")
    phone.get_by_role("button", name="2-2, right end, 2").tap()
    expect(phone.locator(".lesson-prompt")).to_contain_text("Again not at the 2")
    phone.get_by_role("link", name="Step back").tap()
    expect(phone.locator(".lesson-prompt")).to_contain_text("perhaps they hold no 2")

    phone.goto("/learn/line/3/")
    button(phone, "4-3").tap()
    button(phone, "left end, 4").tap()
    expect(phone.locator(".lesson-prompt")).to_contain_text("Your opponent holds no 3")


def test_lesson_plays_like_the_table(open_page):
    page = open_page()
    page.goto("/learn/line/3/")
    expect(button(page, "1-0")).to_have_attribute("aria-disabled", "true")
    page.keyboard.press("1")
    expect(button(page, "left end, 4")).to_be_focused()
    expect(page.locator("#status")).to_contain_text("left end, 4; right end, 3. An arrow key")
    page.keyboard.press("ArrowRight")
    expect(page.locator("#said")).to_have_text("The right tile, but another place is asked for.")
    expect(page.locator(".board > .tall .is-wrong")).to_have_count(1)
    page.keyboard.press("1")
    page.keyboard.press("ArrowLeft")
    expect(page.locator(".lesson-prompt")).to_contain_text("Your opponent holds no 3")

    phone = open_page(phone=True)
    phone.goto("/learn/calling/1/")
    phone.locator('#claim label:has(input[value="10"])').tap()
    button(phone, "5-5").tap()
    expect(phone.locator(".lesson-prompt")).to_contain_text("lays 0-0 and says nothing")
    button(phone, "Muggins!").tap()
    expect(phone.locator(".lesson-prompt")).to_contain_text("The 10 points are yours")


def test_puzzle_is_answered_at_its_place(open_page):
    page = open_page()
    page.goto(f"/learn/puzzles/{ONE_PLACE}/")
    button(page, "4-3").click()
    expect(page.locator("#said")).not_to_be_empty()
    expect(page.locator("#board > .judged.wide")).to_have_count(1)
    assert_accessible(page, "an answered puzzle", "main")

    page.goto(f"/learn/puzzles/{TWO_PLACES}/")
    button(page, "3-0").click()
    page.locator("#board > .places.wide .spot:visible").first.click()
    expect(page.locator("#said")).not_to_be_empty()


def test_puzzle_is_answered_with_several_tiles(open_page):
    page = open_page()
    page.goto(f"/learn/puzzles/{SEVERAL_TILES}/")
    for double in ("4-4", "6-6"):
        button(page, double).click()
        expect(button(page, double)).to_have_attribute("aria-pressed", "true")
    expect(page.locator("#said")).to_be_empty()
    button(page, "Play 2 tiles").click()
    expect(page.locator("#said")).not_to_be_empty()


def test_tile_keys_work_while_a_claim_has_the_focus(open_page):
    page = open_page()
    page.goto("/learn/calling/1/")
    page.locator("#claim input").first.focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    expect(page.locator("#claim input[value='10']")).to_be_checked()
    page.keyboard.press("1")
    expect(page.locator(".lesson-prompt")).to_contain_text("lays 0-0 and says nothing")
