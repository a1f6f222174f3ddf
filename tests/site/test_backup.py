"""A backup is a whole copy at one moment, for its owner alone, and never written over another."""

import sqlite3
import stat
from contextlib import closing
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from django.db import connection

from tests.games.playing import begin, play

pytestmark = pytest.mark.django_db(transaction=True)
on_sqlite = pytest.mark.skipif(connection.vendor != "sqlite", reason="PostgreSQL has its own tools")


@on_sqlite
def test_backup_is_complete_and_private(tmp_path: Path, alice, bob):
    match = play(begin(alice, bob))
    file = tmp_path / "copy.sqlite3"
    call_command("backup", str(file))
    with closing(sqlite3.connect(f"{file.as_uri()}?mode=ro", uri=True)) as copy:
        assert copy.execute("SELECT code, version FROM games_match").fetchall() == [(match.code, 1)]
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert [each.name for each in tmp_path.iterdir()] == ["copy.sqlite3"]


@on_sqlite
def test_backup_works_during_write(tmp_path: Path, alice):
    with closing(sqlite3.connect(connection.settings_dict["NAME"], isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        call_command("backup", str(tmp_path / "copy.sqlite3"))
        other.execute("ROLLBACK")


@on_sqlite
def test_backup_never_overwrites(tmp_path: Path):
    file = tmp_path / "precious"
    file.write_text("mine")
    with pytest.raises(CommandError, match="is there already: give a new name"):
        call_command("backup", str(file))
    assert file.read_text() == "mine"


@on_sqlite
def test_missing_folder_is_reported(tmp_path: Path):
    with pytest.raises(CommandError, match="cannot be written: No such file or directory"):
        call_command("backup", str(tmp_path / "nowhere" / "copy.sqlite3"))


@on_sqlite
def test_malformed_database_is_not_backed_up(tmp_path: Path, monkeypatch):
    damaged = tmp_path / "damaged.sqlite3"
    with closing(sqlite3.connect(damaged)) as database:
        database.execute("CREATE TABLE t (x)")
        database.executemany("INSERT INTO t VALUES (?)", [("x" * 500,)] * 100)
        database.commit()
    with damaged.open("r+b") as stored:
        stored.seek(3 * 4096)
        stored.write(b"\xff" * 4096)
    monkeypatch.setitem(connection.settings_dict, "NAME", str(damaged))
    with pytest.raises(CommandError, match="could not be copied"):
        call_command("backup", str(tmp_path / "copy.sqlite3"))
    assert not (tmp_path / "copy.sqlite3").exists()


@on_sqlite
def test_empty_database_is_not_backed_up(tmp_path: Path, monkeypatch):
    empty = tmp_path / "empty.sqlite3"
    with closing(sqlite3.connect(empty)) as database:
        database.execute("PRAGMA journal_mode=WAL")  # which writes the first page
    monkeypatch.setitem(connection.settings_dict, "NAME", str(empty))
    with pytest.raises(CommandError, match="it is empty, see VAR_DIR and DATABASE_URL"):
        call_command("backup", str(tmp_path / "copy.sqlite3"))
    assert not (tmp_path / "copy.sqlite3").exists()


def test_postgresql_uses_pg_dump(tmp_path: Path, monkeypatch):
    monkeypatch.setattr(connection, "vendor", "postgresql")
    with pytest.raises(CommandError, match="with pg_dump"):
        call_command("backup", str(tmp_path / "copy"))
