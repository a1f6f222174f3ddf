"""Tests of claims and calls (docs/rules.md, "Claims")."""

import pytest

from boneyard.engine import moves
from boneyard.engine.errors import Illegal
from boneyard.engine.matches import Result
from boneyard.engine.moves import MUGGINS, RESIGN, TAKEOVER

from .positions import arrange, play_moves, rules_of

# After the lead 6-3, 6-6 makes a count of 15.
HANDS = ["6-3 6-5 1-1", "6-6 2-1 2-0"]


def play_for_15(claim="", preset="muggins-200", **changes):
    """Return a match in which seat 1 has made 15 points, claimed as in `claim`."""
    rules = rules_of(preset, **changes)
    return play_moves(arrange(rules, HANDS, "0-0 4-4"), "6-3", f"6-6@L{claim}")


def refused(match, seat, move=MUGGINS, claim=None):
    with pytest.raises(Illegal) as refusal:
        match.play(seat, move, claim)
    return refusal.value.code


def test_caller_gets_unclaimed_points():
    match = play_for_15().play(0, MUGGINS)
    assert match.scores == (15, 0)
    assert [entry.scored for entry in match.round.log] == [0, 0, 15]
    assert refused(match, 0) == "nothing_to_call"


def test_too_high_claim_leaves_points_callable():
    match = play_for_15("=20")
    assert match.scores == (0, 0)
    assert match.play(0, MUGGINS).scores == (15, 0)


def test_false_claim_costs_nothing():
    """Claim 5 for a play without points."""
    match = play_moves(arrange(rules_of("muggins-200"), HANDS, "0-0"), "6-3=5")
    assert match.scores == (0, 0)
    assert match.may_call(1)
    assert refused(match, 1) == "nothing_to_call"


def test_correct_claim_scores():
    match = play_for_15("=15")
    assert match.scores == (0, 15)
    assert match.round.log[-1].claim == 15
    assert refused(match, 0) == "nothing_to_call"


def test_claim_of_zero_equals_no_claim():
    match = play_for_15()
    assert match.play(0, MUGGINS) == play_for_15("=0").play(0, MUGGINS)
    assert play_for_15("=0").round.log[-1].claim is None


@pytest.mark.parametrize(("move", "boneyard"), [("draw", "0-0 4-4"), ("pass", "")])
def test_draw_or_pass_ends_the_call(move, boneyard):
    hands = ["6-4 1-1 2-2", "2-1 3-3", "6-2 0-0"]
    match = play_moves(arrange(rules_of("muggins-200"), hands, boneyard), "6-4")
    assert match.may_call(1) and match.may_call(2)
    match = play_moves(match, move)
    assert not match.may_call(1) and not match.may_call(2)
    assert refused(match, 2) == "nothing_to_call"


def test_next_play_ends_the_call():
    match = play_moves(play_for_15(), "6-5@L")
    assert refused(match, 0) == "nothing_to_call"
    assert match.may_call(1) and not match.may_call(0)


def test_partner_cannot_call():
    hands = ["6-4 1-1", "6-6 2-1", "6-5 2-2", "6-2 3-3"]
    match = play_moves(arrange(rules_of("muggins-200-pairs"), hands), "6-4")
    assert refused(match, 0) == "own_side"
    assert refused(match, 2) == "own_side"
    assert [match.may_call(seat) for seat in range(4)] == [False, True, False, True]
    assert match.play(3, MUGGINS).scores == (0, 10)


def test_first_call_gets_the_points():
    hands = ["6-4 1-1", "6-6 2-1", "6-5 2-2"]
    match = play_moves(arrange(rules_of("muggins-200"), hands), "6-4").play(2, MUGGINS)
    assert match.scores == (0, 0, 10)
    assert refused(match, 1) == "nothing_to_call"
    assert not match.may_call(1)


def test_leaving_does_not_end_the_call():
    # Only the next play, draw or pass ends it (docs/rules.md, "Claims").
    hands = ["6-4 1-1", "6-6 2-1", "6-5 2-2"]
    match = play_moves(arrange(rules_of("muggins-200"), hands), "6-4").play(1, RESIGN).play(0, TAKEOVER)
    assert match.play(2, MUGGINS).scores == (0, 0, 10)
    assert refused(match, 1) == "has_left"


def test_round_end_ends_the_call():
    rules = rules_of("muggins-200", call_last=False)
    match = play_moves(arrange(rules, ["6-6", "6-3 2-1"], leader=1), "6-3", "6-6@L")
    assert match.ended[-1].log[-1].points == 15
    assert match.scores == (5, 0)  # 3 pips to the nearest five
    assert refused(match, 1) == "nothing_to_call"
    assert not match.may_call(1)


def test_call_can_end_the_match():
    rules = rules_of("muggins-scoring-lead", target=15, lead_with="any")
    match = play_moves(arrange(rules, HANDS, "0-0"), "6-3", "6-6@L").play(0, MUGGINS)
    assert match.result == Result("target", (0,), (15, 0))
    assert match.ended[-1].end.how == "stopped"


def test_caller_cannot_exceed_exact_target():
    match = arrange(rules_of("muggins-exact-61"), HANDS, "0-0", scores=(60, 0))
    match = play_moves(match, "6-3", "6-6@L")
    assert match.callable_points() == 3
    assert refused(match, 0) == "nothing_to_call"


def test_points_past_exact_target_cannot_be_called():
    match = arrange(rules_of("muggins-exact-61"), HANDS, "0-0", scores=(0, 60))
    match = play_moves(match, "6-3", "6-6@L")
    assert match.callable_points() == 0
    assert refused(match, 0) == "nothing_to_call"


def test_correct_claim_past_exact_target_ends_the_call():
    match = arrange(rules_of("muggins-exact-61"), HANDS, "0-0", scores=(0, 60))
    match = play_moves(match, "6-3", "6-6@L=3")
    assert match.scores == (0, 60)
    assert refused(match, 0) == "nothing_to_call"


def test_claim_includes_out_points():
    rules = rules_of("muggins-200", out_points=1, out_bonus="none")
    match = arrange(rules, ["6-6", "6-3 2-1"], leader=1)
    assert play_moves(match, "6-3", "6-6@L=16").scores == (16, 0)
    assert play_moves(match, "6-3", "6-6@L=15").scores == (0, 0)


def test_refused_claims_and_calls():
    match = arrange(rules_of("muggins-200"), HANDS, "0-0")
    assert refused(match, 0) == "nothing_to_call"
    assert refused(match, 0, moves.parse("6-3"), -5) == "bad_claim"
    assert refused(match, 0, moves.DRAW, 5) == "claim_needs_play"
    assert refused(arrange(rules_of(), HANDS), 1) == "claims_off"
