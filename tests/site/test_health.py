"""/healthz and /metrics."""

import logging
import sqlite3
import time
from contextlib import closing
from pathlib import Path
from threading import Event
from typing import Any

import pytest
from django.db import connection
from django.test import Client, override_settings
from django.utils import timezone

from core.database import get_outage_reason
from dominoes_site import health, write_ahead

pytestmark = pytest.mark.django_db(transaction=True)  # another connection writes


@pytest.fixture(autouse=True)
def write_at_each_check(monkeypatch):
    monkeypatch.setattr(health, "WRITE_INTERVAL_SECONDS", 0.0)


def test_healthy_site_is_ok(client: Client):
    answer = client.get("/healthz")
    assert (answer.status_code, answer.content) == (200, b"ok\n")
    assert "no-store" in answer["Cache-Control"]


def test_session_is_not_read(client: Client, alice, django_assert_num_queries):
    client.force_login(alice)
    with django_assert_num_queries(0):  # the check has a thread and a connection of its own
        assert client.get("/healthz").content == b"ok\n"


@pytest.mark.skipif(connection.vendor != "sqlite", reason="writers wait for each other in SQLite")
def test_locked_database_is_reported(monkeypatch, client: Client):
    monkeypatch.setattr(health, "CHECK_TIMEOUT_SECONDS", 20)  # SQLite exceeds its timeout on a busy machine
    with closing(sqlite3.connect(connection.settings_dict["NAME"], isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        answer = client.get("/healthz")
        other.execute("ROLLBACK")
    assert (answer.status_code, answer.content) == (503, b"database locked\n")
    assert client.get("/healthz").status_code == 200


@pytest.mark.skipif(connection.vendor != "postgresql", reason="SQLite locks no single table")
@pytest.mark.parametrize("table", ["games_match", "games_seat", "games_move"])
def test_locked_table_is_reported(client: Client, table: str):
    import psycopg

    given = connection.settings_dict
    login = {
        "host": given["HOST"],
        "port": given["PORT"],
        "user": given["USER"],
        "password": given["PASSWORD"],
    }
    with psycopg.connect(dbname=given["NAME"], **{k: v for k, v in login.items() if v}) as other:
        other.execute(f"LOCK TABLE {table} IN EXCLUSIVE MODE")
        answer = client.get("/healthz")
        other.rollback()
    assert (answer.status_code, answer.content) == (503, b"database locked\n")
    assert client.get("/healthz").status_code == 200


def test_malformed_page_of_file_is_reported(monkeypatch, tmp_path: Path, client: Client):
    file = tmp_path / "restored.sqlite3"
    with closing(sqlite3.connect(file)) as database:
        database.execute("CREATE TABLE t (x)")
        database.executemany("INSERT INTO t VALUES (?)", [("x" * 500,)] * 100)
        database.commit()
    monkeypatch.setattr(health, "_malformed", "")
    health.check_integrity(file)
    assert health.run_checks() == "ok"

    with file.open("r+b") as stored:
        stored.seek(3 * 4096)
        stored.write(b"\xff" * 4096)
    health.check_integrity(file)
    answer = client.get("/healthz")
    assert (answer.status_code, answer.content) == (503, b"database malformed\n")


def test_integrity_check_has_a_time_limit(monkeypatch, tmp_path: Path):
    with closing(sqlite3.connect(tmp_path / "large.sqlite3")) as database:
        database.execute("CREATE TABLE t (x)")
        database.executemany("INSERT INTO t VALUES (?)", [("x" * 50,)] * 100_000)
        database.commit()
    monkeypatch.setattr(health, "MAX_INTEGRITY_CHECK_SECONDS", -1.0)
    health.check_integrity(tmp_path / "large.sqlite3")
    assert health._malformed == ""


def test_full_disk_is_recognised(tmp_path: Path):
    with closing(sqlite3.connect(tmp_path / "small.sqlite3")) as database:
        database.execute("PRAGMA max_page_count = 2")
        database.execute("CREATE TABLE t (x)")
        with pytest.raises(sqlite3.OperationalError) as full:
            database.execute("INSERT INTO t VALUES (zeroblob(100000))")
    assert get_outage_reason(full.value) == "full"


def test_hanging_check_times_out(monkeypatch):
    monkeypatch.setattr(health, "CHECK_TIMEOUT_SECONDS", 0.2)
    hanging = Event()
    check = health.Check("database", lambda: hanging.wait(60) and None)
    began = time.monotonic()
    assert [check.run() for _ in range(3)] == ["database"] * 3
    assert time.monotonic() - began < 20, "as long as the check hangs"
    hanging.set()
    check._future.result(20)
    assert check.run() in health.HEALTHY


def test_slow_check_is_reported(monkeypatch, client: Client):
    monkeypatch.setattr(health, "CHECKS", [health.Check("database", lambda: time.sleep(1.1))])
    answer = client.get("/healthz")
    assert (answer.status_code, answer.content) == (200, b"slow\n")


def test_failed_check_is_reported(monkeypatch, client: Client):
    def refuse() -> None:
        raise ConnectionError("gone")

    monkeypatch.setattr(health, "CHECKS", [health.Check("redis", refuse)])
    answer = client.get("/healthz")
    assert (answer.status_code, answer.content) == (503, b"redis\n")


def test_repeated_failure_is_logged_once(monkeypatch, client: Client, caplog):
    def refuse() -> None:
        raise ConnectionError("gone")

    monkeypatch.setattr(health, "CHECKS", [health.Check("database", refuse)])
    for _ in range(5):
        client.get("/healthz")
    assert [record.getMessage() for record in caplog.records] == ["The database does not do its work: gone"]


def test_metrics_are_served_to_loopback(client: Client):
    client.get("/healthz")
    for host in ("localhost", "127.0.0.1:8000", "[::1]:8000"):
        answer = client.get("/metrics", HTTP_HOST=host)
        assert answer.status_code == 200
    assert b'boneyard_answers_total{status="200",view="healthz"}' in answer.content
    assert b"boneyard_matches_playing 0.0" in answer.content


@pytest.mark.parametrize(
    "stranger",
    [
        {"REMOTE_ADDR": "192.0.2.7"},
        {"REMOTE_ADDR": ""},
        {"HTTP_HOST": "testserver"},
        {"HTTP_X_FORWARDED_FOR": "127.0.0.1"},
        {"HTTP_X_REAL_IP": "127.0.0.1"},
        {"HTTP_FORWARDED": "for=127.0.0.1"},
        {"HTTP_VIA": "1.1 cache"},
        {"HTTP_CF_CONNECTING_IP": "127.0.0.1"},
    ],
)
def test_metrics_are_refused_to_others(client: Client, stranger):
    assert client.get("/metrics", **{"HTTP_HOST": "localhost"} | stranger).status_code == 403


@override_settings(METRICS_TOKEN="brass")
def test_metrics_are_served_with_token(client: Client):
    stranger: Any = {"REMOTE_ADDR": "192.0.2.7"}
    assert client.get("/metrics", HTTP_AUTHORIZATION="Bearer brass", **stranger).status_code == 200
    assert client.get("/metrics", HTTP_AUTHORIZATION="Bearer coral", **stranger).status_code == 403
    assert client.get("/metrics", **stranger).status_code == 403


def test_metrics_contain_no_paths(client: Client):
    client.get("/games/abcdefghij/")
    assert b"abcdefghij" not in client.get("/metrics", HTTP_HOST="localhost").content


@pytest.mark.skipif(connection.vendor != "sqlite", reason="PostgreSQL has no such file")
def test_large_write_ahead_log_is_named(client: Client, monkeypatch, caplog):
    """A reader that stays in its transaction keeps SQLite from emptying the file."""
    monkeypatch.setattr(write_ahead, "LARGE_BYTES", 2 * write_ahead.MEGABYTE)
    caplog.set_level(logging.INFO)
    file = connection.settings_dict["NAME"]
    with (
        closing(sqlite3.connect(file, isolation_level=None)) as reader,
        closing(sqlite3.connect(file, isolation_level=None)) as writer,
    ):
        writer.execute("PRAGMA journal_mode=WAL")
        writer.execute("PRAGMA wal_checkpoint(TRUNCATE)")  # what other tests have written
        reader.execute("BEGIN")
        reader.execute("SELECT count(*) FROM django_session").fetchone()
        assert client.get("/healthz").content == b"ok\n"
        writer.execute("CREATE TABLE grows (x)")
        for _ in range(3):
            writer.execute("INSERT INTO grows VALUES (zeroblob(?))", [write_ahead.MEGABYTE])
        answer = client.get("/healthz")
        for _ in range(2):
            write_ahead.check(timezone.now())
        reader.execute("ROLLBACK")
        writer.execute("DROP TABLE grows")
        writer.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    assert (answer.status_code, answer.content) == (200, b"ok\nwrite-ahead log 3 MB\n")
    assert client.get("/healthz").content == b"ok\n"
    write_ahead.check(timezone.now())
    said = [record.levelname for record in caplog.records if "write-ahead log" in record.message]
    assert said == ["WARNING", "WARNING"], "once when it grows, once when it has shrunk"
