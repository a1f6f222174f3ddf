"""Bodies that are too large are refused before they are read."""

import socket
from collections.abc import Iterator
from contextlib import suppress

import pytest

from dominoes_site.serving import MAX_ADMIN_BODY_BYTES, MAX_BODY_BYTES
from tests.http_client import HttpClient
from tests.server import Site
from tests.under_fire.test_unfinished import connect

LIMITS = [
    ("/accounts/login/", MAX_BODY_BYTES, []),
    ("/accounts/login/", MAX_BODY_BYTES, [b"Cookie: sessionid=x"]),
    ("/admin/login/", MAX_BODY_BYTES, [b"Cookie: a=1"]),
    ("/admin/login/", MAX_ADMIN_BODY_BYTES, [b"Cookie: a=1; sessionid=x"]),
]
FORM = b"Content-Type: application/x-www-form-urlencoded"


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    site = Site(tmp_path_factory.mktemp("site"))
    site.start()
    yield site
    site.end()


def head(path: str, *lines: bytes) -> bytes:
    return b"\r\n".join([b"POST %b HTTP/1.1" % path.encode(), b"Host: localhost", FORM, *lines, b"", b""])


def read_status(connection: socket.socket) -> bytes:
    return connection.recv(65536).partition(b"\r\n")[0]


@pytest.mark.parametrize(("path", "limit", "lines"), LIMITS)
def test_body_is_refused_by_its_length_before_it_is_sent(site: Site, path, limit, lines):
    for length in (limit + 1, 200_000_000):
        connection = connect(site, head(path, *lines, b"Content-Length: %d" % length))
        assert read_status(connection) == b"HTTP/1.1 413 Content Too Large"
    connection = connect(site, head(path, *lines, b"Content-Length: 200000000", b"Expect: 100-continue"))
    assert read_status(connection) == b"HTTP/1.1 413 Content Too Large", "not asked for"


@pytest.mark.parametrize(("path", "limit", "lines"), LIMITS)
def test_body_of_the_limit_is_read(site: Site, path, limit, lines):
    body = b"username=" + b"x" * (limit - 9)
    sent = head(path, *lines, b"Content-Length: %d" % limit) + body
    assert read_status(connect(site, sent)).startswith(b"HTTP/1.1 403"), "without a token of the form"


def test_chunks_are_refused_before_they_are_read(site: Site):
    """Each would take the server's loop as much time as a large one."""
    connection = connect(site, head("/accounts/login/", b"Transfer-Encoding: chunked"))
    with suppress(ConnectionError):
        for _ in range(20):
            connection.sendall(b"1\r\nx\r\n" * 1000)
    assert read_status(connection) == b"HTTP/1.1 411 Length Required"
    assert HttpClient(site.url).get("/").status == 200


def test_refused_body_takes_no_memory(site: Site):
    """A client that sends on is not listened to."""
    connection = connect(site, head("/accounts/login/", b"Content-Length: 200000000"))
    with suppress(ConnectionError, TimeoutError):
        for _ in range(400):
            connection.sendall(b"x" * 65536)
    assert HttpClient(site.url).get("/").status == 200
    assert "Traceback" not in site.log_text
