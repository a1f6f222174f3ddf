"""Sentences of the analysis and of puzzles."""

import pytest
from django.utils import translation

from boneyard.analysis.knowledge import HandEstimate
from boneyard.engine.presets import PRESETS
from study import wording


@pytest.fixture(autouse=True)
def in_english():
    with translation.override("en"):
        yield


@pytest.mark.parametrize(("figure", "text"), [(0.31, "+31 %"), (-0.12, "−12 %"), (0.004, "0 %")])
def test_share_of_the_chance_is_in_per_cent(figure, text):
    assert wording.signed_share(figure).replace("\N{NO-BREAK SPACE}", " ") == text


@pytest.mark.parametrize(
    ("preset", "name", "sentence"),
    [
        ("block", "bob", "Passes had shown that bob held no 6, 2."),
        ("block", "", "Passes had shown that you held no 6, 2."),
        ("draw", "bob", "Passes and draws had shown that bob held no 6, 2."),
    ],
)
def test_draws_are_evidence_only_where_one_draws(preset, name, sentence):
    known = HandEstimate(1, 3, (), frozenset({2, 6}), 0)
    assert wording.evidence_in_words(known, name, PRESETS[preset].rules).startswith(sentence)


@pytest.mark.parametrize(
    ("kind", "seats", "start"),
    [
        ("shuts", 2, "After 5-0 → 5 the opponent holds a tile that fits in 0 % of the possible deals, after"),
        ("shuts", 3, "After 5-0 → 5 the next opponent holds a tile that fits in"),
        (
            "gives_less",
            2,
            "After 5-0 → 5 the opponent’s best tile in hand scores 0.0 points on average, after",
        ),
        (
            "partner",
            4,
            "After 5-0 → 5 the partner holds a tile that fits in 0 % of the possible deals, after",
        ),
    ],
)
def test_reason_says_what_was_measured(kind, seats, start):
    """What is held is measured: who holds no tile that fits may still draw one, and play."""
    assert wording.reason_in_words((kind, 0.0, 0.5), "5-0 → 5", "6-0 → 6", seats).startswith(start)


def test_loss_of_a_chance_is_in_percentage_points():
    said = wording.answer_feedback(0.19, 0.01, best=False, may_retry=False)
    assert said == "That lowers your chance to win by 19 percentage points (± 1)."
