"""When a match ends, and who has won it (docs/rules.md, "The end of the match")."""

import pytest

from games.engine.errors import Illegal
from games.engine.matches import MAX_ROUNDS, Result, begin
from games.engine.moves import ABORT, ABSENT, DRAW, MUGGINS, PASS, RESIGN, TAKEOVER, TIME

from .arranging import SECRET, after, arrange, legal_of, rules_of
from .strategies import played


def test_a_round_is_played_out_before_the_scores_are_looked_at():
    match = arrange(rules_of(), ["6-4 5-5", "6-2"], scores=(95, 98))
    assert after(match, "6-4", "6-2@L").result == Result("target", (1,), (105, 108))


def test_at_once_ends_within_the_round():
    match = arrange(rules_of(finish="at_once"), ["6-4 5-5", "6-2"], scores=(95, 98))
    match = after(match, "6-4")
    assert match.result == Result("target", (0,), (105, 98))
    assert match.ended[-1].end == ("stopped", None, (10, 8), (0, 0), ())
    assert (match.turn, match.legal(0), match.legal(1), match.legal(match.turn)) == (None, (), (), ())


def test_the_last_tile_that_reaches_the_target_at_once_stops_the_round():
    match = arrange(rules_of(finish="at_once"), ["6-4", "6-2"], scores=(95, 98))
    match = after(match, "6-4")
    assert match.ended[-1].end == ("stopped", None, (0, 8), (0, 0), ())
    assert match.result == Result("target", (0,), (105, 98))


@pytest.mark.parametrize(
    ("score", "last", "becomes", "ends"), [(59, "5-0@R", 59, False), (60, "5-1@R", 61, True)]
)
def test_out_points_and_an_exact_target(score, last, becomes, ends):
    match = arrange(rules_of("fives-and-threes-league"), [last[:3], "6-5 4-4"], leader=1, scores=(score, 0))
    match = after(match, "6-5", last)
    assert match.ended[-1].scores[0] == becomes
    assert (match.result is not None) is ends


def test_only_the_pair_that_made_more_is_given_the_difference():
    rules = rules_of("fives-and-threes-pairs", out_points=0)
    match = arrange(rules, ["6-1", "6-2", "6-3", "6-4"], scores=(18, 11))
    match = after(match, "6-1")
    assert match.ended[-1].scores == match.scores == (7, 0)


def test_past_a_target_that_need_not_be_hit():
    match = arrange(rules_of("fives-and-threes"), ["6-6 1-0", "6-3 5-4"], leader=1, scores=(30, 0))
    assert after(match, "6-3", "6-6@L").result == Result("target", (0,), (38, 3))


def test_a_bonus_that_reaches_the_target_ends_the_round_first():
    match = arrange(rules_of(finish="at_once"), ["6-5", "6-4 5-5"], scores=(80, 0))
    match = after(match, "6-5")
    assert match.ended[-1].end == ("out", 0, (0, 20), (20, 0), ())
    assert match.result == Result("target", (0,), (100, 0))


def test_the_lowest_score_wins():
    match = arrange(rules_of(lowest_wins=True), ["6-5", "6-4 5-5"], scores=(80, 99))
    assert after(match, "6-5").result == Result("target", (1,), (100, 99))


def tied(rules):
    """Two seats that tie at the target when the round ends."""
    return after(arrange(rules, ["6-5", "6-4 5-5"], scores=(80, 100)), "6-5")


def test_a_tie_at_the_finish_is_played_off():
    match = tied(rules_of())
    assert match.result is None
    assert (match.round.number, match.extra) == (2, 1)


def test_a_tie_may_be_played_off_in_as_many_rounds_as_there_are_seats():
    match = tied(rules_of(extra_rounds="players"))
    assert match.extra == 2
    match = played(match, seed=1, rounds=2)
    assert match.result is None and match.extra == 1
    match = played(match, seed=1, rounds=3)
    assert match.result is not None or match.extra == 2


def test_a_tie_at_once_is_played_off_in_one_round():
    match = tied(rules_of(finish="at_once", extra_rounds="players"))
    assert match.extra == 1


def test_in_the_round_that_plays_off_a_tie_the_first_to_score_wins_at_once():
    """Decided: with `at_once` a side that has the target and is alone the best has won."""
    match = arrange(rules_of(finish="at_once"), ["6-4 1-1", "6-2 3-3"], scores=(105, 105))
    assert after(match, "6-4").result == Result("target", (0,), (115, 105))


def test_reaching_the_target_behind_a_tie_decides_nothing():
    """Decided: the best score wins, and two others share it."""
    match = arrange(rules_of(finish="at_once"), ["6-4 1-1", "6-2 3-3", "6-5 2-2"], scores=(90, 105, 105))
    assert after(match, "6-4").result is None


def test_who_has_not_the_target_ends_nothing_by_scoring():
    """Seat 1 was level with seat 0 until it left; the round that plays this off is still played."""
    rules = rules_of(finish="at_once")
    match = arrange(rules, ["6-5 1-1", "6-2 3-3", "6-4 2-2"], leader=2, scores=(105, 105, 40))
    match = after(match.play(1, RESIGN), "6-4")
    assert (match.result, match.scores) == (None, (105, 105, 50))


def test_who_reaches_the_target_behind_one_better_ends_the_match_for_it():
    rules = rules_of(finish="at_once")
    match = arrange(rules, ["6-5 1-1", "6-2 3-3", "6-4 2-2"], leader=2, scores=(105, 105, 90))
    match = after(match.play(1, RESIGN), "6-4")
    assert match.result == Result("target", (0,), (105, 105, 100))


def test_round_1000_is_the_last():
    match = arrange(rules_of(), ["6-5", "6-4 2-2"], scores=(3, 17), number=MAX_ROUNDS)
    match = after(match, "6-5")
    assert match.result == Result("rounds", (0, 1), (17, 17))
    assert match.ended[-1].end.how == "out"


def test_round_1000_may_reach_the_target():
    match = arrange(rules_of(), ["6-5", "6-4 5-5"], scores=(80, 17), number=MAX_ROUNDS)
    assert after(match, "6-5").result == Result("target", (0,), (100, 17))


def test_rules_by_which_nobody_can_win_end_after_1000_rounds():
    rules = rules_of("fives-and-threes-league", players=[2], out_points=0, count="fives", target=61)
    match = played(begin(rules, 2, SECRET, "."), seed=3)
    assert match.result is not None and match.result.how == "rounds"
    assert len(match.ended) == MAX_ROUNDS


@pytest.mark.parametrize(("move", "how"), [(RESIGN, "resigned"), (TIME, "time"), (ABSENT, "left")])
def test_of_two_sides_the_other_wins_at_once(move, how):
    match = arrange(rules_of(), ["6-5 1-0", "6-4 5-5"], scores=(80, 17)).play(0, move)
    assert match.result == Result(how, (1,), (80, 17))
    assert match.ended[-1].end == ("stopped", None, (12, 20), (0, 0), ())


def test_who_resigns_need_not_be_on_turn():
    match = arrange(rules_of(), ["6-5 1-0", "6-4 5-5"]).play(1, RESIGN)
    assert match.result == Result("resigned", (0,), (0, 0))


def test_a_pair_leaves_together():
    match = arrange(rules_of("draw-free-pairs"), ["6-5 1-0", "6-4", "6-3", "6-2"]).play(2, ABSENT)
    assert match.result == Result("left", (1,), (0, 0))


def test_of_three_the_others_play_on_until_one_is_left():
    match = arrange(rules_of(), ["6-5 1-0", "6-4 5-5", "6-3 2-0"], "4-4 3-3")
    match = match.play(0, RESIGN)
    assert (match.result, match.turn, match.gone) == (None, 1, frozenset({0}))
    match = after(match, "6-4", "6-3@L")
    # Seat 0 is passed over.
    assert match.turn == 1
    match = match.play(2, TIME)
    assert match.result == Result("time", (1,), (0, 10, 0))


def test_a_round_that_is_blocked_when_somebody_leaves_ends():
    match = arrange(rules_of("block"), ["6-1 5-5", "6-4 2-0", "3-3 3-2"])
    match = after(match, "6-1")
    assert match.turn == 1
    match = match.play(1, ABSENT)
    ended = match.ended[-1]
    assert ended.end.how == "blocked"
    # The hand that stays on the table counts as a hand: 10 and 12 of seat 1 against 11 of seat 2.
    assert ended.end == ("blocked", 0, (10, 12, 11), (23, 0, 0), ())
    assert (match.round.number, match.gone) == (2, frozenset({1}))


def test_a_leaver_out_of_turn_may_block_the_round_too():
    """Decided: docs/rules.md, "The turn" asks nobody to pass in a blocked round, whoever made it so."""
    match = after(arrange(rules_of("block"), ["6-1 5-5", "4-4 2-0", "6-4 3-3"]), "6-1")
    assert legal_of(match) == {"pass"}
    assert match.play(2, ABSENT).ended[-1].end.how == "blocked"


def test_later_deals_are_dealt_to_who_left_and_its_turns_passed_over():
    match = played(begin(rules_of("block"), 4, SECRET, "..."), seed=5, rounds=1).play(2, RESIGN)
    match = played(match, seed=6, rounds=4)
    for ended in match.ended[1:]:
        assert len(ended.hands[2]) == 5
        assert ended.leader != 2
        assert {entry.seat for entry in ended.log if entry.move is not RESIGN} <= {0, 1, 3}
        assert ended.end.winner != 2 and ended.end.bonus[2] == 0


def test_who_left_does_nothing_more():
    match = arrange(rules_of(), ["6-5 1-0", "6-4 5-5", "6-3 2-0"]).play(0, RESIGN)
    for move in (RESIGN, ABSENT, TAKEOVER, ABORT, DRAW, PASS):
        with pytest.raises(Illegal) as refusal:
            match.play(0, move)
        assert refusal.value.code == "has_left"


def test_nothing_is_done_after_the_end():
    match = arrange(rules_of(), ["6-5 1-0", "6-4 5-5"]).play(0, RESIGN)
    for move in (RESIGN, TAKEOVER, ABORT, MUGGINS, DRAW, PASS):
        with pytest.raises(Illegal) as refusal:
            match.play(1, move)
        assert refusal.value.code == "over"


@pytest.mark.parametrize("seat", [-1, 2, 99])
def test_there_are_no_other_seats(seat):
    match = arrange(rules_of(), ["6-5 1-0", "6-4 5-5"])
    assert match.legal(seat) == ()
    for move in (RESIGN, TAKEOVER, ABORT, DRAW, PASS):
        with pytest.raises(Illegal) as refusal:
            match.play(seat, move)
        assert refusal.value.code == "no_such_seat"


def test_an_abort_ends_the_match_without_a_winner():
    match = arrange(rules_of(), ["6-5 1-0", "6-4 5-5"], scores=(5, 10)).play(1, ABORT)
    assert match.result == Result("aborted", (), (5, 10))
    assert match.ended[-1].end.how == "stopped"
    assert match.move_count == 1


def test_after_ones_first_play_aborting_is_too_late():
    match = after(arrange(rules_of(), ["6-5 1-0", "6-4 5-5"]), "6-5")
    with pytest.raises(Illegal) as refusal:
        match.play(0, ABORT)
    assert refusal.value.code == "too_late_to_abort"
    assert match.has_played(0) and not match.has_played(1)
    assert match.play(1, ABORT).result.how == "aborted"


def test_a_takeover_changes_nothing_else():
    match = arrange(rules_of(), ["6-5 1-0", "6-4 5-5"])
    taken = match.play(1, TAKEOVER)
    assert taken.move_count == match.move_count + 1
    assert (taken.turn, taken.scores, taken.round.hands) == (match.turn, match.scores, match.round.hands)
    assert taken.legal(0) == match.legal(0)


def test_a_round_that_is_stopped_is_netted_too():
    """docs/record.md: with `team_difference` the scores after a round are after netting."""
    rules = rules_of("fives-and-threes-pairs")
    match = arrange(rules, ["6-1", "6-2", "6-3", "6-4"], scores=(18, 11)).play(0, RESIGN)
    assert match.result == Result("resigned", (1,), (7, 0))
