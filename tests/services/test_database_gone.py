"""A PostgreSQL whose machine is gone without a word: no packet says so."""

import socket
from contextlib import closing

import pytest
from django.db import connection

pytestmark = [
    pytest.mark.skipif(connection.vendor != "postgresql", reason="a file is on this machine"),
    pytest.mark.django_db,
]


def test_what_nobody_acknowledges_is_given_up_within_seconds():
    connection.ensure_connection()
    with closing(socket.fromfd(connection.connection.fileno(), socket.AF_INET, socket.SOCK_STREAM)) as line:
        asked = {
            name: line.getsockopt(socket.IPPROTO_TCP, getattr(socket, name))
            for name in ("TCP_USER_TIMEOUT", "TCP_KEEPIDLE", "TCP_KEEPINTVL", "TCP_KEEPCNT")
        }
    assert asked == {"TCP_USER_TIMEOUT": 5000, "TCP_KEEPIDLE": 5, "TCP_KEEPINTVL": 2, "TCP_KEEPCNT": 3}
