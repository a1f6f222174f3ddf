"""Tests of the winner of a block and the bonuses (docs/rules.md, "The end of a round")."""

import pytest

from boneyard.engine.round_ends import RoundEnd
from boneyard.engine.settlement import (
    FinalPosition,
    awarded_points,
    blocked_winner,
    in_unit,
    round_bonuses,
    split_award,
)
from boneyard.engine.terms import terms
from boneyard.engine.tiles import mask_of, pips

from .positions import arrange, play_moves, rules_of, tiles_of

NOBODY: frozenset[int] = frozenset()


def awarded_bonus(rules, score, pips):
    return split_award(rules, score, 0, in_unit(pips, rules.bonus_unit), rules.bonus_ceiling)[0]


def settle_block(rules, *hands, gone=NOBODY):
    """Return the winner of a block with these hands and the points of every side from score 0."""
    agreed = terms(rules, len(hands))
    held = tuple(mask_of(tiles_of(hand)) for hand in hands)
    weights = tuple(map(pips, held))
    winner = blocked_winner(agreed, FinalPosition(held, gone, leader=0, closer=0), weights)
    if winner is None:
        return None, [0] * len(agreed.sides)
    return winner, blocked_awards(agreed, weights, winner, gone)


def blocked_points(rules, *weights, winner):
    return blocked_awards(terms(rules, len(weights)), weights, winner, NOBODY)


def out_bonuses(rules, *weights):
    """Return the bonuses when seat 0 goes out."""
    return round_bonuses(terms(rules, len(weights)), False, 0, weights, NOBODY)


def blocked_awards(agreed, weights, winner, gone):
    bonuses = round_bonuses(agreed, True, winner, weights, gone)
    return [split_award(agreed.rules, 0, 0, bonus, agreed.rules.bonus_ceiling)[0] for bonus in bonuses]


@pytest.mark.parametrize(
    ("exact", "nearest"),
    [
        (0, 0),
        (1, 0),
        (2, 0),
        (3, 5),
        (7, 5),
        (8, 10),
        (12, 10),
        (13, 15),
        (14, 15),
        (18, 20),
        (23, 25),
        (41, 40),
    ],
)
def test_nearest_five(exact, nearest):
    assert in_unit(exact, "nearest_five") == nearest
    assert in_unit(exact, "fifths_nearest") == nearest // 5
    assert in_unit(exact, "pips") == exact


@pytest.mark.parametrize(("exact", "fifths"), [(0, 0), (1, 1), (5, 1), (6, 2), (41, 9), (45, 9)])
def test_fifths_rounded_up(exact, fifths):
    assert in_unit(exact, "fifths_up") == fifths


@pytest.mark.parametrize(
    ("unit", "bonus", "points"),
    [("pips", "total", 48), ("fifths_up", "difference", 8), ("one", "total", 2), ("pips", "table", 56)],
)
def test_winner_of_a_block_scores_double(unit, bonus, points):
    rules = rules_of("draw", blocked_double=True, bonus_unit=unit, blocked_bonus=bonus)
    assert blocked_points(rules, 4, 14, 10, winner=0) == [points, 0, 0]
    extras = round_bonuses(terms(rules, 3), True, 0, (4, 14, 10), NOBODY, extras=25)
    assert extras == [points + 25, 0, 0]
    out = rules.replace(blocked_double=False)
    assert out_bonuses(rules, 0, 14, 10) == out_bonuses(out, 0, 14, 10)


def test_the_sum_is_rounded_not_each_hand():
    rules = rules_of(bonus_unit="nearest_five")
    assert out_bonuses(rules, 0, 7, 7)[0] == 15


def test_difference_in_fifths():
    for unit, bonus in (("fifths_nearest", 8), ("fifths_up", 9)):
        rules = rules_of(blocked_bonus="difference", bonus_unit=unit)
        assert blocked_points(rules, 4, 15, 20, 10, winner=0) == [bonus, 0, 0, 0]


@pytest.mark.parametrize(("unit", "gains"), [("nearest_five", 30), ("pips", 29)])
def test_last_tile_scores_and_goes_out(unit, gains):
    match = arrange(rules_of(bonus_unit=unit), ["6-6", "6-3 6-5 2-1"], leader=1)
    match = play_moves(match, "6-3", "6-6@L")
    assert match.ended[-1].log[-1].scored == 15
    assert match.ended[-1].end[:4] == RoundEnd("out", 0, (0, 14), (gains - 15, 0))[:4]
    assert match.scores == (gains, 0)


def test_blocked_bonus_of_two_seats():
    assert blocked_points(rules_of(blocked_bonus="difference"), 9, 22, winner=0) == [13, 0]
    assert blocked_points(
        rules_of(blocked_bonus="difference", bonus_unit="nearest_five"), 9, 22, winner=0
    ) == [
        15,
        0,
    ]
    assert blocked_points(rules_of(blocked_bonus="total"), 9, 22, winner=0) == [22, 0]
    assert blocked_points(rules_of(blocked_bonus="none"), 9, 22, winner=0) == [0, 0]


def test_blocked_bonus_of_three_seats():
    assert blocked_points(rules_of(blocked_bonus="difference"), 5, 9, 14, winner=0) == [18, 0, 0]
    assert blocked_points(rules_of(blocked_bonus="chain"), 5, 9, 14, winner=0) == [13, 5, 0]
    assert blocked_points(rules_of(blocked_bonus="total"), 5, 9, 14, winner=0) == [23, 0, 0]
    assert blocked_points(rules_of(blocked_bonus="chain"), 2, 7, 12, winner=0) == [15, 5, 0]


def test_lightest_tile_breaks_a_tie():
    assert settle_block(rules_of(blocked_tie="lightest_tile"), "6-1 2-0", "5-4") == (0, [9, 0])
    assert settle_block(rules_of(blocked_tie="nobody"), "6-1 2-0", "5-4") == (None, [0, 0])


def test_equal_lightest_tiles_stay_tied():
    assert settle_block(rules_of(blocked_tie="lightest_tile"), "6-0", "5-1") == (None, [0, 0])


def test_tie_of_two_among_three():
    rules = rules_of(blocked_tie="lightest_tile", blocked_bonus="difference")
    assert settle_block(rules, "3-0 4-2", "5-4", "6-6 5-3") == (0, [20, 0, 0])


def test_no_chain_without_a_winner():
    rules = rules_of(blocked_tie="nobody", blocked_bonus="chain")
    assert settle_block(rules, "3-0 4-2", "5-4", "6-6 5-3") == (None, [0, 0, 0])
    rules = rules_of(blocked_tie="lightest_tile", blocked_bonus="chain")
    assert settle_block(rules, "3-0 4-2", "5-4", "6-6 5-3") == (0, [11, 11, 0])


def test_out_bonus_subtracts_the_partners_hand():
    rules = rules_of("draw-free-pairs")
    assert out_bonuses(rules, 0, 8, 6, 12) == [14, 0]
    assert out_bonuses(rules, 0, 2, 30, 1) == [0, 0]
    assert awarded_bonus(rules.replace(bonus_unit="nearest_five"), 0, 14) == 15
    assert out_bonuses(rules.replace(out_bonus="none"), 0, 8, 6, 12) == [0, 0]


def test_block_between_pairs():
    # The winner is the seat of the pair with the lighter hand.
    rules = rules_of("draw-free-pairs")
    assert blocked_points(rules, 7, 10, 6, 12, winner=2) == [9, 0]
    assert settle_block(rules, "6-1", "6-4", "5-1", "6-6") == (2, [9, 0])
    assert settle_block(rules, "5-1", "6-4", "6-0", "6-6") == (0, [10, 0])


@pytest.mark.parametrize(
    ("score", "bonus", "becomes"), [(280, 35, 300), (295, 3, 298), (300, 40, 300), (310, 9, 310)]
)
def test_bonus_ceiling(score, bonus, becomes):
    assert score + awarded_bonus(rules_of("gomuggins"), score, bonus) == becomes


def test_bonus_ceiling_does_not_limit_plays():
    # A play of 20 points at a score of 310.
    assert 310 + awarded_points(rules_of("gomuggins"), 310, 20) == 330


@pytest.mark.parametrize(("score", "points", "becomes"), [(60, 2, 60), (60, 1, 61), (58, 3, 61)])
def test_points_past_exact_target_are_lost(score, points, becomes):
    assert score + awarded_points(rules_of("muggins-exact-61"), score, points) == becomes
    assert score + awarded_bonus(rules_of("muggins-exact-61"), score, points * 5) == becomes


def test_gone_seat_cannot_win_a_block():
    # Its hand counts among the others, but it can neither win nor score.
    rules = rules_of(blocked_bonus="difference")
    assert settle_block(rules, "1-0", "5-4", "6-6", gone=frozenset({0})) == (1, [0, 4, 0])
    rules = rules_of(blocked_bonus="chain")
    assert settle_block(rules, "1-0", "5-4", "6-6", gone=frozenset({0})) == (1, [0, 3, 0])
    rules = rules_of(blocked_bonus="total")
    assert settle_block(rules, "1-0", "5-4", "6-6", gone=frozenset({0})) == (1, [0, 13, 0])


def test_block_names_the_two_seats_compared():
    hands = ("6-6 1-1", "5-5 2-2", "5-4 0-0", "3-3 4-4")
    closer = play_moves(arrange(rules_of("dominican"), hands), "6-6").ended[-1].end
    assert (closer.how, closer.winner, closer.compared) == ("blocked", 0, (0, 1))
    side = play_moves(arrange(rules_of("pairs-spain"), hands), "6-6").ended[-1].end
    assert (side.how, side.compared) == ("blocked", ())
