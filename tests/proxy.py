"""A TCP proxy between browser and server that simulates network failures."""

import socket
import time
from contextlib import suppress
from queue import Queue
from threading import Thread

from tests.waiting import until


class NetworkProxy:
    """A proxy from `url` to the server at `port`.

    After `drop_traffic` all data is lost and nothing is closed, as when an address has changed: these connections stay
    dead. After `hold_traffic` their data comes late, as TCP sends it again. After `break_connections` connections are
    reset. `restore` lets new connections through. `round_trip` is the time, in seconds, that an answer takes on an open
    connection; a new one takes as long once more.
    """

    round_trip = 0.0

    def __init__(self, port: int) -> None:
        self.port = port
        self._open: list[socket.socket] = []
        self._dead: set[socket.socket] = set()
        self._held: set[socket.socket] = set()
        self._is_dropping = False
        self._is_refusing = False
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self._listener.getsockname()[1]}"
        Thread(target=self._serve, daemon=True).start()

    def drop_traffic(self) -> None:
        self._is_dropping = True
        self._dead.update(self._open)

    def hold_traffic(self) -> None:
        """Hold back all data of open connections until `release`; drop that of new ones until `restore`."""
        self._is_dropping = True
        self._held.update(self._open)

    def release(self) -> None:
        self._held.clear()

    def restore(self) -> None:
        self._is_dropping = self._is_refusing = False

    def break_connections(self) -> None:
        """Reset all connections, and new ones until `restore`."""
        self._is_refusing = True
        for each in self._open:
            with suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)

    def close(self) -> None:
        for each in (self._listener, *self._open):
            with suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)
            each.close()

    def _serve(self) -> None:
        with suppress(OSError):  # closed
            for client, _address in iter(self._listener.accept, None):
                if self._is_refusing:
                    client.close()
                    continue
                server = socket.create_connection(("127.0.0.1", self.port))
                self._open += [client, server]
                if self._is_dropping:
                    self._dead |= {client, server}
                for source, target in ((client, server), (server, client)):
                    Thread(target=self._forward, args=(source, target), daemon=True).start()

    def _forward(self, source: socket.socket, target: socket.socket) -> None:
        chunks: Queue[tuple[float, bytes]] = Queue()
        Thread(target=self._send, args=(chunks, source, target), daemon=True).start()
        handshake_ends = time.monotonic() + self.round_trip
        with suppress(OSError):
            for data in iter(lambda: source.recv(65536), b""):
                chunks.put((max(time.monotonic(), handshake_ends) + self.round_trip / 2, data))
        chunks.put((time.monotonic() + self.round_trip / 2, b""))

    def _send(self, chunks: Queue[tuple[float, bytes]], source: socket.socket, target: socket.socket) -> None:
        """Send the chunks when they are due; an empty one ends the connection."""
        with suppress(OSError):
            for due, data in iter(chunks.get, None):
                time.sleep(max(0.0, due - time.monotonic()))
                until(lambda: source not in self._held, "the release of held data")
                if not data:
                    break
                if source not in self._dead:
                    target.sendall(data)
            if source not in self._dead:
                target.shutdown(socket.SHUT_WR)
