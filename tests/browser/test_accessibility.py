"""Accessibility: axe finds no violations on any template in any state, and nothing scrolls sideways."""

from playwright.sync_api import expect

from tests.browser.axe import assert_accessible
from tests.browser.conftest import post_form
from tests.browser.playing import button
from tests.browser.stored import Wanted, store_match
from tests.browser.tables import (
    host_tile_with_choice,
    in_first_round,
    open_alone,
    open_ended_match,
    open_match,
    open_table,
    tile_with_choice,
)


def is_at_start(now: dict) -> bool:
    return now["version"] == 0


def is_hosts_turn_with_tiles(now: dict) -> bool:
    return now["you"] == 0 and bool(now["layout"])


def test_lobby_is_accessible(open_page, alice, bob):
    store_match(Wanted(is_at_start), alice, bob, preset="all-fives")
    open_table(bob, "draw", seats="4", **{"rule-hand_size": "6"})
    own = ".site-head, main > :not(.front), .front > :not(.lobby), .section-head, .welcome"
    for page, who, part in (
        (open_page(), "a stranger", own),
        (open_page(guest=True), "a guest", own),
        (alice, "alice", ""),
    ):
        page.goto("/")
        assert_accessible(page, f"the lobby of {who}", part)


def test_table_form_and_waiting_table_are_accessible(open_page, alice, bob):
    alice.goto("/tables/new?preset=muggins-200-pairs")
    alice.locator(".house summary").click()
    assert_accessible(alice, "the form with its house rules")
    alice.locator(".step summary").first.click()
    alice.get_by_role("combobox", name="First to").fill("never")
    button(alice, "Create table").click()
    expect(alice.get_by_role("alert")).to_be_visible()
    assert_accessible(alice, "the form refused", "main :is([role=alert], [aria-invalid=true], label)")

    waiting = open_table(alice, "muggins-200-pairs", seats="4", target="60")
    for page, who, part in (
        (alice, "who made it", ""),
        (bob, "another", "main"),
        (open_page(), "a stranger", "main"),
    ):
        page.goto(waiting)
        assert_accessible(page, f"a waiting table seen by {who}", part)


def test_match_is_accessible_from_choice_to_end(open_page, alice):
    now = open_alone(alice, ["patient-paul"], in_first_round(host_tile_with_choice))
    alice.locator("#tools > summary").click()
    alice.locator(".keys summary").click()
    button(alice, tile_with_choice(now)).click()
    expect(alice.locator(".is-legal:not(.is-hidden) .spot").locator("visible=true").first).to_be_visible()
    assert_accessible(alice, "its keys listed, a tile chosen, its places lit")
    button(alice, "Resign").click()
    expect(alice.get_by_role("button", name="Keep playing")).to_be_visible()
    assert_accessible(alice, "being asked whether to resign", "#acts")

    spectator = open_page()
    spectator.goto(alice.url)
    assert_accessible(spectator, "a match seen by a spectator", "#table")

    open_ended_match(alice, others=["patient-paul"])
    expect(alice.locator("#over")).to_be_visible()
    assert_accessible(alice, "the end of a match", "#table")


def test_tables_of_other_games_are_accessible(alice):
    others = ["patient-paul", "patient-petra", "patient-pia"]
    for preset, seats in (("muggins-200", 2), ("draw", 3), ("sebastopol", 4)):
        open_alone(alice, others[: seats - 1], is_hosts_turn_with_tiles, preset=preset)
        assert_accessible(alice, f"{preset} of {seats}", "#table")


def test_match_sheets_are_accessible(open_page):
    page, other = open_page(guest=True, phone=True), open_page(guest=True)
    code, _ = store_match(Wanted(is_hosts_turn_with_tiles), page, other, preset="all-fives")
    post_form(other.context, "/", f"/games/{code}/say", text="good evening")
    open_match(code, page)
    page.locator("#peek").click()
    page.locator("#chat > summary").click()
    page.get_by_label("Message").fill("hello")
    page.get_by_role("button", name="Send", exact=True).click()
    expect(page.locator("#talk-log")).to_contain_text("hello")
    page.locator("#report-box summary").click()
    assert_accessible(page, "the sheet with moves and talk", "#peek, #rail")
    page.get_by_role("link", name="Rules at this table, in words").click()
    assert_accessible(page, "the rules over the table", "#rules")


def test_finished_match_pages_are_accessible(alice, bob):
    code, _ = store_match(Wanted(lambda _now: True, ended=True), alice, bob, preset="all-fives", target="60")
    for path, part in (
        (f"/games/{code}/replay/?move=9", ""),
        (f"/games/{code}/replay/?move=9&seat=1", ".table"),
        (f"/games/{code}/verify/", ""),
        ("/archive/?player=alice", ""),
        ("/archive/", ".filters-folded"),
        ("/players/bob/", ""),
        ("/players/alice/", "main"),
    ):
        alice.goto(path)
        assert_accessible(alice, part=part)


def test_public_pages_are_accessible(open_page):
    page = open_page()
    for path, part in (
        ("/rules/", ""),
        ("/rules/muggins-200-pairs/?seats=4", ""),
        ("/rules/all-fives/", "main > * > :not(article), article > header"),
        ("/fairness/", ""),
        ("/leaderboard/muggins/", ""),
        ("/nothing/here/", ""),
    ):
        page.goto(path)
        assert_accessible(page, part=part)
