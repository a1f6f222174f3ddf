"""Tests of the end of a match and its winner (docs/rules.md, "The end of the match")."""

import pytest

from boneyard.engine.errors import Illegal
from boneyard.engine.matches import MAX_ROUNDS, Result, begin
from boneyard.engine.moves import ABORT, ABSENT, DRAW, MUGGINS, PASS, RESIGN, TAKEOVER, TIME
from boneyard.engine.round_ends import RoundEnd

from .positions import SECRET, arrange, legal_of, play_moves, rules_of
from .strategies import play_out


def test_round_end_compares_scores_after_the_round():
    match = arrange(rules_of(), ["6-4 5-5", "6-2"], scores=(95, 98))
    assert play_moves(match, "6-4", "6-2@L").result == Result("target", (1,), (105, 108))


def test_at_once_ends_the_match_within_the_round():
    match = arrange(rules_of(finish="at_once"), ["6-4 5-5", "6-2"], scores=(95, 98))
    match = play_moves(match, "6-4")
    assert match.result == Result("target", (0,), (105, 98))
    assert match.ended[-1].end[:4] == RoundEnd("stopped", None, (10, 8), (0, 0))[:4]
    assert (match.turn, match.legal(0), match.legal(1), match.legal(match.turn)) == (None, (), (), ())


def test_last_tile_at_target_stops_the_round():
    match = arrange(rules_of(finish="at_once"), ["6-4", "6-2"], scores=(95, 98))
    match = play_moves(match, "6-4")
    assert match.ended[-1].end[:4] == RoundEnd("stopped", None, (0, 8), (0, 0))[:4]
    assert match.result == Result("target", (0,), (105, 98))


@pytest.mark.parametrize(
    ("score", "last", "becomes", "ends"), [(59, "5-0@R", 59, False), (60, "5-1@R", 61, True)]
)
def test_out_points_with_exact_target(score, last, becomes, ends):
    match = arrange(rules_of("fives-and-threes-league"), [last[:3], "6-5 4-4"], leader=1, scores=(score, 0))
    match = play_moves(match, "6-5", last)
    assert match.ended[-1].scores[0] == becomes
    assert (match.result is not None) is ends


def test_team_difference_goes_to_the_better_pair():
    rules = rules_of("fives-and-threes-pairs", out_points=0)
    match = arrange(rules, ["6-1", "6-2", "6-3", "6-4"], scores=(18, 11))
    match = play_moves(match, "6-1")
    assert match.ended[-1].scores == match.scores == (7, 0)


def test_target_may_be_exceeded():
    match = arrange(rules_of("fives-and-threes"), ["6-6 1-0", "6-3 5-4"], leader=1, scores=(30, 0))
    assert play_moves(match, "6-3", "6-6@L").result == Result("target", (0,), (38, 3))


def test_bonus_at_target_ends_the_round_first():
    match = arrange(rules_of(finish="at_once"), ["6-5", "6-4 5-5"], scores=(80, 0))
    match = play_moves(match, "6-5")
    assert match.ended[-1].end[:4] == RoundEnd("out", 0, (0, 20), (20, 0))[:4]
    assert match.result == Result("target", (0,), (100, 0))


def test_lowest_score_wins():
    match = arrange(rules_of(lowest_wins=True), ["6-5", "6-4 5-5"], scores=(80, 99))
    assert play_moves(match, "6-5").result == Result("target", (1,), (100, 99))


def tied_match(rules):
    """Return a match in which two seats tie at the target when the round ends."""
    return play_moves(arrange(rules, ["6-5", "6-4 5-5"], scores=(80, 100)), "6-5")


def test_tie_adds_one_round():
    match = tied_match(rules_of())
    assert match.result is None
    assert (match.round.number, match.extra) == (2, 1)


def test_tie_adds_one_round_per_seat():
    match = tied_match(rules_of(extra_rounds="players"))
    assert match.extra == 2
    match = play_out(match, seed=1, rounds=2)
    assert match.result is None and match.extra == 1
    match = play_out(match, seed=1, rounds=3)
    assert match.result is not None or match.extra == 2


def test_tie_with_at_once_adds_one_round():
    match = tied_match(rules_of(finish="at_once", extra_rounds="players"))
    assert match.extra == 1


def test_first_to_score_wins_the_playoff_at_once():
    # With `at_once` a side with the target and the only best score wins.
    match = arrange(rules_of(finish="at_once"), ["6-4 1-1", "6-2 3-3"], scores=(105, 105))
    assert play_moves(match, "6-4").result == Result("target", (0,), (115, 105))


def test_target_behind_a_tie_does_not_end_the_match():
    # The best score wins, and two others share it.
    match = arrange(rules_of(finish="at_once"), ["6-4 1-1", "6-2 3-3", "6-5 2-2"], scores=(90, 105, 105))
    assert play_moves(match, "6-4").result is None


def test_scoring_below_target_does_not_end_the_match():
    # Seat 1 tied with seat 0 until it left; the extra round is still played.
    rules = rules_of(finish="at_once")
    match = arrange(rules, ["6-5 1-1", "6-2 3-3", "6-4 2-2"], leader=2, scores=(105, 105, 40))
    match = play_moves(match.play(1, RESIGN), "6-4")
    assert (match.result, match.scores) == (None, (105, 105, 50))


def test_reaching_target_ends_the_match_for_the_best():
    rules = rules_of(finish="at_once")
    match = arrange(rules, ["6-5 1-1", "6-2 3-3", "6-4 2-2"], leader=2, scores=(105, 105, 90))
    match = play_moves(match.play(1, RESIGN), "6-4")
    assert match.result == Result("target", (0,), (105, 105, 100))


def test_round_1000_is_the_last():
    match = arrange(rules_of(), ["6-5", "6-4 2-2"], scores=(3, 17), number=MAX_ROUNDS)
    match = play_moves(match, "6-5")
    assert match.result == Result("rounds", (0, 1), (17, 17))
    assert match.ended[-1].end.how == "out"


def test_round_1000_may_reach_the_target():
    match = arrange(rules_of(), ["6-5", "6-4 5-5"], scores=(80, 17), number=MAX_ROUNDS)
    assert play_moves(match, "6-5").result == Result("target", (0,), (100, 17))


def test_unwinnable_match_ends_after_1000_rounds():
    rules = rules_of("fives-and-threes-league", players=[2], out_points=0, count="fives", target=61)
    match = play_out(begin(rules, 2, SECRET, "."), seed=3)
    assert match.result is not None and match.result.how == "rounds"
    assert len(match.ended) == MAX_ROUNDS


@pytest.mark.parametrize(("move", "how"), [(RESIGN, "resigned"), (TIME, "time"), (ABSENT, "left")])
def test_leaving_with_two_sides_ends_the_match(move, how):
    match = arrange(rules_of(), ["6-5 1-0", "6-4 5-5"], scores=(80, 17)).play(0, move)
    assert match.result == Result(how, (1,), (80, 17))
    assert match.ended[-1].end[:4] == RoundEnd("stopped", None, (12, 20), (0, 0))[:4]


def test_resigning_out_of_turn():
    match = arrange(rules_of(), ["6-5 1-0", "6-4 5-5"]).play(1, RESIGN)
    assert match.result == Result("resigned", (0,), (0, 0))


def test_leaving_ends_the_match_for_the_pair():
    match = arrange(rules_of("draw-free-pairs"), ["6-5 1-0", "6-4", "6-3", "6-2"]).play(2, ABSENT)
    assert match.result == Result("left", (1,), (0, 0))


def test_with_three_sides_the_others_play_on():
    match = arrange(rules_of(), ["6-5 1-0", "6-4 5-5", "6-3 2-0"], "4-4 3-3")
    match = match.play(0, RESIGN)
    assert (match.result, match.turn, match.gone) == (None, 1, frozenset({0}))
    match = play_moves(match, "6-4", "6-3@L")
    # Seat 0 is skipped.
    assert match.turn == 1
    match = match.play(2, TIME)
    assert match.result == Result("time", (1,), (0, 10, 0))


def test_leaving_can_block_the_round():
    match = arrange(rules_of("block"), ["6-1 5-5", "6-4 2-0", "3-3 3-2"])
    match = play_moves(match, "6-1")
    assert match.turn == 1
    match = match.play(1, ABSENT)
    ended = match.ended[-1]
    assert ended.end.how == "blocked"
    # The hand of the gone seat still counts: seat 0 wins 12 + 11.
    assert ended.end[:4] == RoundEnd("blocked", 0, (10, 12, 11), (23, 0, 0))[:4]
    assert (match.round.number, match.gone) == (2, frozenset({1}))


def test_leaving_out_of_turn_can_block_the_round():
    # Nobody passes in a blocked round, however it became blocked (docs/rules.md, "The turn").
    match = play_moves(arrange(rules_of("block"), ["6-1 5-5", "4-4 2-0", "6-4 3-3"]), "6-1")
    assert legal_of(match) == {"pass"}
    assert match.play(2, ABSENT).ended[-1].end.how == "blocked"


def test_gone_seats_are_dealt_tiles_but_skipped():
    match = play_out(begin(rules_of("block"), 4, SECRET, "..."), seed=5, rounds=1).play(2, RESIGN)
    match = play_out(match, seed=6, rounds=4)
    for ended in match.ended[1:]:
        assert len(ended.hands[2]) == 5
        assert ended.leader != 2
        assert {entry.seat for entry in ended.log if entry.move is not RESIGN} <= {0, 1, 3}
        assert ended.end.winner != 2 and ended.end.bonus[2] == 0


def test_moves_of_gone_seats_are_refused():
    match = arrange(rules_of(), ["6-5 1-0", "6-4 5-5", "6-3 2-0"]).play(0, RESIGN)
    for move in (RESIGN, ABSENT, TAKEOVER, ABORT, DRAW, PASS):
        with pytest.raises(Illegal) as refusal:
            match.play(0, move)
        assert refusal.value.code == "has_left"


def test_moves_after_the_end_are_refused():
    match = arrange(rules_of(), ["6-5 1-0", "6-4 5-5"]).play(0, RESIGN)
    for move in (RESIGN, TAKEOVER, ABORT, MUGGINS, DRAW, PASS):
        with pytest.raises(Illegal) as refusal:
            match.play(1, move)
        assert refusal.value.code == "over"


@pytest.mark.parametrize("seat", [-1, 2, 99])
def test_unknown_seats_are_refused(seat):
    match = arrange(rules_of(), ["6-5 1-0", "6-4 5-5"])
    assert match.legal(seat) == ()
    for move in (RESIGN, TAKEOVER, ABORT, DRAW, PASS):
        with pytest.raises(Illegal) as refusal:
            match.play(seat, move)
        assert refusal.value.code == "no_such_seat"


def test_abort_has_no_winner():
    match = arrange(rules_of(), ["6-5 1-0", "6-4 5-5"], scores=(5, 10)).play(1, ABORT)
    assert match.result == Result("aborted", (), (5, 10))
    assert match.ended[-1].end.how == "stopped"
    assert match.move_count == 1


def test_abort_after_own_first_play_is_refused():
    match = play_moves(arrange(rules_of(), ["6-5 1-0", "6-4 5-5"]), "6-5")
    with pytest.raises(Illegal) as refusal:
        match.play(0, ABORT)
    assert refusal.value.code == "too_late_to_abort"
    assert match.has_played(0) and not match.has_played(1)
    assert match.play(1, ABORT).result.how == "aborted"


def test_takeover_changes_only_the_log():
    match = arrange(rules_of(), ["6-5 1-0", "6-4 5-5"])
    taken = match.play(1, TAKEOVER)
    assert taken.move_count == match.move_count + 1
    assert (taken.turn, taken.scores, taken.round.hands) == (match.turn, match.scores, match.round.hands)
    assert taken.legal(0) == match.legal(0)


def test_team_difference_applies_to_stopped_rounds():
    # With `team_difference` the scores in a record are those after netting (docs/record.md).
    rules = rules_of("fives-and-threes-pairs")
    match = arrange(rules, ["6-1", "6-2", "6-3", "6-4"], scores=(18, 11)).play(0, RESIGN)
    assert match.result == Result("resigned", (1,), (7, 0))
