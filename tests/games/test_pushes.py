"""Pushes after a move: rows are read once, and each viewer sees only what they may."""

import asyncio
import time

import pytest
from asgiref.sync import sync_to_async
from channels.layers import get_channel_layer
from django.contrib.auth.models import AnonymousUser

from games import consumers, repository
from games.consumers import MatchConsumer
from games.models import Match
from games.seats import seat_of
from games.services.talk import say
from games.table import snapshot_cache
from games.table.page_state import MatchPageState
from games.table.snapshot_cache import get_snapshot_view
from tests import dom
from tests.games.playing import begin, play, play_to_the_end
from tests.games.test_hidden import hidden_from, strip_lead, strip_previous_round, tiles_in
from tests.html import collapse_whitespace
from tests.socket_client import SocketClient
from tests.waiting import attempts

pytestmark = pytest.mark.django_db(transaction=True)

in_thread = sync_to_async


def match_page(match: Match, user=None) -> SocketClient:
    return SocketClient(MatchConsumer, user, match.code)


def version(match: Match) -> str:
    return f'data-version="{match.version}"'


@pytest.fixture
def rows_read(monkeypatch) -> list[str]:
    """Return the codes of matches whose rows are read. Caches do not expire, however slow the machine."""
    monkeypatch.setattr(snapshot_cache, "VIEW_TTL_SECONDS", 60.0)
    monkeypatch.setattr(snapshot_cache, "AUDIENCE_TTL_SECONDS", 60.0)
    found: list[str] = []
    first = repository.get_snapshot

    def note(code):
        found.append(code)
        return first(code)

    monkeypatch.setattr(repository, "get_snapshot", note)
    return found


@pytest.fixture
def pages_rendered(monkeypatch) -> list[int | None]:
    """Return the seats for which pages are rendered."""
    made: list[int | None] = []

    def note(table):
        made.append(table.seat)
        return MatchPageState(table)

    monkeypatch.setattr(snapshot_cache, "MatchPageState", note)
    return made


async def test_move_is_rendered_once_for_all_spectators(alice, bob, rows_read, pages_rendered):
    match = await in_thread(begin)(alice, bob)
    async with (
        match_page(match, alice) as own,
        match_page(match, bob) as other,
        match_page(match) as one,
        match_page(match) as two,
    ):
        pages = (own, other, one, two)
        for page in pages:
            await page.drain()
        rows_read.clear()
        pages_rendered.clear()
        match = await in_thread(play)(match)
        frames = [await page.receive_containing(version(match)) for page in pages]
        assert rows_read == []
        assert sorted(pages_rendered, key=str) == [0, 1, None]
        assert len(set(frames)) == 3
        assert frames[2] == frames[3]


def test_poll_reads_rows_once(alice, bob, rows_read, browser_of):
    match = begin(alice, bob)
    browser = browser_of(alice)
    for stamp in ("", "0v1"):
        rows_read.clear()
        assert browser.get(f"/games/{match.code}/sync", {"v": stamp}).status_code == 200
        assert rows_read == [match.code]


async def test_move_of_another_process_is_read_once(alice, bob, rows_read, monkeypatch):
    match = await in_thread(begin)(alice, bob)
    async with match_page(match, alice) as own, match_page(match, bob) as other:
        for page in (own, other):
            await page.drain()
        rows_read.clear()
        monkeypatch.setattr(repository, "cache_snapshot", lambda snapshot: None)
        match = await in_thread(play)(match)
        for page in (own, other):
            await page.receive_containing(version(match))
        assert rows_read == [match.code]


async def test_patched_page_equals_new_page(alice, bob):
    match = await in_thread(begin)(alice, bob)
    async with (
        match_page(match, alice) as own,
        match_page(match, bob) as other,
        match_page(match) as spectator,
    ):
        viewers = ((own, alice), (other, bob), (spectator, AnonymousUser()))
        kept = {}
        for page, _user in viewers:
            kept[page] = dom.parse(await page.receive_containing('id="board"'))
        for page, _user in viewers:
            for _ in attempts("the last frame before the move"):
                if await page.socket.receive_nothing(timeout=0.3):
                    break
                dom.apply_frame(kept[page], await page.socket.receive_from())
        match = await in_thread(play)(match)
        for page, user in viewers:
            dom.apply_frame(kept[page], await page.receive_containing(version(match)))
            assert kept[page].comparable() == dom.parse(await in_thread(shown)(match, user)).comparable()


def shown(match: Match, user) -> str:
    return get_snapshot_view(match.code, version=match.version, since=0.0).page_state_for(user).full_html()


async def test_missed_messages_trigger_a_push(alice, bob, monkeypatch):
    match = await in_thread(begin)(alice, bob)
    async with match_page(match, alice) as page:
        for _ in range(2):  # the frame with the page's own presence may be late
            await page.drain()
        with monkeypatch.context() as lost:
            lost.setattr("games.services.matches.broadcast", lambda *_told: None)
            await in_thread(play)(match)
        assert await page.receives_nothing()
        await get_channel_layer().group_send(f"match.{match.code}", {"type": "messages.missed"})
        await page.receive_containing('data-version="1"')


async def test_disconnect_during_push_loses_no_frame(alice, bob, monkeypatch):
    match = await in_thread(begin)(alice, bob)
    async with match_page(match) as passing, match_page(match, alice) as own:
        for page in (passing, own):
            await page.drain()
        rendered = consumers._render_pages

        def slowly(pages):
            made = rendered(pages)
            time.sleep(0.3)
            return made

        monkeypatch.setattr(consumers, "_render_pages", slowly)
        with monkeypatch.context() as silent:
            silent.setattr("games.services.matches.broadcast", lambda *_told: None)
            match = await in_thread(play)(match)
        pages = consumers._match_pages[match.code].pages
        for page in pages:
            page.notified_version = match.version
        leaving = next(page for page in pages if page.scope["user"].is_anonymous)
        leaving.schedule_push()
        await asyncio.sleep(0.1)
        leaving._push_task.cancel()  # as if its socket had closed
        await own.receive_containing(version(match))


async def test_talk_is_pushed_after_a_move(alice, bob):
    match = await in_thread(begin)(alice, bob)
    async with match_page(match, bob) as page:
        await page.drain()
        match = await in_thread(play)(match)
        await page.receive_containing(version(match))
        await in_thread(say)(match=match, user=alice, seat=None, text="hm")
        await in_thread(say)(
            match=match, user=alice, seat=await in_thread(seat_of)(match, alice), text="well led"
        )
        await page.receive_containing("well led")


def test_view_is_shared_by_pages_notified_before_it(alice, bob):
    match = begin(alice, bob)
    first = get_snapshot_view(match.code, version=0, since=0.0)
    assert get_snapshot_view(match.code, version=0, since=first.snapshot.at) is first
    match = play(match)
    assert get_snapshot_view(match.code, version=0, since=0.0) is first
    second = get_snapshot_view(match.code, version=match.version, since=0.0)
    assert second is not first
    assert second.match.version == match.version
    later = second.snapshot.at + 0.001
    assert get_snapshot_view(match.code, version=match.version, since=later) is not second
    assert (
        get_snapshot_view(match.code, version=match.version, since=0.0, audience_since=time.monotonic())
        is not second
    )


def test_expired_view_is_not_shared(alice, bob, monkeypatch):
    match = begin(alice, bob)
    first = get_snapshot_view(match.code, version=0, since=0.0)
    monkeypatch.setattr(snapshot_cache, "VIEW_TTL_SECONDS", 0.0)
    assert get_snapshot_view(match.code, version=0, since=0.0) is not first


def test_shared_view_hides_other_hands(alice, bob, charlie):
    match = begin(alice, bob)
    viewers = [alice, bob, charlie, AnonymousUser()]

    def check(match: Match) -> None:
        shared = get_snapshot_view(match.code, version=match.version, since=0.0)
        for viewer in viewers:
            frame = strip_lead(strip_previous_round(shared.page_state_for(viewer).full_html(), match), match)
            assert not tiles_in(frame) & hidden_from(match, seat_of(match, viewer))

    play_to_the_end(match, each=check)


def test_taken_over_player_sees_spectators_page(alice, bob):
    match = begin(alice, bob)
    match.seats.filter(user=alice).update(taken_over=True)
    shared = get_snapshot_view(match.code, version=0, since=0.0)
    shown_to_her = shared.page_state_for(alice).full_html()
    assert not tiles_in(strip_lead(shown_to_her, match)) & hidden_from(match, None)
    assert shared.page_state_for(alice).full_html() == shown_to_her


async def test_new_spectator_changes_only_the_count(alice, bob, pages_rendered):
    match = await in_thread(begin)(alice, bob)
    async with match_page(match, alice) as player:
        await player.drain()
        pages_rendered.clear()
        async with match_page(match) as one, match_page(match) as two:
            await one.drain()
            await two.drain()
            frame = await player.receive_containing("2 watching")
            assert collapse_whitespace(frame).startswith('<span id="spectators"')
            assert set(pages_rendered) == {None}
        assert "hidden>0 watching" in collapse_whitespace(await player.receive_containing("0 watching"))
