"""Tiles that do not fit: without scripts the page says why."""

import re

import pytest

from boneyard.engine.tiles import NAMES
from tests.games.playing import begin, on_turn
from tests.games.test_table_page import play_until, view_of

pytestmark = pytest.mark.django_db


def test_misfit_pressed_without_scripts_says_why(alice, bob, browser_of):
    def has_misfit(moves):
        playable = {move.partition("@")[0] for move in moves}
        return any("@" in move for move in moves) and any(
            NAMES[tile] not in playable for tile in view_of(match, on_turn(match).user).hand
        )

    match = begin(alice, bob)
    match = play_until(match, has_misfit)
    mover = on_turn(match).user
    view = view_of(match, mover)
    playable = {NAMES[move.plays[0][0]] for move in view.legal}
    misfit = next(NAMES[tile] for tile in view.hand if NAMES[tile] not in playable)

    page = browser_of(mover).get(match.get_absolute_url(), {"tile": misfit}).text
    said = re.search(r'id="refusal" role="alert">([^<]*)<', page)[1]
    assert said.startswith(f"{misfit} does not fit: the end")
    page = browser_of(mover).get(match.get_absolute_url(), {"tile": min(playable)}).text
    assert 'id="refusal" role="alert"></p>' in page
