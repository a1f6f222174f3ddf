"""What a seat says above its plate."""

import pytest

from boneyard.engine.perspective import perspective
from games import repository, wording
from games.models import Match
from games.table.bubbles import find_bubbles
from tests.games.playing import begin, legal, on_turn, play

pytestmark = pytest.mark.django_db


def bubbles_of(match: Match, viewer: int | None = None) -> dict[int, str]:
    view = perspective(repository.get_value(match), viewer)
    return {seat: bubble.text for seat, bubble in find_bubbles(view, None, wording.DEFAULT_SPEECH).items()}


def play_to_wrong_claim(match: Match, settings) -> tuple[Match, int]:
    """Claim 35 with a play that is worth something else; return the match and the seat."""
    settings.CALL_PAUSE_MS = 0
    while legal(match)[0] in ("draw", "pass"):
        match = play(match)
    seat = on_turn(match).position
    return play(match, legal(match)[0], claim=35), seat


def test_wrong_claim_says_what_it_makes_once_it_cannot_be_called(alice, bob, settings):
    match, seat = play_to_wrong_claim(begin(alice, bob, preset="muggins-200"), settings)
    for viewer in (None, 0, 1):
        assert bubbles_of(match, viewer) == {seat: "35 claimed: no points"}

    match = play(match)

    (text,) = bubbles_of(match).values()
    points = repository.get_value(match).round.log[0].points
    assert text == f"35 claimed, worth {points}: no points"
    assert bubbles_of(match).keys() == {seat}


def test_played_out_round_says_domino_at_the_last_tile(alice, bob):
    match = begin(alice, bob, target=500)
    while not (value := repository.get_value(match)).ended or value.ended[-1].end.how != "out":
        match = play(match)
    ended = value.ended[-1]
    bubbles = find_bubbles(perspective(value, None), ended, wording.DEFAULT_SPEECH)
    assert [(seat, bubble.text) for seat, bubble in bubbles.items()] == [(ended.end.winner, "Domino!")]
