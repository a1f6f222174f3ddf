"""The lobby and waiting tables, live."""

import asyncio
import re

import pytest
from asgiref.sync import sync_to_async

from lobbies import consumers, services
from lobbies.consumers import LobbyConsumer, TableConsumer, WatchConsumer
from lobbies.models import Sitting
from tests.games.playing import begin, play
from tests.lobbies.tables import make, unseen
from tests.pages import Page

pytestmark = pytest.mark.django_db(transaction=True)

in_thread = sync_to_async


@pytest.fixture(autouse=True)
def nothing_rendered():
    consumers._lists.clear()


async def test_an_open_table_appears_fills_and_vanishes(alice, bob):
    async with Page(LobbyConsumer) as page:
        await page.sees("No open tables.")
        table = await in_thread(make)(alice, seats=3)
        await page.sees(f'id="open-{table.code}"')
        await in_thread(services.sit)(table, bob)
        await page.sees("2 of 3 seats taken")
        await in_thread(services.leave)(table, alice)
        assert table.code not in await page.sees("No open tables.")


async def test_a_started_match_can_be_watched_at_once(alice, bob):
    async with Page(LobbyConsumer) as page:
        await page.sees("Nobody is playing just now.")
        match = await in_thread(begin)(alice, bob)
        await page.sees(f'id="watch-{match.code}"')


async def test_of_a_move_in_a_match_that_is_watched_only_the_tile_comes(alice, bob, monkeypatch):
    monkeypatch.setattr(consumers, "LOOK_EVERY", 0.05)
    match = await in_thread(begin)(alice, bob)
    async with Page(LobbyConsumer) as lobby, Page(WatchConsumer) as watch:
        await lobby.sees(f'id="watch-{match.code}"')
        await watch.sees('id="featured"')
        await in_thread(play)(match)
        move = await in_thread(lambda: match.moves.get().text)()
        frame = await lobby.sees(f'id="of-{match.code}-wide-{move}"')
        assert "open-tables" not in frame and "<html" not in frame
        assert frame.count("data-tile=") == 2  # on the small board, and on the large one of a stranger
        await watch.sees(f'id="wide-{move}"')


async def test_private_tables_are_no_news(alice):
    async with Page(LobbyConsumer) as page:
        await page.sees("No open tables.")
        await in_thread(make)(alice, private=True)
        assert await page.hears_nothing()


async def test_the_lists_are_rendered_once_for_all_who_look(alice, monkeypatch):
    rendered = []
    lists = LobbyConsumer.lists

    def counted(consumer):
        rendered.append(1)
        return lists(consumer)

    monkeypatch.setattr(consumers, "LOOK_EVERY", 60)
    monkeypatch.setattr(LobbyConsumer, "lists", counted)
    async with Page(LobbyConsumer) as one, Page(LobbyConsumer) as two, Page(LobbyConsumer) as three:
        for page in (one, two, three):
            await page.sees("No open tables.")
        rendered.clear()
        table = await in_thread(make)(alice)
        for page in (one, two, three):
            await page.sees(table.code)
        assert len(rendered) == 1


async def test_who_waits_elsewhere_is_told_that_the_match_has_begun(alice, bob):
    table = await in_thread(make)(alice, private=True)
    async with Page(LobbyConsumer, alice) as page:
        await page.sees("Back to your table")
        await in_thread(services.sit)(table, bob)
        await in_thread(services.give_nonce)(table, alice, "a")
        await in_thread(services.give_nonce)(table, bob, "b")
        assert f"/games/{table.code}/" in await page.sees("Go on with your match")


@pytest.mark.parametrize("consumer", [LobbyConsumer, WatchConsumer])
async def test_a_page_whose_reader_comes_back_is_sent_everything_though_nothing_has_changed(consumer, alice):
    async with Page(consumer, alice) as page:
        await page.has_seen_all()
        await page.socket.send_to("look")
        await page.sees('id="cards"')


async def test_an_address_of_a_thousand_fields_is_read_as_any_other():
    page = Page(WatchConsumer)
    page.socket.scope["query_string"] = "&".join(f"f{n}" for n in range(1100)).encode() + b"&people=on"
    async with page:
        await page.sees('id="cards"')


async def test_a_waiting_page_sees_who_comes_and_is_led_to_the_match(alice, bob):
    table = await in_thread(make)(alice)
    async with Page(TableConsumer, alice, table.code) as page:
        assert "data-needs-nonce" in await page.sees("Waiting for the others")
        await in_thread(services.give_nonce)(table, alice, "a")
        assert "data-needs-nonce" not in await page.sees("Your characters for the shuffle are in:")
        await in_thread(services.sit)(table, bob)
        assert "data-full" in await page.sees("Everybody is here. The match begins.")
        await in_thread(services.give_nonce)(table, bob, "b")
        frame = await page.sees('data-status="started"')
        assert f'hx-get="/tables/{table.code}/go" hx-trigger="load"' in frame


async def test_an_open_page_is_a_sign_of_its_person(alice, bob, monkeypatch):
    monkeypatch.setattr(consumers, "SEEN_EVERY", 0.05)
    table = await in_thread(make)(alice, seats=3)
    await in_thread(services.sit)(table, bob)
    await in_thread(unseen)(table, alice, 90)
    await in_thread(unseen)(table, bob, 90)
    seen = {s.user_id: s.seen_at async for s in Sitting.objects.filter(table=table)}
    async with Page(TableConsumer, alice, table.code) as page:
        await page.sees("Waiting for the others")
        await asyncio.sleep(0.2)
    after = {s.user_id: s.seen_at async for s in Sitting.objects.filter(table=table)}
    assert after[alice.pk] > seen[alice.pk]
    assert after[bob.pk] == seen[bob.pk]


async def test_every_viewer_gets_their_own_seats(alice, bob):
    table = await in_thread(make)(alice, seats=3)
    async with Page(TableConsumer, alice, table.code) as own, Page(TableConsumer, bob, table.code) as other:
        assert "Sit here" not in await own.sees("waiting")
        frame = await other.sees("Sit here")
        assert not re.search("Leave the table", frame)


async def test_a_table_that_is_not_there_is_refused(alice):
    page = Page(TableConsumer, alice, "nosuchcode")
    await page.socket.connect()
    assert (await page.socket.receive_output())["code"] == 4403
    await page.socket.wait()
