"""Leaving a table before play."""

import pytest
from django.utils import timezone

from lobbies import services
from lobbies.models import Table
from lobbies.refusals import TableRefused
from tests.lobbies.tables import full_since, game, make, names


def test_leave_frees_seat(alice, bob, charlie, browser_of):
    table = make(alice, seats=3)
    services.sit(table, bob, 1)
    assert browser_of(bob).post(f"/tables/{table.code}/leave").url == "/"
    assert names(table) == ["alice", "", ""]
    services.sit(table, charlie, 1)


def test_leave_reopens_full_table(alice, bob):
    table = make(alice)
    services.sit(table, bob)
    services.leave(table, bob)
    table.refresh_from_db()
    assert table.full_at is None
    assert not services.advance(table, timezone.now())


def test_host_leaving_closes_table(alice, bob, browser_of):
    table = make(alice, seats=3)
    services.sit(table, bob, 1)
    services.leave(table, alice)
    table.refresh_from_db()
    assert table.status == Table.Status.CLOSED
    assert "This table is closed." in browser_of(bob).get(f"/tables/{table.code}/").content.decode()


def test_quick_play_table_passes_to_next_person(alice, bob, charlie):
    table = services.quick_play(alice, game("sebastopol", 4))
    services.quick_play(bob, game("sebastopol", 4))
    services.quick_play(charlie, game("sebastopol", 4))
    services.leave(table, alice)
    table.refresh_from_db()
    assert (table.status, table.host) == (Table.Status.OPEN, bob)
    assert names(table) == ["", "bob", "charlie", ""]


def test_leave_without_seat_is_refused(alice, bob, browser_of):
    table = make(alice)
    told = browser_of(bob).post(f"/tables/{table.code}/leave", headers={"Accept": "application/json"})
    assert (told.status_code, told.json()["reason"]) == (403, "not_seated")
    told = browser_of().post(f"/tables/{table.code}/leave", headers={"Accept": "application/json"})
    assert told.status_code == 403


def test_leave_after_start_is_refused(alice, bob):
    table = make(alice)
    services.sit(table, bob)
    full_since(table, 6)
    services.advance(table, timezone.now())
    with pytest.raises(TableRefused, match="started"):
        services.leave(table, bob)
