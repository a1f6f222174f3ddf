"""Tests of turns (docs/rules.md, "The turn")."""

import pytest

from boneyard.engine import moves
from boneyard.engine.dealing import lead_winning_tile
from boneyard.engine.errors import Illegal
from boneyard.engine.round_ends import RoundEnd
from boneyard.engine.tiles import NAMES

from .positions import arrange, legal_of, names_of, play_moves, rules_of, tiles_of


def refused(match, text, claim=None, seat=None):
    """Return the code with which a move is refused."""
    with pytest.raises(Illegal) as refusal:
        match.play(match.turn if seat is None else seat, moves.parse(text), claim)
    return refusal.value.code


def test_reserve_is_not_drawn():
    rules = rules_of("draw", reserve={"2": 2, "3": 2, "4": 2})
    match = play_moves(arrange(rules, ["6-5 6-4", "3-3 2-1"], "0-0 1-1 4-4"), "6-5")
    assert legal_of(match) == {"draw"}
    assert refused(match, "pass") == "must_draw"
    match = play_moves(match, "draw")
    assert legal_of(match) == {"pass"}
    assert refused(match, "draw") == "boneyard_reserved"
    assert names_of(match.round.boneyard) == "1-1 4-4"
    assert names_of(match.round.held(1)) == "3-3 2-1 0-0"


def test_draw_by_choice():
    hands = ["6-5 6-4", "5-3 2-1"]
    match = play_moves(arrange(rules_of("draw"), hands, "0-0 1-1"), "6-5")
    assert refused(match, "draw") == "can_play"
    assert legal_of(match) == {"5-3@R"}
    match = play_moves(arrange(rules_of("draw", draw="free"), hands, "0-0 1-1"), "6-5")
    assert legal_of(match) == {"5-3@R", "draw"}
    match = play_moves(match, "draw", "draw")
    assert refused(match, "draw") == "boneyard_empty"
    assert legal_of(match) == {"5-3@R"}


def test_drawn_tile_that_fits_must_be_played():
    match = play_moves(arrange(rules_of("draw"), ["6-5 6-4", "2-1"], "3-3 6-6 0-0"), "6-5", "draw", "draw")
    assert legal_of(match) == {"6-6@L"}
    assert refused(match, "draw") == "can_play"
    assert refused(match, "pass") == "can_play"


@pytest.mark.parametrize(
    ("hands", "named"), [(["4-4 2-1", "2-2 6-5"], "4-4"), (["6-3 1-0", "5-4 3-2"], "6-3")]
)
def test_highest_double_leads(hands, named):
    held = [tile for hand in hands for tile in tiles_of(hand)]
    assert NAMES[lead_winning_tile("highest_double", held)] == named
    match = arrange(rules_of("muggins-61"), hands, leader=0, named=named)
    assert legal_of(match) == {named}
    assert refused(match, hands[0].split()[1]) == "must_lead"


def test_lowest_double_or_lightest_tile_leads():
    assert NAMES[lead_winning_tile("lowest_double", list(tiles_of("4-4 2-2 1-0")))] == "2-2"
    # Equal pips: without a double the tile with the lower high half is lighter.
    assert NAMES[lead_winning_tile("lowest_double", list(tiles_of("5-1 4-2 6-5")))] == "4-2"
    assert NAMES[lead_winning_tile("highest_double", list(tiles_of("5-1 4-2 3-1")))] == "5-1"


def test_exhausted_suit_blocks_the_round():
    # All tiles of the suit are laid and both ends show it, so nobody passes.
    hands = ["2-1 2-0 4-3 0-0 6-5 6-6", "1-0 3-0 4-0 5-0 6-0 5-5"]
    plays = "2-1 1-0@R 2-0@L 3-0@R 4-3@R 4-0@R 0-0@R 5-0@R 6-5@R 6-0@R"
    match = play_moves(arrange(rules_of("block"), hands), *plays.split())
    ended = match.ended[-1]
    assert " ".join(str(entry.move) for entry in ended.log) == plays
    assert ended.end[:4] == RoundEnd("blocked", 1, (12, 10), (0, 12))[:4]


def test_cross_refuses_other_plays_first():
    hands = ["6-6 5-5", "6-1 5-4", "5-3 4-3", "6-4 3-2"]
    match = arrange(rules_of("sebastopol"), hands, leader=0, named="6-6")
    match = play_moves(match, "6-6", "6-1@L")
    assert legal_of(match) == {"pass"}
    hands = ["6-6 6-0 1-1 6-2", "6-1 5-4", "5-3 4-3", "6-4 3-2"]
    match = arrange(rules_of("sebastopol"), hands, leader=0, named="6-6")
    match = play_moves(match, "6-6", "6-1@L", "pass", "6-4@R", "6-0@U")
    assert match.round.layout.ends == {"D": 6}
    match = play_moves(match, "pass", "pass", "pass")
    assert legal_of(match) == {"6-2@D"}
    assert refused(match, "1-1@L") == "cross_first"
    match = play_moves(match, "6-2@D")
    assert match.round.layout.ends == {"L": 1, "R": 4, "U": 0, "D": 2}
    assert legal_of(match) == {"5-4@R"}


def combinations(ends, hand):
    """Return the combinations a hand can play at a line with these two ends, with their counts."""
    rules = rules_of("gomuggins", spinner="none", max_same_suit=None)
    match = play_moves(arrange(rules, [f"{ends} 0-0", f"{hand} 6-5"], "1-0 2-0"), ends)
    together = {text for text in legal_of(match) if "+" in text}
    return {text: play_moves(match, text).round.layout.count for text in together}


def test_two_doubles():
    assert combinations("6-4", "4-4 6-6") == {"6-6@L+4-4@R": 20}
    rules = rules_of("gomuggins", spinner="none", max_same_suit=None)
    match = play_moves(arrange(rules, ["6-4 0-0", "4-4 6-6 1-0"]), "6-4", "4-4@R")
    assert match.round.layout.count == 14


def test_many_ends_with_three_ends():
    rules = rules_of("gomuggins", max_same_suit=None)
    match = arrange(rules, ["3-3 0-0", "5-3 1-1 5-5 4-4 2-2", "4-3 2-1", "3-1 2-0"], leader=0)
    match = play_moves(match, "3-3", "5-3@L", "4-3@R", "3-1@U", "pass")
    assert match.round.layout.ends == {"L": 5, "R": 4, "U": 1, "D": 3}
    together = {text for text in legal_of(match) if "+" in text}
    counts = {text: play_moves(match, text).round.layout.count for text in together}
    assert counts == {"5-5@L+4-4@R+1-1@U": 20, "4-4@R+1-1@U": 15}
    assert refused(match, "5-5@L+1-1@U") == "not_a_multiple"
    assert refused(match, "5-5@L+4-4@R") == "not_a_multiple"


@pytest.mark.parametrize(("ends", "hand"), [("6-4", "4-3 6-2"), ("3-1", "1-1 3-3")])
def test_many_ends_must_score(ends, hand):
    if ends == "6-4":
        assert combinations(ends, hand) == {"6-2@L+4-3@R": 5}
    else:
        assert combinations(ends, hand) == {}


def test_many_ends_need_ends_open_before_the_turn():
    rules = rules_of("gomuggins", max_same_suit=None)
    match = play_moves(arrange(rules, ["5-5 0-0", "5-0 5-3 5-2"], "1-0 2-0"), "5-5")
    assert refused(match, "5-0@L+5-3@R+5-2@U") == "not_open"


def test_many_ends_at_both_sides_of_a_lone_double():
    rules = rules_of("gomuggins", max_same_suit=None)
    match = play_moves(arrange(rules, ["5-5 0-0", "5-4 5-1 6-6"], "1-0 2-0"), "5-5")
    assert {"5-4@L+5-1@R", "5-1@L+5-4@R"} <= legal_of(match)
    match = play_moves(match, "5-4@L+5-1@R")
    assert match.round.layout.count == 5
    assert match.round.layout.ends == {"L": 4, "R": 1, "U": 5, "D": 5}
    assert [entry.scored for entry in match.round.log] == [10, 5]


def test_several_tiles_need_the_option():
    match = play_moves(arrange(rules_of(), ["6-4 0-0", "4-4 6-6 1-0"], "2-0"), "6-4")
    assert refused(match, "6-6@L+4-4@R") == "one_tile_only"


def test_going_out_with_several_tiles():
    rules = rules_of("gomuggins", spinner="none", max_same_suit=None)
    match = play_moves(arrange(rules, ["6-4 3-2", "4-4 6-6"]), "6-4", "6-6@L+4-4@R")
    assert match.ended[-1].end[:4] == RoundEnd("out", 1, (5, 0), (0, 5))[:4]
    assert match.scores == (10, 25)


def test_lead_is_one_tile_without_an_end():
    match = arrange(rules_of(), ["6-5 6-4", "5-3 2-1"], "0-0")
    assert legal_of(match) == {"6-5", "6-4"}
    assert refused(match, "6-5@L") == "lead_has_no_end"
    assert refused(match, "6-5@L+6-4@R") == "lead_has_no_end"
    assert refused(match, "5-3") == "not_held"
    assert refused(match, "draw") == "cannot_draw_lead"
    assert refused(match, "pass") == "cannot_pass_lead"
    assert refused(match, "5-3", seat=1) == "not_your_turn"


def test_scoring_lead():
    rules = rules_of("muggins-scoring-lead")
    match = arrange(rules, ["6-5 6-4 0-0 5-5", "5-3 2-1"])
    assert legal_of(match) == {"6-4", "5-5"}
    assert refused(match, "0-0") == "lead_must_score"
    assert legal_of(arrange(rules, ["6-5 0-0", "5-3 2-1"])) == {"6-5", "0-0"}


def test_refused_plays():
    match = play_moves(arrange(rules_of(), ["6-5 6-4", "5-3 5-5 2-1"], "0-0"), "6-5")
    assert refused(match, "6-4@L") == "not_held"
    assert refused(match, "9-9@L") == "not_held"
    assert refused(match, "5-3") == "needs_end"
    assert refused(match, "5-3@L") == "no_fit"
    assert refused(match, "5-3@U") == "not_open"
    assert refused(match, "pass") == "can_play"
    assert refused(match, "5-3@R", claim=5) == "claims_off"
    assert refused(match, "6-4@L", seat=0) == "not_your_turn"


def test_drawing_is_refused_without_the_option():
    match = play_moves(arrange(rules_of("block"), ["6-5 6-4", "2-1 3-3", "6-6 1-0"], "0-0"), "6-5")
    assert legal_of(match) == {"pass"}
    assert refused(match, "draw") == "no_drawing"


def test_pass_by_choice():
    rules = rules_of("block", pass_="free")
    match = play_moves(arrange(rules, ["6-5 6-4", "5-3 2-1"]), "6-5")
    assert legal_of(match) == {"5-3@R", "pass"}
    match = play_moves(match, "pass")
    assert not match.ended
    match = play_moves(match, "pass")
    assert match.ended[-1].end[:4] == RoundEnd("blocked", 0, (10, 11), (11, 0))[:4]


def test_pass_by_choice_needs_an_empty_boneyard():
    # Tiles in the boneyard prevent the pass even if a tile fits.
    rules = rules_of("draw", pass_="free")
    match = play_moves(arrange(rules, ["6-5 6-4", "5-3 2-1"], "0-0 1-1"), "6-5")
    assert legal_of(match) == {"5-3@R"}
    assert refused(match, "pass") == "can_play"
    match = play_moves(arrange(rules.replace(draw="free"), ["6-5 6-4", "5-3 2-1"], "0-0 1-1"), "6-5")
    assert refused(match, "pass") == "must_draw"


def test_gone_seats_do_not_count_as_passing():
    rules = rules_of("block", pass_="free")
    match = play_moves(arrange(rules, ["6-5 6-4", "5-3 2-1", "5-5 5-4"]), "6-5", "pass", "pass")
    assert match.turn == 0 and not match.ended
    assert match.play(0, moves.RESIGN).ended[-1].end.how == "blocked"


def test_drawable_tile_prevents_a_block():
    match = play_moves(arrange(rules_of("draw"), ["6-5 1-1", "2-1 3-3"], "0-0 2-2"), "6-5")
    assert legal_of(match) == {"draw"}
    match = play_moves(match, "draw")
    assert not match.ended
    assert play_moves(match, "draw").ended[-1].end.how == "blocked"


def test_play_goes_clockwise():
    match = arrange(rules_of(), ["6-5 1-1", "5-3 1-0", "3-2", "6-4 2-0"], "0-0", leader=3)
    match = play_moves(match, "6-4")
    assert match.turn == 0
    match = play_moves(match, "6-5@L")
    assert match.turn == 1
