"""Tests of board shapes: a page that reports the shape it shows is sent only that one."""

import pytest
from asgiref.sync import sync_to_async

from games.consumers import MatchConsumer
from tests.games.playing import begin, play
from tests.socket_client import SocketClient

pytestmark = pytest.mark.django_db(transaction=True)

in_thread = sync_to_async


def shapes_in(html: str) -> set[str]:
    """Return the shapes that appear in the HTML."""
    return {shape for shape in ("wide", "tall") if f"-{shape}" in html or f'data-shape="{shape}"' in html}


async def test_socket_sends_the_reported_shape(alice, bob):
    match = await in_thread(begin)(alice, bob)
    async with SocketClient(MatchConsumer, alice, match.code) as page:
        await page.socket.send_to("shape wide")
        assert shapes_in(await page.receive_containing('id="board"')) == {"wide"}
        await in_thread(play)(match)
        assert shapes_in(await page.receive_containing('data-version="1"')) == {"wide"}

        await page.socket.send_to("shape tall")

        turned = await page.receive_containing('data-shape="tall"')
        assert 'id="line-wide"' not in turned and 'id="line-tall"' in turned
        await in_thread(match.refresh_from_db)()
        await in_thread(play)(match)
        assert shapes_in(await page.receive_containing('data-version="2"')) == {"tall"}


@pytest.mark.parametrize("message", ["shape", "shape round", "shape wide tall", "shape Wide"])
async def test_socket_sends_both_without_a_valid_shape(alice, bob, message):
    match = await in_thread(begin)(alice, bob)
    async with SocketClient(MatchConsumer, alice, match.code) as page:
        await page.socket.send_to(message)
        assert shapes_in(await page.receive_containing('id="board"')) == {"wide", "tall"}


async def test_each_spectator_gets_their_own_shape(alice, bob):
    match = await in_thread(begin)(alice, bob)
    async with (
        SocketClient(MatchConsumer, code=match.code) as one,
        SocketClient(MatchConsumer, code=match.code) as other,
    ):
        for page, shape in ((one, "wide"), (other, "tall")):
            await page.socket.send_to(f"shape {shape}")
            await page.drain()
        await in_thread(play)(match)
        for page, shape in ((one, "wide"), (other, "tall")):
            assert shapes_in(await page.receive_containing('data-version="1"')) == {shape}


@pytest.mark.parametrize(
    ("header", "shapes"), [("tall", {"tall"}), ("wide", {"wide"}), ("no", {"wide", "tall"})]
)
def test_sync_and_form_responses_follow_the_header(alice, bob, browser_of, header, shapes):
    match = play(begin(alice, bob))
    page = browser_of(alice)
    headers = {"shape": header, "hx-request": "true"}

    synced = page.get(f"/games/{match.code}/sync?v=0", headers=headers)
    sent = page.post(f"/games/{match.code}/move", {"move": "draw", "version": 0}, headers=headers)

    assert shapes_in(synced.text) == shapes_in(sent.text) == shapes


def test_full_page_has_both_shapes(alice, bob, browser_of):
    match = begin(alice, bob)
    assert shapes_in(browser_of(alice).get(f"/games/{match.code}/").text) == {"wide", "tall"}
