"""An open leaderboard after a match."""

import pytest
from asgiref.sync import sync_to_async
from channels.auth import AuthMiddlewareStack
from channels.routing import URLRouter
from django.test import Client
from django.urls import path

from accounts.consumers import LeaderboardConsumer
from tests.accounts.rating import rate, seasoned
from tests.socket_client import Socket

application = AuthMiddlewareStack(
    URLRouter([path("ws/leaderboard/<slug:pool>/", LeaderboardConsumer.as_asgi())])
)
pytestmark = pytest.mark.django_db(transaction=True)


async def open_page(address="muggins/", user=None):
    headers = []
    if user is not None:
        client = Client()
        await sync_to_async(client.force_login)(user)
        headers = [(b"cookie", f"sessionid={client.cookies['sessionid'].value}".encode())]
    socket = Socket(application, f"/ws/leaderboard/{address}", headers=headers)
    connected, _ = await socket.connect()
    assert connected
    return socket


async def test_leaderboard_is_sent_and_updated_after_a_match(alice, bob):
    socket = await open_page(user=alice)
    assert "Nobody has a rated match here yet." in await socket.receive_from()

    await sync_to_async(rate)(1, alice, bob)

    frame = await socket.receive_from()
    assert 'id="ranks" hx-swap-oob="morph"' in frame
    assert '<tr class="mine"' in frame
    assert "1520" in frame
    assert "1480" in frame
    await socket.disconnect()


async def test_open_page_is_the_one_sent(alice, bob):
    rows = [await sync_to_async(seasoned)(f"player-{n:02}", 2000 - n) for n in range(60)]
    socket = await open_page(f"muggins/?after={rows[54].value}:{rows[54].pk}")
    frame = await socket.receive_from()
    assert "player-55" in frame
    assert "player-54" not in frame
    await socket.disconnect()


async def test_match_of_another_pool_sends_nothing(alice, bob):
    socket = await open_page("draw/")
    await socket.receive_from()
    await sync_to_async(rate)(1, alice, bob)
    assert await socket.receive_nothing(timeout=0.3)
    await socket.disconnect()


async def test_unknown_pool_is_refused(db):
    socket = await open_page("chess/")
    assert (await socket.receive_output())["code"] == 4403
