"""Claims (docs/rules.md, "Claims")."""

import pytest

from games.engine import moves
from games.engine.errors import Illegal
from games.engine.matches import Result
from games.engine.moves import MUGGINS, RESIGN, TAKEOVER

from .arranging import after, arrange, rules_of

# 6-3 is led, 6-6 makes 15.
HANDS = ["6-3 6-5 1-1", "6-6 2-1 2-0"]


def made(claim="", preset="muggins-200", **changes):
    """Seat 1 has made 15 and claimed so."""
    rules = rules_of(preset, **changes)
    return after(arrange(rules, HANDS, "0-0 4-4"), "6-3", f"6-6@L{claim}")


def refused(match, seat, move=MUGGINS, claim=None):
    with pytest.raises(Illegal) as refusal:
        match.play(seat, move, claim)
    return refusal.value.code


def test_a_play_that_nobody_claims_is_the_callers():
    match = made().play(0, MUGGINS)
    assert match.scores == (15, 0)
    assert [entry.scored for entry in match.round.log] == [0, 0, 15]
    assert refused(match, 0) == "nothing_to_call"


def test_a_claim_too_high_scores_nothing_and_leaves_the_points_open():
    match = made("=20")
    assert match.scores == (0, 0)
    assert match.play(0, MUGGINS).scores == (15, 0)


def test_a_claim_for_nothing_costs_nothing():
    """A claim of 5 for a play worth nothing."""
    match = after(arrange(rules_of("muggins-200"), HANDS, "0-0"), "6-3=5")
    assert match.scores == (0, 0)
    assert match.may_call(1)
    assert refused(match, 1) == "nothing_to_call"


def test_a_good_claim_scores():
    match = made("=15")
    assert match.scores == (0, 15)
    assert match.round.log[-1].claim == 15
    assert refused(match, 0) == "nothing_to_call"


def test_no_claim_is_a_claim_of_nothing():
    match = made()
    assert match.play(0, MUGGINS) == made("=0").play(0, MUGGINS)
    assert made("=0").round.log[-1].claim is None


@pytest.mark.parametrize(("move", "boneyard"), [("draw", "0-0 4-4"), ("pass", "")])
def test_a_draw_or_a_pass_lets_it_lapse(move, boneyard):
    hands = ["6-4 1-1 2-2", "2-1 3-3", "6-2 0-0"]
    match = after(arrange(rules_of("muggins-200"), hands, boneyard), "6-4")
    assert match.may_call(1) and match.may_call(2)
    match = after(match, move)
    assert not match.may_call(1) and not match.may_call(2)
    assert refused(match, 2) == "nothing_to_call"


def test_the_next_play_lets_it_lapse():
    match = after(made(), "6-5@L")
    assert refused(match, 0) == "nothing_to_call"
    assert match.may_call(1) and not match.may_call(0)


def test_a_partner_calls_in_vain():
    hands = ["6-4 1-1", "6-6 2-1", "6-5 2-2", "6-2 3-3"]
    match = after(arrange(rules_of("muggins-200-pairs"), hands), "6-4")
    assert refused(match, 0) == "own_side"
    assert refused(match, 2) == "own_side"
    assert [match.may_call(seat) for seat in range(4)] == [False, True, False, True]
    assert match.play(3, MUGGINS).scores == (0, 10)


def test_the_first_call_takes_them():
    hands = ["6-4 1-1", "6-6 2-1", "6-5 2-2"]
    match = after(arrange(rules_of("muggins-200"), hands), "6-4").play(2, MUGGINS)
    assert match.scores == (0, 0, 10)
    assert refused(match, 1) == "nothing_to_call"
    assert not match.may_call(1)


def test_leaving_lets_nothing_lapse():
    """Decided: docs/rules.md, "Claims" names the next play, draw or pass."""
    hands = ["6-4 1-1", "6-6 2-1", "6-5 2-2"]
    match = after(arrange(rules_of("muggins-200"), hands), "6-4").play(1, RESIGN).play(0, TAKEOVER)
    assert match.play(2, MUGGINS).scores == (0, 0, 10)
    assert refused(match, 1) == "has_left"


def test_points_still_open_when_the_round_ends_lapse():
    match = after(arrange(rules_of("muggins-200"), ["6-6", "6-3 2-1"], leader=1), "6-3", "6-6@L")
    assert match.ended[-1].log[-1].points == 15
    assert match.scores == (5, 0)  # 3 pips to the nearest five
    assert refused(match, 1) == "nothing_to_call"
    assert not match.may_call(1)


def test_a_call_that_reaches_the_target_ends_the_match():
    rules = rules_of("muggins-scoring-lead", target=15, lead_with="any")
    match = after(arrange(rules, HANDS, "0-0"), "6-3", "6-6@L").play(0, MUGGINS)
    assert match.result == Result("target", (0,), (15, 0))
    assert match.ended[-1].end.how == "stopped"


def test_points_that_the_caller_could_not_be_given_cannot_be_called():
    match = arrange(rules_of("muggins-exact-61"), HANDS, "0-0", scores=(60, 0))
    match = after(match, "6-3", "6-6@L")
    assert match.callable_points() == 3
    assert refused(match, 0) == "nothing_to_call"


def test_points_that_their_player_could_not_be_given_lie_open_to_nobody():
    match = arrange(rules_of("muggins-exact-61"), HANDS, "0-0", scores=(0, 60))
    match = after(match, "6-3", "6-6@L")
    assert match.callable_points() == 0
    assert refused(match, 0) == "nothing_to_call"


def test_a_good_claim_past_an_exact_target_leaves_nothing_open():
    match = arrange(rules_of("muggins-exact-61"), HANDS, "0-0", scores=(0, 60))
    match = after(match, "6-3", "6-6@L=3")
    assert match.scores == (0, 60)
    assert refused(match, 0) == "nothing_to_call"


def test_out_points_are_claimed_with_the_rest():
    rules = rules_of("muggins-200", out_points=1, out_bonus="none")
    match = arrange(rules, ["6-6", "6-3 2-1"], leader=1)
    assert after(match, "6-3", "6-6@L=16").scores == (16, 0)
    assert after(match, "6-3", "6-6@L=15").scores == (0, 0)


def test_claims_and_calls_that_are_refused():
    match = arrange(rules_of("muggins-200"), HANDS, "0-0")
    assert refused(match, 0) == "nothing_to_call"
    assert refused(match, 0, moves.parse("6-3"), -5) == "bad_claim"
    assert refused(match, 0, moves.DRAW, 5) == "claim_needs_play"
    assert refused(arrange(rules_of(), HANDS), 1) == "claims_off"
