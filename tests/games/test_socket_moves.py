"""Moves over the socket: the same form and refusals as a POST."""

import json
import time

import pytest
from asgiref.sync import sync_to_async
from autobahn.exception import Disconnected
from django.contrib.sessions.models import Session
from django.test import Client
from django.utils.html import escape

import live.session_check
from accounts import conduct
from games.consumers import MatchConsumer
from games.models import Match
from games.table.snapshot_cache import get_snapshot_view
from games.time import outages
from live import seated
from live.broadcast import broadcast_session_ended
from live.session_check import SessionCheck
from operators import site_settings
from operators.models import SiteSettings
from tests import budgets
from tests.games.playing import begin, legal, on_turn, play, under_way
from tests.socket_client import SocketClient, create_session
from tests.statements import captured_statements
from tests.times import later
from tests.waiting import attempts

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


async def test_move_is_pushed_once_to_both_pages(alice, bob):
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


class LostBrowser:
    """A consumer whose browser has disconnected unnoticed: Daphne raises for each message sent."""

    def __init__(self) -> None:
        self.is_gone = False

    def as_asgi(self):
        page = MatchConsumer.as_asgi()

        async def wrapped(scope, receive, send):
            async def send_to_browser(message):
                if self.is_gone:
                    raise Disconnected("Attempt to send on a closed protocol")
                await send(message)

            await page(scope, receive, send_to_browser)

        return wrapped


async def test_refusal_may_read_the_settings_again(alice, bob, monkeypatch):
    match = await in_thread(begin)(alice, bob)
    mover = await player_on_turn(match, alice, bob)
    site = SiteSettings(maintenance=True, matches_halt=True)
    await in_thread(site.save)()
    await in_thread(outages.record_beat)()
    monkeypatch.setattr(site_settings, "TTL_SECONDS", 0)
    site_settings.cache(site, ttl_seconds=0)
    async with await page_of(match, mover) as page:
        await page.drain()
        await send(page, move=(await in_thread(legal)(match))[0], version=0)
        await page.receive_containing("The site is being maintained.")


async def test_move_is_pushed_although_one_page_has_gone(alice, bob):
    match = await in_thread(begin)(alice, bob)
    mover = await player_on_turn(match, alice, bob)
    other = bob if mover == alice else alice
    going = LostBrowser()
    leaving = SocketClient(going, other, match.code)
    async with await page_of(match, mover) as own, await page_of(match) as watching, leaving:
        for page in (own, watching, leaving):
            await page.drain()
        going.is_gone = True
        for version in (0, 1):
            await in_thread(match.refresh_from_db)()
            if version:
                await in_thread(play)(match)
            else:
                await send(own, move=(await in_thread(legal)(match))[0], version=0)
            for page in (own, watching):
                await page.receive_containing(f'data-version="{version + 1}"')
        going.is_gone = False
    await match.arefresh_from_db()
    assert match.version == 2


async def test_page_connecting_during_a_move_gets_it(alice, bob, charlie):
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


async def test_move_after_timeout_pushes_the_end(alice, bob):
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


async def test_resignation_lets_others_choose(alice, bob, charlie):
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


async def test_move_sent_twice_is_played_once(alice, bob):
    match = await in_thread(begin)(alice, bob)
    mover = await player_on_turn(match, alice, bob)
    move = (await in_thread(legal)(match))[0]
    async with await page_of(match, mover) as page:
        await page.drain()
        await send(page, move=move, version=0)
        await send(page, move=move, version=0)  # as after a lost response: no refusal
        await send(page, move="draw", version=0)
        refusal = await page.receive_containing('id="refusal"')
    assert "The match has moved on." in refusal
    assert await match.moves.acount() == 1


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ({"move": "7-7-7", "version": 0}, "That is no move"),
        ({"move": "draw", "version": "x"}, "That is no move"),
        ({"move": "time", "version": 0}, "That is no move"),
        ({"move": "draw", "version": 5}, "went on"),
        ({"move": "draw", "version": 0, "expires": 0}, "That was not sent"),
    ],
)
async def test_refusals_are_those_of_a_post(alice, bob, fields, sentence):
    match = await in_thread(begin)(alice, bob)
    mover = await player_on_turn(match, alice, bob)
    async with await page_of(match, mover) as page:
        await page.drain()
        await send(page, **fields)
        refused = await page.receive_containing('id="refusal"')
    posted = await in_thread(get_refusal_of_post)(match, mover, fields)
    assert posted in refused
    assert await match.moves.acount() == 0


async def test_stale_move_gets_current_state_then_refusal(alice, bob):
    match = await in_thread(begin)(alice, bob)
    mover = await player_on_turn(match, alice, bob)
    async with await page_of(match, mover) as page:
        await send(page, move="draw", version=5)
        assert 'id="refusal"' not in await page.receive_containing('id="sync"')
        await page.receive_containing('id="refusal"')


async def test_move_is_played_until_it_expires(alice, bob):
    match = await in_thread(begin)(alice, bob)
    mover = await player_on_turn(match, alice, bob)
    move, now = (await in_thread(legal)(match))[0], time.time()
    async with await page_of(match, mover) as page:
        await page.drain()
        await send(page, move=move, version=0, expires=int(1000 * (now - 1)))
        assert "That was not sent." in await page.receive_containing('id="refusal"')
        assert await match.moves.acount() == 0
        await send(page, move=move, version=0, expires=int(1000 * (now + 60)))
        await page.receive_containing('data-version="1"')
        await send(page, move=move, version=0, expires=0)  # a late copy of a stored move: no refusal
        await send(page, move="draw", version=0)
        refusal = await page.receive_containing('id="refusal"')
    assert "The match has moved on." in refusal


def get_refusal_of_post(match: Match, user, fields) -> str:
    browser = Client()
    browser.force_login(user)
    answer = browser.post(f"/games/{match.code}/move", fields, headers={"Accept": "application/json"})
    assert answer.status_code >= 400
    return escape(answer.json()["error"])


async def test_spectator_and_anonymous_are_refused(alice, bob, charlie):
    match = await in_thread(begin)(alice, bob)
    move = (await in_thread(legal)(match))[0]
    for person in (charlie, None):
        async with await page_of(match, person) as page:
            await page.drain()
            await send(page, move=move, version=0)
            await page.receive_containing('id="refusal"')
    assert await match.moves.acount() == 0


async def test_move_of_ended_session_closes_socket(alice, bob):
    match = await in_thread(begin)(alice, bob)
    mover = await player_on_turn(match, alice, bob)
    move = (await in_thread(legal)(match))[0]
    async with await page_of(match, mover) as page:
        await page.drain()
        await in_thread(page.socket.scope["session"].delete)()
        await send(page, move=move, version=0)
        assert await get_close_code(page) == 4401
    assert await match.moves.acount() == 0


async def test_move_of_banned_user_closes_socket(alice, bob):
    match = await in_thread(begin)(alice, bob)
    mover = await player_on_turn(match, alice, bob)
    move = (await in_thread(legal)(match))[0]
    async with await page_of(match, mover) as page:
        await page.drain()
        mover.is_active = False
        await mover.asave()
        await send(page, move=move, version=0)
        assert await get_close_code(page) == 4401
    assert await match.moves.acount() == 0


async def move_and_wait_for_turn(page: SocketClient, mover, match: Match, people) -> None:
    """Play a move over this page, and then the others' until its player is on turn again."""
    await page.drain()
    await send(page, move=(await in_thread(legal)(match))[0], version=match.version)
    await page.receive_containing(f'data-version="{match.version + 1}"')
    await match.arefresh_from_db()
    while (await player_on_turn(match, *people)) != mover:
        match = await in_thread(play)(match)
        await page.receive_containing(f'data-version="{match.version}"')


async def get_close_code(page: SocketClient) -> int:
    """Return the code with which the page is closed, after any other messages."""
    for _ in attempts("the close"):
        said = await page.socket.receive_output()
        if said["type"] == "websocket.close":
            break
    return said["code"]


async def test_session_is_checked_once_for_two_moves(alice, bob, monkeypatch):
    checks = []
    original = SessionCheck.is_valid

    def is_valid(check: SessionCheck) -> bool:
        checks.append(check)
        return original(check)

    monkeypatch.setattr(SessionCheck, "is_valid", is_valid)
    match = await in_thread(begin)(alice, bob)
    mover = await player_on_turn(match, alice, bob)
    async with await page_of(match, mover) as page:
        await move_and_wait_for_turn(page, mover, match, (alice, bob))
        await match.arefresh_from_db()
        await send(page, move=(await in_thread(legal)(match))[0], version=match.version)
        await page.receive_containing(f'data-version="{match.version + 1}"')
    assert len(checks) == 1


@pytest.mark.parametrize("end", ["log out", "ban"])
async def test_end_of_trusted_session_closes_socket(alice, bob, end):
    match = await in_thread(begin)(alice, bob)
    mover = await player_on_turn(match, alice, bob)
    page, witness = [await page_of(match, mover) for _ in range(2)]
    witness.socket.scope["session"] = page.socket.scope["session"]
    async with page, witness:
        await move_and_wait_for_turn(page, mover, match, (alice, bob))
        await match.arefresh_from_db()
        before = match.version
        move = (await in_thread(legal)(match))[0]
        if end == "ban":
            await in_thread(conduct.ban)(mover, "cheating")
        else:
            await in_thread(page.socket.scope["session"].delete)()
            await in_thread(broadcast_session_ended)(mover.pk)
        assert await get_close_code(witness) == 4401  # the broadcast has arrived, also through Redis
        await send(page, move=move, version=before)
        assert await get_close_code(page) == 4401
    await match.arefresh_from_db()
    assert match.version == before


async def test_untrusted_session_is_checked_before_move(alice, bob, monkeypatch):
    match = await in_thread(begin)(alice, bob)
    mover = await player_on_turn(match, alice, bob)
    async with await page_of(match, mover) as page:
        await move_and_wait_for_turn(page, mover, match, (alice, bob))
        await match.arefresh_from_db()
        monkeypatch.setattr(live.session_check, "SESSION_TRUST_SECONDS", 0.0)
        await in_thread(page.socket.scope["session"].delete)()
        await send(page, move=(await in_thread(legal)(match))[0], version=match.version)
        assert await get_close_code(page) == 4401


@pytest.mark.parametrize("text", ["heart", "[]", "{}", '{"mov', "[" * 900, '{"move": 1' + " " * 2000 + "}"])
async def test_other_messages_are_ignored(alice, bob, text):
    match = await in_thread(begin)(alice, bob)
    async with await page_of(match, alice) as page:
        await page.socket.send_to(text)
        await page.socket.send_to("ping")
        heard = []
        for _ in attempts("the answer to the ping, after the first frames"):
            heard.append(await page.socket.receive_from())
            if heard[-1] == "pong":
                break
    assert not [frame for frame in heard if 'id="refusal" role="alert"' in frame]
    await match.arefresh_from_db()
    assert match.version == 0


def test_statements_of_move_by_post(alice, bob, browser_of):
    match = play(begin(alice, bob))
    seat = on_turn(match)
    browser = browser_of(seat.user)
    browser.get(f"/games/{match.code}/")
    get_snapshot_view(match.code, version=match.version, since=0.0).page_state_for(
        seat.user
    )  # fills the audience cache
    with captured_statements() as statements:
        answer = browser.post(
            f"/games/{match.code}/move",
            {"move": legal(match)[0], "version": match.version},
            headers={"HX-Request": "true"},
        )
    assert answer.status_code == 200
    # A referee that runs has read the heartbeat.
    own = [sql for sql in statements if "games_heartbeat" not in sql]
    budgets.check("a move by POST", {"statements": len(own)})


async def test_open_socket_records_that_the_hand_was_seen(alice, bob):
    match = await in_thread(begin)(alice, bob)
    async with await page_of(match, alice) as page:
        await page.drain()
        seen = match.seats.exclude(hand_seen_at=None).values_list("user__username", flat=True)
        assert [name async for name in seen] == ["alice"]
        assert seated.is_noted((await Session.objects.aget()).session_key, match.code)
