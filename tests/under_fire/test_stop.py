"""A graceful stop: requests are answered, sockets are closed with 1012."""

import signal
import socket
import sqlite3
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing

import pytest
from websockets.exceptions import ConnectionClosed

from tests.http_client import HttpClient
from tests.server import Site


def close_code(connection) -> int | None:
    try:
        while True:
            connection.recv(timeout=60)
    except ConnectionClosed as closed:
        return closed.rcvd.code if closed.rcvd else None


def test_requests_in_flight_are_answered(site: Site):
    # Holding the database lock keeps the requests in flight.
    visitors = [HttpClient(site.url) for _ in range(3)]
    for visitor in visitors:
        visitor.get("/")
    with closing(sqlite3.connect(site.folder / "boneyard.sqlite3", isolation_level=None)) as database:
        with ThreadPoolExecutor(3) as pool:
            database.execute("BEGIN IMMEDIATE")
            asked = [
                pool.submit(
                    visitor.post, "/play/all-fives/", accept="application/json", seats=2, clock="1800+20"
                )
                for visitor in visitors
            ]
            time.sleep(3)  # to arrive, also on a busy machine
            site.process.send_signal(signal.SIGTERM)
            time.sleep(0.5)
            assert not any(answer.done() for answer in asked)
            database.execute("ROLLBACK")
            answers = [answer.result() for answer in asked]
    assert [answer.status for answer in answers] == [200] * 3
    assert all(answer.json()["table"] for answer in answers)
    assert site.process.wait(30) == 0


def test_sockets_are_closed_with_1012(site: Site):
    connections = [HttpClient(site.url).open_socket("/ws/lobby/") for _ in range(5)]
    assert site.stop() == 0
    assert [close_code(connection) for connection in connections] == [1012] * 5


def test_stopping_server_refuses_connections(site: Site):
    visitor = HttpClient(site.url)
    connection = visitor.open_socket("/ws/lobby/")
    site.process.send_signal(signal.SIGTERM)
    assert close_code(connection) == 1012
    with pytest.raises(ConnectionRefusedError):
        socket.create_connection(("127.0.0.1", site.port), timeout=1)
    assert site.process.wait(30) == 0


def test_idle_server_stops_immediately(site: Site):
    began = time.monotonic()
    assert site.stop() == 0
    assert time.monotonic() - began < 5  # the time that it would wait for responses


def test_port_in_use_is_reported_in_one_line(site: Site):
    other = Site(site.folder)
    other.log = site.folder / "other.log"
    other.env["PORT"] = str(site.port)
    with pytest.raises(AssertionError, match=f"Cannot listen at {site.url}: Address already in use"):
        other.start()
    assert "Traceback" not in other.log.read_text()
