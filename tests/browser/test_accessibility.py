"""Accessibility: axe finds no violations on any page in any state, and nothing scrolls sideways."""

import pytest
from playwright.sync_api import expect

from tests.browser.axe import assert_accessible
from tests.browser.conftest import post_form
from tests.browser.playing import button, match_code, wait_for_version
from tests.browser.tables import (
    in_first_round,
    open_match,
    open_match_at,
    open_table,
    play_until,
    post_move,
    start_against_computers,
    start_match,
    start_unwatched_match,
    tile_with_choice,
    wait_for_turn,
)


def test_lobby_is_accessible(open_page, alice, bob):
    start_match(alice, bob)
    open_table(bob, "draw", seats="4", **{"rule-hand_size": "6"})
    for page, who in ((open_page(), "a stranger"), (open_page(guest=True), "a guest"), (alice, "alice")):
        page.goto("/")
        assert_accessible(page, f"the lobby of {who}")


def test_table_form_and_waiting_table_are_accessible(open_page, alice, bob):
    alice.goto("/tables/new?preset=muggins-200-pairs")
    alice.locator(".house summary").click()
    assert_accessible(alice, "the form with its house rules")
    alice.get_by_role("combobox", name="First to").fill("never")
    button(alice, "Create table").click()
    expect(alice.get_by_role("alert")).to_be_visible()
    assert_accessible(alice, "the form refused")

    waiting = open_table(alice, "muggins-200-pairs", seats="4", target="60")
    for page, who in ((alice, "who made it"), (bob, "another"), (open_page(), "a stranger")):
        page.goto(waiting)
        assert_accessible(page, f"a waiting table seen by {who}")


def test_match_is_accessible_from_start_to_end(open_page, alice, bob):
    start_match(alice, bob)
    alice.locator(".keys summary").click()
    assert_accessible(alice, "a match just begun, its keys listed")
    button(alice, "Resign").click()
    assert_accessible(alice, "being asked whether to resign")
    alice.get_by_role("button", name="Keep playing").click()

    chooses = open_match_at(in_first_round(tile_with_choice), alice, bob, target="120")
    page, _ = wait_for_turn(alice, bob)
    wait_for_version(page, chooses["version"])
    button(page, tile_with_choice(chooses)).click()
    expect(page.locator(".is-legal:not(.is-hidden) .spot").locator("visible=true").first).to_be_visible()
    assert_accessible(page, "a tile chosen, its places lit")
    spectator = open_page()
    spectator.goto(alice.url)
    assert_accessible(spectator, "a match seen by a spectator")

    for one in (alice, bob, spectator):
        one.goto("about:blank")  # no need to render all moves
    play_until(lambda now: now["status"] == "finished", alice, bob, code=chooses["match"])
    open_match(chooses["match"], alice)
    expect(alice.locator("#over")).to_be_visible()
    assert_accessible(alice, "the end of a match")


def test_called_table_is_accessible(alice, bob):
    start_match(alice, bob, preset="muggins-200", target="60")
    page, now = wait_for_turn(alice, bob)
    post_move(page, now["legal"][0], now)
    for each in (alice, bob):
        wait_for_version(each, 1)
        assert_accessible(each, "a called table")


@pytest.mark.parametrize(("preset", "seats"), [("draw", 3), ("sebastopol", 4)])
def test_tables_of_three_and_four_are_accessible(open_page, preset, seats):
    page = open_page(guest=True)
    start_against_computers(page, preset, seats)
    page, now = wait_for_turn(page)
    wait_for_version(page, now["version"])
    assert_accessible(page, f"{seats} seats")


def test_match_sheets_are_accessible(open_page):
    page, other = open_page(guest=True, phone=True), open_page(guest=True)
    start_match(page, other)
    post_form(other.context, other.url, f"/games/{match_code(other)}/say", text="good evening")
    page.locator("#peek").click()
    page.locator("#chat > summary").click()
    page.get_by_label("Message").fill("hello")
    page.get_by_role("button", name="Send", exact=True).click()
    expect(page.locator("#talk-log")).to_contain_text("hello")
    page.locator("#report-box summary").click()
    assert_accessible(page, "the sheet with moves and talk")
    page.get_by_role("link", name="Rules at this table, in words").click()
    assert_accessible(page, "the rules over the table")


def test_finished_match_pages_are_accessible(alice, bob):
    code = start_unwatched_match(alice, bob, target="60")
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
        assert_accessible(alice)


def test_public_pages_are_accessible(open_page):
    page = open_page()
    for path in (
        "/rules/",
        "/rules/all-fives/",
        "/rules/muggins-200-pairs/?seats=4",
        "/fairness/",
        "/leaderboard/muggins/",
        "/nothing/here/",
    ):
        page.goto(path)
        assert_accessible(page)
