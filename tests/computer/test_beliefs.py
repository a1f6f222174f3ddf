"""Tests that sampled deals agree with everything that a view shows."""

from collections import Counter
from itertools import combinations
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from boneyard.computer.beliefs import Beliefs
from boneyard.engine.moves import parse
from boneyard.engine.perspective import perspective
from boneyard.engine.presets import PRESETS
from boneyard.engine.tiles import NAMES, SET_SIZES, SUITS, mask_of, members
from tests.engine.positions import arrange, play_moves, rules_of, tiles_of
from tests.engine.strategies import new_matches, random_step

from .tables import opened, positions, views

DEALS = 60


def deals(view, *, reads_plays=False, number=DEALS, seed=1):
    beliefs, rng = Beliefs(view, reads_plays=reads_plays), Random(seed)
    return list(beliefs.deals(rng, number))


def share(view, seat, tile, number=1500, **how) -> float:
    """Return the share of deals in which the seat holds the tile."""
    found = deals(view, number=number, **how)
    return sum(deal.hands[seat] >> tiles_of(tile)[0] & 1 for deal in found) / len(found)


@settings(max_examples=40)
@given(new_matches(), st.integers(0, 1000), st.booleans())
def test_deals_are_complete_with_the_right_hand_sizes(match, seed, reads_plays):
    rng = Random(seed)
    for number in range(50):
        if match.result is not None:
            break
        if number % 7 == 0 and match.turn is not None:
            view = perspective(match, match.turn)
            for deal in deals(view, reads_plays=reads_plays, number=3):
                laid = [tile for tile, _, _ in view.laid]
                held = [tile for hand in deal.hands for tile in members(hand)]
                assert sorted(laid + held + deal.boneyard) == list(range(SET_SIZES[view.rules.set]))
                assert tuple(hand.bit_count() for hand in deal.hands) == view.tiles
                assert deal.hands[view.seat] == mask_of(view.hand)
                assert len(deal.boneyard) == view.boneyard
        match = random_step(match, rng, leaving=0.01)


@settings(max_examples=40)
@given(new_matches(), st.integers(0, 1000))
def test_deals_respect_shown_lacks(match, seed):
    rng = Random(seed)
    for number in range(50):
        if match.result is not None:
            break
        if number % 7 == 0 and match.turn is not None:
            view = perspective(match, match.turn)
            for deal in deals(view, number=3):
                for seat, suits in enumerate(view.lacks):
                    assert not any(deal.hands[seat] & SUITS[suit] for suit in suits)
        match = random_step(match, rng)


def test_pass_excludes_fitting_tiles():
    match = arrange(
        rules_of("block", hand_size={"2": 3, "3": 3, "4": 3}), ["6-4 1-1 2-2", "5-5 3-2 2-1", "4-0 4-1 6-5"]
    )
    match = play_moves(match, "6-4", "pass")
    view = perspective(match, 2)
    assert view.lacks[1] == {6, 4}
    for deal in deals(view):
        assert not deal.hands[1] & (SUITS[6] | SUITS[4])
    assert share(view, 0, "6-6") > 0.05


def drawn_and_played():
    """Return a match in which seat 1 could play neither 6 nor 4, drew 5-2, then 6-3, and played that."""
    match = arrange(
        rules_of(hand_size={"2": 3, "3": 3, "4": 3}),
        ["6-4 1-1 2-2", "5-5 5-1 2-1"],
        "5-2 6-3 6-1 4-3 0-0 6-6",
    )
    return play_moves(match, "6-4", "draw", "draw", "6-3@L")


def test_draw_excludes_tiles_that_fitted_before():
    view = perspective(drawn_and_played(), 0)
    for deal in deals(view):
        assert not deal.hands[1] & (SUITS[6] | SUITS[4])


def test_later_draw_may_be_any_tile():
    match = play_moves(drawn_and_played(), "draw", "draw", "4-3@R", "draw")
    view = perspective(match, 0)
    # None of the three dealt slots may hold a 3; the last drawn tile may be any hidden one.
    threes = [(deal.hands[1] & SUITS[3]).bit_count() for deal in deals(view, number=200)]
    assert max(threes) == 1
    assert any(deal.hands[1] & SUITS[6] for deal in deals(view, number=200))


def test_named_lead_tile_is_in_its_hand():
    match = arrange(
        rules_of("block-doublet"), ["5-5 6-4 1-0", "3-3 6-5 2-0"], "6-6 4-4", leader=0, named="5-5"
    )
    view = perspective(match, 1)
    assert all(deal.hands[0] >> tiles_of("5-5")[0] & 1 for deal in deals(view))


def test_tile_that_is_not_dealt_is_in_no_hand():
    match = opened(rules_of("six-love-cutthroat"), 3, "asleep")
    assert match.round.deal.boneyard == tuple(tiles_of("0-0"))
    view = perspective(match, 1)
    assert all(share(view, seat, "0-0") == 0 for seat in (0, 2))
    assert view.unseen & mask_of(tiles_of("0-0"))


def test_higher_doubles_are_excluded_by_the_lead():
    match = arrange(
        rules_of("block-doublet"), ["5-5 6-4 1-0", "3-3 6-5 2-0"], "6-6 4-4", leader=0, named="5-5"
    )
    view = perspective(match, 1)
    assert share(view, 0, "6-6") == 0
    assert share(view, 0, "4-4") > 0


def test_non_scoring_lead_excludes_scoring_tiles():
    rules = rules_of("muggins-scoring-lead")
    match = play_moves(arrange(rules, ["6-6 6-5 1-0", "3-3 6-1 2-0"], "5-5 4-4"), "6-5")
    assert share(perspective(match, 1), 0, "5-5") == 0
    assert share(perspective(match, 1), 0, "4-4") > 0


def test_declined_points_make_a_tile_less_likely():
    match = play_moves(arrange(rules_of(), ["6-6 6-5 1-0", "5-3 5-4 2-0"], "5-5 4-4"), "6-5", "5-3@R")
    view = perspective(match, 0)
    # 4-5 would have made 10 at the 5; 5-2 nothing.
    assert share(view, 1, "5-4", reads_plays=True) < 0.7 * share(view, 1, "5-2", reads_plays=True)
    assert share(view, 1, "5-4") == pytest.approx(share(view, 1, "5-2"), abs=0.08)


def light_play():
    """Return the view of seat 0 after seat 1 has played 3-1, one of the lightest tiles that fit."""
    hands = ["6-3 6-5 1-0 0-0 2-0 4-0 4-1", "3-1 5-4 2-1 5-1 2-2 1-1 5-0"]
    return perspective(play_moves(arrange(rules_of("block"), hands), "6-3", "3-1@R"), 0)


def test_heavier_tile_is_less_likely_after_a_lighter_play():
    read = share(light_play(), 1, "6-4", number=6000, reads_plays=True)
    assert read < 0.9 * share(light_play(), 1, "6-4", number=6000)


def test_suit_of_a_new_end_is_more_likely():
    assert share(light_play(), 1, "5-1", reads_plays=True) > 1.1 * share(light_play(), 1, "5-1")


def test_plays_of_the_partner_are_read():
    hands = ["6-3 6-5 1-0", "3-1 5-4 2-0", "1-1 4-2 5-0", "6-1 2-2 3-3"]
    match = play_moves(arrange(rules_of("pairs-international"), hands), "6-3", "3-1@R", "1-1@R")
    view = perspective(match, 0)
    # 6-6 and 5-1 fitted as well.
    assert share(view, 2, "6-6", reads_plays=True) < 0.7 * share(view, 2, "6-6")


def drawn_between_plays():
    """Return the view of seat 0 after seat 1 has played a dealt tile, drawn three and played one of those."""
    hands = ["6-4 2-1 3-2", "5-4 0-0 1-1"]
    match = arrange(
        rules_of("draw", hand_size={"2": 3, "3": 3, "4": 3}), hands, "2-0 3-0 6-6 6-5 5-5 6-2 4-4"
    )
    match = play_moves(match, "6-4", "5-4@R", "draw", "draw", "draw", "6-6@L", "draw")
    return perspective(match, 0)


def late_in_pairs():
    """Return a view of a round in pairs in which two others have passed and ten tiles are hidden."""
    return next(
        view
        for view in views(PRESETS["pairs-international"].rules, 4, "late", rounds=30)
        if sum(map(bool, view.lacks)) >= 2 and view.unseen.bit_count() == 10
    )


def exact_shares(view):
    """Return how likely each other seat holds each hidden tile, by all deals; nothing may have been drawn."""
    seats = Beliefs(view, reads_plays=True)._seats
    shares: Counter[tuple[int, int]] = Counter()
    whole = 0.0

    def deal(others, left, likelihood, hands):
        nonlocal whole
        if not others:
            whole += likelihood
            for seat, tile in hands:
                shares[seat, tile] += likelihood
            return
        seat, *rest = others
        able = members(left & seats[seat].possible[0])
        for hand in map(mask_of, combinations(able, view.tiles[seat])):
            weight = likelihood * seats[seat].likelihood([hand], [0] * len(seats[seat].played))
            deal(rest, left & ~hand, weight, hands + [(seat, tile) for tile in members(hand)])

    deal(list(seats), view.unseen, 1.0, [])
    return {key: share / whole for key, share in shares.items()}


@pytest.mark.parametrize("view_of", [light_play, late_in_pairs])
def test_deals_come_as_often_as_they_are_likely(view_of):
    view, number, rng = view_of(), 6000, Random(1)
    beliefs, exact = Beliefs(view, reads_plays=True), exact_shares(view)
    weighed = [beliefs.weigh(rng) for _ in range(2 * number)]
    whole = sum(weight for _, weight in weighed)
    drawn = list(beliefs.deals(rng, number))
    for (seat, tile), share_of_all in exact.items():
        share_drawn = sum(deal.hands[seat] >> tile & 1 for deal in drawn) / number
        share_weighed = sum(weight for deal, weight in weighed if deal.hands[seat] >> tile & 1) / whole
        assert (share_drawn, share_weighed) == pytest.approx((share_of_all, share_of_all), abs=0.04)


def test_next_tile_of_the_boneyard_is_as_likely_as_any_other():
    view = perspective(drawn_and_played(), 0)
    found = deals(view, number=3000)
    next_tiles = Counter(deal.boneyard[0] for deal in found)
    hidden = Counter(tile for deal in found for tile in deal.boneyard)
    for tile, number in hidden.items():
        assert next_tiles[tile] / len(found) == pytest.approx(
            number / len(found[0].boneyard) / len(found), abs=0.02
        )


def test_tiles_drawn_later_say_nothing_about_an_earlier_play():
    beliefs = Beliefs(drawn_between_plays(), reads_plays=True)
    (observed,) = (played.observed for played in beliefs._seats[1].played)
    dealt, drawn = mask_of(tiles_of("1-1 0-0")), mask_of(tiles_of("6-5"))
    expected = observed.likelihood(dealt | mask_of(tiles_of("5-4")))
    assert beliefs._seats[1].likelihood([dealt, drawn], [0]) == expected
    assert observed.likelihood(dealt | drawn | mask_of(tiles_of("5-4"))) != expected


def test_every_hand_keeps_some_likelihood():
    for match in positions(PRESETS["all-fives"].rules, 3, "likely"):
        beliefs, rng = Beliefs(perspective(match, match.turn), reads_plays=True), Random(1)
        assert all(0 < beliefs.weigh(rng)[1] <= 1 for _ in range(20))


def test_deal_is_found_for_contradictory_views():
    view = perspective(drawn_and_played(), 0)
    # Contradiction: the seat passed with every suit open, yet holds tiles.
    impossible = view._replace(log=(*view.log, *[view.log[1]._replace(move=parse("pass"))] * 2))
    for deal in deals(impossible._replace(tiles=(2, 12), boneyard=11), number=5):
        assert deal.hands[1].bit_count() == 12


@pytest.mark.parametrize("preset", ["all-fives", "block", "gomuggins"])
def test_deals_are_different_and_repeatable(preset):
    view = perspective(opened(PRESETS[preset].rules, 2, "1"), 0)
    first = deals(view, seed=3)
    assert first == deals(view, seed=3)
    assert len({tuple(deal.hands) for deal in first}) > DEALS // 2
    assert {NAMES[t] for deal in first for t in members(deal.hands[1])} > {"6-6", "0-0"} - {
        NAMES[t] for t in view.hand
    }
