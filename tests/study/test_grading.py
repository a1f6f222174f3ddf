"""What a decision lost, from what the seat that made it could know."""

from random import Random

import pytest

from games.computer.search import distinct
from games.computer.selfplay import begun, selfplay
from games.engine.matches import begin_with
from games.engine.moves import parse
from games.engine.perspective import perspective
from games.engine.presets import PRESETS
from games.engine.shuffle import published
from games.engine.tiles import HIGH, LOW
from study.grading.analysis import analysed
from study.grading.decisions import WANTED, graded, mark, same
from study.grading.knowledge import knowledge
from study.grading.reasons import reason
from study.wording import percent
from tests.computer.tables import another_deal, positions

GAMES = [("all-fives", 2), ("block", 4), ("gomuggins", 3), ("draw-free", 2), ("sebastopol", 4)]


def played(preset: str, *players: str, target: int | None = None) -> dict:
    """The record of a match between computers; a short one by house rules, if a target is given."""
    rules = PRESETS[preset].rules
    if target is not None:
        rules, preset = rules.replace(target=target), ""
    return next(selfplay(rules, preset=preset or None, players=players, matches=1, seed="study"))


@pytest.fixture(scope="module")
def match_of_two():
    record = played("all-fives", "casual", "master")
    return record, analysed(record)


@pytest.mark.parametrize(("preset", "seats"), GAMES)
def test_a_grade_is_the_same_whatever_lay_hidden(preset, seats):
    rng, found = Random(preset), 0
    for match in list(positions(PRESETS[preset].rules, seats, preset))[2::2]:
        seat = match.turn
        view = perspective(match, seat)
        if len(distinct(view)) < 2 or not (other := another_deal(match, seat, rng)):
            continue
        found += 1
        move = view.legal[-1]
        there = perspective(other, seat)
        assert match.round.hands != other.round.hands
        assert graded(view, move, None) == graded(there, move, None)
        assert knowledge(view) == knowledge(there)
        if found == 3:
            return
    raise AssertionError("too few positions")


def test_every_decision_is_known_to_two_hundredths_of_a_match(match_of_two):
    _, analysis = match_of_two
    assert max(decision.error for decision in analysis.decisions.values()) <= WANTED


def test_a_forced_move_is_no_decision(match_of_two):
    record, analysis = match_of_two
    rules = PRESETS["all-fives"].rules
    rows = [row for round_ in record["rounds"] for row in round_["moves"]]
    secrets = [round_["secret"] for round_ in record["rounds"]]
    assert len(rows) > len(analysis.decisions) > 0
    match = begin_with(rules, 2, published(record["seal"], secrets), record["entropy"])
    for number, row in enumerate(rows, 1):
        choices = distinct(perspective(match, row["seat"]))
        assert (number in analysis.decisions) == (len(choices) > 1), number
        match = match.play(row["seat"], parse(row["move"]))


@pytest.mark.parametrize(
    ("loss", "error", "shown", "sign"),
    [
        (0.0, 0.0, "0", ""),
        (0.0249, 0.001, "2", ""),
        (0.0251, 0.001, "3", "?!"),
        (0.03, 0.015, "3", "?!"),
        (0.0649, 0.02, "6", "?!"),
        (0.065, 0.02, "6", "?!"),
        (0.0651, 0.02, "7", "?"),
        (0.0695, 0.02, "7", "?"),
        (0.07, 0.02, "7", "?"),
        (0.1449, 0.02, "14", "?"),
        (0.1451, 0.02, "15", "??"),
        (0.15, 0.02, "15", "??"),
        (0.05, 0.026, "5", ""),
        (0.15, 0.08, "15", ""),
    ],
)
def test_marks_begin_at_three_seven_and_fifteen_percent_as_shown_and_beyond_two_errors(
    loss, error, shown, sign
):
    assert (percent(loss), mark(loss, error)) == (shown, sign)


def test_of_all_losses_that_can_be_stored_those_shown_alike_are_marked_alike():
    losses = [number / 10_000 for number in range(10_001)]
    assert len({(percent(loss), mark(loss, 0.0)) for loss in losses}) == len(set(map(percent, losses)))


def test_a_play_that_comes_to_the_same_as_the_best_loses_nothing():
    """Two ends that show the same number and add the same: which one takes the tile is no decision."""
    for match in positions(PRESETS["block"].rules, 2, "twins", rounds=3):
        view = perspective(match, match.turn)
        twins = [
            (one, other)
            for one in view.legal
            for other in view.legal
            if one != other and one.tiles == other.tiles and same(view, one, other)
        ]
        if twins and len(distinct(view)) > 1:
            one, other = graded(view, twins[0][0], None), graded(view, twins[0][1], None)
            assert (one.loss, one.error, one.mark) == (other.loss, other.error, other.mark)
            return
    raise AssertionError("no such position came")


def test_who_plays_better_loses_less(match_of_two):
    _, analysis = match_of_two
    casual, master = analysis.skill
    assert master < casual
    assert analysis.play[1] > 0 > analysis.play[0]


def test_points_not_claimed_are_lost_with_the_right_claim_told():
    for match in positions(PRESETS["muggins-200-pairs"].rules, 4, "claims"):
        view = perspective(match, match.turn)
        worth = [move for move in view.legal if move.kind == "play" and view.points(move)]
        if worth:
            break
    points = view.points(worth[0])
    silent, told = graded(view, worth[0], None), graded(view, worth[0], points)
    assert silent.best_claim is not None
    assert silent.claim is None
    assert silent.loss > (told.loss if told else 0.0)


def test_who_lets_open_points_stand_is_told_what_they_were_worth():
    analysis = analysed(played("muggins-200-pairs", *["beginner"] * 4, target=60))
    assert analysis.calls
    for call in analysis.calls:
        assert call.worth > 0
        assert call.loss >= 0
    assert sum(call.loss for call in analysis.calls) > 0


def test_the_reason_says_what_differs():
    """The first lead of a round: 5-5 scores ten, another tile nothing."""
    for match in positions(PRESETS["all-fives"].rules, 2, "reason", rounds=4):
        view = perspective(match, match.turn)
        scoring = [move for move in view.legal if move.kind == "play" and view.points(move) >= 10]
        nothing = [move for move in view.legal if move.kind == "play" and not view.points(move)]
        if scoring and nothing and len(view.hand) > 3:
            found = reason(view, scoring[0], nothing[0])
            assert found.kind in ("scores", "gives_less", "shuts", "own", "heavier")
            assert found.best != found.made
            return
    raise AssertionError("no such position came")


def test_knowledge_excludes_what_a_draw_has_shown():
    for match in positions(PRESETS["all-fives"].rules, 2, "draws", rounds=4):
        view = perspective(match, match.turn)
        other = 1 - match.turn
        if view.lacks[other] and match.round.hands[other]:
            (known,) = knowledge(view)
            for tile, chance in known.tiles:
                if {HIGH[tile], LOW[tile]} & known.lacks:
                    assert chance == 0
            assert abs(sum(chance for _, chance in known.tiles) - known.held) < 1e-9
            return
    raise AssertionError("nobody drew")


def test_tiles_that_nothing_tells_apart_are_as_likely_as_each_other():
    view = perspective(begun(PRESETS["all-fives"].rules, 2, "nothing is known"), 0)
    if view.named is not None and view.named not in view.hand:
        view = perspective(begun(PRESETS["all-fives"].rules, 2, "nothing is known"), 1)
    (known,) = knowledge(view)

    assert len({round(chance, 9) for _, chance in known.tiles if 0 < chance < 1}) == 1


def test_luck_is_the_same_number_with_opposite_sign_for_the_other_side(match_of_two):
    _, analysis = match_of_two
    one, other = analysis.luck.sides
    assert one == pytest.approx(-other)
    assert 0 < analysis.luck.error < 0.1


def test_an_analysis_says_of_a_record_what_it_said_before(match_of_two):
    record, analysis = match_of_two
    assert analysed(record).as_dict() == analysis.as_dict()


def test_progress_grows_to_the_whole():
    told: list[float] = []
    analysed(played("block", "casual", "casual", target=10), told.append)  # three rounds
    assert told == sorted(told)
    assert told[-1] == 1


def test_the_moves_tried_are_told_the_best_first(match_of_two):
    _, analysis = match_of_two
    for decision in analysis.decisions.values():
        losses = [tried.loss for tried in decision.tried]
        assert losses[0] == 0
        assert losses == sorted(losses)
