"""Streams without a server: when they end by themselves, and that none is counted after its end."""

import json
from datetime import timedelta

import pytest
from asgiref.testing import ApplicationCommunicator
from channels.db import database_sync_to_async
from channels.layers import get_channel_layer
from django.utils import timezone

from accounts import conduct
from api import streams, tokens
from api.events import OwnEvents
from api.models import Token
from api.scopes import Scope
from boneyard.engine.shuffle import commitment_to
from games import repository
from games.models import Match
from lobbies import services as tables
from lobbies.models import Sitting
from tests.api.bots import make_bot
from tests.games.playing import begin, play, play_and_resign, play_to_the_end
from tests.lobbies.tables import game, unseen
from tests.times import later
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


async def open_match_stream(user, match) -> ApplicationCommunicator:
    """Open the stream of a match and read its first state."""
    stream = await open_stream(user, f"/games/{match.code}/stream")
    assert (await read(stream))["status"] == 200
    await read(stream)
    return stream


async def close(stream: ApplicationCommunicator) -> None:
    await stream.send_input({"type": "http.disconnect"})
    await stream.wait(timeout=TIMEOUT_SECONDS)


async def read_event(stream: ApplicationCommunicator, kind: str) -> dict:
    """Return the next event of this kind."""
    for _ in range(20):
        body = (await read(stream)).get("body", b"")
        for line in body.splitlines():
            if line.strip() and (event := json.loads(line))["event"] == kind:
                return event
    raise AssertionError(f"no {kind}")


async def open_events(user) -> ApplicationCommunicator:
    stream = await open_stream(user, "/events")
    assert (await read(stream))["status"] == 200
    return stream


def run(function, *arguments, **named):
    """Run a service as a request does, whose changes are committed and told."""
    return database_sync_to_async(function)(*arguments, **named)


@pytest.mark.parametrize("kind", ["spectators.changed", "fragments.changed", "anything.else"])
async def test_stream_goes_on_whatever_pages_are_told(alice, match, kind):
    stream = await open_match_stream(alice, match)
    await get_channel_layer().group_send(f"match.{match.code}", {"type": kind, "number": 1})
    assert await stream.receive_nothing(timeout=0.3)
    await run(play, match)
    assert json.loads((await read(stream))["body"])["version"] == 1
    await close(stream)


async def test_stream_looks_for_lost_messages_after_eight_beats(alice, match, monkeypatch):
    monkeypatch.setattr(streams, "KEEP_ALIVE_SECONDS", 0.05)
    stream = await open_match_stream(alice, match)
    monkeypatch.setattr("games.services.matches.broadcast", lambda group, message: None)
    await run(play, match)
    bodies = [(await read(stream))["body"] for _ in range(2 * streams.CHECK_BEATS)]
    assert json.loads(b"".join(bodies))["version"] == 1
    await close(stream)


async def test_events_tell_of_a_challenge_and_that_it_is_withdrawn(alice, bob):
    stream = await open_events(bob)
    table = await run(tables.challenge, alice, bob, game())
    event = await read_event(stream, "challenge")
    assert event == {"event": "challenge", "table": table.code, "by": "alice", "rated": False}
    await run(tables.leave, table, alice)
    over = await read_event(stream, "challenge_over")
    assert over == {"event": "challenge_over", "table": table.code, "how": "withdrawn"}
    await close(stream)


async def test_events_tell_that_a_challenge_was_declined(alice, bob):
    table = await run(tables.challenge, alice, bob, game())
    stream = await open_events(alice)
    await run(tables.decline, table, bob)
    over = await read_event(stream, "challenge_over")
    assert over == {"event": "challenge_over", "table": table.code, "how": "declined"}
    await close(stream)


async def test_events_of_a_bot_lead_from_a_challenge_to_a_rematch():
    rex, fido = await run(make_bot, "rex"), await run(make_bot, "fido")
    stream = await open_events(rex)
    table = await run(tables.challenge, fido, rex, game(rated=True), commitment=commitment_to("f1"))
    assert await read_event(stream, "challenge") == {
        "event": "challenge",
        "table": table.code,
        "by": "fido",
        "rated": True,
        "bot": True,
    }
    await run(tables.sit, table, rex, commitment=commitment_to("r1"))
    assert await read_event(stream, "nonce") == {"event": "nonce", "table": table.code}
    await run(tables.give_nonce, table, fido, "f1")
    await run(tables.give_nonce, table, rex, "r1")
    assert (await read_event(stream, "begun"))["match"] == table.code
    match = await run(Match.objects.get, code=table.code)
    await run(play_and_resign, match)
    assert (await read_event(stream, "ended"))["match"] == match.code
    again = await run(tables.offer_rematch, await run(Match.objects.get, code=match.code), fido)
    event = await read_event(stream, "rematch")
    assert (event["match"], event["table"], event["by"]) == (match.code, again.code, "fido")
    await close(stream)


async def test_events_tell_when_a_wait_for_calls_is_over(alice, bob, charlie):
    match = await run(begin, alice, bob, charlie, preset="muggins-200")
    stream = await open_events(alice)
    await run(play, match)
    event = await read_event(stream, "wait_over")
    assert event == {"event": "wait_over", "match": match.code, "version": 1}
    await close(stream)


async def test_wait_at_a_match_that_the_account_has_left_wakes_no_stream(alice, bob, charlie):
    match = await run(begin, alice, bob, charlie, preset="muggins-200")
    events = await run(OwnEvents, alice)
    await run(play, match)
    await run(events.find_news)
    assert events.next_at is not None
    await run(match.seats.filter(user=alice).update, left=True)
    assert await run(events.find_news) == []
    assert events.next_at is None


async def test_stream_of_events_keeps_the_seats_where_the_account_waits(alice, bob, monkeypatch):
    monkeypatch.setattr(streams, "KEEP_ALIVE_SECONDS", 0.05)
    table = await run(tables.challenge, alice, bob, game())
    await run(unseen, table, alice, 50)
    stream = await open_events(alice)

    def is_here() -> bool:
        return Sitting.objects.filter(
            table=table, seen_at__gt=timezone.now() - timedelta(seconds=20)
        ).exists()

    for _ in range(40):
        await read(stream)
        if await run(is_here):
            break
    assert await run(is_here)
    await close(stream)


async def test_stream_of_events_leaves_the_groups_of_old_matches(alice, bob):
    events = await run(OwnEvents, alice)
    match = await run(begin, alice, bob)
    await run(events.find_news)
    assert await run(events.find_groups) == {f"match.{match.code}"}
    await run(play_to_the_end, match)
    await run(events.find_news)
    assert await run(events.find_groups) == {f"match.{match.code}"}
    with later(minutes=11):
        await run(events.find_news)
        assert await run(events.find_groups) == set()


async def test_refused_stream_says_when_to_ask_again(alice, monkeypatch):
    monkeypatch.setattr(streams, "MAX_STREAMS", 0)
    stream = await open_stream(alice, "/events")
    refused = await read(stream)
    assert refused["status"] == 429
    assert (b"Retry-After", b"60") in refused["headers"]
    await read_to_the_end(stream)
