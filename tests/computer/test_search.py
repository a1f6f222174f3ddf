"""Tests of the sampling search."""

from random import Random

from boneyard.computer.one_ply import best_by_heuristic
from boneyard.computer.search import SearchPlan, distinct_moves, moves_to_search, rank_moves, search
from boneyard.engine.perspective import perspective
from boneyard.engine.presets import PRESETS
from boneyard.engine.rounds import count_passes
from tests.engine.positions import arrange, play_moves, rules_of

from .tables import views

PLAN = SearchPlan(samples=60, work=10**9, reads_plays=True, by_chance=False, careful=True, stops_early=False)


def rank(view, **changes):
    return rank_moves(view, PLAN._replace(**changes), Random(1))


def moves_of(candidates):
    return [str(each.move) for each in candidates]


def test_equivalent_moves_are_searched_once():
    match = play_moves(arrange(rules_of(), ["5-5 1-0", "5-1 5-0 3-2"], "6-6"), "5-5")
    assert {str(move) for move in match.legal(1)} == {"5-1@L", "5-1@R", "5-0@L", "5-0@R"}
    assert [str(move) for move in distinct_moves(perspective(match, 1))] == ["5-0@L", "5-1@L"]


def test_every_move_gets_the_same_number_of_deals():
    view = perspective(arrange(rules_of(), ["6-4 3-3 2-1", "5-3 5-4 2-0"]), 0)
    assert [len(each.worths) for each in rank(view)] == [60] * 3


def test_best_move_comes_first():
    view = perspective(arrange(rules_of(), ["5-5 3-1 2-0", "5-3 5-4 2-1"], "6-6 6-5"), 0)
    candidates = rank(view)
    assert str(candidates[0].move) == "5-5"
    means = [sum(each.worths) for each in candidates]
    assert means == sorted(means, reverse=True)


def test_clearly_worse_moves_are_dropped():
    view = perspective(arrange(rules_of(), ["5-5 3-1 2-0", "5-3 5-4 2-1"], "6-6 6-5"), 0)
    kept = rank(view, stops_early=True)
    assert moves_of(kept)[0] == moves_of(rank(view))[0]
    assert len(kept) < 3


def test_margin_keeps_the_heuristic_move_unless_clearly_beaten():
    overruled = 0
    for view in views(PRESETS["block"].rules, 2, "4", rounds=4):
        best, *others = rank(view)
        first = best_by_heuristic(view)
        if not others or best.move == first:
            continue
        made = {margin: search(view, PLAN._replace(margin=margin), Random(1)) for margin in (0.0, 1.0, 99.0)}
        assert made[0.0] == best.move and made[99.0] == first
        assert made[1.0] in (first, best.move)
        overruled += made[1.0] == best.move
    assert overruled


def test_work_limit_still_tries_one_deal():
    view = perspective(arrange(rules_of(), ["6-4 3-3 2-1", "5-3 5-4 2-0"]), 0)
    assert [len(each.worths) for each in rank(view, work=0)] == [1] * 3


def test_very_many_moves_are_reduced_to_the_best_by_heuristic():
    rules = PRESETS["gomuggins"].rules.replace(
        set=12, max_same_suit=None, hand_size={"2": 40, "3": 20, "4": 20}
    )
    many = max(views(rules, 2, "1"), key=lambda view: len(view.legal))
    assert len(distinct_moves(many)) > 32
    assert len(moves_to_search(many)) == 32
    assert set(moves_to_search(many)) <= set(many.legal)


def test_double_twelve_stays_within_the_work_limit():
    rules = rules_of(set=12, hand_size={"2": 15, "3": 15, "4": 15})
    view = max(views(rules, 4, "1"), key=lambda view: len(distinct_moves(view)))
    few, more = rank(view, work=50_000), rank(view, work=200_000, samples=10**6)
    assert 1 <= len(few[0].worths) < len(more[0].worths) < 10**6


def test_consecutive_passes_are_counted():
    rules = rules_of("block", pass_="free")
    match = play_moves(arrange(rules, ["6-5 6-0", "5-3 2-2", "6-3 1-1"]), "6-5", "pass")
    assert count_passes(perspective(match, 2).log, frozenset()) == 1
    assert count_passes(perspective(match, 2).log, frozenset({1})) == 0
    assert count_passes(perspective(play_moves(match, "6-3@L"), 0).log, frozenset()) == 0


def test_candidates_near_an_exact_target():
    rules = rules_of("fives-and-threes-league")
    match = arrange(rules, ["6-5 6-4 3-1", "6-1 5-2 4-4"], scores=[40, 60])
    match = play_moves(match, "6-5")
    # 6-1 at the 6 counts 6: 2 points would be too much; 5-2 at the 5 counts 8: nothing.
    candidates = rank(perspective(match, 1), by_chance=True)
    assert set(moves_of(candidates)) == {"6-1@L", "5-2@R"}
