"""A restart of the service loses nothing: what was asked is answered, pages know that they should come back."""

import signal
import socket
import time
from concurrent.futures import ThreadPoolExecutor

import pytest
from websockets.exceptions import ConnectionClosed

from tests.server import Site
from tests.visitor import Visitor


def close_code(connection) -> int | None:
    try:
        while True:
            connection.recv(timeout=10)
    except ConnectionClosed as closed:
        return closed.rcvd.code if closed.rcvd else None


def test_requests_in_flight_are_answered(site: Site):
    # Log-ins hash a password each, one after the other: together they take longer than the signal.
    visitors = [Visitor(site.url) for _ in range(4)]
    for visitor in visitors:
        visitor.get("/accounts/login/")
    with ThreadPoolExecutor(4) as pool:
        asked = [pool.submit(v.post, "/accounts/login/", login="nobody", password="x") for v in visitors]
        time.sleep(0.05)
        assert site.stop() == 0
        assert [answer.result().status for answer in asked] == [200] * 4


def test_sockets_are_told_that_the_service_restarts(site: Site):
    connections = [Visitor(site.url).listen("/ws/lobby/") for _ in range(5)]
    assert site.stop() == 0
    assert [close_code(connection) for connection in connections] == [1012] * 5


def test_nobody_is_let_in_meanwhile(site: Site):
    visitor = Visitor(site.url)
    connection = visitor.listen("/ws/lobby/")
    site.process.send_signal(signal.SIGTERM)
    assert close_code(connection) == 1012
    with pytest.raises(ConnectionRefusedError):
        socket.create_connection(("127.0.0.1", site.port), timeout=1)
    assert site.process.wait(10) == 0


def test_an_idle_server_stops_at_once(site: Site):
    began = time.monotonic()
    assert site.stop() == 0
    assert time.monotonic() - began < 3


def test_a_port_in_use_is_one_clear_line(site: Site):
    other = Site(site.folder)
    other.log = site.folder / "other.log"
    other.env["PORT"] = str(site.port)
    with pytest.raises(AssertionError, match=f"Cannot listen at {site.url}: Address already in use"):
        other.start()
    assert "Traceback" not in other.log.read_text()
