"""What a move brings to the open pages of its match: to each what its viewer may see, read once for all of them."""

import re

import pytest
from asgiref.sync import sync_to_async
from django.contrib.auth.models import AnonymousUser
from django.utils import timezone

from games import values
from games.consumers import MatchConsumer
from games.models import Match
from games.seats import seat_of
from games.services.talk import say
from games.table import context, readings
from games.table.context import parts, table_for
from games.table.readings import reading
from tests.games.playing import begin, play, play_to_the_end
from tests.games.test_hidden import OPEN_ON_PURPOSE, hidden_from, tiles_in, without_the_lead
from tests.markup import squeezed
from tests.pages import Page

pytestmark = pytest.mark.django_db(transaction=True)

in_thread = sync_to_async
TIMES = re.compile(r'data-now="[^"]*"|\?v=\w+')  # the moment, and a sum in which it is


def match_page(match: Match, user=None) -> Page:
    return Page(MatchConsumer, user, match.code)


def version(match: Match) -> str:
    return f'data-version="{match.version}"'


@pytest.fixture(autouse=True)
def nothing_read():
    readings._latest.clear()


@pytest.fixture
def readings_made(monkeypatch) -> list[str]:
    made: list[str] = []
    first = readings.Reading.__init__

    def noted(self, code):
        made.append(code)
        first(self, code)

    monkeypatch.setattr(readings.Reading, "__init__", noted)
    return made


@pytest.fixture
def frames_rendered(monkeypatch) -> list[int | None]:
    """The seats for which parts were rendered."""
    rendered: list[int | None] = []

    def noted(shown):
        rendered.append(shown.seat)
        return context.parts(shown)

    monkeypatch.setattr(readings, "parts", noted)
    return rendered


async def test_a_move_is_read_once_and_rendered_once_for_all_spectators(
    alice, bob, charlie, readings_made, frames_rendered
):
    match = await in_thread(begin)(alice, bob)
    async with (
        match_page(match, alice) as own,
        match_page(match, bob) as other,
        match_page(match) as one,
        match_page(match) as two,
    ):
        pages = (own, other, one, two)
        for page in pages:
            await page.has_seen_all()
        readings_made.clear()
        frames_rendered.clear()
        match = await in_thread(play)(match)
        frames = [await page.sees(version(match)) for page in pages]
        assert len(readings_made) == 1
        assert sorted(frames_rendered, key=str) == [0, 1, None]
        assert len(set(frames)) == 3
        assert frames[2] == frames[3]


async def test_what_is_pushed_is_what_the_page_shows(alice, bob):
    match = await in_thread(begin)(alice, bob)
    async with (
        match_page(match, alice) as own,
        match_page(match, bob) as other,
        match_page(match) as spectator,
    ):
        for page in (own, other, spectator):
            await page.has_seen_all()
        match = await in_thread(play)(match)
        for page, user in ((own, alice), (other, bob), (spectator, AnonymousUser())):
            pushed = await page.sees(version(match))
            assert TIMES.sub("", pushed) == TIMES.sub("", await in_thread(shown)(match, user))


def shown(match: Match, user) -> str:
    seat, now = seat_of(match, user), timezone.now()
    return parts(table_for(match, values.value_of(match), seat=seat, user=user, now=now))


async def test_talk_is_pushed_at_once_after_a_move(alice, bob):
    match = await in_thread(begin)(alice, bob)
    async with match_page(match, bob) as page:
        await page.has_seen_all()
        match = await in_thread(play)(match)
        await page.sees(version(match))
        await in_thread(say)(match=match, user=alice, seat=None, text="hm")
        await in_thread(say)(
            match=match, user=alice, seat=await in_thread(seat_of)(match, alice), text="well led"
        )
        await page.sees("well led")


def test_a_reading_is_shared_by_who_was_told_before_it_and_by_nobody_else(alice, bob):
    match = begin(alice, bob)
    first = reading(match.code, version=0, since=0.0)
    assert reading(match.code, version=0, since=first.at) is first
    match = play(match)
    assert reading(match.code, version=0, since=0.0) is first
    second = reading(match.code, version=match.version, since=0.0)
    assert second is not first
    assert second.match.version == match.version
    assert reading(match.code, version=match.version, since=second.at + 0.001) is not second


def test_an_old_reading_is_not_shared(alice, bob, monkeypatch):
    match = begin(alice, bob)
    first = reading(match.code, version=0, since=0.0)
    monkeypatch.setattr(readings, "KEPT", 0.0)
    assert reading(match.code, version=0, since=0.0) is not first


def test_a_shared_reading_tells_nobody_a_hidden_tile(alice, bob, charlie):
    match = begin(alice, bob)
    viewers = [alice, bob, charlie, AnonymousUser()]

    def look(match: Match) -> None:
        shared = reading(match.code, version=match.version, since=0.0)
        for viewer in viewers:
            frame = without_the_lead(OPEN_ON_PURPOSE.sub("", shared.parts_for(viewer)), match)
            assert not tiles_in(frame) & hidden_from(match, seat_of(match, viewer))

    play_to_the_end(match, each=look)


def test_who_gave_up_the_seat_to_a_computer_watches(alice, bob):
    match = begin(alice, bob)
    match.seats.filter(user=alice).update(taken_over=True)
    shared = reading(match.code, version=0, since=0.0)
    assert not tiles_in(without_the_lead(shared.parts_for(alice), match)) & hidden_from(match, None)
    assert shared.parts_for(alice) == shared.parts_for(alice)


async def test_who_comes_to_watch_is_told_by_number_alone(alice, bob, frames_rendered):
    match = await in_thread(begin)(alice, bob)
    async with match_page(match, alice) as player:
        await player.has_seen_all()
        frames_rendered.clear()
        async with match_page(match) as one, match_page(match) as two:
            await one.has_seen_all()
            await two.has_seen_all()
            frame = await player.sees("2 watching")
            assert squeezed(frame).startswith('<span id="watchers"')
            assert set(frames_rendered) == {None}
        assert "hidden>0 watching" in squeezed(await player.sees("0 watching"))
