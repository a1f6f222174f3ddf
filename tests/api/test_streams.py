"""Streams without a server: when they end by themselves, and that none is counted after its end."""

from datetime import timedelta

import pytest
from asgiref.testing import ApplicationCommunicator
from channels.db import database_sync_to_async
from channels.layers import get_channel_layer
from django.utils import timezone

from accounts import conduct
from api import streams, tokens
from api.models import Token
from api.scopes import Scope
from games import repository
from tests.games.playing import begin
from tests.waiting import TIMEOUT_SECONDS

pytestmark = pytest.mark.django_db(transaction=True)


async def nothing(scope, receive, send):
    raise AssertionError("not a stream")


async def open_stream(user, path: str) -> ApplicationCommunicator:
    """Open a stream with a new token of this account."""
    text = await database_sync_to_async(tokens.make)(user, "a test", [Scope.READ], None)
    header = (b"authorization", f"Bearer {text}".encode())
    stream = ApplicationCommunicator(
        streams.Streams(nothing), {"type": "http", "method": "GET", "path": path, "headers": [header]}
    )
    await stream.send_input({"type": "http.request", "body": b""})
    return stream


async def read(stream: ApplicationCommunicator) -> dict:
    return await stream.receive_output(timeout=TIMEOUT_SECONDS)


async def read_to_the_end(stream: ApplicationCommunicator) -> None:
    for _ in range(20):
        message = await read(stream)
        if message["type"] == "http.response.body" and not message.get("more_body"):
            break
    await stream.wait(timeout=TIMEOUT_SECONDS)


@pytest.fixture
def match(alice, bob):
    return begin(alice, bob)


async def test_stream_of_a_banned_account_ends(alice, match):
    stream = await open_stream(alice, f"/games/{match.code}/stream")
    assert (await read(stream))["status"] == 200
    await read(stream)
    await database_sync_to_async(conduct.ban)(alice, "spam")
    await read_to_the_end(stream)
    assert streams._open_streams[alice.pk] == 0


async def test_stream_goes_on_when_a_session_of_the_account_ends(alice, match):
    stream = await open_stream(alice, f"/games/{match.code}/stream")
    await read(stream), await read(stream)
    await get_channel_layer().group_send(f"user.{alice.pk}", {"type": "session.ended"})
    await get_channel_layer().group_send(f"user.{alice.pk}", {"type": "page.changed", "topic": "mine"})
    assert await stream.receive_nothing(timeout=0.3)
    await stream.send_input({"type": "http.disconnect"})
    await stream.wait(timeout=TIMEOUT_SECONDS)


async def test_stream_with_nothing_to_say_yet_begins_at_once(alice):
    stream = await open_stream(alice, "/events")
    assert (await read(stream))["status"] == 200
    assert await read(stream) == {"type": "http.response.body", "body": b"\n", "more_body": True}
    await stream.send_input({"type": "http.disconnect"})
    await stream.wait(timeout=TIMEOUT_SECONDS)


async def test_stream_of_a_token_whose_time_is_over_ends(alice, monkeypatch):
    monkeypatch.setattr(streams, "KEEP_ALIVE_SECONDS", 0.1)
    stream = await open_stream(alice, "/events")
    assert (await read(stream))["status"] == 200
    ends = timezone.now() - timedelta(seconds=1)
    monkeypatch.setattr(Token, "is_valid", lambda token, now: now < ends)
    await read_to_the_end(stream)


async def test_stream_that_fails_is_not_counted_any_more(alice, match, monkeypatch):
    def fail(code):
        raise RuntimeError("a fault")

    monkeypatch.setattr(repository, "get_snapshot", fail)
    stream = await open_stream(alice, f"/games/{match.code}/stream")
    with pytest.raises(RuntimeError):
        await stream.wait(timeout=TIMEOUT_SECONDS)
    assert streams._open_streams[alice.pk] == 0


@pytest.mark.parametrize("code", ["дом", "a" * 200, "x", "a.b", "A" * 10])
async def test_what_is_no_code_is_left_to_the_pages(alice, code):
    stream = await open_stream(alice, f"/games/{code}/stream")
    with pytest.raises(AssertionError, match="not a stream"):
        await stream.wait(timeout=TIMEOUT_SECONDS)
