"""The page of a finished round of a match in play."""

import pytest

from boneyard.engine.tiles import NAMES
from games import repository
from games.models import Match
from tests.games.playing import begin, play
from tests.games.test_hidden import tiles_in

pytestmark = pytest.mark.django_db


def play_a_round(match: Match) -> Match:
    while not repository.get_value(match).ended:
        match = play(match)
    return play(match)


def test_past_round_shows_its_line_and_hands_alone(alice, bob, browser_of):
    match = play_a_round(begin(alice, bob, target=500))
    (ended,) = repository.get_value(match).ended
    public = {NAMES[tile] for hand in ended.remaining for tile in hand}
    public |= {NAMES[laid.tile] for laid in ended.round.laid}

    for viewer in (alice, bob, None):
        page = browser_of(viewer).get(f"/games/{match.code}/rounds/1/")
        shown = tiles_in(page.content.decode().partition('id="past-round"')[2])
        assert {NAMES[laid.tile] for laid in ended.round.laid} <= shown <= public


def test_round_in_play_has_no_page(alice, bob, browser_of):
    match = play_a_round(begin(alice, bob, target=500))
    assert browser_of(alice).get(f"/games/{match.code}/rounds/2/").status_code == 404
    assert browser_of(alice).get("/games/0000000000/rounds/1/").status_code == 404


def test_past_round_is_offered_after_the_pause(alice, bob, browser_of):
    match = begin(alice, bob, target=500)
    link = f"/games/{match.code}/rounds/1/"
    assert link not in browser_of(alice).get(match.get_absolute_url()).content.decode()
    match = play_a_round(match)
    Match.objects.filter(pk=match.pk).update(pause_until=None)
    repository.clear_caches()
    assert link in browser_of(alice).get(match.get_absolute_url()).content.decode()


def test_past_round_of_a_private_match_is_not_indexed(alice, bob, browser_of):
    match = play_a_round(begin(alice, bob, target=500))
    Match.objects.filter(pk=match.pk).update(private=True)
    page = browser_of(None).get(f"/games/{match.code}/rounds/1/")
    assert page["X-Robots-Tag"] == "noindex"


def test_plays_of_a_computer_partner_are_explained(alice, browser_of):
    match = play_a_round(begin(alice, "club", "casual", "club", preset="pairs-international"))
    link = f"/games/{match.code}/rounds/1/"
    partner = match.seats.get(position=2).display_name

    assert f"Why did {partner} play so?" in browser_of(alice).get(match.get_absolute_url()).text
    page = browser_of(alice).get(link).text
    assert f"Why {partner} played so" in page
    (ended,) = repository.get_value(match).ended
    shown = tiles_in(page.partition('aria-labelledby="partner"')[2].partition("</ul>")[0])
    assert shown
    assert shown <= {NAMES[laid.tile] for laid in ended.round.laid if laid.seat == 2}
    # Spectators get no explanation.
    assert "Why " not in browser_of(None).get(match.get_absolute_url()).text
    assert 'id="partner"' not in browser_of(None).get(link).text


def test_plays_of_a_person_are_not_explained(alice, bob, browser_of):
    match = play_a_round(begin(alice, "club", bob, "club", preset="pairs-international"))
    assert "Why did" not in browser_of(alice).get(match.get_absolute_url()).text
    assert 'id="partner"' not in browser_of(alice).get(f"/games/{match.code}/rounds/1/").text
