"""PostgreSQL that vanishes, restarts or is read-only."""

import socket
from collections.abc import Iterator
from contextlib import closing

import pytest
from asgiref.sync import sync_to_async
from django.db import close_old_connections, connection
from django.test import AsyncClient, Client

from tests.games.playing import begin, legal, on_turn
from tests.waiting import until

pytestmark = [
    pytest.mark.skipif(connection.vendor != "postgresql", reason="a file is on this machine"),
    pytest.mark.django_db(transaction=True),
]

TERMINATE = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database()"


def test_unacknowledged_statement_times_out():
    connection.ensure_connection()
    with closing(socket.fromfd(connection.connection.fileno(), socket.AF_INET, socket.SOCK_STREAM)) as line:
        options = {
            name: line.getsockopt(socket.IPPROTO_TCP, getattr(socket, name))
            for name in ("TCP_USER_TIMEOUT", "TCP_KEEPIDLE", "TCP_KEEPINTVL", "TCP_KEEPCNT")
        }
    assert options == {"TCP_USER_TIMEOUT": 5000, "TCP_KEEPIDLE": 5, "TCP_KEEPINTVL": 2, "TCP_KEEPCNT": 3}


@pytest.fixture
def mended() -> Iterator[None]:
    yield
    connection.close()  # this thread's was closed too


async def test_404_after_database_restart(alice, mended):
    client = AsyncClient()
    await client.aforce_login(alice)
    assert (await client.get("/nothing/")).status_code == 404
    await sync_to_async(_terminate_others)()
    assert (await client.get("/nothing/")).status_code == 404


def _terminate_others() -> None:
    with connection.cursor() as cursor:
        cursor.execute(f"{TERMINATE} AND pid <> pg_backend_pid()")
    close_old_connections()


def test_health_check_needs_no_query():
    with connection.cursor() as cursor:
        cursor.execute("SELECT 'said last'")
    process = connection.connection.info.backend_pid
    assert connection.is_usable()
    assert _query(f"SELECT query FROM pg_stat_activity WHERE pid = {process}") == "SELECT 'said last'"


def test_closed_connection_is_replaced(mended):
    connection.ensure_connection()
    ended = connection.connection.info.backend_pid
    _query(f"SELECT pg_terminate_backend({ended})")
    until(lambda: not connection.is_usable(), "the end of the connection")


def test_read_only_database_refuses_moves_only(alice, bob, mended):
    match = begin(alice, bob)
    client = Client(raise_request_exception=False, headers={"Accept": "application/json"})
    client.force_login(on_turn(match).user)
    with connection.cursor() as cursor:
        cursor.execute("SET default_transaction_read_only = on")
    move = {"move": legal(match)[0], "version": match.version}
    answer = client.post(f"/games/{match.code}/move", move)
    assert (answer.status_code, answer.json()["reason"]) == (503, "unavailable")
    assert client.get("/").status_code == 200


def _query(statement: str):
    """Return the result of a statement in another connection."""
    with closing(connection.copy()) as other, other.cursor() as cursor:
        cursor.execute(statement)
        return cursor.fetchone()[0]
