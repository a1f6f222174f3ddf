"""Connections whose other side is slow or silent, at a server with short deadlines."""

import os
import socket
import time
from base64 import b64encode
from collections.abc import Iterator
from contextlib import suppress

import pytest

from tests.http_client import HttpClient
from tests.server import Site
from tests.under_fire.test_unfinished import connect
from tests.waiting import attempts, until

PING = 0x89
REQUEST_SECONDS = 3
CONSTANTS = {"REQUEST_SECONDS": REQUEST_SECONDS, "PING_INTERVAL_SECONDS": 1, "PONG_SECONDS": 3}
PARTIAL_HEAD = b"GET / HTTP/1.1\r\nHost: localhost\r\nX-Half: a"
PARTIAL_BODY = (
    b"POST /accounts/guest/ HTTP/1.1\r\nHost: localhost\r\n"
    b"Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 1000\r\n\r\nnext="
)
DRIP_SECONDS = 0.2


@pytest.fixture(scope="module")
def impatient_site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    constants = " ".join(f"dominoes_site.serving.{name}={value}" for name, value in CONSTANTS.items())
    site = Site(tmp_path_factory.mktemp("site"), TEST_CONSTANTS=constants)
    site.start()
    yield site
    site.end()


@pytest.fixture
def site(impatient_site: Site) -> Site:
    impatient_site.resume()
    return impatient_site


def has_ended(connection: socket.socket) -> bool:
    connection.setblocking(False)
    try:
        return connection.recv(65536) == b""
    except BlockingIOError:
        return False
    except ConnectionError:
        return True


def test_slow_requests_time_out(site: Site):
    started_at = time.monotonic()
    halves = [PARTIAL_HEAD, PARTIAL_BODY, b"G"]
    still = {connect(site, half): half for half in halves}
    dripping = {connect(site, half): half for half in (PARTIAL_HEAD, PARTIAL_BODY, b"G")}
    idle = connect(site, b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n")
    connections = {*still, *dripping}
    for _ in attempts("the end of slow requests", interval=DRIP_SECONDS):
        for connection in [connection for connection in dripping if connection in connections]:
            with suppress(ConnectionError):
                connection.send(b"a")
        connections -= {connection for connection in connections if has_ended(connection)}
        if not connections:
            break

    assert time.monotonic() - started_at > REQUEST_SECONDS - 1, "they were cut off too early"
    assert not has_ended(idle), "an idle connection was closed"
    idle.setblocking(True)
    idle.sendall(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n")
    assert idle.recv(65536).startswith(b"HTTP/1.1 200")
    assert HttpClient(site.url).get("/").status == 200
    assert "Traceback" not in site.log_text


def test_socket_without_pong_is_closed(site: Site):
    good = HttpClient(site.url).open_socket("/ws/lobby/")
    with socket.create_connection(("127.0.0.1", site.port)) as silent:
        silent.settimeout(60)
        head = [
            "GET /ws/lobby/ HTTP/1.1",
            f"Host: 127.0.0.1:{site.port}",
            f"Origin: {site.url}",
            "Upgrade: websocket",
            "Connection: Upgrade",
            f"Sec-WebSocket-Key: {b64encode(os.urandom(16)).decode()}",
            "Sec-WebSocket-Version: 13",
        ]
        silent.sendall("\r\n".join([*head, "", ""]).encode())
        came = []
        with suppress(ConnectionResetError):
            for chunk in iter(lambda: silent.recv(1 << 16), b""):
                came.append(chunk)
    assert came[0].startswith(b"HTTP/1.1 101")
    assert PING in [chunk[0] for chunk in came[1:]]
    good.send("ping")
    until(lambda: good.recv(timeout=60) == "pong", "the answer", interval=0)
    good.close()
    assert good.protocol.close_code == 1000
