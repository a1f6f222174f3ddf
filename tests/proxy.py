"""A network between a browser and the server that can swallow: nothing arrives any more, and nothing is closed."""

import socket
from contextlib import suppress
from threading import Thread


class Network:
    """Passes everything from `url` to the server at `port`.

    While it `swallows`, what is sent is lost, new connections included; those stay dead afterwards, too, as when an
    address has changed. While it is `cut`, connections break. `end` closes all.
    """

    def __init__(self, port: int) -> None:
        self.port = port
        self._open: list[socket.socket] = []
        self._dead: set[socket.socket] = set()
        self._swallowing = False
        self._refusing = False
        self._door = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self._door.getsockname()[1]}"
        Thread(target=self._serve, daemon=True).start()

    def swallow(self) -> None:
        self._swallowing = True
        self._dead.update(self._open)

    def pass_again(self) -> None:
        self._swallowing = self._refusing = False

    def cut(self) -> None:
        """Every connection breaks at once, and new ones do, until it passes again."""
        self._refusing = True
        for each in self._open:
            with suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)

    def end(self) -> None:
        for each in (self._door, *self._open):
            with suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)
            each.close()

    def _serve(self) -> None:
        with suppress(OSError):  # closed
            while True:
                near, _address = self._door.accept()
                if self._refusing:
                    near.close()
                    continue
                far = socket.create_connection(("127.0.0.1", self.port))
                self._open += [near, far]
                if self._swallowing:
                    self._dead |= {near, far}
                for one, other in ((near, far), (far, near)):
                    Thread(target=self._carry, args=(one, other), daemon=True).start()

    def _carry(self, one: socket.socket, other: socket.socket) -> None:
        with suppress(OSError):
            while data := one.recv(65536):
                if one not in self._dead:
                    other.sendall(data)
        if one not in self._dead:
            with suppress(OSError):
                other.shutdown(socket.SHUT_WR)
