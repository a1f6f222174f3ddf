"""Matches to watch: which, in which order, and what is told where nobody plays."""

import re
from datetime import UTC, datetime

import pytest

from accounts.models import User
from boneyard.engine.perspective import perspective
from games.models import Match, Seat
from lobbies import watching
from lobbies.consumers import WatchConsumer
from lobbies.list_fragments import build_watch_page
from lobbies.showcase import load_shipped_match
from lobbies.watching import MatchFilter
from tests.games.playing import begin, play, play_to_the_end
from tests.html import read_page


def test_featured_match_prefers_people(alice, bob, charlie, browser_of):
    weak, strong, machine = begin(alice, bob), begin(alice, charlie, seed="b"), begin(bob, charlie, seed="c")
    for match, rating in ((weak, 1400), (strong, 1700), (machine, 2000)):
        match.seats.update(rating_before=rating)
    machine.seats.filter(position=1).update(kind=Seat.Kind.COMPUTER, level="club", user=None)
    assert [row.code for row in watching.filter_playing()] == [strong.code, weak.code, machine.code]
    shown = read_page(browser_of(), "/watch/")
    assert f'class="cover" href="/games/{strong.code}/"' in shown
    assert f'id="watch-{strong.code}"' not in shown
    assert f'id="watch-{weak.code}"' in shown
    people = read_page(browser_of(), "/watch/?people=on")
    assert f'id="watch-{weak.code}"' in people
    assert machine.code not in people


@pytest.mark.parametrize("limit", [3, 5])
def test_counts_leave_out_the_readers_own_match(monkeypatch, alice, bob, charlie, browser_of, limit):
    """Listed or not, one's own match is not among those that there are to watch."""
    monkeypatch.setattr(watching, "MAX_LOBBY_LINES", limit)
    monkeypatch.setattr(watching, "MAX_WATCH_CARDS", limit)
    for number, pair in enumerate([(alice, bob), (bob, charlie), (alice, charlie), (bob, charlie)]):
        begin(*pair, seed=f"{number}").seats.update(rating_before=2000 - number)
    for reader, others in ((alice, 2), (bob, 1), (charlie, 1), (None, 4)):
        browser = browser_of(reader) if reader else browser_of()
        assert re.search(rf'id="playing"[^>]*>\s*{others} match', read_page(browser, "/watch/"))
        lobby = read_page(browser, "/")
        listed = lobby.count('<li id="watch-')
        more = re.search(r"(\d+) more match", lobby)
        assert listed + (int(more[1]) if more else 0) == others


def test_filter_by_game(alice, bob, charlie, browser_of):
    five, draw = begin(alice, bob), begin(alice, charlie, preset="draw", seed="b")
    assert [row.code for row in watching.filter_playing(MatchFilter("draw"))] == [draw.code]
    assert five.code not in read_page(browser_of(), "/watch/?preset=draw")
    assert five.code in read_page(browser_of(), "/watch/?preset=%00")


def test_no_hand_tile_is_shown(alice, bob, browser_of):
    match = begin(alice, bob)
    for _move in range(4):
        match = play(match)
    laid = {move.text.partition("@")[0] for move in match.moves.all()} - {"draw", "pass"}
    for address, tiles in (("/", set()), ("/watch/", laid)):
        shown = read_page(browser_of(), address)
        assert {tile for tile in _tiles() if f'data-tile="{tile}"' in shown} == tiles


def test_ids_are_valid_selectors(alice, bob, charlie, browser_of):
    begin(alice, bob)
    small = play(begin(alice, charlie, seed="b"))
    Match.objects.filter(pk=small.pk).update(code="9axxncawsm")
    for address in ("/", "/watch/"):
        shown = read_page(browser_of(), address)
        assert "9axxncawsm" in shown
        assert [id for id in re.findall(r' id="([^"]*)"', shown) if not id[0].isalpha()] == []


def _tiles() -> list[str]:
    return [f"{high}-{low}" for high in range(7) for low in range(high + 1)]


def test_private_matches_are_not_listed(alice, bob, browser_of):
    match = begin(alice, bob)
    Match.objects.filter(pk=match.pk).update(private=True)
    assert match.code not in read_page(browser_of(), "/watch/")


def test_empty_page_replays_last_match(alice, bob, browser_of):
    match = play_to_the_end(begin(alice, bob, rated=True))
    winner = match.seats.get(won=True)
    watched = read_page(browser_of(), "/watch/")
    assert "the last match, replayed" in watched and "computers:" not in watched
    assert f'class="cover" href="/games/{match.code}/replay/"' in watched
    shown = read_page(browser_of(), "/")
    assert "Last results" in shown
    assert f"<b>{winner.name} {winner.score}</b>" in shown
    gained = User.objects.get(pk=winner.user_id)
    assert f'<a href="/players/{gained.username}/">{gained.username}</a>' in shown
    assert "Best of the day" in shown


def test_empty_site_has_first_screen(db, browser_of):
    shown = read_page(browser_of(), "/")
    assert "Dominoes with people, without tricks or ads" in shown
    assert "Nobody is playing just now." in shown
    assert "Last results" not in shown


def test_new_site_features_the_shipped_match(browser_of, db):
    preset, row, seats, history = load_shipped_match()
    assert preset == "all-fives"
    assert history.values[-1].result is not None
    for address in ("/watch/",):
        shown = read_page(browser_of(), address)
        assert "a match between computers, replayed" in shown
        assert 'class="cover" href="/rules/all-fives/"' in shown
        assert all(seat.display_name in shown for seat in seats)
        # Without scripts: the last line of play.
        laid = len(perspective(history.value_to_display(row.version), None).laid)
        assert shown.partition('id="large"')[2].count('class="laid') >= 1
        assert laid > 10
    assert not Match.objects.exists()


def test_replay_goes_on_unless_the_page_stands_still(monkeypatch, db):
    boards: dict[bool, set[str]] = {True: set(), False: set()}
    for seconds in range(0, 20, watching.REPLAY_SECONDS_PER_MOVE):
        monkeypatch.setattr("lobbies.watching.timezone.now", lambda s=seconds: datetime.fromtimestamp(s, UTC))
        for still in boards:
            boards[still].add(build_watch_page(MatchFilter(), still).html_by_name["featured"])
    assert len(boards[True]) == 1
    assert len(boards[False]) > 5


@pytest.mark.parametrize(("query", "is_still"), [("", False), ("?lang=en&still=1", True)])
async def test_socket_of_a_still_page_gets_no_replay(query, is_still):
    consumer = WatchConsumer()
    consumer.scope = {"query_string": query.lstrip("?").encode()}
    assert consumer.is_still is is_still


def test_concealed_matches_are_nowhere(alice, bob, browser_of):
    running, ended = begin(alice, bob), play_to_the_end(begin(alice, bob, seed="b"))
    Match.objects.update(concealed=True)
    for address in ("/", "/watch/"):
        shown = read_page(browser_of(), address)
        assert running.code not in shown and ended.code not in shown
        assert "a match between computers, replayed" in shown or address == "/"
