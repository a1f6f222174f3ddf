"""Post to a push service, whose address a browser has chosen.

The request must not reach the site's own network: only https at port 443, only hosts with public addresses, a
connection to the address that was checked, and no redirects.
"""

import http.client
import socket
import ssl
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from functools import cache
from ipaddress import ip_address
from threading import Timer
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from django.conf import settings

HTTPS_PORT = 443
MAX_ENDPOINT_LENGTH = 1000
MAX_RESPONSE_BYTES = 4096


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


def is_public(text: str) -> bool:
    address = ip_address(text.partition("%")[0])
    mapped = getattr(address, "ipv4_mapped", None) or getattr(address, "sixtofour", None)
    return address.is_global and not address.is_multicast and (mapped is None or is_public(str(mapped)))


def _connect(endpoint: str, timeout: float) -> socket.socket:
    """Connect to the address that was checked: a second look-up might return another one."""
    parts = urlsplit(endpoint)
    host = parts.hostname or ""
    if _is_test_service(endpoint):
        return socket.create_connection((host, parts.port or HTTPS_PORT), timeout)
    return socket.create_connection((resolve_public(host), HTTPS_PORT), timeout)


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
        """Post without following redirects, within `timeout` seconds after the connection.

        Raise `InvalidEndpoint`, `OSError` or `HTTPException`.
        """
        check_endpoint(endpoint)
        parts = urlsplit(endpoint)
        host = parts.hostname or ""
        path = parts.path + (f"?{parts.query}" if parts.query else "")
        connected = _connect(endpoint, timeout)
        with (
            _deadline(connected, timeout),
            closing(http.client.HTTPConnection(host, parts.port)) as connection,
        ):
            connection.sock = connected
            if not _is_test_service(endpoint):
                connection.sock = _tls().wrap_socket(connected, server_hostname=host)
            connection.request("POST", path or "/", body=data, headers=dict(headers))
            response = connection.getresponse()
            text = response.read(MAX_RESPONSE_BYTES).decode("utf-8", "replace")
            return Response(response.status, response.reason, text, dict(response.headers))
