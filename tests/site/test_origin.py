"""The origin check of sockets."""

import pytest

from dominoes_site.asgi import application
from tests.socket_client import Socket


@pytest.mark.parametrize(
    ("origin", "host", "opens"),
    [
        ("http://localhost:8000", "localhost:8000", True),
        ("http://localhost:9000", "localhost:8000", False),
        ("https://localhost:8000", "localhost:8000", False),
        ("http://localhost", "localhost:8000", False),
        ("http://127.0.0.1:8000", "localhost:8000", False),
        ("http://evil.example", "evil.example", False),
        ("https://boneyard.example", "localhost:8000", True),  # a trusted one
        ("null", "localhost:8000", False),
        ("", "localhost:8000", False),
    ],
)
@pytest.mark.django_db(transaction=True)
async def test_origin_must_match_exactly(origin, host, opens, settings):
    settings.CSRF_TRUSTED_ORIGINS = ["https://boneyard.example"]
    headers = [(b"host", host.encode()), (b"origin", origin.encode())]
    socket = Socket(application, "/ws/leaderboard/muggins/", headers)

    opened, _code = await socket.connect()
    if opened:
        await socket.disconnect()

    assert opened is opens
