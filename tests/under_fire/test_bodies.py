"""Bodies that are too large are refused before they are read."""

import os
import socket
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

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


def read_cpu_seconds(site: Site) -> float:
    [pid] = site.web_processes
    user, system = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[11:13]
    return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")


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


def test_header_of_a_form_in_parts_takes_no_time(site: Site):
    body = b'--b\r\nContent-Disposition: form-data; x="' + b";" * 60_000
    lines = [b"Host: localhost", b"Content-Type: multipart/form-data; boundary=b"]
    sent = [b"POST /accounts/login/ HTTP/1.1", *lines, b"Content-Length: %d" % len(body), b"", body]
    before = read_cpu_seconds(site)
    assert read_status(connect(site, b"\r\n".join(sent))).startswith(b"HTTP/1.1 4")
    assert read_cpu_seconds(site) - before < 1, "2 to 7 if parsed in the server's loop"


def test_form_in_parts_is_read(site: Site):
    guest = HttpClient(site.url).become_guest()
    body = (
        b'--b\r\nContent-Disposition: form-data; name="csrfmiddlewaretoken"\r\n\r\n%b\r\n'
        % guest._token.encode()
    )
    body += b'--b\r\nContent-Disposition: form-data; name="username"\r\n\r\na b\r\n--b--\r\n'
    lines = [b"Host: localhost", b"Cookie: " + guest._cookie_header.encode(), b"Accept: application/json"]
    lines += [b"Content-Type: multipart/form-data; boundary=b", b"Content-Length: %d" % len(body)]
    sent = b"\r\n".join([b"POST /accounts/signup/passkey/ HTTP/1.1", *lines, b"", body])
    assert read_status(connect(site, sent)).startswith(b"HTTP/1.1 422"), "the name"


def test_escapes_in_cookies_take_no_time_and_no_session(site: Site):
    guest = HttpClient(site.url).become_guest()
    hostile = b'Cookie: a="' + b"\\" * 15_000 + b'"; ' + guest._cookie_header.encode()

    def answer(*lines: bytes) -> tuple[bytes, float]:
        before = read_cpu_seconds(site)
        sent = b"\r\n".join([b"GET /preferences/ HTTP/1.1", b"Host: localhost", *lines, b"", b""])
        status = read_status(connect(site, sent))
        return status, read_cpu_seconds(site) - before

    assert answer(b"Cookie: " + guest._cookie_header.encode())[0] == b"HTTP/1.1 200 OK"
    status, seconds = answer(hostile)
    assert status == b"HTTP/1.1 200 OK", "the session is read"
    assert seconds < 0.25, "of CPU; 0.5 to 2 with the escapes"
