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
