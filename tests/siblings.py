"""Two processes of one `serve`, as far as their bus goes."""

import os
import socket
from collections.abc import Iterator
from dataclasses import replace

from core.siblings import Siblings
from live import bus


class Process:
    """A process's bus, and what it got over it."""

    def __init__(self, place: Siblings) -> None:
        self.bus = bus.Bus(place)
        self.messages: list[tuple[str, dict]] = []
        self.missed = 0
        self.pairs: list[tuple[socket.socket, socket.socket]] = []  # as their parent has them
        self.connections: list[tuple[socket.socket, bytes]] = []

    def read(self) -> "Process":
        self.bus.read(
            lambda *message: self.messages.append(message),
            lambda: setattr(self, "missed", self.missed + 1),
            lambda *connection: self.connections.append(connection),
        )
        return self


def open_two() -> Iterator[list[Process]]:
    """Yield two processes, with descriptors of their own as after a start."""
    pairs = [bus.open_pair() for _ in range(3)]
    group = Siblings("group", outboxes=tuple(outbox.fileno() for _, outbox in pairs))

    def copy(number: int) -> Siblings:
        outboxes = tuple(os.dup(outbox) for outbox in group.outboxes)
        return replace(group, number=number, inbox=os.dup(pairs[number][0].fileno()), outboxes=outboxes)

    both = [Process(copy(number)) for number in range(2)]
    both[0].pairs = pairs
    yield both
    for pair in pairs:
        for each in pair:
            each.close()
