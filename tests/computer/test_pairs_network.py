"""Tests of the network that scores plays in pairs, and of its training."""

from itertools import combinations
from random import Random

import pytest

from bench.pairs_network import INPUTS, Network, PublicRound, chance_of_none, is_learnable
from bench.train_pairs import Trainer, measure
from boneyard.computer.search import distinct_moves
from boneyard.engine.perspective import View, perspective
from boneyard.engine.presets import PRESETS
from boneyard.engine.terms import terms
from boneyard.engine.tiles import SUITS, mask_of

from .tables import another_deal, positions

GAMES = ["pairs-international", "cuban"]
OTHER_GAMES = [
    "block",
    "dominican",
    "sebastopol",
    "kozel-pairs",
    "draw-free-pairs",
    "muggins-200-pairs",
]


def positions_with_choice(preset: str):
    for match in positions(PRESETS[preset].rules, 4, preset):
        view = perspective(match, match.turn)
        if len(distinct_moves(view)) > 1:
            yield match, view


@pytest.mark.parametrize("preset", GAMES)
def test_public_round_agrees_with_the_view(preset):
    for _, view in positions_with_choice(preset):
        known = known_from(view)
        assert known.tiles == list(view.tiles)
        assert known.in_set & ~known.laid & ~mask_of(view.hand) == view.unseen
        assert sorted(known.ends or ()) == sorted(view.ends.values())
        for seat, suits in enumerate(view.lacks):
            if seat != view.seat:
                assert known.lacking[seat] == mask_of_suits(suits)


def mask_of_suits(suits: frozenset[int]) -> int:
    mask = 0
    for suit in suits:
        mask |= SUITS[suit]
    return mask


@pytest.mark.parametrize("preset", GAMES)
def test_inputs_do_not_depend_on_hidden_tiles(preset):
    rng, found = Random(preset), 0
    for match, view in positions_with_choice(preset):
        if other := another_deal(match, view.seat, rng):
            assert inputs_of(view) == inputs_of(perspective(other, view.seat))
            found += 1
    assert found > 5


def inputs_of(view: View) -> list[list[float]]:
    plays = [move.plays[0] for move in distinct_moves(view)]
    return known_from(view).inputs(view.seat, mask_of(view.hand), plays)


def known_from(view: View) -> PublicRound:
    known = PublicRound(view.terms)
    for entry in view.log:
        known.record(entry.seat, entry.move)
    return known


@pytest.mark.parametrize("preset", GAMES)
def test_scores_do_not_depend_on_the_names_of_the_ends(preset):
    for _, view in positions_with_choice(preset):
        known = known_from(view)
        if known.ends is None:
            continue
        hand, ends = mask_of(view.hand), known.ends
        play = distinct_moves(view)[0].plays[0]
        (inputs,) = known.inputs(view.seat, hand, [play])
        known.ends = ends[::-1]
        (mirrored,) = known.inputs(view.seat, hand, [(play[0], "R" if play[1] == "L" else "L")])
        assert inputs == mirrored and len(inputs) == INPUTS


@pytest.mark.parametrize("preset", OTHER_GAMES)
def test_other_games_cannot_be_learned(preset):
    assert not is_learnable(terms(PRESETS[preset].rules, 4))


@pytest.mark.parametrize("preset", [*GAMES, "venezuelan", "jamaican-partner"])
def test_pairs_on_one_line_can_be_learned(preset):
    assert is_learnable(terms(PRESETS[preset].rules, 4))


@pytest.mark.parametrize("fitting", range(6))
def test_chance_of_none_agrees_with_counting(fitting):
    hands = list(combinations(range(5), 2))
    without = [hand for hand in hands if all(each >= fitting for each in hand)]
    assert chance_of_none(5, 2, fitting) == pytest.approx(len(without) / len(hands))


def test_network_adds_the_linear_part_and_positive_units():
    network = Network((1.0, 2.0), ((1.0, 0.0), (-1.0, 0.0)), (10.0, 100.0))
    assert network.score((3.0, 1.0)) == 5.0 + 10 * 3.0
    assert network.score((-3.0, 1.0)) == -1.0 + 100 * 3.0


def test_trained_network_beats_the_careful_policy():
    agreed = terms(PRESETS["pairs-international"].rules, 4)
    trainer = Trainer(agreed, 2, "1", spread_rounds=50)
    assert list(trainer.train(3000, 0.0))[-1] == 3000
    shares = measure(agreed, trainer.network, 200, "test")
    assert sum(shares) / len(shares) > 0.52


def test_step_of_training_lowers_the_error():
    trainer = Trainer(terms(PRESETS["pairs-international"].rules, 4), 2, "1", spread_rounds=50)
    rng = Random(1)
    batch = [[rng.gauss(0, 1) for _ in range(INPUTS)] for _ in range(50)]
    wanted = [sum(row[:5]) for row in batch]

    def errors() -> list[float]:
        return [each - trainer.network.score(row) for row, each in zip(batch, wanted, strict=True)]

    before = sum(error**2 for error in errors())
    for _ in range(100):
        trainer.learn(list(zip(batch, errors(), strict=True)), 0.02)
    assert sum(error**2 for error in errors()) < before / 4


def test_training_is_repeatable():
    agreed = terms(PRESETS["pairs-international"].rules, 4)
    first, second = (Trainer(agreed, 2, "1", spread_rounds=50) for _ in range(2))
    assert list(first.train(200, 0.1)) == list(second.train(200, 0.1)) == [200]
    assert first.network == second.network
