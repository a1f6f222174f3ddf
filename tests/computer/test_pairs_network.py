"""Tests of the network that scores plays in pairs, and of its training."""

from collections import Counter
from itertools import chain, combinations, islice
from math import exp
from random import Random

import pytest

from bench.matchups import play_round, player_of
from bench.train_pairs import Trainer, is_learnable, measure, rounded, store
from boneyard.computer import pairs_network
from boneyard.computer.evaluation import WinChance, measure_pace
from boneyard.computer.pairs_network import (
    INPUTS,
    Network,
    PublicRound,
    chance_of_none,
    network_for,
    score_moves,
)
from boneyard.computer.players import STRATEGIES, choose_move
from boneyard.computer.search import SearchPlan, distinct_moves, rank_moves
from boneyard.engine.moves import TAKEOVER
from boneyard.engine.perspective import View, perspective
from boneyard.engine.presets import PRESETS
from boneyard.engine.terms import terms
from boneyard.engine.tiles import DOUBLES, SUITS, mask_of

from .tables import another_deal, opened, positions

KEEPS_DOUBLES = 0
GAMES = ["pairs-international", "cuban"]
# The games that a network plays, each with the game that it was trained for.
PLAYED = {
    "pairs-international": "pairs-international",
    "puerto-rico-200": "pairs-international",
    "pairs-spain": "pairs-international",
    "venezuelan": "pairs-international",
    "jamaican-partner": "pairs-international",
    "six-love-partner": "pairs-international",
    "cuban": "cuban",
}
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
        known = PublicRound.from_view(view)
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
    return PublicRound.from_view(view).inputs(view.seat, mask_of(view.hand), plays)


@pytest.mark.parametrize("preset", GAMES)
def test_scores_do_not_depend_on_the_names_of_the_ends(preset):
    for _, view in positions_with_choice(preset):
        known = PublicRound.from_view(view)
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


@pytest.mark.parametrize(("preset", "trained"), PLAYED.items())
def test_game_is_played_by_the_nearest_network(preset, trained):
    assert network_for(terms(PRESETS[preset].rules, 4)) is pairs_network._read_networks()[trained]


@pytest.mark.parametrize("preset", sorted({*PRESETS} - {*PLAYED}))
def test_other_games_have_no_network(preset):
    rules = PRESETS[preset].rules
    assert not any(network_for(terms(rules, seats)) for seats in rules.players)


@pytest.mark.parametrize(
    "changes",
    [
        {"hand_size": dict.fromkeys("234", 6)},
        {"blocked_double": True},
        {"out_bonus": "none", "out_points": 1},
        {"blocked_bonus": "none"},
        {"partners_out": "both"},
        {"lone_pips": {"0-0": 25}},
        {"extras": {"capicua": 25}},
        {"draw": "free"},
    ],
)
def test_house_rules_that_the_inputs_do_not_describe_have_no_network(changes):
    assert network_for(terms(PRESETS["pairs-international"].rules.replace(**changes), 4)) is None


def test_house_rules_about_the_lead_and_the_target_have_a_network():
    rules = PRESETS["pairs-international"].rules.replace(next_lead="winner", target=250)
    assert network_for(terms(rules, 4)) is not None


def test_draws_for_the_lead_are_no_tiles_of_the_deal():
    rules = PRESETS["cuban"].rules.replace(first_lead="tile", lead_tile="9-9", lead_draws="all")
    drew = 0
    for match in chain.from_iterable(positions(rules, 4, f"lead draws {number}") for number in range(8)):
        view = perspective(match, match.turn)
        drew += sum(view.tiles) + len(view.laid) > 40
        assert PublicRound.from_view(view).tiles == list(view.tiles)
        if len(view.legal) > 1 and view.legal[0].kind == "play":
            assert choose_move(view, "strong", 1)[0] in view.legal
    assert drew


def test_seat_that_a_computer_takes_over_has_not_passed():
    later = islice(positions(PRESETS["pairs-international"].rules, 4, "1"), 6, None)
    match = next(each for each in later if each.round.log[-1].move.kind == "play")
    seat = match.turn
    before = PublicRound.from_view(perspective(match, seat))
    after = PublicRound.from_view(perspective(match.play((seat + 1) % 4, TAKEOVER), seat))
    assert after.lacking == before.lacking


def test_strong_draws_by_the_softmax_of_the_scores():
    drawn = 0
    for _, view in islice(positions_with_choice("cuban"), 10):
        moves = PublicRound.from_view(view).distinct(view.legal)
        scores = score_moves(view, network_for(view.terms), moves)
        chances = softmax(scores, 0.03)
        counts = Counter(choose_move(view, "strong", seed)[0] for seed in range(200))
        assert set(counts) <= set(moves)
        for move, chance in zip(moves, chances, strict=True):
            assert counts[move] / 200 == pytest.approx(chance, abs=0.12)
        drawn += len(counts) > 1
    assert drawn > 3


def softmax(scores: list[float], temperature: float) -> list[float]:
    weights = [exp(score / temperature) for score in scores]
    return [weight / sum(weights) for weight in weights]


def test_style_changes_some_plays_of_strong_as_it_says():
    changed, kept = 0, 0
    for _, view in positions_with_choice("cuban"):
        for seed in range(20):
            plain, styled = (
                choose_move(view, "strong", seed, figure=each)[0] for each in (None, KEEPS_DOUBLES)
            )
            if styled != plain:
                changed += 1
                kept += (plain.tiles & DOUBLES).bit_count() - (styled.tiles & DOUBLES).bit_count()
    assert changed and kept > 0


def test_search_adds_the_weighted_scores_to_every_deal():
    _, view = next(positions_with_choice("pairs-international"))
    chance, half = WinChance(view.terms, 0, frozenset()), measure_pace(view.terms).spread / 2
    unit = 0.5 * (chance((half, 0)) - chance((-half, 0)))
    assert unit == pytest.approx(0.054, abs=0.002)
    plain, weighted = (
        {
            each.move: each.worths
            for each in rank_moves(
                view, SearchPlan(20, 10**9, by_chance=True, score_weight=weight), Random(1)
            )
        }
        for weight in (0.0, 0.5)
    )
    moves = distinct_moves(view)
    for move, score in zip(moves, score_moves(view, network_for(view.terms), moves), strict=True):
        assert weighted[move] == pytest.approx([value + unit * score for value in plain[move]])


def test_master_adds_the_scores():
    plan = STRATEGIES["master"].pairs
    assert isinstance(plan, SearchPlan) and plan.score_weight > 0


def test_search_without_a_network_adds_nothing():
    match = opened(PRESETS["block"].rules, 2, "1")
    view = perspective(match, match.turn)
    plan = SearchPlan(20, 10**9)
    assert rank_moves(view, plan._replace(score_weight=0.5), Random(1)) == rank_moves(view, plan, Random(1))


@pytest.mark.parametrize("preset", GAMES)
def test_strong_beats_club_in_pairs(preset):
    """Win more than half of 100 pairs of rounds. The seeds are fixed; `make strength` measures the real margin."""
    players, rules = (player_of("strong"), player_of("club")), PRESETS[preset].rules
    assert sum(play_round(rules, 4, players, f"pairs:{number}").win_share for number in range(100)) > 50


def test_stored_network_is_read_as_it_was_trained(tmp_path, monkeypatch):
    agreed = terms(PRESETS["pairs-international"].rules, 4)
    network, file = rounded(Trainer(agreed, 2, "1", spread_rounds=50).network), tmp_path / "networks.json"
    store(file, "cuban", network)
    store(file, "pairs-international", network)
    monkeypatch.setattr(pairs_network, "_WEIGHTS_FILE", file)
    assert pairs_network._read_networks.__wrapped__() == dict.fromkeys(GAMES, network)
    store(file, "cuban", network._replace(linear=network.linear[1:]))
    with pytest.raises(ValueError, match="cuban: not 68 weights"):
        pairs_network._read_networks.__wrapped__()


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
