"""Letters: sent beside the requests, and by a mail server that answers or does not."""

import logging
import socket
import time
from contextlib import closing
from threading import BoundedSemaphore

import pytest
from django.core import mail

from dominoes_site import mail as letters

BACKEND = "dominoes_site.mail.Backend"


@pytest.fixture
def outgoing(settings):
    settings.EMAIL_BACKEND = BACKEND
    return settings


def sent():
    """Wait until the letters so far have been dealt with."""
    letters._sender.submit(lambda: None).result(timeout=10)


def test_mail_is_sent(outgoing):
    outgoing.MAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"

    mail.send_mail("Hello", "Bones", None, ["alice@example.org"])
    sent()

    assert [letter.to for letter in mail.outbox] == [["alice@example.org"]]


def test_silent_mail_server_does_not_delay_login(outgoing, browser_of, alice, caplog):
    alice.emailaddress_set.create(email="alice@example.org", verified=True, primary=True)
    with closing(socket.create_server(("127.0.0.1", 0))) as silent:
        outgoing.MAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
        outgoing.EMAIL_HOST, outgoing.EMAIL_PORT = silent.getsockname()
        outgoing.EMAIL_TIMEOUT = 15
        began = time.monotonic()
        browser_of().post("/accounts/password/reset/", {"email": "alice@example.org"})
        browser_of().post("/accounts/login/", {"login": "alice", "password": "alice's bones"})
        answered = time.monotonic() - began
        assert answered < outgoing.EMAIL_TIMEOUT
        with caplog.at_level(logging.ERROR):
            silent.close()  # resets the connection that waits for a greeting
            sent()

    assert "A mail could not be sent" in caplog.text


def test_full_queue_drops_mail(outgoing, monkeypatch):
    monkeypatch.setattr(letters, "_free_slots", BoundedSemaphore(1))
    with closing(socket.create_server(("127.0.0.1", 0))) as silent:
        outgoing.MAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
        outgoing.EMAIL_HOST, outgoing.EMAIL_PORT = silent.getsockname()
        outgoing.EMAIL_TIMEOUT = 1
        taken = [mail.send_mail("Hello", "Bones", None, ["alice@example.org"]) for _ in range(2)]
        sent()

    assert taken == [1, 0]
