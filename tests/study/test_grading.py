"""Grades, hand estimates and reasons."""

from itertools import pairwise
from random import Random

import pytest

from boneyard.analysis.decisions import MAX_ERROR, are_equivalent, grade_move, mark
from boneyard.analysis.knowledge import estimate_hands
from boneyard.analysis.matches import analyse_record
from boneyard.analysis.reasons import find_reason
from boneyard.computer.search import distinct_moves
from boneyard.computer.selfplay import begin_seeded, selfplay
from boneyard.engine.matches import begin_with_keys
from boneyard.engine.moves import parse
from boneyard.engine.perspective import perspective
from boneyard.engine.presets import PRESETS
from boneyard.engine.rules import Rules
from boneyard.engine.shuffle import published_keys
from boneyard.engine.tiles import HIGH, LOW
from study.wording import percent
from tests.computer.tables import another_deal, positions

GAMES = [("all-fives", 2), ("block", 4), ("gomuggins", 3), ("draw-free", 2), ("sebastopol", 4)]


def self_play_record(preset: str, *players: str, target: int, hand_size: int, seed: str) -> dict:
    """Return the record of a match between computers; `target` and `hand_size` shorten it, and so its analysis."""
    hands = dict.fromkeys("234", hand_size)
    rules = PRESETS[preset].rules.replace(target=target, hand_size=hands)
    return next(selfplay(rules, preset=None, players=players, matches=1, seed=seed))


@pytest.fixture(scope="module")
def analysed_match():
    """Return the record of a match of three rounds, with decisions of both seats, and its analysis."""
    record = self_play_record("all-fives", "casual", "master", target=35, hand_size=4, seed="study 3")
    return record, analyse_record(record)


@pytest.mark.parametrize(("preset", "seats"), GAMES)
def test_grade_does_not_depend_on_hidden_tiles(preset, seats):
    rng, matches = Random(preset), 0
    every = list(positions(PRESETS[preset].rules, seats, preset))
    for match in every[len(every) // 3 :: 2]:  # early positions take longest
        seat = match.turn
        view = perspective(match, seat)
        if len(distinct_moves(view)) < 2 or not (other := another_deal(match, seat, rng)):
            continue
        matches += 1
        move = view.legal[-1]
        other_view = perspective(other, seat)
        assert match.round.hands != other.round.hands
        assert grade_move(view, move, None) == grade_move(other_view, move, None)
        assert estimate_hands(view) == estimate_hands(other_view)
        if matches == 2:
            return
    raise AssertionError("too few positions")


def test_error_of_every_decision_is_bounded(analysed_match):
    _, analysis = analysed_match
    assert max(decision.error for decision in analysis.decisions.values()) <= MAX_ERROR


def test_forced_move_is_not_a_decision(analysed_match):
    record, analysis = analysed_match
    rules = Rules.from_dict(record["rules"])
    rows = [row for round_ in record["rounds"] for row in round_["moves"]]
    secrets = [round_["secret"] for round_ in record["rounds"]]
    assert len(rows) > len(analysis.decisions) > 0
    match = begin_with_keys(rules, 2, published_keys(record["seal"], secrets), record["entropy"])
    for number, row in enumerate(rows, 1):
        choices = distinct_moves(perspective(match, row["seat"]))
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
def test_mark_follows_displayed_percent_and_error(loss, error, shown, sign):
    assert (percent(loss), mark(loss, error)) == (shown, sign)


def test_equal_displayed_losses_have_equal_marks():
    losses = [number / 10_000 for number in range(10_001)]
    assert len({(percent(loss), mark(loss, 0.0)) for loss in losses}) == len(set(map(percent, losses)))


def test_equivalent_plays_get_equal_grades():
    """Two ends with the same suit and count are equivalent for the same tile."""
    for match in positions(PRESETS["block"].rules, 2, "twins", rounds=3):
        view = perspective(match, match.turn)
        twins = [
            (one, other)
            for one in view.legal
            for other in view.legal
            if one != other and one.tiles == other.tiles and are_equivalent(view, one, other)
        ]
        if twins and len(distinct_moves(view)) > 1:
            one, other = grade_move(view, twins[0][0], None), grade_move(view, twins[0][1], None)
            assert (one.loss, one.error, one.mark) == (other.loss, other.error, other.mark)
            return
    raise AssertionError("no such position came")


def test_stronger_player_loses_less(analysed_match):
    _, analysis = analysed_match
    casual, master = analysis.skill
    assert master < casual
    play = analysis.balance.play.chances
    assert play[1] > 0 > play[0]


def test_missed_claim_is_a_loss_and_named():
    for match in positions(PRESETS["muggins-200-pairs"].rules, 4, "claims"):
        view = perspective(match, match.turn)
        worth = [move for move in view.legal if move.kind == "play" and view.points(move)]
        if worth:
            break
    points = view.points(worth[0])
    silent, claimed = grade_move(view, worth[0], None), grade_move(view, worth[0], points)
    assert silent.best_claim is not None
    assert silent.claim is None
    assert silent.loss > (claimed.loss if claimed else 0.0)


def test_missed_calls_have_worth_and_loss():
    record = self_play_record("muggins-200-pairs", *["beginner"] * 4, target=20, hand_size=3, seed="study 2")
    analysis = analyse_record(record)
    assert len(analysis.calls) > 3
    for call in analysis.calls:
        assert call.worth > 0
        assert call.loss >= 0
    assert sum(call.loss for call in analysis.calls) > 0


def test_reason_names_a_figure_that_differs():
    """The first lead of a round: 5-5 scores ten, another tile nothing."""
    for match in positions(PRESETS["all-fives"].rules, 2, "reason", rounds=4):
        view = perspective(match, match.turn)
        scoring = [move for move in view.legal if move.kind == "play" and view.points(move) >= 10]
        nothing = [move for move in view.legal if move.kind == "play" and not view.points(move)]
        if scoring and nothing and len(view.hand) > 3:
            matches = find_reason(view, scoring[0], nothing[0])
            assert matches.kind in ("scores", "gives_less", "shuts", "own", "heavier")
            assert matches.best != matches.made
            return
    raise AssertionError("no such position came")


def test_small_difference_is_no_reason():
    """Tiles of a suit that many of the hidden tiles have shut the opponent out hardly more often than another."""
    kinds = set()
    for match in positions(PRESETS["block"].rules, 2, "small", rounds=1):
        view = perspective(match, match.turn)
        plays = [move for move in view.legal if move.kind == "play"]
        for best, made in pairwise(plays):
            reason = find_reason(view, best, made)
            kinds.add(reason.kind)
            if reason.kind == "shuts":
                assert abs(reason.best - reason.made) >= 0.125
    assert "deals" in kinds


def test_estimate_excludes_suits_lacked():
    for match in positions(PRESETS["all-fives"].rules, 2, "draws", rounds=4):
        view = perspective(match, match.turn)
        other = 1 - match.turn
        if view.lacks[other] and match.round.hands[other]:
            (known,) = estimate_hands(view)
            for tile, chance in known.tiles:
                if {HIGH[tile], LOW[tile]} & known.lacks:
                    assert chance == 0
            assert abs(sum(chance for _, chance in known.tiles) - known.held) < 1e-9
            return
    raise AssertionError("nobody drew")


def test_tiles_with_equal_evidence_are_equally_likely():
    view = perspective(begin_seeded(PRESETS["all-fives"].rules, 2, "nothing is known"), 0)
    if view.named is not None and view.named not in view.hand:
        view = perspective(begin_seeded(PRESETS["all-fives"].rules, 2, "nothing is known"), 1)
    (known,) = estimate_hands(view)

    assert len({round(chance, 9) for _, chance in known.tiles if 0 < chance < 1}) == 1


def test_analysis_is_deterministic_and_its_progress_grows_to_one(analysed_match):
    record, analysis = analysed_match
    assert len(record["rounds"]) > 1
    progress: list[float] = []
    assert analyse_record(record, progress.append).as_dict() == analysis.as_dict()
    assert progress == sorted(progress)
    assert progress[-1] == 1


def test_candidates_are_sorted_by_loss(analysed_match):
    _, analysis = analysed_match
    for decision in analysis.decisions.values():
        losses = [candidates.loss for candidates in decision.candidates]
        assert losses[0] == 0
        assert losses == sorted(losses)


def test_points_left_open_by_the_last_tile_are_missed_calls():
    rules = PRESETS["muggins-200"].rules.replace(hand_size={"2": 1, "3": 1, "4": 1}, target=20)
    records = selfplay(rules, preset=None, players=["random"] * 2, matches=80, seed="last")
    record = next(
        record
        for record in records
        if any(
            each["moves"][-1]["move"] == "close" and each["moves"][0]["scored"] < each["moves"][0]["points"]
            for each in record["rounds"]
        )
    )
    moves = [row for each in record["rounds"] for row in each["moves"]]
    missed = {
        number
        for number, (row, after) in enumerate(zip(moves, moves[1:], strict=False), 1)
        if after["move"] == "close" and row["scored"] < row["points"]
    }
    assert {call.number for call in analyse_record(record).calls} == missed
