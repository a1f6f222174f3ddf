"""The rules on the form of a new table: choices of the source, errors at their fields."""

import pytest
from playwright.sync_api import expect

from tests.browser.axe import assert_accessible
from tests.browser.playing import button


def test_variant_keeps_table_rated(alice):
    alice.goto("/tables/new?preset=muggins-200")
    alice.get_by_text("Rated", exact=True).click()
    alice.locator("[name=variant][value='spinner=none']").check()
    expect(alice.locator("main")).to_contain_text(
        "as written in a Russian page on Muggins, with this choice: there is no spinner."
    )
    expect(alice.get_by_label("Rated", exact=True)).to_be_checked()
    expect(alice.locator("main")).not_to_contain_text("make it casual")


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
        assert_accessible(page)


def test_fields_of_a_row_have_one_height(open_page):
    page = open_page(guest=True, phone=True)
    page.goto("/tables/new?preset=draw")
    target, clock = (page.locator(f"main [name={name}]").bounding_box() for name in ("target", "clock"))
    assert (target["y"], target["height"]) == (clock["y"], clock["height"])


CUT_CHOICES = """selects => selects.filter(select => {
    const style = getComputedStyle(select), pen = document.createElement("canvas").getContext("2d")
    pen.font = style.font
    const room = select.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight)
    return pen.measureText(select.selectedOptions[0].text).width > room
}).map(select => select.selectedOptions[0].text)"""


@pytest.mark.parametrize("locale", ["en", "es", "ru"])
def test_choices_of_house_rules_are_not_cut(open_page, locale):
    page = open_page(guest=True, locale=locale, viewport={"width": 1280, "height": 800})
    page.goto("/")
    page.locator(".house summary").click()
    expect(page.locator("#form-house select").first).to_be_visible()
    cut = page.locator("#form-house select").evaluate_all(CUT_CHOICES)
    assert len(cut) <= 1, cut  # the bonus of pairs takes more than a line


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


def test_words_of_a_small_heading_stand_apart(open_page):
    page = open_page(guest=True)
    page.goto("/tables/new?preset=all-fives")
    page.evaluate("document.fonts.ready")
    legend = page.locator("legend", has_text="Choices that the source allows")
    assert legend.evaluate(NARROWEST_GAP_JS) > 0.25
