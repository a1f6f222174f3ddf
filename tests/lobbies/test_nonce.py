"""What people add to the shuffle, and the start of the match (docs/record.md, "The sealed shuffle")."""

from datetime import timedelta

import pytest
from django.utils import timezone

from games import repository
from games.models import Match, Seat
from lobbies import services
from lobbies.models import Table
from tests.lobbies.tables import full_since, game, make

JSON = {"Accept": "application/json"}


def give(browser, table: Table, nonce: str):
    return browser.post(f"/tables/{table.code}/nonce", {"nonce": nonce}, headers=JSON)


def test_last_nonce_starts_match(alice, bob, browser_of):
    table = make(alice, clock=(300, 5))
    services.sit(table, bob)
    assert give(browser_of(alice), table, "a1b2").json()["status"] == "open"
    assert give(browser_of(bob), table, "c3").json()["status"] == "started"
    match = Match.objects.get()
    assert (match.code, match.seal) == (table.code, table.seal)
    assert match.entropy == "a1b2.c3"
    assert (match.preset, match.rated, match.private) == ("all-fives", False, False)
    assert (match.clock_seconds, match.clock_increment) == (300, 5)
    assert list(match.seats.values_list("position", "name", "kind")) == [
        (0, "alice", "player"),
        (1, "bob", "player"),
    ]


def test_computers_have_empty_nonce(alice, browser_of):
    table = make(alice, seats=4, levels=["", "club", "strong", "beginner"])
    give(browser_of(alice), table, "a1b2")
    match = Match.objects.get()
    assert match.entropy == "a1b2..."
    assert list(match.seats.values_list("kind", "level"))[1:] == [
        ("computer", "club"),
        ("computer", "strong"),
        ("computer", "beginner"),
    ]


def test_match_starts_without_nonces_after_wait(alice, bob, browser_of):
    table = make(alice)
    services.sit(table, bob)
    give(browser_of(bob), table, "c3")
    table.refresh_from_db()
    assert not services.start_if_ready(table, table.full_at + timedelta(seconds=4.9))
    assert services.start_if_ready(table, table.full_at + timedelta(seconds=5))
    assert Match.objects.get().entropy == ".c3"


def test_sweep_starts_due_tables(alice, bob):
    table = make(alice)
    services.sit(table, bob)
    services.sweep(timezone.now())
    assert not Match.objects.exists()
    full_since(table, 5)
    services.sweep(timezone.now())
    services.sweep(timezone.now())
    assert Match.objects.get().entropy == "."


def test_loading_table_starts_due_match(alice, bob, browser_of):
    table = make(alice)
    services.sit(table, bob)
    assert browser_of(alice).get(f"/tables/{table.code}/").status_code == 200
    full_since(table, 5)
    assert browser_of(alice).get(f"/tables/{table.code}/").url == f"/games/{table.code}/"


def test_started_table_redirects_to_match(alice, bob, browser_of):
    table = make(alice)
    services.sit(table, bob)
    give(browser_of(alice), table, "")
    give(browser_of(bob), table, "")
    for who in (alice, None):
        assert browser_of(who).get(f"/tables/{table.code}/").url == f"/games/{table.code}/"


def test_house_rules_reach_the_match(alice, browser_of):
    table = make(alice, levels=["", "club"], claims="muggins", target=60)
    give(browser_of(alice), table, "")
    match = Match.objects.get()
    assert (match.preset, match.rated, match.rules["claims"], match.rules["target"]) == (
        None,
        False,
        "muggins",
        60,
    )
    assert repository.get_value(match).rules.claims == "muggins"


def test_guest_seat_has_guest_kind(alice, browser_of):
    table = make(alice)
    browser = browser_of()
    browser.post(f"/tables/{table.code}/sit", {"seat": 1})
    give(browser_of(alice), table, "")
    give(browser, table, "")
    assert Seat.objects.get(position=1).kind == "guest"


@pytest.mark.parametrize("nonce", ["", "0", "abc123", "z" * 64])
def test_valid_nonce_is_accepted(alice, browser_of, nonce):
    table = make(alice)
    assert give(browser_of(alice), table, nonce).status_code == 200
    assert table.sittings.get().nonce == nonce


@pytest.mark.parametrize("nonce", ["A", "a.b", "a b", "ab\n", "z" * 65, "é", "١", "a-b", "<b>", "\0"])
def test_malformed_nonce_is_refused(alice, browser_of, nonce):
    table = make(alice)
    told = give(browser_of(alice), table, nonce)
    assert (told.status_code, told.json()["reason"]) == (400, "malformed")
    assert table.sittings.get().nonce is None


def test_second_nonce_is_refused(alice, browser_of):
    table = make(alice)
    give(browser_of(alice), table, "first")
    told = give(browser_of(alice), table, "second")
    assert (told.status_code, told.json()["reason"]) == (422, "nonce_given")
    assert table.sittings.get().nonce == "first"


def test_nonce_of_unseated_user_is_refused(alice, bob, charlie, browser_of):
    table = make(alice)
    services.sit(table, bob)
    for who in (charlie, None):
        told = give(browser_of(who), table, "forged")
        assert (told.status_code, told.json()["reason"]) == (403, "not_seated")
    browser_of(bob).post(f"/tables/{table.code}/nonce", {"nonce": "mine", "seat": 0, "user": alice.pk})
    assert list(table.sittings.values_list("nonce", flat=True)) == [None, "mine"]


def test_nonce_after_start_is_refused(alice, browser_of):
    table = make(alice, levels=["", "club"])
    give(browser_of(alice), table, "a")
    told = give(browser_of(alice), table, "b")
    assert (told.status_code, told.json()["reason"]) == (422, "started")
    assert Match.objects.get().entropy == "a."


def test_leaving_removes_nonce(alice, bob, charlie, browser_of):
    table = make(alice, seats=3)
    services.sit(table, bob, 1)
    give(browser_of(bob), table, "bobs")
    services.leave(table, bob)
    services.sit(table, charlie, 1)
    assert table.sittings.get(position=1).nonce is None


def test_nonce_is_hidden_from_others(alice, bob, browser_of):
    table = make(alice, seats=3)
    services.sit(table, bob, 1)
    give(browser_of(alice), table, "alicesown")
    assert "alicesown" in browser_of(alice).get(f"/tables/{table.code}/").content.decode()
    for who in (bob, None):
        assert "alicesown" not in browser_of(who).get(f"/tables/{table.code}/").content.decode()


def test_start_ends_other_quick_play_waits(alice, bob, browser_of):
    waiting = services.quick_play(alice, game("draw", 2))
    table = make(bob)
    services.sit(table, alice)
    give(browser_of(alice), table, "")
    give(browser_of(bob), table, "")
    waiting.refresh_from_db()
    assert waiting.status == Table.Status.CLOSED
