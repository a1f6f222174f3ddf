"""Sockets of the real server: pings, sizes and rate limits."""

import os
import socket
import time
from base64 import b64encode
from contextlib import suppress

import pytest
from websockets.exceptions import ConnectionClosed

from tests.http_client import HttpClient
from tests.server import Site

PING = 0x89


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
            while chunk := silent.recv(1 << 16):
                came.append(chunk)
    assert came[0].startswith(b"HTTP/1.1 101")
    assert PING in [chunk[0] for chunk in came[1:]]
    good.send("ping")
    while good.recv(timeout=60) != "pong":
        pass
    good.close()
    assert good.protocol.close_code == 1000


def test_message_size_limit(site: Site):
    page = HttpClient(site.url).open_socket("/ws/lobby/")
    page.send(["pi", "ng"])
    while page.recv(timeout=60) != "pong":
        pass
    assert page.ping().wait(60)
    page.send("x" * (1 << 20))
    began = time.monotonic()
    with pytest.raises(ConnectionClosed):
        while time.monotonic() - began < 60:
            page.recv(timeout=60)


@pytest.mark.parametrize("whose", ["lobby", "match"])
def test_rate_limit_closes_with_1008(tmp_path, whose: str):
    site = Site(tmp_path, LIMITS="on")
    site.start()
    player = HttpClient(site.url).become_guest()
    path = "/ws/lobby/"
    if whose == "match":
        begun = player.post("/play/all-fives/", seats=2, clock="none", computer="strong")
        code = begun.url.rstrip("/").rpartition("/")[2]
        path = f"/ws/games/{code}/"
    page = player.open_socket(path)
    with pytest.raises(ConnectionClosed) as closed:
        for _ in range(500):
            page.send("ping")
        while True:
            page.recv(timeout=60)
    assert closed.value.rcvd.code == 1008
    time.sleep(1.5)  # the server checks for failed tasks each second
    assert "Traceback" not in site.log_text
    assert site.stop() == 0
