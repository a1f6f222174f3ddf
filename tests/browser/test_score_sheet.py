"""The score sheet for a real table, on a phone: games that the site does not deal, with scripts and without."""

import pytest
from playwright.sync_api import expect

from tests.browser.axe import assert_accessible
from tests.browser.playing import button
from tests.browser.test_nights import press
from tests.browser.test_offline import IS_FIRST_STORED_JS
from tests.browser.waiting import expect_value


def test_mexican_train_is_counted_down_to_the_blank_double_without_a_network(open_page):
    page = open_page(phone=True)
    page.goto("/score/?game=mexican-train-9")
    expect_value(page, IS_FIRST_STORED_JS)
    page.context.set_offline(True)
    page.reload()
    page.locator("#score-sides").select_option("3")
    for double in range(9, -1, -1):
        expect(page.locator("#hand-title")).to_contain_text(f"{double}-{double}")
        for side, field in enumerate(page.locator(".side-points").all()):
            field.fill(str(side * double))
        page.locator(".side-points").first.fill("1")
        button(page, "Add this hand").click()
    expect(page.locator("#sum")).to_have_text("Side 1 wins, 10 – 45 – 90.")
    page.reload()
    expect(page.locator("#sum")).to_have_text("Side 1 wins, 10 – 45 – 90.")
    assert_accessible(page, "a sheet of Mexican Train")


def test_forty_two_is_a_sheet_of_two_pairs(open_page):
    page = open_page(phone=True)
    page.goto("/score/?game=forty-two")
    expect(page.locator("#score-kind")).to_have_value("forty-two")
    for _hand in range(7):
        page.locator(".side-points").last.fill("1")
        button(page, "Add this hand").click()
    expect(page.locator("#sum")).to_have_text("Pair 2 wins, 0 – 7.")


@pytest.mark.parametrize("language", ["", "/ru", "/es", "/pt"])
def test_sheet_adds_up_without_scripts(open_page, language):
    page = open_page(phone=True, scripts=False)
    page.goto(f"{language}/score/")
    sheet = page.locator(".written-sheet")
    sheet.locator("[name=game]").select_option("mexican-train")
    sheet.locator("[name=sides]").fill("4")
    sheet.locator("button").first.click()
    expect(page.locator(".paper-sheet tbody th").first).to_have_text("12-12")
    expect(page.locator(".paper-sheet tbody tr")).to_have_count(13)
    page.locator("[name=name]").first.fill("Ann")
    page.locator("[name=point]").nth(1).fill("31")
    page.locator("[name=point]").nth(4).fill("12")
    sheet.locator("button").last.click()
    expect(page.locator(".paper-sheet tfoot td")).to_have_text(["12", "31", "0", "0"])
    expect(page.locator("[name=name]").first).to_have_value("Ann")
    expect_value(page, "document.documentElement.scrollWidth <= innerWidth", True)


def test_sheet_of_a_night_names_the_double_of_each_hand(alice):
    alice.goto("/nights/new")
    alice.get_by_label("Name", exact=True).fill("Trains")
    alice.get_by_label("Game").select_option("mexican-train")
    alice.get_by_label("Who sits with whom").select_option("free")
    alice.get_by_label("Hands a round").fill("13")
    button(alice, "Make the night").click()
    alice.get_by_label("Names, one a line").fill("Ana\nLuis\nRosa\nNuria")
    button(alice, "Add these names").click()
    press(alice, "Draw round 1")
    alice.locator("#table-1 .result-acts a").click()
    expect(alice.locator("#hand-double")).to_have_text("The double 12-12 leads.")
    for side, field in enumerate(alice.locator(".hand-points").all()):
        field.fill(str(side * 10))
    button(alice, "Add this hand").click()
    expect(alice.locator("#hand-double")).to_have_text("The double 11-11 leads.")
    expect(alice.locator("main")).to_contain_text("The fewest points win.")
    button(alice, "Send").click()
    expect(alice.locator("#night-standings")).to_contain_text("Ana")
