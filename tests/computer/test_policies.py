"""Tests that the play-out policies agree with the engine, and of the value of scores."""

from random import Random
from typing import cast

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from boneyard.computer.evaluation import WinChance, measure_pace
from boneyard.computer.greedy import (
    CarefulPolicy,
    GreedyPolicy,
    best_joint_play,
    careful_policy,
    count_gain,
    greedy_policy,
)
from boneyard.engine.full_playout import playout_from_match
from boneyard.engine.moves import INDEX
from boneyard.engine.playout import Playout
from boneyard.engine.presets import PRESETS
from boneyard.engine.terms import terms
from boneyard.engine.tiles import DOUBLE, PIPS
from tests.engine.positions import rules_of
from tests.engine.strategies import new_matches, random_step

from .tables import positions

SEEDS = st.integers(0, 1000)


@settings(max_examples=40)
@given(new_matches(), SEEDS)
def test_count_gain_agrees_with_the_engine(match, seed):
    rng = Random(seed)
    for _ in range(30):
        if match.result is not None:
            break
        layout = match.round.layout
        for move in match.legal(match.turn):
            if layout is not None and move.kind == "play" and len(move.plays) == 1:
                ((tile, end),) = move.plays
                assert (
                    layout.count + count_gain(layout.tips[INDEX[end]], tile) == layout.joined(tile, end).count
                )
        match = random_step(match, rng)


@pytest.mark.parametrize("preset", ["all-fives", "block", "fives-and-threes", "muggins-scoring-lead"])
def test_greedy_takes_most_points_then_heaviest_tile(preset):
    for match in positions(PRESETS[preset].rules, 2, "5", rounds=2):
        layout, points = match.round.layout, match.terms.points
        plays = [move for move in match.legal(match.turn) if move.kind == "play"]
        if layout is None or not plays:
            continue
        move = _FirstMoveRecorder(GreedyPolicy(match.terms)).first_move(playout_from_match(match))

        worths = {
            play: (points[layout.joined(tile, end).count], PIPS[tile] + 2 * DOUBLE[tile])
            for play in plays
            for tile, end in play.plays
        }
        assert worths[move] == max(worths.values())


class _FirstMoveRecorder:
    """A policy whose first move in a play-out is recorded."""

    def __init__(self, policy: GreedyPolicy) -> None:
        self._policy = policy

    def first_move(self, playout: Playout):
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


MAX_EXHAUSTIVE_PLAYS = 40  # up to this many plays of one or more tiles are all examined


@settings(max_examples=30)
@given(SEEDS)
def test_best_joint_play_is_found(seed):
    for match in list(positions(PRESETS["gomuggins"].rules, 2, str(seed)))[3::4]:
        layout, hand = match.round.layout, match.round.hands[match.turn]
        if layout.tips[0].kind == "lone":
            continue
        points = match.terms.points
        worths = [points[match.round.layout_after(move).count] for move in layout.several(hand, points)]
        ways = len(layout.several(hand, [1] * len(points)))
        ways += sum((hand & tip.fits).bit_count() for tip in layout.tips)
        found = best_joint_play(layout.tips, hand, layout.count, points, 0)
        after = layout
        for tile, end in found:
            after = after.joined(tile, end)
        scored = points[after.count] if found else 0
        assert scored == max(worths, default=0) or (ways > MAX_EXHAUSTIVE_PLAYS and scored in worths)


@settings(max_examples=30)
@given(new_matches(), SEEDS)
def test_every_play_out_ends(match, seed):
    rng = Random(seed)
    for _ in range(20):
        if match.result is not None:
            break
        for policy in (greedy_policy(match.terms), careful_policy(match.terms)):
            playout = playout_from_match(match)
            assert policy.play_out(playout) > 0
            assert playout.end is not None
        match = random_step(match, rng, leaving=0.02)


@pytest.mark.parametrize("preset", ["all-fives", "draw"])
def test_careful_policy_beats_greedy(preset):
    agreed = terms(PRESETS[preset].rules.replace(target=1000), 2)
    ahead = _points_ahead(agreed, CarefulPolicy(agreed), GreedyPolicy(agreed), pairs=300)
    assert ahead > 1.5


def _points_ahead(agreed, one, other, pairs):
    """Return by how many points a round the first policy leads; each deal is played twice, seats swapped."""
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
def test_pace_of_every_preset(preset):
    rules = PRESETS[preset].rules
    for seats in rules.players:
        measured = measure_pace(terms(rules, seats))
        assert measured == measure_pace.__wrapped__(terms(rules, seats))
        assert 0 < measured.points < rules.target
        assert measured.spread > 0


def chance(scores, side, left=frozenset(), **changes):
    return WinChance(terms(rules_of(**changes), len(scores)), side, left)(scores)


def test_equal_scores_give_equal_chances():
    assert chance((40, 40), 0) == pytest.approx(0.5)
    assert chance((40, 40, 40), 2) == pytest.approx(1 / 3)


def test_lead_is_worth_more_near_the_target():
    assert 0.5 < chance((20, 0), 0) < chance((90, 70), 0) < 1
    assert chance((90, 70), 0) + chance((90, 70), 1) == pytest.approx(1)


def test_chances_at_the_target():
    assert chance((100, 99), 0) == 1
    assert chance((100, 99), 1) == 0
    assert chance((100, 105), 1) == 1
    assert chance((105, 105, 20), 0) == 0.5


def test_side_that_left_cannot_win():
    assert chance((90, 40, 30), 0, frozenset({0})) == 0
    assert chance((90, 40, 30), 1, frozenset({0})) > 0.5


def test_chances_when_lowest_wins():
    assert chance((80, 40), 0, lowest_wins=True) < 0.5
    assert chance((100, 40), 1, lowest_wins=True) == 1
