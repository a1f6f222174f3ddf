"""What time decides about tables."""

from datetime import timedelta

from django.utils import timezone

from lobbies import services
from lobbies.models import Table
from lobbies.services import sweeping
from tests import budgets
from tests.lobbies.tables import full_since, make, names, unseen
from tests.statements import captured_statements


def sweep() -> None:
    services.sweep(timezone.now())


def test_absent_host_closes_table(alice, browser_of):
    table = make(alice)
    unseen(table, alice, 59)
    sweep()
    assert table.code in browser_of().get("/").content.decode()
    unseen(table, alice, 61)
    sweep()
    table.refresh_from_db()
    assert table.status == Table.Status.CLOSED
    assert table.code not in browser_of().get("/").content.decode()


def test_open_page_keeps_table(alice, browser_of):
    table = make(alice)
    unseen(table, alice, 61)
    browser_of(alice).get(f"/tables/{table.code}/")
    sweep()
    table.refresh_from_db()
    assert table.open


def test_other_page_does_not_keep_table(alice, bob, browser_of):
    table = make(alice)
    unseen(table, alice, 61)
    browser_of(bob).get(f"/tables/{table.code}/")
    sweep()
    table.refresh_from_db()
    assert not table.open


def test_absent_player_frees_seat(alice, bob, charlie):
    table = make(alice, seats=3, levels=["", "", "club"])
    services.sit(table, bob)
    services.leave(table, bob)
    table = make(alice, seats=4, levels=["", "", "club"])
    services.sit(table, bob, 1)
    unseen(table, bob, 61)
    sweep()
    assert names(table) == ["alice", "", "club", ""]


def test_full_table_starts_despite_absence(alice, bob):
    table = make(alice)
    services.sit(table, bob)
    unseen(table, alice, 90)
    full_since(table, 5)
    sweep()
    table.refresh_from_db()
    assert table.status == Table.Status.STARTED


def test_failing_table_does_not_block_others(alice, bob, monkeypatch, caplog):
    tables = [make(host, levels=["", "club"]) for host in (alice, bob)]
    for table in tables:
        full_since(table, 6)
    start = services.advance

    def fail_at_one(table, now):
        if table.host == bob:
            raise RuntimeError("broken")
        return start(table, now)

    monkeypatch.setattr(sweeping, "advance", fail_at_one)
    sweep()
    assert [Table.objects.get(pk=table.pk).status for table in tables] == ["started", "open"]
    assert f"Table {tables[1].code} could not be swept" in caplog.text


def test_closed_tables_are_deleted_after_a_day(alice):
    table = make(alice)
    services.leave(table, alice)
    sweep()
    assert Table.objects.exists()
    Table.objects.update(created_at=timezone.now() - timedelta(days=1, seconds=1))
    sweep()
    assert not Table.objects.exists()


def test_statements_of_idle_sweep(db):
    with captured_statements() as statements:
        sweep()
    budgets.check("a sweep that finds nothing", {"statements": len(statements)})


def test_seal_of_unstarted_table_stays_published(alice, browser_of):
    table = make(alice)
    services.leave(table, alice)
    Table.objects.update(created_at=timezone.now() - timedelta(days=2))
    sweep()
    assert not Table.objects.exists()

    page = browser_of().get("/fairness/").content.decode()

    assert table.seal in page
    assert "not begun" in page
    assert table.code not in page
