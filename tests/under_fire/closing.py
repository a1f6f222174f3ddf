"""How a server closes connections."""

from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection

from tests.waiting import attempts


def receive_to_the_end(connection: ClientConnection) -> ConnectionClosed:
    """Receive all messages until the connection is closed; return how it was."""
    try:
        for _ in attempts("the end of the connection"):
            connection.recv(timeout=60)
    except ConnectionClosed as closed:
        return closed
    raise AssertionError


def close_code(connection: ClientConnection) -> int | None:
    """Return the code with which the server closes the connection, None without a close frame."""
    closed = receive_to_the_end(connection)
    return closed.rcvd.code if closed.rcvd else None
