"""Sockets of the real server: sizes and rate limits."""

import time

import pytest
from websockets.exceptions import ConnectionClosed

from tests.http_client import HttpClient
from tests.server import Site
from tests.under_fire.closing import receive_to_the_end
from tests.under_fire.playing import against_a_computer
from tests.waiting import attempts


def test_message_size_limit(site: Site):
    page = HttpClient(site.url).open_socket("/ws/lobby/")
    page.send(["pi", "ng"])
    for _ in attempts("the answer"):
        if page.recv(timeout=60) == "pong":
            break
    assert page.ping().wait(60)
    page.send("x" * (1 << 20))
    receive_to_the_end(page)


def test_rate_limit_closes_with_1008(tmp_path):
    site = Site(tmp_path, LIMITS="on")
    site.start()
    player, code = against_a_computer(site)
    for path in ("/ws/lobby/", f"/ws/games/{code}/"):
        page = player.open_socket(path)
        with pytest.raises(ConnectionClosed) as closed:
            for _ in range(500):
                page.send("ping")
            raise receive_to_the_end(page)
        assert closed.value.rcvd.code == 1008, path
    time.sleep(1.1)  # Daphne looks for failed tasks each second
    assert "Traceback" not in site.log_text
    assert site.stop() == 0
