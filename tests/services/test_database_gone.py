"""A PostgreSQL whose machine is gone without a word: no packet says so. And one that may only be read."""

import socket
import time
from collections.abc import Iterator
from contextlib import closing

import pytest
from asgiref.sync import sync_to_async
from django.db import close_old_connections, connection
from django.test import AsyncClient, Client

from tests.games.playing import begin, legal, on_turn

pytestmark = [
    pytest.mark.skipif(connection.vendor != "postgresql", reason="a file is on this machine"),
    pytest.mark.django_db(transaction=True),
]

CUT = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database()"


def test_what_nobody_acknowledges_is_given_up_within_seconds():
    connection.ensure_connection()
    with closing(socket.fromfd(connection.connection.fileno(), socket.AF_INET, socket.SOCK_STREAM)) as line:
        asked = {
            name: line.getsockopt(socket.IPPROTO_TCP, getattr(socket, name))
            for name in ("TCP_USER_TIMEOUT", "TCP_KEEPIDLE", "TCP_KEEPINTVL", "TCP_KEEPCNT")
        }
    assert asked == {"TCP_USER_TIMEOUT": 5000, "TCP_KEEPIDLE": 5, "TCP_KEEPINTVL": 2, "TCP_KEEPCNT": 3}


@pytest.fixture
def mended() -> Iterator[None]:
    yield
    connection.close()  # this thread's was cut, too


async def test_a_page_that_is_not_there_is_not_there_after_a_restart_of_the_database_either(alice, mended):
    client = AsyncClient()
    await client.aforce_login(alice)
    assert (await client.get("/nothing/")).status_code == 404
    await sync_to_async(_cut_all_others)()
    assert (await client.get("/nothing/")).status_code == 404


def _cut_all_others() -> None:
    with connection.cursor() as cursor:
        cursor.execute(f"{CUT} AND pid <> pg_backend_pid()")
    close_old_connections()


def test_a_connection_is_looked_at_without_a_question():
    with connection.cursor() as cursor:
        cursor.execute("SELECT 'said last'")
    process = connection.connection.info.backend_pid
    assert connection.is_usable()
    assert _answer(f"SELECT query FROM pg_stat_activity WHERE pid = {process}") == "SELECT 'said last'"


def test_one_that_the_server_has_ended_is_not_used_any_more(mended):
    connection.ensure_connection()
    ended = connection.connection.info.backend_pid
    _answer(f"SELECT pg_terminate_backend({ended})")
    for _ in range(100):
        if not connection.is_usable():
            break
        time.sleep(0.05)
    assert not connection.is_usable()


def test_one_that_is_read_only_refuses_moves_for_now_and_no_page(alice, bob, mended):
    match = begin(alice, bob)
    client = Client(raise_request_exception=False, headers={"Accept": "application/json"})
    client.force_login(on_turn(match).user)
    with connection.cursor() as cursor:
        cursor.execute("SET default_transaction_read_only = on")
    move = {"move": legal(match)[0], "version": match.version}
    answer = client.post(f"/games/{match.code}/move", move)
    assert (answer.status_code, answer.json()["reason"]) == (503, "unavailable")
    assert client.get("/").status_code == 200


def _answer(statement: str):
    """What another connection is answered."""
    with closing(connection.copy()) as other, other.cursor() as cursor:
        cursor.execute(statement)
        return cursor.fetchone()[0]
