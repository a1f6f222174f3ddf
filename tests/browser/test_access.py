"""Nobody is kept out: axe finds no fault on any page in any state, and nothing scrolls sideways."""

import pytest
from playwright.sync_api import expect

from tests.browser.axe import keeps_nobody_out
from tests.browser.playing import button, shows
from tests.browser.tables import (
    against_computers,
    begun,
    choice_of,
    in_the_first_round,
    look_at,
    match,
    match_that_comes_to,
    on_turn,
    play_until,
    send,
    table,
)


def test_the_lobby_keeps_nobody_out(visitor, alice, bob):
    match(alice, bob)
    table(bob, "draw", seats="4", **{"rule-hand_size": "6"})
    for page, who in ((visitor(), "a stranger"), (visitor(guest=True), "a guest"), (alice, "alice")):
        page.goto("/")
        keeps_nobody_out(page, f"the lobby of {who}")


def test_a_new_table_and_waiting_at_it(visitor, alice, bob):
    alice.goto("/tables/new?preset=muggins-200-pairs")
    alice.locator(".house summary").click()
    keeps_nobody_out(alice, "the form with its house rules")
    alice.get_by_role("combobox", name="First to").fill("never")
    button(alice, "Create table").click()
    expect(alice.get_by_role("alert")).to_be_visible()
    keeps_nobody_out(alice, "the form refused")

    waiting = table(alice, "muggins-200-pairs", seats="4", target="60")
    for page, who in ((alice, "who made it"), (bob, "another"), (visitor(), "a stranger")):
        page.goto(waiting)
        keeps_nobody_out(page, f"a waiting table seen by {who}")


def test_a_match_from_its_first_tile_to_its_last(visitor, alice, bob):
    match(alice, bob)
    alice.locator(".keys summary").click()
    keeps_nobody_out(alice, "a match just begun, its keys listed")
    button(alice, "Resign").click()
    keeps_nobody_out(alice, "being asked whether to resign")
    alice.get_by_role("button", name="Keep playing").click()

    chooses = match_that_comes_to(in_the_first_round(choice_of), alice, bob, target="200")
    page, _ = on_turn(alice, bob)
    shows(page, chooses["version"])
    button(page, choice_of(chooses)).click()
    expect(page.locator(".is-legal:not(.is-hidden) .spot").locator("visible=true").first).to_be_visible()
    keeps_nobody_out(page, "a tile chosen, its places lit")
    spectator = visitor()
    spectator.goto(alice.url)
    keeps_nobody_out(spectator, "a match seen by a spectator")

    play_until(lambda now: now["last_round"] and not now["layout"], alice, bob)
    expect(button(alice, "Continue")).to_be_visible()
    keeps_nobody_out(alice, "the end of a round")

    for one in (alice, bob, spectator):
        one.goto("about:blank")  # nobody needs to look at all the moves to the end
    play_until(lambda now: now["status"] == "finished", alice, bob, code=chooses["match"])
    look_at(chooses["match"], alice)
    expect(alice.locator("#over")).to_be_visible()
    keeps_nobody_out(alice, "the end of a match")


def test_a_called_table_keeps_nobody_out(alice, bob):
    match(alice, bob, preset="muggins-200", target="60")
    page, now = on_turn(alice, bob)
    send(page, now["legal"][0], now)
    for each in (alice, bob):
        shows(each, 1)
        keeps_nobody_out(each, "a called table")


@pytest.mark.parametrize(("preset", "seats"), [("draw", 3), ("sebastopol", 4)])
def test_more_than_two_seats(visitor, preset, seats):
    page = visitor(guest=True)
    against_computers(page, preset, seats)
    page, now = on_turn(page)
    shows(page, now["version"])
    keeps_nobody_out(page, f"{seats} seats")


def test_the_sheets_of_a_match(visitor):
    page = visitor(guest=True, phone=True)
    against_computers(page)
    page.locator("#peek").click()
    page.locator("#chat summary").click()
    page.get_by_label("Message").fill("hello")
    page.get_by_role("button", name="Send", exact=True).click()
    expect(page.locator("#talk-log")).to_contain_text("hello")
    page.locator("#report-box summary").click()
    keeps_nobody_out(page, "the sheet with moves and talk")
    page.get_by_role("link", name="Rules at this table, in words").click()
    keeps_nobody_out(page, "the rules over the table")


def test_what_is_left_of_a_match(alice, bob):
    code = begun(alice, bob, target="60")
    play_until(lambda now: now["status"] == "finished", alice, bob, code=code)
    for path in (
        f"/games/{code}/replay/?move=9",
        f"/games/{code}/replay/?move=9&seat=1",
        f"/games/{code}/verify/",
        "/archive/",
        "/archive/?player=alice",
        "/players/alice/",
        "/players/bob/",
    ):
        alice.goto(path)
        keeps_nobody_out(alice)


def test_pages_for_everybody(visitor):
    page = visitor()
    for path in (
        "/rules/",
        "/rules/all-fives/",
        "/rules/muggins-200-pairs/?seats=4",
        "/fairness/",
        "/leaderboard/muggins/",
        "/nothing/here/",
    ):
        page.goto(path)
        keeps_nobody_out(page)
