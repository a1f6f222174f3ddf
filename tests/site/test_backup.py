"""A backup is a whole copy at one moment, for its owner alone, and never written over another."""

import sqlite3
import stat
import subprocess
from contextlib import closing
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.db.migrations.recorder import MigrationRecorder

from dominoes_site import backups
from dominoes_site.version import VERSION
from tests.games.playing import begin, play

pytestmark = pytest.mark.django_db(transaction=True)
on_sqlite = pytest.mark.skipif(connection.vendor != "sqlite", reason="of SQLite")


@pytest.fixture(autouse=True)
def folder_of_the_site(settings, tmp_path_factory) -> None:
    settings.VAR_DIR = tmp_path_factory.mktemp("var")


@on_sqlite
def test_backup_is_complete_and_private(tmp_path: Path, alice, bob):
    match = play(begin(alice, bob))
    file, database = tmp_path / "copy.tar", tmp_path / "database"
    call_command("backup", str(file))
    assert [each.name for each in tmp_path.iterdir()] == ["copy.tar"]
    backups.extract_database(file, database)
    with closing(sqlite3.connect(f"{database.as_uri()}?mode=ro", uri=True)) as copy:
        assert copy.execute("SELECT code, version FROM games_match").fetchall() == [(match.code, 1)]
    assert {stat.S_IMODE(each.stat().st_mode) for each in (file, database)} == {0o600}
    assert backups.describe(file).version == VERSION


@on_sqlite
def test_backup_has_the_keys(tmp_path: Path, settings):
    settings.VAR_DIR = tmp_path
    (tmp_path / "secret_key").write_text("secret")
    call_command("backup", str(tmp_path / "copy.tar"))
    assert backups.extract_keys(tmp_path / "copy.tar") == {"secret_key": b"secret"}


@on_sqlite
def test_backup_of_a_later_release_is_refused(tmp_path: Path):
    MigrationRecorder(connection).record_applied("games", "9999_next")
    call_command("backup", str(tmp_path / "copy.tar"))
    with pytest.raises(CommandError, match="games.9999_next.*with that release's code"):
        call_command("restore", str(tmp_path / "copy.tar"))


@on_sqlite
def test_backup_works_during_write(tmp_path: Path, alice):
    with closing(sqlite3.connect(connection.settings_dict["NAME"], isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        call_command("backup", str(tmp_path / "copy.tar"))
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
        call_command("backup", str(tmp_path / "nowhere" / "copy.tar"))


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
        call_command("backup", str(tmp_path / "copy.tar"))
    assert not (tmp_path / "copy.tar").exists()


@on_sqlite
def test_empty_database_is_not_backed_up(tmp_path: Path, monkeypatch):
    empty = tmp_path / "empty.sqlite3"
    with closing(sqlite3.connect(empty)) as database:
        database.execute("PRAGMA journal_mode=WAL")  # which writes the first page
    monkeypatch.setitem(connection.settings_dict, "NAME", str(empty))
    with pytest.raises(CommandError, match="is empty, see VAR_DIR and DATABASE_URL"):
        call_command("backup", str(tmp_path / "copy.tar"))
    assert not (tmp_path / "copy.tar").exists()


@on_sqlite
def test_folder_keeps_the_latest(tmp_path: Path):
    for name in ("boneyard-2026-11-01T000000Z.sqlite3", "boneyard-2026-11-02T000000Z.tar", "mine"):
        (tmp_path / name).touch()
    call_command("backup", str(tmp_path), keep=2)
    names = sorted(each.name for each in tmp_path.iterdir())
    assert names[0] == "boneyard-2026-11-02T000000Z.tar" and names[2] == "mine"
    assert (tmp_path / names[1]).stat().st_size > 4096


@on_sqlite
def test_keep_spares_copies_by_hand_and_the_newest(tmp_path: Path):
    spared = ("boneyard-before-upgrade.sqlite3", "boneyard-2026-11-01T000000Z.sqlite3.gz", "boneyard-old")
    later = (
        "boneyard-2099-01-01T000000Z.sqlite3",
        "boneyard-2099-01-02T000000Z.dump",
    )  # made by a wrong clock
    for name in (*spared, *later):
        (tmp_path / name).touch()
    call_command("backup", str(tmp_path), keep=1)
    (newest,) = (each for each in tmp_path.iterdir() if each.name not in spared)
    assert newest.name not in later and newest.stat().st_size > 4096
    assert all((tmp_path / name).exists() for name in spared)


def test_keeping_needs_a_folder(tmp_path: Path):
    with pytest.raises(CommandError, match="needs a folder"):
        call_command("backup", str(tmp_path / "file"), keep=2)


@pytest.mark.skipif(connection.vendor != "postgresql", reason="needs PostgreSQL")
def test_dump_of_postgresql_has_the_matches(tmp_path: Path, alice, bob):
    match = play(begin(alice, bob))
    file, dump = tmp_path / "copy.tar", tmp_path / "dump"
    call_command("backup", str(file))
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    backups.extract_database(file, dump)
    rows = subprocess.run(
        ["pg_restore", "--data-only", "--table=games_match", "--file=-", str(dump)],
        capture_output=True,
        text=True,
    )
    assert match.code in rows.stdout, rows.stderr


def test_failed_dump_leaves_no_file(tmp_path: Path, monkeypatch):
    monkeypatch.setattr(connection, "vendor", "postgresql")
    for name, value in {"HOST": "127.0.0.1", "PORT": "1", "NAME": "nowhere", "PASSWORD": "hush"}.items():
        monkeypatch.setitem(connection.settings_dict, name, value)
    with pytest.raises(CommandError, match="pg_dump failed|is not installed") as error:
        call_command("backup", str(tmp_path / "copy"))
    assert "hush" not in str(error.value)
    assert list(tmp_path.iterdir()) == []
