"""A round of a night on phones: two people come by their personal links, computers take the other two seats."""

from datetime import timedelta

from django.db.models import F
from playwright.sync_api import Page, expect

from nights.models import NightTable
from tests.browser.axe import assert_accessible
from tests.browser.playing import button, match_code
from tests.browser.stored import change_rows
from tests.browser.tables import press_then_post
from tests.browser.test_nights import NIGHT, find_own_address, press

NAMES = ["Ana", "Luis", "Rosa", "Nuria"]


def make_night(page: Page) -> str:
    page.goto("/nights/new")
    page.get_by_label("Name", exact=True).fill("Friday")
    page.get_by_label("on phones").check()
    page.get_by_label("Game").select_option("dominican")
    page.get_by_label("Hands a round").fill("1")
    page.get_by_text("More: clock").click()
    assert_accessible(page, "the form of a night on phones", ".night-new")
    button(page, "Make the night").click()
    expect(page).to_have_url(NIGHT)
    page.get_by_label("Names, one a line").fill("\n".join(NAMES))
    button(page, "Add these names").click()
    expect(page.get_by_text("4 are here: 1 table, nobody is out").first).to_be_visible()
    return page.url


def let_three_minutes_pass() -> None:
    NightTable.objects.update(computers_at=F("computers_at") - timedelta(seconds=181))


def test_two_people_and_computers_play_a_round(alice, open_page):
    address = make_night(alice)
    ana, luis, wall = open_page(phone=True), open_page(phone=True), open_page()
    wall.goto(f"{address}wall/")
    ana.goto(find_own_address(alice, "Ana"))
    button(ana, "This is me").click()
    expect(ana.get_by_role("heading", level=1)).to_have_text("Wait for round 1")

    press(alice, "Draw round 1")
    expect(ana.get_by_role("heading", level=1)).to_contain_text("Table 1, with ")
    expect(ana.get_by_text("1 of 4 are there.")).to_be_visible()
    expect(ana.locator("#strip")).to_contain_text("Round 1, table 1")
    assert_accessible(ana, "a person's page while the table waits", ".own-page")
    luis.goto(find_own_address(alice, "Luis"))
    button(luis, "This is me").click()
    expect(ana.get_by_text("2 of 4 are there.")).to_be_visible()

    change_rows(alice, let_three_minutes_pass)
    alice.reload()
    assert_accessible(alice, "the desk while people are missing", "#night-acts")
    for name in ("Rosa", "Nuria"):
        press(alice, f"A computer for {name} table 1")
        expect(button(alice, f"A computer for {name} table 1")).to_have_count(0)

    code = match_code(ana)  # without a press
    assert match_code(luis) == code
    expect(wall.locator(".wall-boards")).to_have_count(1)
    expect(alice.get_by_role("link", name="Watch table 1")).to_be_visible()
    end = press_then_post(ana, luis, presses=2)
    assert end["status"] == "finished"

    expect(alice.locator("#table-1")).to_contain_text("a computer for Rosa and Nuria")
    expect(alice.get_by_role("button", name="Draw round 2")).to_be_visible()
    ana.goto(f"{address}")
    ana.get_by_role("link", name="Your page, Ana").click()
    expect(ana.get_by_text("is confirmed.")).to_be_visible()
    assert ana.request.get(f"{address}night.json").json()["tables"][0]["match"] == code
