"""Nothing is sent into the site's own network."""

import http.client
import socket
import threading
import time
from contextlib import closing, suppress

import pytest

from notifications.endpoints import InvalidEndpoint, Session, check_endpoint, is_public, resolve_public
from tests.waiting import attempts


@pytest.mark.parametrize(
    "endpoint",
    [
        "",
        "http://push.example.com/1",
        "https://push.example.com:8443/1",
        "https://user@push.example.com/1",
        "https://localhost/1",
        "https://intranet/1",
        "https://127.0.0.1/1",
        "https://127.1/1",
        "https://0x7f.1/1",
        "https://2130706433/1",
        "https://[::1]/1",
        "https://[::ffff:10.0.0.1]/1",
        "https://push.example.com/a b",
        "https://push.example.com/\r\nHost: x",
        "https://пуш.example.com/1",
        "https://[/1",
        "file:///etc/passwd",
        "https://push.example.com/" + "a" * 1000,
    ],
)
def test_other_address_is_refused(endpoint):
    with pytest.raises(InvalidEndpoint):
        check_endpoint(endpoint)


@pytest.mark.parametrize(
    "endpoint",
    [
        "https://fcm.googleapis.com/fcm/send/abc:def",
        "https://updates.push.services.mozilla.com/wpush/v2/gAAA",
        "https://web.push.apple.com/QGu",
        "https://wns2-par02p.notify.windows.com/w/?token=BQ%3d",
    ],
)
def test_push_services_are_accepted(endpoint):
    check_endpoint(endpoint)


@pytest.mark.parametrize(
    "address",
    "127.0.0.1 10.0.0.1 192.168.1.1 172.16.0.1 169.254.169.254 100.64.0.1 0.0.0.0 224.0.0.1 ::1 fe80::1 fd00::1"
    " ::ffff:10.0.0.1 2002:0a00:0001:: ff02::1 64:ff9b::a00:1 64:ff9b::808:808 64:ff9b:1::a00:1 ::10.0.0.1 ::8.8.8.8"
    " ::ffff:8.8.8.8 fec0::1 2001:db8::1 2001:0:a00:1::1 5f00::1 4000::1".split(),
)
def test_private_address_is_not_public(address):
    assert not is_public(address)


@pytest.mark.parametrize("address", "8.8.8.8 2606:4700:4700::1111 2a00:1450:4001:827::200e".split())
def test_public_address_is_public(address):
    assert is_public(address)


def test_name_that_is_not_resolved_takes_its_time_alone(monkeypatch):
    go_on = threading.Event()
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_arguments, **_options: go_on.wait(20))
    began_at = time.monotonic()
    with pytest.raises(TimeoutError):
        Session().post("https://push.example.com/1", data=b"", headers={}, timeout=0.2)
    assert time.monotonic() - began_at < 5
    go_on.set()


def test_time_of_the_look_up_is_part_of_the_delivery(monkeypatch):
    def look_up(*arguments, **options):
        time.sleep(0.3)
        return resolving_to("93.184.215.14")()

    monkeypatch.setattr(socket, "getaddrinfo", look_up)
    given = []

    def connect(address, timeout):
        given.append(timeout)
        raise OSError

    monkeypatch.setattr(socket, "create_connection", connect)
    with pytest.raises(OSError):
        Session().post("https://push.example.com/1", data=b"", headers={}, timeout=1.0)
    assert 0 < given[0] <= 0.7


def resolving_to(*addresses: str):
    return lambda *arguments, **options: [(0, 0, 0, "", (address, 443)) for address in addresses]


def test_name_of_a_private_address_is_refused(monkeypatch):
    monkeypatch.setattr(socket, "getaddrinfo", resolving_to("93.184.215.14", "10.0.0.1"))
    with pytest.raises(InvalidEndpoint):
        resolve_public("push.example.com")


def test_connection_goes_to_the_checked_address(monkeypatch):
    monkeypatch.setattr(socket, "getaddrinfo", resolving_to("93.184.215.14"))
    asked = []

    def connect(address, timeout):
        asked.append(address)
        raise OSError

    monkeypatch.setattr(socket, "create_connection", connect)
    with pytest.raises(OSError):
        Session().post("https://push.example.com/1", data=b"", headers={}, timeout=1)
    assert asked == [("93.184.215.14", 443)]


def test_test_service_is_refused_without_the_setting(settings):
    settings.PUSH_TEST_ORIGIN = ""
    with pytest.raises(InvalidEndpoint):
        check_endpoint("http://127.0.0.1:9/1")


def test_slow_service_is_given_up_after_the_timeout(settings):
    """Answer with a byte each 0.1 s, which no timeout of a socket ends."""
    with closing(socket.create_server(("127.0.0.1", 0))) as server:
        given_up = threading.Event()

        def drip() -> None:
            connection, _address = server.accept()
            with closing(connection), suppress(OSError):
                for _ in attempts("the client to give up"):
                    if given_up.wait(0.1):
                        break
                    connection.sendall(b"H")

        thread = threading.Thread(target=drip)
        thread.start()
        origin = settings.PUSH_TEST_ORIGIN = f"http://127.0.0.1:{server.getsockname()[1]}"
        try:
            with pytest.raises((OSError, http.client.HTTPException)):
                Session().post(f"{origin}/1", data=b"x", headers={}, timeout=1.0)
        finally:
            given_up.set()
            thread.join()
