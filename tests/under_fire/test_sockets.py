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


@pytest.fixture(scope="module")
def limited_site(tmp_path_factory):
    site = Site(tmp_path_factory.mktemp("limited"), LIMITS="on")
    site.start()
    yield site
    assert site.stop() == 0


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


@pytest.mark.parametrize("opcode", [0x9, 0xA, 0x1, 0x0], ids=["pings", "pongs", "texts", "parts of one text"])
def test_flood_of_empty_frames_is_read_no_further(limited_site, opcode):
    page = HttpClient(limited_site.url).open_socket("/ws/lobby/")
    begun = empty_frame(0x01) if opcode == 0 else b""
    fin = 0 if opcode == 0 else 0x80
    page.socket.sendall(begun + empty_frame(fin | opcode) * 10_000)
    closed = receive_to_the_end(page)
    assert closed.rcvd is not None and closed.rcvd.code == 1008


def test_frames_of_a_page_are_all_read(limited_site):
    page = HttpClient(limited_site.url).open_socket("/ws/lobby/")
    for _ in range(20):
        assert page.ping().wait(60)


def empty_frame(first_byte: int) -> bytes:
    """Return a masked frame without a payload."""
    return bytes([first_byte, 0x80, 0, 0, 0, 0])
