"""A move over the open socket: the same form, the same refusals and the same one writer as by POST."""

import json

import pytest
from asgiref.sync import sync_to_async
from autobahn.exception import Disconnected
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils.html import escape

import live.consumers
from accounts import conduct
from games.consumers import MatchConsumer
from games.models import Match
from games.table.snapshot_cache import get_snapshot_view
from live.broadcast import broadcast_session_ended
from tests.games.playing import begin, legal, on_turn, play, under_way
from tests.socket_client import SocketClient, create_session
from tests.times import later

pytestmark = pytest.mark.django_db(transaction=True)

in_thread = sync_to_async


async def page_of(match: Match, user=None) -> SocketClient:
    page = SocketClient(MatchConsumer, user, match.code)
    if user is not None:
        page.socket.scope["session"] = await in_thread(create_session)(user)
    return page


async def send(page: SocketClient, **fields) -> None:
    await page.socket.send_to(json.dumps(fields))


async def player_on_turn(match: Match, *people):
    seat = await in_thread(on_turn)(match)
    return next(person for person in people if person.pk == seat.user_id)


async def test_a_move_is_made_and_both_pages_are_told_once(alice, bob):
    match = await in_thread(begin)(alice, bob)
    mover = await player_on_turn(match, alice, bob)
    other = bob if mover == alice else alice
    async with await page_of(match, mover) as own, await page_of(match, other) as opposite:
        for page in (own, opposite):
            await page.drain()
        await send(own, move=(await in_thread(legal)(match))[0], version=0)
        for page in (own, opposite):
            await page.receive_containing('data-version="1"')
            assert await page.receives_nothing()
    await match.arefresh_from_db()
    assert match.version == 1


class GoneUnheard:
    """The socket of a browser that has gone, of which the server has not heard: Daphne refuses what is sent."""

    def __init__(self) -> None:
        self.gone = False

    def as_asgi(self):
        page = MatchConsumer.as_asgi()

        async def with_its_browser(scope, receive, send):
            async def to_the_browser(message):
                if self.gone:
                    raise Disconnected("Attempt to send on a closed protocol")
                await send(message)

            await page(scope, receive, to_the_browser)

        return with_its_browser


async def test_a_move_is_told_to_all_others_when_one_page_has_just_gone(alice, bob):
    match = await in_thread(begin)(alice, bob)
    mover = await player_on_turn(match, alice, bob)
    other = bob if mover == alice else alice
    going = GoneUnheard()
    leaving = SocketClient(going, other, match.code)
    async with await page_of(match, mover) as own, await page_of(match) as watching, leaving:
        for page in (own, watching, leaving):
            await page.drain()
        going.gone = True
        for version in (0, 1):
            await in_thread(match.refresh_from_db)()
            if version:
                await in_thread(play)(match)
            else:
                await send(own, move=(await in_thread(legal)(match))[0], version=0)
            for page in (own, watching):
                await page.receive_containing(f'data-version="{version + 1}"')
        going.gone = False
    await match.arefresh_from_db()
    assert match.version == 2


async def test_who_comes_while_a_move_is_made_is_shown_it(alice, bob, charlie):
    match = await in_thread(begin)(alice, bob)
    mover = await player_on_turn(match, alice, bob)
    async with await page_of(match, mover) as page:
        await page.drain()
        for version in range(8):
            mover, move = await player_on_turn(match, alice, bob), (await in_thread(legal)(match))[0]
            async with await page_of(match, mover) as own, await page_of(match, charlie) as coming:
                await send(own, move=move, version=version)
                for each in (page, own, coming):
                    await each.receive_containing(f'data-version="{version + 1}"')


async def test_who_moves_after_the_clock_ran_out_tells_everybody_that_the_match_is_over(alice, bob):
    match = await in_thread(lambda: under_way(begin(alice, bob, clock=(60, 0))))()
    mover = await player_on_turn(match, alice, bob)
    other = bob if mover == alice else alice
    async with await page_of(match, mover) as own, await page_of(match, other) as opposite:
        async with await page_of(match) as watching:
            for page in (own, opposite, watching):
                await page.drain()
            with later(seconds=61):
                await send(own, move=(await in_thread(legal)(match))[0], version=match.version)
                for page in (own, opposite, watching):
                    await page.receive_containing(f'data-version="{match.version + 1}"')
    await match.arefresh_from_db()
    assert match.result_how == "time"


async def test_a_seat_that_is_left_over_the_socket_is_chosen_about_by_the_others(alice, bob, charlie):
    match = await in_thread(begin)(alice, bob, charlie)
    while await match.moves.exclude(text="draw").values("seat").distinct().acount() < 3:
        await in_thread(play)(match)
        await match.arefresh_from_db()
    async with await page_of(match, alice) as going, await page_of(match, bob) as staying:
        for page in (going, staying):
            await page.drain()
        await send(going, move="resign", version=match.version)
        assert "alice has left the match" in await staying.receive_containing('id="leaver"')
        await going.receive_containing('id="leaver"')
    assert (await Match.objects.aget(pk=match.pk)).version == match.version


async def test_the_same_move_sent_twice_is_made_once(alice, bob):
    match = await in_thread(begin)(alice, bob)
    mover = await player_on_turn(match, alice, bob)
    move = (await in_thread(legal)(match))[0]
    async with await page_of(match, mover) as page:
        await page.drain()
        await send(page, move=move, version=0)
        await send(page, move=move, version=0)
        await page.receive_containing('id="refusal"')
    assert await match.moves.acount() == 1


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ({"move": "7-7-7", "version": 0}, "That is no move"),
        ({"move": "draw", "version": "x"}, "That is no move"),
        ({"move": "time", "version": 0}, "That is no move"),
        ({"move": "draw", "version": 5}, "went on"),
    ],
)
async def test_what_a_post_refuses_is_refused_with_the_same_sentence(alice, bob, fields, sentence):
    match = await in_thread(begin)(alice, bob)
    mover = await player_on_turn(match, alice, bob)
    async with await page_of(match, mover) as page:
        await page.drain()
        await send(page, **fields)
        refused = await page.receive_containing('id="refusal"')
    posted = await in_thread(posted_refusal)(match, mover, fields)
    assert posted in refused
    assert await match.moves.acount() == 0


async def test_who_moves_on_what_is_past_is_shown_the_present_and_then_refused(alice, bob):
    match = await in_thread(begin)(alice, bob)
    mover = await player_on_turn(match, alice, bob)
    async with await page_of(match, mover) as page:
        await send(page, move="draw", version=5)
        assert 'id="refusal"' not in await page.receive_containing('id="sync"')
        await page.receive_containing('id="refusal"')


def posted_refusal(match: Match, user, fields) -> str:
    browser = Client()
    browser.force_login(user)
    answer = browser.post(f"/games/{match.code}/move", fields, headers={"Accept": "application/json"})
    assert answer.status_code >= 400
    return escape(answer.json()["error"])


async def test_a_spectator_and_a_stranger_are_refused(alice, bob, charlie):
    match = await in_thread(begin)(alice, bob)
    move = (await in_thread(legal)(match))[0]
    for person in (charlie, None):
        async with await page_of(match, person) as page:
            await page.drain()
            await send(page, move=move, version=0)
            await page.receive_containing('id="refusal"')
    assert await match.moves.acount() == 0


async def test_a_session_that_has_ended_moves_no_more(alice, bob):
    match = await in_thread(begin)(alice, bob)
    mover = await player_on_turn(match, alice, bob)
    move = (await in_thread(legal)(match))[0]
    async with await page_of(match, mover) as page:
        await page.drain()
        await in_thread(page.socket.scope["session"].delete)()
        await send(page, move=move, version=0)
        assert await closing(page) == 4401
    assert await match.moves.acount() == 0


async def test_a_banned_person_moves_no_more(alice, bob):
    match = await in_thread(begin)(alice, bob)
    mover = await player_on_turn(match, alice, bob)
    move = (await in_thread(legal)(match))[0]
    async with await page_of(match, mover) as page:
        await page.drain()
        mover.is_active = False
        await mover.asave()
        await send(page, move=move, version=0)
        assert await closing(page) == 4401
    assert await match.moves.acount() == 0


async def moved(page: SocketClient, mover, match: Match, people) -> None:
    """The person at this page has moved, and is on turn again."""
    await page.drain()
    await send(page, move=(await in_thread(legal)(match))[0], version=match.version)
    await page.receive_containing(f'data-version="{match.version + 1}"')
    await match.arefresh_from_db()
    while (await player_on_turn(match, *people)) != mover:
        match = await in_thread(play)(match)
        await page.receive_containing(f'data-version="{match.version}"')


async def closing(page: SocketClient) -> int:
    """The code with which the page is closed, whatever it is told before."""
    while (said := await page.socket.receive_output())["type"] != "websocket.close":
        pass
    return said["code"]


async def test_a_session_that_was_looked_at_a_moment_ago_is_not_looked_at_again(alice, bob, monkeypatch):
    looks = []
    first = MatchConsumer.is_welcome

    def look(page: MatchConsumer) -> bool:
        looks.append(page)
        return first(page)

    monkeypatch.setattr(MatchConsumer, "is_welcome", look)
    match = await in_thread(begin)(alice, bob)
    mover = await player_on_turn(match, alice, bob)
    async with await page_of(match, mover) as page:
        await moved(page, mover, match, (alice, bob))
        await match.arefresh_from_db()
        await send(page, move=(await in_thread(legal)(match))[0], version=match.version)
        await page.receive_containing(f'data-version="{match.version + 1}"')
    assert len(looks) == 1


@pytest.mark.parametrize("end", ["log out", "ban"])
async def test_the_end_of_a_session_that_was_known_is_heard_of_at_once(alice, bob, end):
    match = await in_thread(begin)(alice, bob)
    mover = await player_on_turn(match, alice, bob)
    page, witness = [await page_of(match, mover) for _ in range(2)]
    witness.socket.scope["session"] = page.socket.scope["session"]
    async with page, witness:
        await moved(page, mover, match, (alice, bob))
        await match.arefresh_from_db()
        before = match.version
        move = (await in_thread(legal)(match))[0]
        if end == "ban":
            await in_thread(conduct.ban)(mover, "cheating")
        else:
            await in_thread(page.socket.scope["session"].delete)()
            await in_thread(broadcast_session_ended)(mover.pk)
        assert await closing(witness) == 4401  # the news, which may come by way of Redis, is there
        await send(page, move=move, version=before)
        assert await closing(page) == 4401
    await match.arefresh_from_db()
    assert match.version == before


async def test_the_end_of_a_session_of_which_nothing_was_heard_is_noticed_in_seconds(alice, bob, monkeypatch):
    match = await in_thread(begin)(alice, bob)
    mover = await player_on_turn(match, alice, bob)
    async with await page_of(match, mover) as page:
        await moved(page, mover, match, (alice, bob))
        await match.arefresh_from_db()
        monkeypatch.setattr(live.consumers, "KNOWN_FOR", 0.0)
        await in_thread(page.socket.scope["session"].delete)()
        await send(page, move=(await in_thread(legal)(match))[0], version=match.version)
        assert await closing(page) == 4401


@pytest.mark.parametrize("text", ["heart", "[]", "{}", '{"mov', "[" * 900, '{"move": 1' + " " * 2000 + "}"])
async def test_what_is_no_move_is_ignored(alice, bob, text):
    match = await in_thread(begin)(alice, bob)
    async with await page_of(match, alice) as page:
        await page.socket.send_to(text)
        await page.socket.send_to("ping")
        heard = [await page.socket.receive_from()]
        while heard[-1] != "pong":  # what it is sent anyway, since it has just come
            heard.append(await page.socket.receive_from())
    assert not [frame for frame in heard if 'id="refusal" role="alert"' in frame]
    await match.arefresh_from_db()
    assert match.version == 0


def test_a_move_takes_five_statements_at_most(alice, bob, browser_of):
    match = play(begin(alice, bob))
    seat = on_turn(match)
    browser = browser_of(seat.user)
    browser.get(f"/games/{match.code}/")
    get_snapshot_view(match.code, version=match.version, since=0.0).page_state_for(
        seat.user
    )  # presence and talk are known
    with CaptureQueriesContext(connection) as caught:
        answer = browser.post(
            f"/games/{match.code}/move",
            {"move": legal(match)[0], "version": match.version},
            headers={"HX-Request": "true"},
        )
    assert answer.status_code == 200
    assert len(statements(caught)) <= 5, "\n".join(sql[:150] for sql in statements(caught))


def statements(caught: CaptureQueriesContext) -> list[str]:
    """Without the brackets of a transaction, and the beat, which a process with a referee knows."""
    sent = [query["sql"] for query in caught.captured_queries if "games_heartbeat" not in query["sql"]]
    return [sql for sql in sent if not sql.startswith(("BEGIN", "COMMIT", "SAVEPOINT", "RELEASE"))]
