"""The strip of running matches on every page, and the presence that every page gives."""

import re

import pytest
from channels.db import database_sync_to_async
from django.contrib.auth.models import AnonymousUser
from django.utils import timezone

from games import repository, services
from games.models import Match
from games.services import connections
from games.time.presence import load_presence
from lobbies import strip
from lobbies.consumers import LobbyConsumer, SiteConsumer
from tests.games.playing import begin, legal, on_turn, play, play_to_the_end, under_way
from tests.lobbies.tables import make
from tests.socket_client import Socket
from tests.times import later
from tests.waiting import attempts

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("frozen_clock")]


@pytest.fixture
def match(alice, bob) -> Match:
    return begin(alice, bob, clock=(300, 5))


def text_of(page: str) -> str:
    strip = page.partition('<div id="strip"')[2].partition('<p class="connection"')[0]
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>|^[^>]*>", " ", strip)).strip()


def read_strip(browser, address="/rules/") -> str:
    return text_of(browser.get(address).content.decode())


def presence_of(match):
    return load_presence(match, list(match.seats.all()), timezone.now())


@pytest.mark.parametrize(
    "address",
    [
        "/",
        "/rules/",
        "/rules/all-fives/",
        "/accounts/login/",
        "/accounts/signup/",
        "/preferences/",
        "/nowhere/",
    ],
)
def test_every_page_shows_the_match(match, browser_of, address):
    mine, theirs = on_turn(match), match.seats.exclude(pk=on_turn(match).pk).get()
    shown = read_strip(browser_of(mine.user), address)
    assert theirs.name in shown and "Your turn" in shown and shown.endswith("Play")
    assert "to play" in read_strip(browser_of(theirs.user), address)
    page = browser_of(mine.user).get(address).content.decode()
    assert f'aria-label="Your match against {theirs.name}"' in page


def test_own_page_of_the_match_has_no_strip(match, browser_of, bob):
    assert read_strip(browser_of(bob), f"/games/{match.code}/") == ""


def test_strangers_and_spectators_have_no_strip(match, client, browser_of, charlie):
    assert 'id="strip"' in client.get("/rules/").content.decode()
    assert read_strip(client) == read_strip(browser_of(charlie)) == ""


def test_strip_shows_scores_and_clock_of_own_side_first(match, browser_of):
    match = under_way(match)
    while match.scores[0] == match.scores[1]:
        match = play(match)
    seat = match.seats.get(position=1)
    shown = read_strip(browser_of(seat.user))
    assert f"{match.scores[1]} – {match.scores[0]}" in shown
    assert re.search(r"\d:\d\d", shown)


def test_further_matches_are_counted(match, alice, bob, charlie, browser_of):
    begin(alice, charlie)
    begin(alice, charlie)
    assert "+2" in read_strip(browser_of(alice))
    assert "+1" in read_strip(browser_of(alice), f"/games/{match.code}/")
    assert "+" not in read_strip(browser_of(bob))


def test_waiting_at_a_table(alice, browser_of):
    make(alice, seats=4)
    assert "1 of 4 have sat down" in read_strip(browser_of(alice))


def test_pause_between_rounds(alice, bob, browser_of):
    match = begin(alice, bob)
    while match.pause_until is None:
        match = play(match)
    assert re.search(r"round \d+ ended, next in 0:", read_strip(browser_of(bob)))


def test_ended_match_stays_for_thirty_seconds(alice, bob, browser_of):
    match = play_to_the_end(begin(alice, bob))
    winner = match.seats.get(position=match.winners[0]).user
    assert "You won" in read_strip(browser_of(winner))
    with later(seconds=31):
        assert read_strip(browser_of(winner)) == ""


def test_pages_of_an_ended_match_do_not_repeat_its_result(alice, bob, charlie, browser_of):
    match = play_to_the_end(begin(alice, bob))
    pages = [f"/games/{match.code}/{page}/" for page in ("analysis", "replay", "verify", "rounds/1")]
    for address in pages:
        page = browser_of(alice).get(address).text
        assert text_of(page) == "" and 'ws-connect="/ws/here/"' not in page
    begin(alice, charlie)
    for address in pages:
        assert "charlie" in read_strip(browser_of(alice), address)


def test_round_of_a_running_match_keeps_its_strip(alice, bob, browser_of):
    match = begin(alice, bob)
    while not repository.get_value(match).ended:
        match = play(match)
    assert "bob" in read_strip(browser_of(alice), f"/games/{match.code}/rounds/1/")


def test_page_load_of_any_page_counts_as_present(match, browser_of):
    seat = on_turn(match)
    with later(seconds=10):
        browser_of(seat.user).get("/rules/")
    with later(seconds=54):
        assert seat.position in presence_of(match).seats
    with later(seconds=56):
        assert seat.position not in presence_of(match).seats


@pytest.mark.parametrize("address", ["/admin/login/", "/healthz", "/games/{}/state.json"])
def test_files_and_admin_do_not_count_as_present(match, browser_of, address):
    seat = on_turn(match)
    browser_of(seat.user).get(address.format(match.code))
    assert seat.position not in presence_of(match).seats


def test_poll_of_the_strip_counts_as_present(match, browser_of, bob):
    answer = browser_of(bob).get("/strip/?page=", headers={"hx-request": "true"})
    assert "Your turn" in answer.content.decode() or "to play" in answer.content.decode()
    assert match.seats.get(user=bob).position in presence_of(match).seats


def test_elsewhere_row_keeps_the_seat_present(match):
    seat = on_turn(match)
    connections.record_open(match=match, seat=seat, channel="match page")
    connections.record_elsewhere(channel="rules page", seats=[seat])
    assert presence_of(match).elsewhere == frozenset()
    connections.record_close(channel="match page", clean=True)
    assert presence_of(match).elsewhere == presence_of(match).seats == {seat.position}
    connections.record_close(channel="rules page", clean=True)
    after = presence_of(match)
    assert seat.position in after.absent and seat.position in after.just_left
    with later(seconds=6):
        assert seat.position not in presence_of(match).just_left


def test_plate_says_elsewhere_and_away_only_after_five_seconds(match, browser_of):
    seat, other = on_turn(match), match.seats.exclude(pk=on_turn(match).pk).get()
    connections.record_elsewhere(channel="rules page", seats=[seat])
    address = f"/games/{match.code}/"
    assert "elsewhere on the site" in browser_of(other.user).get(address).content.decode()
    connections.record_close(channel="rules page", clean=True)
    assert 'is-away"' not in browser_of(other.user).get(address).content.decode()
    with later(seconds=6):
        assert 'is-away"' in browser_of(other.user).get(address).content.decode()


def test_rows_of_ended_matches_are_removed(match):
    seat = on_turn(match)
    connections.record_elsewhere(channel="page", seats=[seat])
    connections.record_elsewhere(channel="page", seats=[])
    assert not match.connections.exists()


def test_strip_has_no_hidden_tile(match, browser_of):
    """Hands are never in it: without a tile on the table there is no drawing."""
    page = strip.render(strip.build_strip(on_turn(match).user, "", [on_turn(match)]))
    assert "lone-tile" not in page


@pytest.mark.django_db(transaction=True)
class TestSocket:
    """The strip over sockets."""

    async def open(self, consumer, user) -> Socket:
        page = Socket(consumer.as_asgi(), "/ws/here/")
        page.scope |= {"user": user, "headers": [], "url_route": {"kwargs": {}}}
        await page.connect()
        return page

    async def test_moves_are_pushed_to_other_pages(self, match):
        seat = await database_sync_to_async(on_turn)(match)
        page = await self.open(SiteConsumer, seat.user)
        assert "Your turn" in await page.receive_from()
        present = await database_sync_to_async(presence_of)(match)
        assert present.elsewhere == {seat.position}
        await database_sync_to_async(services.play)(
            match=match,
            seat=seat,
            move=(await database_sync_to_async(self.first_move)(match)),
            seen_version=0,
        )
        await self.receive_containing(page, "to play")
        await page.disconnect(code=1001)
        assert seat.position in (await database_sync_to_async(presence_of)(match)).absent

    async def receive_containing(self, page: Socket, text: str) -> None:
        for _ in attempts(f"a frame with {text}"):
            if text in await page.receive_from():
                break

    def first_move(self, match) -> str:
        return next(move for move in legal(match) if move not in ("draw", "pass"))

    async def test_lobby_page_counts_too(self, match, alice):
        page = await self.open(LobbyConsumer, alice)
        await self.receive_containing(page, 'id="strip"')
        assert (await database_sync_to_async(presence_of)(match)).elsewhere
        await page.disconnect()

    async def test_turn_of_days_that_came_before_the_socket_is_pushed(self, alice, bob):
        match = await database_sync_to_async(begin)(alice, bob, clock=(86_400, 0))
        seat = await database_sync_to_async(on_turn)(match)
        page = await self.open(SiteConsumer, seat.user)
        assert "Your turn" in await page.receive_from()
        await page.disconnect()

    async def test_visitors_are_told_that_the_session_has_ended(self):
        page = Socket(SiteConsumer.as_asgi(), "/ws/here/")
        page.scope |= {"user": AnonymousUser(), "headers": [], "url_route": {"kwargs": {}}}
        await page.connect()
        assert await page.receive_output() == {"type": "websocket.close", "code": 4401}
