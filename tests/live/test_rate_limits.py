"""The rate limit of socket messages, per sender and page."""

import pytest
from channels.db import database_sync_to_async
from django.contrib.auth.models import AnonymousUser

from live import consumers, rate_limits
from live.consumers import PageConsumer
from tests.socket_client import Socket, create_session

pytestmark = pytest.mark.django_db(transaction=True)


class Page(PageConsumer):
    def groups(self):
        return ["match.floods"]

    def render(self):
        return "<p>as it stands</p>"


def socket(user=None, session=None) -> Socket:
    socket = Socket(Page.as_asgi(), "/ws/x/")
    socket.scope["user"] = user or AnonymousUser()
    socket.scope["headers"] = []
    if session is not None:
        socket.scope["session"] = session
    return socket


async def test_messages_over_rate_limit_close_socket(monkeypatch):
    monkeypatch.setattr(rate_limits, "MAX_MESSAGES", 2)
    viewer = socket()
    await viewer.connect()
    await viewer.receive_from()
    for _ in range(9):
        await viewer.send_to("ping")
    heard = [await viewer.receive_output() for _ in range(3)]
    assert [each.get("code") for each in heard] == [None, None, consumers.CLOSE_RATE_LIMITED]
    assert await viewer.receive_nothing()
    await viewer.disconnect()


async def test_reconnecting_does_not_reset_rate_limit(alice, monkeypatch):
    monkeypatch.setattr(rate_limits, "MAX_MESSAGES", 3)
    session = await database_sync_to_async(create_session)(alice)
    for pings in (2, 1):
        viewer = socket(alice, session)
        await viewer.connect()
        await viewer.receive_from()
        for _ in range(pings):
            await viewer.send_to("ping")
            assert await viewer.receive_from() == "pong"
        await viewer.disconnect()
    viewer = socket(alice, session)
    await viewer.connect()
    await viewer.receive_from()
    await viewer.send_to("ping")
    assert (await viewer.receive_output()).get("code") == consumers.CLOSE_RATE_LIMITED
    await viewer.disconnect()


async def test_anonymous_sockets_have_separate_rate_limits(monkeypatch):
    monkeypatch.setattr(rate_limits, "MAX_MESSAGES", 2)
    for _ in range(3):
        viewer = socket()
        await viewer.connect()
        await viewer.receive_from()
        await viewer.send_to("ping")
        assert await viewer.receive_from() == "pong"
        await viewer.disconnect()
