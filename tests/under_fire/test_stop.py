"""A graceful stop: requests are answered, sockets are closed with 1012."""

import json
import signal
import socket
import sqlite3
import time
from contextlib import closing
from pathlib import Path
from select import select

import pytest

from tests.http_client import HttpClient
from tests.server import Site
from tests.under_fire.closing import close_code
from tests.waiting import until

MOST_SECONDS = 5  # that a stop waits for answers


def has_read_all(port: int) -> bool:
    """Return whether this machine's server at the port has read what its connections sent."""
    lines = [line.split() for line in Path("/proc/net/tcp").read_text().splitlines()[1:]]
    received = [fields[4].partition(":")[2] for fields in lines if fields[1].endswith(f":{port:04X}")]
    return not any(int(size, 16) for size in received)


def refuses(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) != 0


def test_port_in_use_is_reported_in_one_line(site: Site):
    other = Site(site.folder)
    other.log = site.folder / "other.log"
    other.env["PORT"] = str(site.port)
    with pytest.raises(AssertionError, match=f"Cannot listen at {site.url}: Address already in use"):
        other.start()
    assert "Traceback" not in other.log.read_text()


def test_requests_in_flight_are_answered(site: Site):
    # Holding the database lock keeps the requests in flight.
    visitors = [HttpClient(site.url) for _ in range(3)]
    for visitor in visitors:
        visitor.get("/")
    with closing(sqlite3.connect(site.database, isolation_level=None)) as database:
        database.execute("BEGIN IMMEDIATE")
        asked = [
            visitor.begin_post("/play/all-fives/", accept="application/json", seats=2, clock="1800+20")
            for visitor in visitors
        ]
        # /proc/net/tcp: as sent on one machine, bytes are at once the receiver's.
        until(lambda: has_read_all(site.port), "the requests to arrive")
        site.process.send_signal(signal.SIGTERM)
        until(lambda: refuses(site.port), "the stop to begin")
        assert not select([connection.sock for connection in asked], [], [], 0)[0], "one is answered"
        database.execute("ROLLBACK")
        answers = [connection.getresponse() for connection in asked]
        assert [answer.status for answer in answers] == [200] * 3
        assert all(json.loads(answer.read())["table"] for answer in answers)
    assert site.process.wait(30) == 0


def test_stop_closes_sockets_with_1012_and_refuses_connections(site: Site):
    connections = [HttpClient(site.url).open_socket("/ws/lobby/") for _ in range(5)]
    site.process.send_signal(signal.SIGTERM)
    assert [close_code(connection) for connection in connections] == [1012] * 5
    with pytest.raises(ConnectionRefusedError):
        socket.create_connection(("127.0.0.1", site.port), timeout=1)
    assert site.process.wait(30) == 0


def test_idle_server_stops_immediately(site: Site):
    began = time.monotonic()
    assert site.stop() == 0
    assert time.monotonic() - began < MOST_SECONDS
