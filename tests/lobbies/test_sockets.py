"""The lobby and waiting tables, live."""

import asyncio
import re

import pytest
from asgiref.sync import sync_to_async

from boneyard.engine.shuffle import commitment_to
from lobbies import consumers, felt, services, site_games
from lobbies.consumers import LobbyConsumer, TableConsumer, WatchConsumer
from lobbies.models import Sitting
from tests.games.playing import begin, play
from tests.lobbies.tables import make, start_without_nonces, unseen
from tests.socket_client import SocketClient

pytestmark = pytest.mark.django_db(transaction=True)

in_thread = sync_to_async


@pytest.fixture(autouse=True)
def nothing_rendered():
    consumers._lists.clear()


async def test_open_table_updates_live(alice, bob):
    async with SocketClient(LobbyConsumer) as page:
        await page.receive_containing("No open tables.")
        table = await in_thread(make)(alice, seats=3)
        await page.receive_containing(f'id="open-{table.code}"')
        await in_thread(services.sit)(table, bob)
        await page.receive_containing("2 of 3 seats taken")
        await in_thread(services.leave)(table, alice)
        await page.receive_containing("No open tables.")


async def test_started_match_appears_live(alice, bob):
    async with SocketClient(LobbyConsumer) as page:
        await page.receive_containing("Nobody is playing just now.")
        match = await in_thread(begin)(alice, bob)
        await page.receive_containing(f'id="watch-{match.code}"')


async def test_watched_move_sends_only_the_tile(alice, bob, monkeypatch):
    monkeypatch.setattr(consumers, "REFRESH_SECONDS", 0.05)
    match = await in_thread(begin)(alice, bob)
    async with SocketClient(LobbyConsumer) as lobby, SocketClient(WatchConsumer) as watch:
        await lobby.receive_containing(f'id="watch-{match.code}"')
        await watch.receive_containing('id="featured"')
        await in_thread(play)(match)
        move = await in_thread(lambda: match.moves.get().text)()
        frame = await watch.receive_containing(f'id="wide-{move}"')
        assert "<html" not in frame
        assert frame.count("data-tile=") == 1
        assert await lobby.receives_nothing()


async def test_own_match_is_not_offered_to_watch(alice, bob, charlie, browser_of):
    own = await in_thread(begin)(alice, bob)
    other = await in_thread(begin)(bob, charlie, seed="b")
    own_line, other_line = f'id="watch-{own.code}"', f'id="watch-{other.code}"'

    def read(path: str) -> str:
        return browser_of(alice).get(path).content.decode().partition("<main")[2]

    watching = await in_thread(read)("/watch/")
    assert other.code in watching and own.code not in watching
    lobby = await in_thread(read)("/")
    assert other_line in lobby and own_line not in lobby
    async with SocketClient(WatchConsumer, user=alice) as page:
        frame = await page.receive_containing('id="featured"')
        assert other.code in frame and own.code not in frame
    async with SocketClient(LobbyConsumer, user=alice) as page:
        frame = await page.receive_containing('id="playing-now"')
        assert other_line in frame and own_line not in frame
    async with SocketClient(WatchConsumer) as page:
        assert own.code in await page.receive_containing('id="featured"')
    async with SocketClient(LobbyConsumer) as page:
        assert own_line in await page.receive_containing('id="playing-now"')


async def test_felt_follows_the_chosen_game(alice):
    async with SocketClient(LobbyConsumer) as page:
        await page.receive_containing('id="felt"')
        await page.socket.send_to("choose kozel")
        await page.receive_containing("Nobody is waiting to play Kozel (the Goat) right now")
        await in_thread(make)(alice, "kozel", 2)
        await page.receive_containing("alice is waiting to play Kozel (the Goat)")


async def test_what_a_press_does_is_found_once_for_all_visitors(alice, monkeypatch):
    made, build = [], felt.build_choice

    def counted(*arguments):
        made.append(1)
        return build(*arguments)

    monkeypatch.setattr(consumers, "REFRESH_SECONDS", 60)
    monkeypatch.setattr("lobbies.consumers.build_choice", counted)
    consumers._choices.clear()
    async with SocketClient(LobbyConsumer) as one, SocketClient(LobbyConsumer) as other:
        for page in (one, other):
            await page.receive_containing('id="felt"')
        await in_thread(make)(alice)
        for page in (one, other):
            await page.receive_containing("alice is waiting to play All Fives")
    assert len(made) == 2


async def test_readers_own_table_is_theirs(alice, bob):
    async with SocketClient(LobbyConsumer, user=alice) as own, SocketClient(LobbyConsumer, user=bob) as other:
        table = await in_thread(make)(alice)
        assert "Yours" in await own.receive_containing(f'id="open-{table.code}"')
        assert "Join alice" in await other.receive_containing(f'id="open-{table.code}"')


async def test_who_waits_reads_the_list_in_their_language(alice, bob, monkeypatch):
    """Their list is made for them alone, and may have to ask for the names of the site's games."""
    await in_thread(make)(alice, target=150)
    alice.language = "ru"
    await in_thread(alice.save)()
    async with SocketClient(LobbyConsumer, user=alice) as page:
        assert "\u0412\u0430\u0448" in await page.receive_containing('id="open-tables"')
        monkeypatch.setattr(site_games, "_valid_until", 0.0)
        table = await in_thread(make)(bob, target=150)
        frame = await page.receive_containing(f'id="open-{table.code}"')
        assert "Join" not in frame


async def test_private_tables_are_not_pushed(alice):
    async with SocketClient(LobbyConsumer) as page:
        await page.receive_containing("No open tables.")
        await in_thread(make)(alice, private=True)
        assert await page.receives_nothing()


async def test_lists_are_rendered_once(alice, monkeypatch):
    rendered = []
    lists = LobbyConsumer.build_lists

    def counted(consumer):
        rendered.append(1)
        return lists(consumer)

    monkeypatch.setattr(consumers, "REFRESH_SECONDS", 60)
    monkeypatch.setattr(LobbyConsumer, "build_lists", counted)
    async with (
        SocketClient(LobbyConsumer) as one,
        SocketClient(LobbyConsumer) as two,
        SocketClient(LobbyConsumer) as three,
    ):
        for page in (one, two, three):
            await page.receive_containing("No open tables.")
        rendered.clear()
        table = await in_thread(make)(alice)
        for page in (one, two, three):
            await page.receive_containing(table.code)
        assert len(rendered) == 1


async def test_waiting_person_is_notified_of_start(alice, bob):
    table = await in_thread(make)(alice, private=True)
    async with SocketClient(LobbyConsumer, alice) as page:
        await page.receive_containing("Back to your table")
        await in_thread(services.sit)(table, bob)
        await in_thread(start_without_nonces)(table, alice, bob)
        assert f"/games/{table.code}/" in await page.receive_containing("Go on with your match")


@pytest.mark.parametrize(("consumer", "part"), [(LobbyConsumer, "open-tables"), (WatchConsumer, "cards")])
async def test_returning_page_gets_everything(consumer, part, alice):
    async with SocketClient(consumer, alice) as page:
        await page.drain()
        await page.socket.send_to("look")
        await page.receive_containing(f'id="{part}"')


async def test_long_query_string_is_accepted():
    page = SocketClient(WatchConsumer)
    page.socket.scope["query_string"] = "&".join(f"f{n}" for n in range(1100)).encode() + b"&people=on"
    async with page:
        await page.receive_containing('id="cards"')


async def test_waiting_page_updates_and_redirects(alice, bob):
    table = await in_thread(make)(alice)
    async with SocketClient(TableConsumer, alice, table.code) as page:
        await page.receive_containing("Waiting for the others")
        await in_thread(services.sit)(table, bob)
        assert "data-full" in await page.receive_containing("Everybody is here. The match begins.")
        await in_thread(services.commit)(table, alice, commitment_to("a"))
        await in_thread(services.commit)(table, bob, commitment_to("b"))
        assert commitment_to("b") in await page.receive_containing("What everybody has committed to")
        await in_thread(services.give_nonce)(table, alice, "a")
        await in_thread(services.give_nonce)(table, bob, "b")
        frame = await page.receive_containing('data-status="started"')
        assert f'hx-get="/tables/{table.code}/go" hx-trigger="load"' in frame


async def test_open_socket_keeps_person_seen(alice, bob, monkeypatch):
    monkeypatch.setattr(consumers, "SEEN_INTERVAL_SECONDS", 0.05)
    table = await in_thread(make)(alice, seats=3)
    await in_thread(services.sit)(table, bob)
    await in_thread(unseen)(table, alice, 90)
    await in_thread(unseen)(table, bob, 90)
    seen = {s.user_id: s.seen_at async for s in Sitting.objects.filter(table=table)}
    async with SocketClient(TableConsumer, alice, table.code) as page:
        await page.receive_containing("Waiting for the others")
        await asyncio.sleep(0.2)
    after = {s.user_id: s.seen_at async for s in Sitting.objects.filter(table=table)}
    assert after[alice.pk] > seen[alice.pk]
    assert after[bob.pk] == seen[bob.pk]


async def test_each_viewer_gets_own_seats(alice, bob):
    table = await in_thread(make)(alice, seats=3)
    async with (
        SocketClient(TableConsumer, alice, table.code) as own,
        SocketClient(TableConsumer, bob, table.code) as other,
    ):
        assert "Sit here" not in await own.receive_containing("waiting")
        frame = await other.receive_containing("Sit here")
        assert not re.search("Leave the table", frame)


async def test_missing_table_is_refused(alice):
    page = SocketClient(TableConsumer, alice, "nosuchcode")
    await page.socket.connect()
    assert (await page.socket.receive_output())["code"] == 4403
    await page.socket.wait()
