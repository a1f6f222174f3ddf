"""The policies that play simulations out reckon as the engine does."""

from random import Random
from typing import cast

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.computer.greedy import Careful, Greedy, best_together, careful, gain, greedy
from games.computer.worth import Chance, pace
from games.engine.house_playout import playout_of
from games.engine.moves import INDEX
from games.engine.playout import Playout
from games.engine.presets import PRESETS
from games.engine.terms import terms
from games.engine.tiles import DOUBLE, PIPS
from tests.engine.arranging import rules_of
from tests.engine.strategies import matches_begun, step

from .tables import positions

SEEDS = st.integers(0, 1000)


@settings(max_examples=40)
@given(matches_begun(), SEEDS)
def test_what_a_tile_changes_is_what_the_engine_counts(match, seed):
    rng = Random(seed)
    for _ in range(30):
        if match.result is not None:
            break
        layout = match.round.layout
        for move in match.legal(match.turn):
            if layout is not None and move.kind == "play" and len(move.plays) == 1:
                ((tile, end),) = move.plays
                assert layout.count + gain(layout.tips[INDEX[end]], tile) == layout.joined(tile, end).count
        match = step(match, rng)


@pytest.mark.parametrize("preset", ["all-fives", "block", "fives-and-threes", "muggins-scoring-lead"])
def test_the_greedy_policy_takes_the_most_points_then_the_heaviest_tile(preset):
    for match in positions(PRESETS[preset].rules, 2, "5", rounds=2):
        layout, points = match.round.layout, match.terms.points
        plays = [move for move in match.legal(match.turn) if move.kind == "play"]
        if layout is None or not plays:
            continue
        move = _Once(Greedy(match.terms)).asked(playout_of(match))

        worths = {
            play: (points[layout.joined(tile, end).count], PIPS[tile] + 2 * DOUBLE[tile])
            for play in plays
            for tile, end in play.plays
        }
        assert worths[move] == max(worths.values())


class _Once:
    """What a policy does first in a play-out."""

    def __init__(self, policy: Greedy) -> None:
        self._policy = policy

    def asked(self, playout: Playout):
        first = []
        play = playout.play

        class Watched:
            def __getattr__(self, name):
                return getattr(playout, name)

            def play(self, move):
                first.append(move)
                play(move)

        self._policy.play_out(cast(Playout, Watched()))
        return first[0]


FEW = 40  # so many ways to lay one tile or several, scoring or not, are always looked at to the last


@settings(max_examples=30)
@given(SEEDS)
def test_of_several_tiles_together_the_best_are_found(seed):
    for match in list(positions(PRESETS["gomuggins"].rules, 2, str(seed)))[3::4]:
        layout, hand = match.round.layout, match.round.hands[match.turn]
        if layout.tips[0].kind == "lone":
            continue
        points = match.terms.points
        worths = [points[match.round.after(move).count] for move in layout.several(hand, points)]
        ways = len(layout.several(hand, [1] * len(points)))
        ways += sum((hand & tip.fits).bit_count() for tip in layout.tips)
        found = best_together(layout.tips, hand, layout.count, points, 0)
        after = layout
        for tile, end in found:
            after = after.joined(tile, end)
        scored = points[after.count] if found else 0
        assert scored == max(worths, default=0) or (ways > FEW and scored in worths)


@settings(max_examples=30)
@given(matches_begun(), SEEDS)
def test_every_play_out_ends(match, seed):
    rng = Random(seed)
    for _ in range(20):
        if match.result is not None:
            break
        for policy in (greedy(match.terms), careful(match.terms)):
            playout = playout_of(match)
            assert policy.play_out(playout) > 0
            assert playout.end is not None
        match = step(match, rng, leaving=0.02)


@pytest.mark.parametrize("preset", ["all-fives", "draw"])
def test_the_careful_policy_beats_the_greedy_one(preset):
    agreed = terms(PRESETS[preset].rules.replace(target=1000), 2)
    ahead = _ahead(agreed, Careful(agreed), Greedy(agreed), pairs=300)
    assert ahead > 1.5


def _ahead(agreed, one, other, pairs):
    """Points a round that the first policy is ahead, each deal played with the seats swapped."""
    rng, total = Random(1), 0
    for _ in range(pairs):
        tiles = list(range(28))
        rng.shuffle(tiles)
        hands = [sum(1 << tile for tile in tiles[:7]), sum(1 << tile for tile in tiles[7:14])]
        for swapped in (0, 1):
            policies = (one, other)[::-1] if swapped else (one, other)
            playout = Playout(agreed, hands=hands, boneyard=tiles[14:], layout=None, turn=0, scores=(0, 0))
            while playout.end is None:
                playout.play(policies[playout.turn].move(playout))
            total += playout.scores[swapped] - playout.scores[1 - swapped]
    return total / 2 / pairs


@pytest.mark.parametrize("preset", PRESETS)
def test_every_game_has_a_pace(preset):
    rules = PRESETS[preset].rules
    for seats in rules.players:
        measured = pace(terms(rules, seats))
        assert measured == pace.__wrapped__(terms(rules, seats))
        assert 0 < measured.points < rules.target
        assert measured.spread > 0


def chance(scores, side, left=frozenset(), **changes):
    return Chance(terms(rules_of(**changes), len(scores)), side, left)(scores)


def test_equal_scores_are_equal_chances():
    assert chance((40, 40), 0) == pytest.approx(0.5)
    assert chance((40, 40, 40), 2) == pytest.approx(1 / 3)


def test_a_lead_is_worth_more_near_the_target():
    assert 0.5 < chance((20, 0), 0) < chance((90, 70), 0) < 1
    assert chance((90, 70), 0) + chance((90, 70), 1) == pytest.approx(1)


def test_what_is_won_is_won():
    assert chance((100, 99), 0) == 1
    assert chance((100, 99), 1) == 0
    assert chance((100, 105), 1) == 1
    assert chance((105, 105, 20), 0) == 0.5


def test_who_has_left_cannot_win():
    assert chance((90, 40, 30), 0, frozenset({0})) == 0
    assert chance((90, 40, 30), 1, frozenset({0})) > 0.5


def test_the_lowest_wins_where_it_does():
    assert chance((80, 40), 0, lowest_wins=True) < 0.5
    assert chance((100, 40), 1, lowest_wins=True) == 1
