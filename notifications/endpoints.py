"""Post to a push service, whose address a browser has chosen.

The request must not reach the site's own network: only https at port 443, only hosts with public addresses, a
connection to the address that was checked, and no redirects.
"""

import http.client
import socket
import ssl
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from functools import cache
from ipaddress import IPv4Address, IPv6Network, ip_address
from queue import Empty, SimpleQueue
from threading import Thread, Timer
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from django.conf import settings

HTTPS_PORT = 443
MAX_ENDPOINT_LENGTH = 1000
MAX_RESPONSE_BYTES = 4096
GLOBAL_UNICAST = IPv6Network("2000::/3")


class InvalidEndpoint(Exception):
    """Raised for an address to which nothing is sent."""


class Response(NamedTuple):
    """The attributes of a response that `pywebpush` reads."""

    status_code: int
    reason: str
    text: str
    headers: dict[str, str]


def check_endpoint(endpoint: str) -> None:
    """Refuse an address by its form. Raise `InvalidEndpoint`."""
    if _is_test_service(endpoint):
        return
    try:
        parts = urlsplit(endpoint)
        port = parts.port
    except ValueError as error:
        raise InvalidEndpoint("malformed") from error
    if not endpoint.isascii() or not endpoint.isprintable() or " " in endpoint:
        raise InvalidEndpoint("malformed")
    if len(endpoint) > MAX_ENDPOINT_LENGTH or parts.scheme != "https" or parts.username is not None:
        raise InvalidEndpoint("not https")
    if port not in (None, HTTPS_PORT) or "." not in (parts.hostname or ""):
        raise InvalidEndpoint("not a public host")
    if _is_address(parts.hostname or ""):
        raise InvalidEndpoint("an address instead of a name")


def _is_address(host: str) -> bool:
    try:
        ip_address(host)
    except ValueError:
        # Resolvers also take 127.1 or 2130706433 for addresses; no public name ends with a number.
        return host.rstrip(".").rpartition(".")[2].isdecimal()
    return True


def _is_test_service(endpoint: str) -> bool:
    origin = settings.PUSH_TEST_ORIGIN
    return bool(origin) and endpoint.startswith(f"{origin}/")


def resolve_public(host: str) -> str:
    """Return an address of a host. Raise `InvalidEndpoint` unless all of them are public, or `OSError`."""
    addresses = [str(row[4][0]) for row in socket.getaddrinfo(host, HTTPS_PORT, type=socket.SOCK_STREAM)]
    if not addresses or not all(is_public(address) for address in addresses):
        raise InvalidEndpoint(f"{host} is not a public host")
    return addresses[0]


def resolve_within(host: str, seconds: float) -> str:
    """Do the same within a time, which no resolver has: one that does not answer keeps a thread of its own.

    Raise `TimeoutError` as well.
    """
    answers: SimpleQueue[str | Exception] = SimpleQueue()

    def resolve() -> None:
        try:
            answers.put(resolve_public(host))
        except Exception as error:
            answers.put(error)

    Thread(target=resolve, name="resolve", daemon=True).start()
    try:
        answer = answers.get(timeout=seconds)
    except Empty:
        raise TimeoutError(f"{host} was not found in time") from None
    if isinstance(answer, Exception):
        raise answer
    return answer


def is_public(text: str) -> bool:
    """Return whether the address, and any IPv4 address in it, belongs to the public internet.

    Of IPv6 that is what has been given out as such: other prefixes are local, or lead a gateway to IPv4 addresses.
    """
    address = ip_address(text.partition("%")[0])
    if not address.is_global or address.is_multicast:
        return False
    if isinstance(address, IPv4Address):
        return True
    embedded = address.sixtofour
    return address in GLOBAL_UNICAST and (embedded is None or is_public(str(embedded)))


def _connect(endpoint: str, timeout: float) -> socket.socket:
    """Connect to the address that was checked: a second look-up might return another one."""
    parts = urlsplit(endpoint)
    host = parts.hostname or ""
    if _is_test_service(endpoint):
        return socket.create_connection((host, parts.port or HTTPS_PORT), timeout)
    ends_at = time.monotonic() + timeout
    address = resolve_within(host, timeout)
    return socket.create_connection((address, HTTPS_PORT), _get_remaining(ends_at))


def _get_remaining(ends_at: float) -> float:
    """Return the seconds until a time (time.monotonic). Raise `TimeoutError` if it is over."""
    remaining = ends_at - time.monotonic()
    if remaining <= 0:
        raise TimeoutError("the time of the delivery is over")
    return remaining


@contextmanager
def _deadline(connected: socket.socket, seconds: float) -> Iterator[None]:
    """Shut the connection down after `seconds`. A socket's own timeout restarts with each byte."""
    with closing(connected.dup()) as same_connection:  # `wrap_socket` detaches the original
        timer = Timer(seconds, _shut_down, [same_connection])
        timer.daemon = True
        timer.start()
        try:
            yield
        finally:
            timer.cancel()


def _shut_down(connected: socket.socket) -> None:
    with suppress(OSError):  # closed meanwhile
        connected.shutdown(socket.SHUT_RDWR)


@cache
def _tls() -> ssl.SSLContext:
    return ssl.create_default_context()


class Session:
    """The part of a session of `requests` that `pywebpush` calls."""

    def post(self, endpoint: str, *, data: bytes, headers: Any, timeout: float) -> Response:
        """Post without following redirects, within `timeout` seconds.

        Raise `InvalidEndpoint`, `OSError` or `HTTPException`.
        """
        check_endpoint(endpoint)
        parts = urlsplit(endpoint)
        host = parts.hostname or ""
        path = parts.path + (f"?{parts.query}" if parts.query else "")
        ends_at = time.monotonic() + timeout
        connected = _connect(endpoint, timeout)
        with (
            _deadline(connected, _get_remaining(ends_at)),
            closing(http.client.HTTPConnection(host, parts.port)) as connection,
        ):
            connection.sock = connected
            if not _is_test_service(endpoint):
                connection.sock = _tls().wrap_socket(connected, server_hostname=host)
            connection.request("POST", path or "/", body=data, headers=dict(headers))
            response = connection.getresponse()
            text = response.read(MAX_RESPONSE_BYTES).decode("utf-8", "replace")
            return Response(response.status, response.reason, text, dict(response.headers))
