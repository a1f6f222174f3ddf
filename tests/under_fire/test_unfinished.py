"""Requests that no browser sends: odd bytes, and lines without end."""

import re
import socket
from itertools import product

from tests.server import Site

HANDSHAKE = (
    "GET /ws/lobby/{query} HTTP/1.1\r\nHost: {host}\r\nOrigin: http://{host}\r\nUpgrade: websocket\r\n"
    "Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n"
)


def connect(site: Site, sent: bytes = b"") -> socket.socket:
    connection = socket.create_connection(("127.0.0.1", site.port), timeout=10)
    connection.sendall(sent)
    return connection


ODD = [
    b"\\000",
    b"a\\000b",
    b"\\377\\376",
    b"\xff\xfe",
    b"\xed\xa0\x80",
    b"%00",
    b"a" * 5000,
    b"\x01",
    b'"',
    b";;==",
]


def test_socket_with_odd_bytes_is_answered(site: Site):
    host = f"127.0.0.1:{site.port}"
    for cookie, value in product(["sessionid", "csrftoken", "django_language"], ODD):
        head = HANDSHAKE.format(host=host, query="").encode() + f'Cookie: {cookie}="'.encode() + value
        status = status_of(site, head + b'"\r\n\r\n')
        assert status == 403 if b"\\000" in value else status < 500, (cookie, value)
    for query in ["?a=%00", "?%FF%FE", "?v=" + "9" * 5000]:
        assert status_of(site, HANDSHAKE.format(host=host, query=query).encode() + b"\r\n") < 500, query
    assert "Traceback" not in site.log_text


def test_form_with_odd_bytes_is_answered(site: Site):
    names = [b"Content-Type", b"Cookie", b"Daphne-Root-Path", b"Accept-Language", b"X-Odd"]
    kinds = [b"text/plain; charset=\xff", b"multipart/form-data; boundary=\xff", b"a/b; charset=%00"]
    for name, value in product(names, [*ODD, *kinds]):
        head = (
            b"POST /accounts/guest/ HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\nConnection: close\r\n"
        )
        assert status_of(site, head + name + b": " + value + b"\r\n\r\nnext=") < 500, (name, value)
    for connection in (
        b"G\xc3T / HTTP/1.1",
        b"GET /\x00 HTTP/1.1",
        b"GET /\xff?\xff HTTP/1.1",
        b"GET /%00%FF HTTP/1.1",
    ):
        assert status_of(site, connection + b"\r\nHost: localhost\r\nConnection: close\r\n\r\n") < 500, (
            connection
        )
    assert "Traceback" not in site.log_text


def test_too_long_line_is_answered(site: Site):
    for length in (20_000, 3_000_000):
        long = b"a" * length
        assert status_of(site, b"GET /?q=" + long + b" HTTP/1.1\r\nHost: localhost\r\n\r\n") == 414
        assert status_of(site, b"GET / HTTP/1.1\r\nHost: localhost\r\nX-Long: " + long + b"\r\n\r\n") == 431
    assert status_of(site, b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n") == 200


def status_of(site: Site, sent: bytes) -> int:
    with connect(site, sent) as connection:
        answer = connection.recv(65536)
    found = re.match(rb"HTTP/1\.1 (\d{3})", answer)
    assert found, (sent, answer)
    return int(found[1])
