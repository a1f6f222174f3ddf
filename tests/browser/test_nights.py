"""A night of eight over two rounds: the desk, two phones, the wall, and a while without a network."""

import re
from datetime import timedelta

from django.utils import timezone
from playwright.sync_api import Page, expect

from nights.models import DrawnRound
from tests.browser.axe import assert_accessible
from tests.browser.playing import button
from tests.browser.stored import change_rows
from tests.browser.waiting import expect_value

NAMES = ["Ana", "Luis", "Rosa", "Nuria", "Pedro", "Carmen", "Hugo"]
SENTENCE = re.compile(r"Table (\d), with (\w+), against (\w+) and (\w+)")
NIGHT = re.compile(r"/nights/[0-9a-z]{10}/$")


def make_night(page: Page) -> str:
    page.goto("/nights/new")
    assert_accessible(page, "the form of a night", ".night-new")
    page.get_by_label("Name", exact=True).fill("Friday")
    page.get_by_label("Game").select_option("dominican")
    page.get_by_label("Rounds", exact=True).fill("2")
    page.get_by_text("More: minutes").click()
    page.get_by_label("Minutes a round").fill("25")
    button(page, "Make the night").click()
    expect(page).to_have_url(NIGHT)
    return page.url


def add_names(page: Page) -> None:
    page.get_by_label("Names, one a line").fill("\n".join(NAMES))
    button(page, "Add these names").click()
    expect(page.get_by_text("7 are here: 1 table, 3 are out").first).to_be_visible()


def read_sentence(page: Page) -> re.Match[str]:
    heading = page.get_by_role("heading", level=1)
    expect(heading).to_have_text(SENTENCE)
    found = SENTENCE.search(heading.inner_text())
    assert found
    return found


def find_own_address(desk: Page, name: str) -> str:
    link = desk.locator("#night-people li", has_text=name).get_by_role(
        "link", name="Own page", include_hidden=True
    )
    return link.get_attribute("href")


def add_hand(page: Page, side: int, pips: int) -> None:
    page.locator(".who-won label").nth(side).click()
    page.get_by_label("Pips left").fill(str(pips))
    button(page, "Add this hand").click()


def press(desk: Page, name: str) -> None:
    """Press a button of the desk once the desk shows what others have done: an older version is refused."""
    version = desk.request.get(f"{desk.url}night.json").json()["version"]
    expect(desk.locator("#night-version input")).to_have_value(str(version))
    button(desk, name).click()


def enter_as_director(desk: Page, table: int) -> None:
    desk.locator(f"#table-{table} .result-acts a").click()
    for position, points in enumerate(("120", "85")):
        desk.locator(".total-points").nth(position).fill(points)
    button(desk, "Send").click()
    expect(desk).to_have_url(NIGHT)


def bring_bell_near() -> None:
    DrawnRound.objects.filter(undone_at=None).update(ends_at=timezone.now() + timedelta(seconds=5))


def test_night_of_eight_is_played_with_phones_and_a_wall(alice, open_page):
    address = make_night(alice)
    expect_value(alice, "() => document.documentElement.dataset.live", "on")
    add_names(alice)
    phone, other, wall = open_page(phone=True), open_page(phone=True), open_page()

    phone.goto(address)
    phone.get_by_label("Your name. No account.").fill("Zoe")
    button(phone, "I want to play").click()
    expect(phone.get_by_role("heading", level=1)).to_have_text("You are on the list")
    press(alice, "Zoe is here")
    expect(phone.get_by_role("heading", level=1)).to_have_text("Wait for round 1")
    assert_accessible(alice, "the desk before the draw")

    wall.goto(f"{address}wall/")
    press(alice, "Draw round 1")
    sentence = read_sentence(phone)
    assert_accessible(phone, "a person's own page", ".own-page")
    expect(wall.get_by_role("heading", level=1)).to_have_text("Round 1 of 2")
    expect(wall.locator(".wall-tables li")).to_have_count(2)
    expect(wall.locator(".wall-tables")).to_contain_text("Zoe")
    assert_accessible(wall, "the wall", ".wall")

    phone.get_by_role("link", name="Enter the result").click()
    expect(phone.locator("#hands")).to_be_visible()
    assert_accessible(phone, "the sheet of a table", "#sheet")
    zoe_first = "Zoe" in phone.locator(".who-won label").first.inner_text()
    button(phone, "Add this hand").click()
    expect(phone.get_by_role("alert")).to_have_text("Say who won the hand, and how many pips were left.")
    for side, pips in ((0, 30), (1, 12), (0, 15), (0, 5)):
        add_hand(phone, side, pips)
    expect(phone.locator(".who-won")).to_be_hidden()  # a round of this night has four hands
    phone.context.set_offline(True)
    button(phone, "Send").click()
    expect(phone.locator("#sheet-kept")).to_be_in_viewport()
    expect(phone.locator("#send")).to_have_text("Kept on this phone")
    phone.context.set_offline(False)
    points = "50 – 12" if zoe_first else "12 – 50"
    expect(phone.get_by_text(f"{points} is entered.")).to_be_visible()
    expect(alice.locator(f"#table-{sentence[1]}")).to_contain_text("50 – 12")

    other.goto(find_own_address(alice, sentence[3]))
    expect(other.get_by_role("heading", level=1)).to_contain_text("Right?")
    button(other, "Yes, right").click()
    expect(other.get_by_text("is confirmed.")).to_be_visible()
    table = 3 - int(sentence[1])
    enter_as_director(alice, table)
    expect_value(alice, "() => document.documentElement.dataset.live", "on")

    press(alice, "Draw round 2")
    expect(phone.get_by_text("Round 2 of 2")).to_be_visible()
    assert read_sentence(phone)[2] != sentence[2]
    expect(phone.get_by_text("After 1 round:")).to_be_visible()

    button(wall, "Try the bell").click()
    expect_value(wall, "() => document.documentElement.dataset.rung", "1")
    change_rows(alice, bring_bell_near)
    press(alice, "Hugo is here")
    expect(button(alice, "Hugo is here")).to_have_attribute("aria-pressed", "false")
    expect(wall.get_by_role("alert")).to_contain_text("At the bell finish the hand")
    expect_value(wall, "() => document.documentElement.dataset.rung", "2")

    for table in (1, 2):
        enter_as_director(alice, table)
    press(alice, "End the night")
    expect(alice.locator(".podium")).to_be_visible()
    expect(phone.get_by_role("heading", level=1)).to_have_text("The night is over")
    expect(phone.get_by_text(re.compile(r"won, [+−±]\d+, place \d of 8"))).to_be_visible()
    expect(phone.get_by_role("link", name="Sign up").last).to_be_visible()
    assert_accessible(alice, "the end of a night", "#night-step")
    expect(wall.locator(".wall-podium")).to_be_visible()  # the first turn


def test_night_is_run_without_scripts(open_page):
    page = open_page(scripts=False)
    page.goto("/nights/new")
    page.get_by_label("Name", exact=True).fill("Friday")
    page.get_by_label("When", exact=True).fill("2099-01-02T20:30")
    button(page, "Make the night").click()
    page.get_by_label("Names, one a line").fill("Ana\nLuis\nRosa\nNuria")
    button(page, "Add these names").click()
    button(page, "Draw round 1").click()
    expect(page.get_by_text("0 of 1 result is in")).to_be_visible()
    page.get_by_role("link", name="Enter table 1").click()
    for position, points in enumerate(("120", "85")):
        page.locator(".total-points").nth(position).fill(points)
    button(page, "Send").click()
    expect(page.get_by_text("The result is confirmed.")).to_be_visible()
    expect(page.get_by_role("button", name="Draw round 2")).to_be_visible()


def test_open_night_asks_what_it_needs_and_is_followed(alice):
    alice.goto("/nights/new")
    alice.get_by_label("Name", exact=True).fill("Tiles at nine")
    alice.get_by_label("Who sits with whom").select_option("open")
    for folded in ("Rounds", "Hands a round"):
        expect(alice.get_by_label(folded, exact=True)).to_be_hidden()
    expect(alice.get_by_text("at real tables")).to_be_hidden()
    alice.get_by_label("every week").check()
    button(alice, "Make the night").click()
    expect(alice).to_have_url(NIGHT)
    button(alice, "I come").click()
    expect(alice.get_by_text("1 person is coming")).to_be_visible()
    alice.get_by_role("button", name="Skip").first.click()
    expect(alice.get_by_role("button", name="Takes place after all")).to_be_visible()
    alice.get_by_text("Another day or hour").click()
    assert_accessible(alice, "an open night of a director", ".night-open")


def test_the_address_of_a_night_wraps_on_a_phone_on_its_side(alice):
    make_night(alice)
    alice.set_viewport_size({"width": 844, "height": 390})
    expect_value(alice, "document.documentElement.scrollWidth - innerWidth", 0)
