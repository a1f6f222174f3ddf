"""Datagrams between the web processes of one `manage.py serve`: notifications, signs of life, open connections.

Each process has one inbox, a Unix socket that its siblings write to. The parent keeps it open, so it outlives the
process. Sending never blocks: what does not fit into the inbox of a busy or frozen process is lost, and before the next
datagram that fits it is told so (MISSED).
"""

import asyncio
import json
import os
import socket
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from typing import Any

from core.siblings import SIBLINGS, Siblings

BEAT_SECONDS = 1.0
BEAT_TTL_SECONDS = 3.0  # a process without a newer beat counts as away
MAX_DATAGRAM_BYTES = 1 << 16
INBOX_BYTES = 1 << 20  # 2,700 notifications; Linux allows a fifth of that unless net.core.wmem_max is raised
MISSED = b'["missed"]'

OnMessage = Callable[[str, dict[str, Any]], None]  # takes the group and the message
OnMissed = Callable[[], None]
OnNews = Callable[[Any], None]
OnConnection = Callable[[socket.socket, bytes], None]  # takes an open connection and what was read of it


class Bus:
    """This process's sockets to and from its siblings; without siblings it does nothing."""

    def __init__(self, siblings: Siblings) -> None:
        self._number = siblings.number
        outboxes = dict(enumerate(map(_open_socket, siblings.outboxes)))
        self._parent = outboxes.popitem()[1] if outboxes else None
        self._siblings = {number: outbox for number, outbox in outboxes.items() if number != self._number}
        self._inbox = _open_socket(siblings.inbox) if self._siblings else None
        self._missed: set[int] = set()  # siblings to which something did not get through
        # By sibling: when its last beat came (time.monotonic), who has a page open there, and how many, where many.
        self._beats: dict[int, tuple[float, frozenset[str], dict[str, int]]] = {}
        self._listeners: dict[str, OnNews] = {}

    def read(self, on_message: OnMessage, on_missed: OnMissed, on_connection: OnConnection) -> None:
        """Call these for what arrives from now on, in the running event loop."""
        if self._inbox is not None:
            arguments = self._inbox, on_message, on_missed, on_connection
            asyncio.get_event_loop().add_reader(self._inbox, self._read, *arguments)

    def send(self, group: str, message: dict[str, Any]) -> None:
        """Send a notification to all siblings; may be called from any thread."""
        if self._siblings:
            self._send_to_all(json.dumps(["message", group, message]).encode())

    @property
    def has_siblings(self) -> bool:
        return bool(self._siblings)

    def listen(self, kind: str, on_news: OnNews) -> None:
        """Call this for what siblings tell of this kind."""
        self._listeners[kind] = on_news

    def tell(self, kind: str, news: Any) -> None:
        """Tell all siblings something that may get lost."""
        if self._siblings:
            self._send_to_all(json.dumps(["news", kind, news]).encode())

    def beat(self, owners: list[str], crowds: dict[str, int]) -> None:
        """Report that this process works to the parent and the siblings, and to these who has a page open in it.

        `crowds` are those who have many, with their number.
        """
        if self._parent is None:
            return
        with suppress(OSError):
            self._parent.send(str(self._number).encode())
        for known in (owners, []):
            data = json.dumps(["beat", self._number, known, crowds]).encode()
            if len(data) < MAX_DATAGRAM_BYTES:
                break
        self._send_to_all(data)

    def hand_over(self, number: int, connection: socket.socket, data: bytes) -> bool:
        """Send an open connection to a sibling, with the data already read from it; return whether that succeeded."""
        outbox = self._siblings.get(number)
        if outbox is None or not self._is_alive(number) or len(data) > MAX_DATAGRAM_BYTES:
            return False
        try:
            socket.send_fds(outbox, [data], [connection.fileno()])
        except OSError:
            return False
        return True

    def get_owners(self) -> Iterator[frozenset[str]]:
        """Return who has a page open, for each sibling that is alive."""
        return (beat[1] for number, beat in list(self._beats.items()) if self._is_alive(number))

    def count_pages(self, owner: str) -> int:
        """Return how many pages somebody has open in siblings that are alive, if many."""
        return sum(
            beat[2].get(owner, 0) for number, beat in list(self._beats.items()) if self._is_alive(number)
        )

    def _is_alive(self, number: int) -> bool:
        return number in self._beats and time.monotonic() - self._beats[number][0] < BEAT_TTL_SECONDS

    def _send_to_all(self, data: bytes) -> None:
        for number, outbox in self._siblings.items():
            try:
                if number in self._missed:
                    outbox.send(MISSED)
                    self._missed.discard(number)
                outbox.send(data)
            except OSError:
                self._missed.add(number)

    def _read(
        self, inbox: socket.socket, on_message: OnMessage, on_missed: OnMissed, on_connection: OnConnection
    ) -> None:
        while True:
            try:
                data, descriptors, _flags, _address = socket.recv_fds(inbox, MAX_DATAGRAM_BYTES, 1)
            except BlockingIOError:
                return
            if descriptors:
                on_connection(socket.socket(fileno=descriptors[0]), data)
                continue
            kind, *values = json.loads(data)
            if kind == "message":
                on_message(*values)
            elif kind == "beat":
                self._beats[values[0]] = time.monotonic(), frozenset(values[1]), values[2]
            elif kind == "news":
                if values[0] in self._listeners:
                    self._listeners[values[0]](values[1])
            elif kind == "end":
                self._beats.pop(values[0], None)
            else:
                on_missed()


def _open_socket(descriptor: int) -> socket.socket:
    return socket.socket(fileno=descriptor)


def open_pair() -> tuple[socket.socket, socket.socket]:
    """Return the inbox of a process and the socket for writing to it."""
    inbox, outbox = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)
    for each in (inbox, outbox):
        each.setblocking(False)
        each.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, INBOX_BYTES)
    return inbox, outbox


def note_end(number: int, inbox: socket.socket, outboxes: Iterable[socket.socket]) -> None:
    """Notify all processes that one has ended, and empty its inbox: connections in it close, and their pages retry."""
    for outbox in outboxes:
        with suppress(OSError):
            outbox.send(json.dumps(["end", number]).encode())
    with suppress(BlockingIOError):
        while True:
            for descriptor in socket.recv_fds(inbox, MAX_DATAGRAM_BYTES, 1)[1]:
                os.close(descriptor)


BUS = Bus(SIBLINGS)
