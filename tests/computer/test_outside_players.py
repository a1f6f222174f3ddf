"""Tests of the players of other packages, where those are installed."""

from random import Random

import pytest

from bench import matchups, strength
from bench.peers import players
from boneyard.computer.selfplay import begin_seeded
from boneyard.engine.perspective import perspective

from .tables import another_deal, casually

pytestmark = pytest.mark.skipif(
    not (players.INSTALL_FOLDER / players.REQUIREMENTS.name).exists(),
    reason="the packages are installed by `make strength`",
)


@pytest.mark.parametrize("name", strength.OUTSIDE)
def test_outside_player_makes_legal_moves_and_sees_no_hidden_tile(name):
    players.install()
    rules, seats, choose = strength.OUTSIDE[name]
    match, compared = begin_seeded(rules, seats, "1"), 0
    while not match.ended:
        view = perspective(match, match.turn)
        if len(view.legal) > 1:
            move = choose(view, 1)
            assert move in view.legal
            if other := another_deal(match, match.turn, Random(1)):
                compared += 1
                assert choose(perspective(other, match.turn), 1) == move
        match = casually(match)
    assert compared


def test_round_against_an_outside_player_has_a_result():
    players.install()
    rules, seats, outside = strength.OUTSIDE["dominoes"]
    result = matchups.play_round(rules, seats, (matchups.player_of("club"), outside), "1")
    assert 0 <= result.win_share <= 1
