"""Tests of the computer players: moves, claims and calls of each level."""

from collections.abc import Iterator
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from boneyard.computer.players import LEVELS, choose_move, should_call
from boneyard.computer.selfplay import play_match
from boneyard.engine.moves import DRAW, MUGGINS, PASS
from boneyard.engine.perspective import perspective
from boneyard.engine.presets import PRESETS
from boneyard.engine.rules import Rules
from tests.engine.positions import arrange, play_moves, rules_of
from tests.engine.strategies import new_matches, random_step, worth

from .tables import positions, views

HEURISTIC_LEVELS = ("beginner", "casual", "club")
SEARCHING_LEVELS = ("strong", "master")
TABLES = [(preset, seats) for preset in PRESETS for seats in PRESETS[preset].rules.players]


def answer(match, level, seat=None, seed=1):
    seat = match.turn if seat is None else seat
    move, claim = choose_move(perspective(match, seat), level, seed)
    return None if move is None else str(move), claim


@pytest.mark.parametrize(("preset", "seats"), TABLES)
def test_every_level_plays_every_game(preset, seats):
    """Try the levels that search, which takes longest, at every fourth of these positions."""
    for number, match in enumerate(list(positions(PRESETS[preset].rules, seats, "1"))[::6]):
        for level in HEURISTIC_LEVELS if number % 4 != 1 else LEVELS:
            move, claim = choose_move(perspective(match, match.turn), level, 1)
            match.play(match.turn, move, claim)


@settings(max_examples=25)
@given(new_matches(), st.integers(0, 1000), st.sampled_from(LEVELS))
def test_every_level_plays_by_house_rules(match, seed, level):
    rng = Random(seed)
    for number in range(25):
        if match.result is not None:
            break
        if number % 6 == 0 and match.turn is not None:
            move, claim = choose_move(perspective(match, match.turn), level, seed)
            match.play(match.turn, move, claim)
        match = random_step(match, rng, leaving=0.02)


@pytest.mark.parametrize("level", LEVELS)
def test_same_view_and_seed_give_same_move(level):
    for view in views(PRESETS["muggins-200"].rules, 2, "2")[:3]:
        assert len({choose_move(view, level, 5) for _ in range(2)}) == 1


def test_beginner_often_plays_at_random():
    view = perspective(arrange(rules_of(), ["6-4 3-3 2-1 1-0 6-5", "5-3 5-4 2-0"]), 0)
    chosen = {str(choose_move(view, "beginner", seed)[0]) for seed in range(40)}
    assert len(chosen) == 5


@pytest.mark.parametrize("level", HEURISTIC_LEVELS[1:] + SEARCHING_LEVELS)
def test_higher_levels_take_many_points(level):
    match = play_moves(arrange(rules_of(), ["5-0 6-3 1-0", "5-5 2-0 4-2"], "6-6 3-3"), "5-0")
    assert answer(match, level) == ("5-5@L", None)


@pytest.mark.parametrize("level", SEARCHING_LEVELS)
def test_search_finds_a_move_against_heavy_hands(level):
    match = arrange(rules_of("draw"), ["6-0 5-1 2-2", "6-1 5-0", "6-6 6-5 5-5 6-4"], "4-4 3-3")
    assert answer(match, level)[0] is not None


@pytest.mark.parametrize("level", LEVELS)
def test_forced_draw_and_forced_pass(level):
    match = play_moves(arrange(rules_of(), ["6-5 1-0", "4-3 2-2"], "6-6 5-5"), "6-5")
    assert answer(match, level) == (str(DRAW), None)
    blocked = play_moves(arrange(rules_of("block"), ["6-5 6-0", "4-3 2-2"]), "6-5")
    assert answer(blocked, level) == (str(PASS), None)


@pytest.mark.parametrize("level", LEVELS[1:])
def test_points_are_claimed_correctly(level):
    match = play_moves(arrange(rules_of("muggins-200"), ["5-0 6-3 1-0", "5-5 2-0 4-2"], "6-6 3-3"), "5-0=5")
    assert answer(match, level) == ("5-5@L", 10)


def test_beginner_forgets_some_claims():
    match = play_moves(arrange(rules_of("muggins-200"), ["5-0 6-3 1-0", "5-5", "5-4"], "6-6 3-3"), "5-0")
    claims = [answer(match, "beginner", seed=seed)[1] for seed in range(60)]
    assert {None, 10} == set(claims)
    assert claims.count(10) > claims.count(None)


def unclaimed_lead():
    """Return a match in which seat 0 led 5-0 without claiming its 5 points; seat 1 is on turn."""
    return play_moves(
        arrange(rules_of("muggins-200"), ["5-0 6-3 1-0", "5-5 2-0 4-2", "6-6 4-3"], "3-3"), "5-0"
    )


@pytest.mark.parametrize("level", SEARCHING_LEVELS)
@pytest.mark.parametrize("seat", [1, 2])
def test_searching_levels_call_open_points(level, seat):
    assert answer(unclaimed_lead(), level, seat) == (str(MUGGINS), None)


@pytest.mark.parametrize("level", LEVELS)
def test_claimed_or_worthless_plays_are_not_called(level):
    match = arrange(rules_of("muggins-200"), ["5-0 6-3 1-0", "5-5 2-0 4-2", "6-6 4-3"], "3-3")
    assert answer(play_moves(match, "5-0=5"), level, 2) == (None, None)
    assert answer(play_moves(match, "6-3"), level, 2) == (None, None)


@pytest.mark.parametrize("level", LEVELS)
def test_wrong_claim_is_called_like_a_missing_one(level):
    match = arrange(rules_of("muggins-200"), ["5-0 6-3 1-0", "5-5 2-0 4-2", "6-6 4-3"], "3-3")
    wrong, none = play_moves(match, "5-0=10"), play_moves(match, "5-0")
    assert answer(wrong, level, 2) == answer(none, level, 2)


def test_stronger_levels_overlook_fewer_points():
    seen = dict.fromkeys(LEVELS, 0)
    for match in positions(PRESETS["muggins-200"].rules, 3, "3", rounds=30):
        for move in match.legal(match.turn)[:3]:
            if move.kind == "play" and worth(match, move):
                played = match.play(match.turn, move)
                for seat in range(3):
                    if played.may_call(seat):
                        view = perspective(played, seat)
                        for level in LEVELS:
                            seen[level] += should_call(view, level)
    assert seen["beginner"] < seen["casual"] < seen["club"] < seen["strong"] == seen["master"]
    assert seen["beginner"] > 0


def test_overlooked_points_stay_overlooked():
    view = perspective(unclaimed_lead(), 2)
    for level in HEURISTIC_LEVELS:
        assert len({choose_move(view, level, seed) for seed in range(20)}) == 1


def test_points_are_avoided_when_lowest_wins():
    rules = rules_of("muggins-200", lowest_wins=True)
    match = play_moves(arrange(rules, ["5-0 6-3 1-0", "5-5 6-0 5-2 5-4 2-0"], "6-6 3-3"), "5-0")
    for level in LEVELS[1:]:
        move, claim = answer(match, level)
        assert claim is None
    for level in ("casual", "club"):
        assert answer(match, level)[0] != "5-5@L"


@pytest.mark.parametrize(("score", "best"), [(50, ("4-1@R", 2)), (60, ("6-4@L", 1))])
@pytest.mark.parametrize("level", ["casual", "club", *SEARCHING_LEVELS])
def test_exact_target_ignores_points_past_it(level, score, best):
    """Prefer 6-4 (one point) over 4-1 (two points) at 60 of 61, where only one point can be given."""
    rules = rules_of("muggins-exact-61")
    hands = ["6-1 3-2 6-2 3-1", "4-1 6-4 2-0"]
    match = play_moves(arrange(rules, hands, "4-4 3-3", scores=[50, score]), "6-1")
    assert answer(match, level) == best


@pytest.mark.parametrize("preset", ["all-fives", "muggins-200-pairs"])
def test_higher_levels_beat_beginner(preset):
    """Win more than half of twelve matches. The seeds are fixed; `make strength` measures the real margin."""
    for level in ("casual", "club", "strong"):
        won = 0.0
        for share in shares_won(level, "beginner", PRESETS[preset].rules):
            won += share
            if won > 6:  # already decided
                break
        assert won > 6, level


def shares_won(one: str, other: str, rules: Rules) -> Iterator[float]:
    """Yield the share of each of twelve matches that the first level won; each deal is played twice, seats swapped."""
    for number in range(6):
        for swapped in (0, 1):
            players = [(one, other)[(seat + swapped) % 2] for seat in range(rules.players[0])]
            result = play_match(rules, players, f"worth:{number}").result
            yield sum(players[side] == one for side in result.winners) / len(result.winners)


def test_match_among_computers_is_repeatable():
    rules = PRESETS["gomuggins"].rules
    players = ["master", "casual", "strong"]
    rules = rules.replace(target=40)
    assert play_match(rules, players, "again") == play_match(rules, players, "again")
