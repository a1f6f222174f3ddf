"""The overlay for streams: what spectators knew some seconds ago, and nothing of later."""

import re
from datetime import datetime, timedelta

import pytest
from django.utils import timezone

from boneyard.engine.perspective import perspective
from boneyard.engine.tiles import NAMES, members
from games import repository, services
from games.models import Match, Move
from games.past.overlay import build_overlay
from games.past.replay import History
from tests.games.playing import begin, on_turn, play, play_to_the_end

pytestmark = pytest.mark.django_db

TILE = re.compile(r'data-tile="(\d+-\d+)"')
SECOND = timedelta(seconds=1)


def laid_in(overlay) -> list[str]:
    return TILE.findall(overlay.line)


def spread_moves(match: Match, since: datetime, step: timedelta = 10 * SECOND) -> None:
    """Let the moves of a match have been made one `step` after another."""
    Match.objects.filter(pk=match.pk).update(started_at=since)
    for move in match.moves.all():
        Move.objects.filter(pk=move.pk).update(at=since + move.number * step)
    match.refresh_from_db()


@pytest.mark.parametrize("preset", ["all-fives", "draw"])
def test_at_each_moment_only_earlier_moves_are_shown(alice, bob, preset):
    match = play_to_the_end(begin(alice, bob, preset=preset, target=60), seed=221)
    since = timezone.now() - timedelta(hours=1)
    spread_moves(match, since)
    history = History.load(match)
    for number in range(len(history.values)):
        shown = build_overlay(match, since + number * 10 * SECOND + SECOND)
        view = perspective(history.value_to_display(number), None)
        assert laid_in(shown) == [NAMES[each.tile] for each in view.laid]
        assert [side.score for side in shown.sides] == list(history.values[number].scores)
        assert [plate.tiles for half in shown.halves for plate in half] == list(view.tiles)
    assert "won" in shown.sentence


def test_after_the_pause_between_rounds_the_new_line_is_empty(alice, bob):
    match = play_to_the_end(begin(alice, bob, preset="draw", target=100), seed=3)
    since = timezone.now() - timedelta(hours=1)
    spread_moves(match, since)
    history = History.load(match)
    last = next(number for number in range(len(history.values)) if number and history.ended_by(number))
    during, after = (build_overlay(match, since + last * 10 * SECOND + n * SECOND) for n in (1, 9))
    assert laid_in(during)
    assert not laid_in(after)
    assert [during.round_name, after.round_name] == ["Round 1", "Round 2"]


def test_no_overlay_names_a_tile_that_is_in_a_hand_or_in_the_boneyard(alice, bob, client):
    match = begin(alice, bob, preset="draw")
    for _ in range(12):
        value = repository.get_value(match)
        hidden = {NAMES[t] for hand in (*value.round.hands,) for t in members(hand)}
        hidden |= {NAMES[t] for t in value.round.boneyard}
        page = client.get(f"/games/{match.code}/overlay/").content.decode()
        assert not hidden & set(re.findall(r"\b\d+-\d+\b", page))
        match = play(match)


def test_delayed_overlay_shows_nothing_of_the_last_minute(alice, bob, client):
    match = begin(alice, bob, clock=(300, 5))
    for _ in range(4):
        match = play(match)
    page = client.get(f"/games/{match.code}/overlay/?delay=60").content.decode()
    assert not TILE.findall(page)
    assert page.count(">5:00</time>") == 2
    assert TILE.findall(client.get(f"/games/{match.code}/overlay/").content.decode())


def test_clock_after_a_move_is_the_one_that_was_left_then(alice, bob):
    match = begin(alice, bob, clock=(300, 5))
    for _ in range(6):
        match = play(match)
    left = list(match.moves.order_by("number").values_list("clock_ms", flat=True))
    assert None not in left
    at = match.moves.order_by("number").last().at
    shown = build_overlay(match, at)
    mover = match.moves.order_by("number").last().seat
    (clock,) = (plate.clock for half in shown.halves for plate in half if plate.seat == mover)
    minutes, seconds = divmod(int(round(left[-1] / 1000, 1)), 60)
    assert clock == f"{minutes}:{seconds:02d}"


def test_a_player_who_has_resigned_has_not_yet_in_the_delayed_overlay(alice, bob, client):
    match = begin(alice, bob)
    for _ in range(5):
        match = play(match)
    seat = on_turn(match)
    services.play(match=match, seat=seat, move="resign", seen_version=match.version)
    now = client.get(f"/games/{match.code}/overlay/").content.decode()
    later = client.get(f"/games/{match.code}/overlay/?delay=180").content.decode()
    assert "resign" in now
    assert "resign" not in later
    assert "won" not in later


def test_unchanged_overlay_is_answered_with_the_clocks_alone(alice, bob, client):
    match = play(begin(alice, bob, clock=(300, 5)))
    address = f"/games/{match.code}/overlay/"
    stamp = re.search(r'name="stamp" value="([^"]+)"', client.get(address).content.decode())[1]
    same = client.get(address, {"stamp": stamp}, HTTP_HX_REQUEST="true")
    assert same["HX-Reswap"] == "none"
    assert "overlay-panel" not in same.content.decode()
    changed = client.get(address, {"stamp": "0.0"}, HTTP_HX_REQUEST="true")
    assert "HX-Reswap" not in changed
    assert 'id="overlay"' in changed.content.decode()


def test_private_match_and_unknown_delay_have_no_overlay(alice, bob, client):
    match = begin(alice, bob)
    assert client.get(f"/games/{match.code}/overlay/?delay=5").status_code == 404
    Match.objects.filter(pk=match.pk).update(private=True)
    assert client.get(f"/games/{match.code}/overlay/").status_code == 404
