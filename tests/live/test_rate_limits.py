"""Who sends too much too fast to a page: counted by person, whichever socket it came over."""

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


async def test_a_flood_closes_the_socket(monkeypatch):
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


async def test_whoever_comes_back_to_a_page_goes_on_being_counted(alice, monkeypatch):
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


async def test_two_who_are_not_signed_in_are_not_counted_together(monkeypatch):
    monkeypatch.setattr(rate_limits, "MAX_MESSAGES", 2)
    for _ in range(3):
        viewer = socket()
        await viewer.connect()
        await viewer.receive_from()
        await viewer.send_to("ping")
        assert await viewer.receive_from() == "pong"
        await viewer.disconnect()
