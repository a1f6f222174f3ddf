"""Pages of matches of days tell whether they are in view; those of others need not."""

import pytest
from asgiref.sync import sync_to_async

from games.consumers import MatchConsumer
from games.models import Connection
from games.time.day_clocks import DAY_SECONDS
from live import open_sockets
from tests.games.playing import begin
from tests.socket_client import SocketClient

pytestmark = pytest.mark.django_db(transaction=True)

in_thread = sync_to_async


@pytest.mark.parametrize("days", [3, 0])
async def test_page_that_tells_so_is_in_view_until_it_is_hidden(alice, bob, days):
    match = await in_thread(begin)(alice, bob, clock=(days * DAY_SECONDS or 300, 0))
    async with SocketClient(MatchConsumer, alice, match.code) as page:
        for text, visible in (("visible", bool(days)), ("hidden", False)):
            await page.socket.send_to(text)
            await page.socket.send_to("ping")
            await page.receive_containing("pong")
            page_row = await in_thread(Connection.objects.get)()
            assert page_row.visible is visible
            assert open_sockets.has_page_in_view(alice.pk) is (text == "visible")
            await in_thread(alice.refresh_from_db)()
            assert (alice.seen_at is not None) is bool(days)
