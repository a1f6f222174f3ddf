"""Tests that each option of the rules is described in words, and each of its faults."""

import pytest

from boneyard.engine.errors import InvalidRules
from boneyard.engine.options import CONFLICTS
from boneyard.engine.rules import OPTIONS
from games.wording import invalid_rules_sentence
from games.wording.option_words import SHARED_REFUSALS
from games.wording.options import OPTION_WORDS


def test_every_conflict_of_options_has_a_sentence():
    conflicts = {(option, code) for option, code, _applies in CONFLICTS}
    for option, code in conflicts:
        assert invalid_rules_sentence(InvalidRules(option, code))
    said = {(option, code) for option, words in OPTION_WORDS.items() for code in words.refusals}
    assert said <= conflicts
    assert {code for _option, code in conflicts - said} == set(SHARED_REFUSALS)


def test_every_option_has_its_words():
    assert set(OPTION_WORDS) == {option.name for option in OPTIONS}


@pytest.mark.parametrize("option", OPTIONS, ids=lambda option: option.name)
def test_every_value_has_a_name_and_a_clause(option):
    words = OPTION_WORDS[option.name]
    if option.kind in ("choice", "optional_choice", "flag"):
        none = {None} if option.kind == "optional_choice" else set()
        assert words.values.keys() == (set(option.choices) or {True, False}) | none
    else:
        assert words.clause or option.name == "players"
