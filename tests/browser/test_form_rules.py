"""The rules on the form of a new table: choices of the source, errors at their fields."""

import pytest
from playwright.sync_api import expect

from tests.browser.axe import assert_accessible
from tests.browser.conftest import post_form
from tests.browser.playing import button
from tests.browser.waiting import expect_value


def test_variant_keeps_table_rated(alice):
    alice.goto("/tables/new?preset=muggins-200")
    alice.get_by_text("Rated", exact=True).click()
    alice.locator(".house summary").click()
    alice.locator("[name=variant][value='spinner=none']").check()
    expect(alice.locator("main")).to_contain_text(
        "as written in a Russian page on Muggins, with this choice: there is no spinner."
    )
    expect(alice.get_by_label("Rated", exact=True)).to_be_checked()
    expect(alice.locator("main")).not_to_contain_text("make it casual")


def test_each_step_shows_its_sentence(alice):
    alice.goto("/tables/new")
    steps = alice.locator(".step")
    expect(steps.locator("[id^=form-says]")).to_have_text(
        ["All Fives, to 100.", "2 players, 5 min + 5 s, casual. Anybody may sit down.", "As written."]
    )
    steps.nth(1).locator("summary").click()
    expect(alice.get_by_label("Find a game")).to_be_hidden()
    alice.get_by_label("3", exact=True).check()
    alice.get_by_text("Rated", exact=True).click()
    expect(steps.nth(1).locator("[id^=form-says]")).to_have_text(
        "3 players, 5 min + 5 s, rated. Anybody may sit down."
    )


def test_game_is_found_and_chosen_by_keyboard(alice):
    alice.goto("/tables/new")
    steps = alice.locator(".step summary")
    steps.nth(1).click()
    alice.get_by_text("Rated", exact=True).click()
    steps.first.click()
    search = alice.get_by_label("Find a game")
    search.fill("kozel")
    expect(alice.get_by_text("Games found: 3")).to_be_visible()
    expect(alice.locator(".game-picks li:not([data-missed])")).to_have_count(3)
    search.press("Tab")  # to the chosen game, which is not among those found
    expect(alice.locator(".game-picks :checked")).to_be_focused()
    search.press("Enter")
    expect(alice.locator("#form-says-game")).to_contain_text("Kozel (the Goat)")
    search.fill("no such game")
    expect(alice.get_by_text("No game has this.")).to_be_visible()
    expect(alice.get_by_label("Rated", exact=True)).to_be_checked()
    button(alice, "Create table").click()
    expect(alice.locator(".table-page .eyebrow")).to_contain_text("Kozel (the Goat)")


@pytest.mark.parametrize("scripts", [True, False])
def test_wrong_tiles_are_refused_at_the_field(open_page, scripts):
    page = open_page(guest=True, phone=True, scripts=scripts)
    page.goto("/tables/new?preset=draw")
    page.locator(".house summary").click()
    field = page.locator("[name=rule-lone_pips]")
    field.fill("0-0 25 6-6")
    button(page, "Create table").click()
    expect(field).to_have_attribute("aria-invalid", "true")
    expect(field).to_have_value("0-0 25 6-6")
    error = page.locator(f"#{field.get_attribute('aria-describedby')}")
    expect(error).to_be_visible()
    expect(error).to_contain_text("tiles and what each counts, such as 0-0 25, 6-6 50.")
    if scripts:
        assert_accessible(page, "a refused field", "#form-house")


CUT_CHOICES_JS = """() => [...document.querySelectorAll("#form-house select")].filter(select => {
    const style = getComputedStyle(select), pen = document.createElement("canvas").getContext("2d")
    pen.font = style.font
    const room = select.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight)
    return pen.measureText(select.selectedOptions[0].text).width > room
}).map(select => select.selectedOptions[0].text)"""


def test_choices_of_house_rules_are_not_cut(open_page):
    page = open_page(guest=True)
    for language in ("en", "es", "ru", "pt"):
        post_form(page.context, "/", "/language/", language=language)
        page.goto("/tables/new")
        expect(page.locator("html")).to_have_attribute("lang", language)
        page.locator(".house summary").click()
        expect(page.locator("#form-house select").first).to_be_visible()
        # The bonus of pairs takes more than a line.
        expect_value(page, CUT_CHOICES_JS, lambda cut: len(cut) <= 1)


# The narrowest gap between two words of a legend, in em.
NARROWEST_GAP_JS = """legend => {
    const text = legend.firstChild, range = document.createRange();
    const em = parseFloat(getComputedStyle(legend).fontSize);
    return Math.min(...[...text.data.matchAll(/ /g)].map(({ index }) => {
        range.setStart(text, index);
        range.setEnd(text, index + 1);
        return range.getBoundingClientRect().width / em;
    }));
}"""


def test_words_of_a_heading_stand_apart(open_page):
    page = open_page(guest=True, phone=True)
    page.goto("/tables/new")
    page.locator(".house summary").click()
    page.evaluate("document.fonts.ready")
    legend = page.locator("legend", has_text="Choices that the source allows")
    expect_value(legend, NARROWEST_GAP_JS, lambda gap: gap > 0.25)


CASUAL = "This target makes it casual. Any target from 20 to 500 can be rated."


@pytest.mark.parametrize("scripts", [True, False])
def test_target_that_makes_a_table_casual_is_said_before_it_is_made(open_page, scripts):
    page = open_page("alice", phone=True, scripts=scripts)
    page.goto("/tables/new?preset=all-fives")
    page.get_by_text("Rated", exact=True).click()
    page.locator(".step summary").first.click()
    page.locator("[name=target]").fill("19")
    if scripts:
        page.locator("[name=target]").press("Tab")
        expect(page.locator("#form-words")).to_contain_text(CASUAL)
    else:
        button(page, "Create table").click()
        expect(page.locator("main > .page > .message")).to_contain_text(f"{CASUAL} Nothing is made yet.")
        expect(page.locator("[name=target]")).to_have_value("19")
        expect(page.locator("[name=rated]")).to_be_checked()
    button(page, "Create table").click()
    expect(page.locator(".table-page .eyebrow")).to_contain_text("to 19")
    expect(page.locator(".table-page .eyebrow")).to_contain_text("casual")
