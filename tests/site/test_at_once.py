"""What is sent to a page goes out at once; what the system does not take then, when it takes more, and in order."""

import socket
from collections.abc import Iterator
from typing import Any

import pytest
from twisted.internet.protocol import Factory, Protocol
from twisted.internet.tcp import Port

from dominoes_site.sockets import quicken


class Loop:
    """As much of Twisted's reactor as a port and its connections ask for."""

    def __init__(self) -> None:
        self.reading: set[Any] = set()
        self.writing: set[Any] = set()
        self.asked = 0
        self.addReader, self.removeReader = self.reading.add, self.reading.discard
        self.removeWriter = self.writing.discard

    def addWriter(self, writer: Any) -> None:  # noqa: N802
        self.asked += 1
        self.writing.add(writer)


class Browser:
    """One that has a connection of a quickened port."""

    def __init__(self) -> None:
        self.loop, self.protocol = Loop(), Protocol()
        self.port = Port(
            0, Factory.forProtocol(lambda: self.protocol), interface="127.0.0.1", reactor=self.loop
        )
        quicken(self.port)
        self.port.startListening()
        self.socket = socket.create_connection(("127.0.0.1", self.port.getHost().port), timeout=10)
        self.port.doRead()
        self.connection = self.protocol.transport

    def come(self, size: int) -> bytes:
        """So many bytes as it is sent, while the loop writes what waits."""
        came = bytearray()
        while len(came) < size:
            for writer in tuple(self.loop.writing):
                writer.doWrite()
            came += self.socket.recv(1 << 16)
        return bytes(came)


@pytest.fixture
def browser() -> Iterator[Browser]:
    opened = Browser()
    opened.connection.at_once = True
    yield opened
    opened.socket.close()
    opened.connection.getHandle().close()
    opened.port.socket.close()


def test_the_loop_has_nothing_to_do_with_what_the_system_takes(browser):
    browser.connection.write(b"a frame")
    assert browser.socket.recv(100) == b"a frame"
    assert browser.loop.asked == 0


def test_of_a_reader_who_is_slow_nothing_is_lost_and_nothing_overtakes(browser):
    frames = [bytes([number]) * 100_000 for number in range(100)]
    for frame in frames:
        browser.connection.write(frame)
    assert browser.loop.asked > 0
    browser.connection.write(b"the last")
    whole = b"".join(frames) + b"the last"
    assert browser.come(len(whole)) == whole
    assert not browser.loop.writing
    asked = browser.loop.asked
    browser.connection.write(b"and one more")
    assert browser.socket.recv(100) == b"and one more"
    assert browser.loop.asked == asked


def test_what_waits_is_sent_before_the_line_is_closed(browser):
    whole = b"x" * 10_000_000
    browser.connection.write(whole)
    browser.connection.loseConnection()
    assert browser.loop.writing
    assert browser.come(len(whole)) == whole


def test_an_answer_goes_out_in_one_piece(browser):
    browser.connection.at_once = False
    browser.connection.write(b"head ")
    browser.connection.write(b"and body")
    assert browser.loop.asked == 2
    assert browser.come(13) == b"head and body"


def test_that_the_browser_has_gone_is_found_by_the_loop(browser):
    browser.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
    browser.socket.close()
    browser.connection.write(b"to nobody")
    browser.connection.write(b"to nobody again")
    assert browser.connection in browser.loop.writing
    assert browser.connection.doWrite() is not None
