"""Tests that each option of the rules is described in words, and each of its faults."""

from functools import cache
from random import Random

import pytest

from boneyard.computer.selfplay import begin_seeded
from boneyard.engine.errors import InvalidRules
from boneyard.engine.options import CONFLICTS
from boneyard.engine.presets import PRESETS
from boneyard.engine.rules import OPTIONS, Rules
from games.wording import invalid_rules_sentence
from games.wording.changes import changed_options
from games.wording.effects import affects_play, drop_idle_changes
from games.wording.option_words import SHARED_REFUSALS
from games.wording.options import OPTION_WORDS
from games.wording.rules import describe_rules
from tests.engine.reference import random_rules
from tests.engine.strategies import random_step

TABLES = 300
ROUNDS = 3


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


def test_a_change_that_affects_play_changes_the_sentences():
    rng, changed_options = Random("suite sentences"), set()
    for _ in range(TABLES):
        rules = Rules.from_dict(random_rules(rng))
        seats = rng.choice(rules.players)
        for name in OPTION_WORDS:
            changed = with_value_of_a_preset(rules, name, rng)
            if (
                changed is None
                or seats not in changed.players
                or not affects_play(name, rules, changed, seats)
            ):
                continue
            changed_options.add(name)
            is_told = texts(rules, seats) != texts(changed, seats)
            assert is_told, (name, seats, rules.written(), changed.written())
    assert set(OPTION_WORDS) - changed_options <= {"players"}, "random rules never change these"


def test_dropped_changes_are_played_the_same():
    rng, compared = Random("suite effects"), 0
    for number in range(5 * TABLES):
        base = Rules.from_dict(random_rules(rng))
        seats, rules = rng.choice(base.players), base
        for name in rng.sample(sorted(OPTION_WORDS), rng.randint(1, 12)):
            rules = with_value_of_a_preset(rules, name, rng) or rules
        reduced = drop_idle_changes(rules, base, seats) if seats in rules.players else rules
        if reduced == rules:
            continue
        compared += 1
        assert course(rules, seats, number) == course(reduced, seats, number), (
            base.written(),
            rules.written(),
        )
        if not list(changed_options(rules, base, seats)):
            assert course(rules, seats, number) == course(base, seats, number)
    assert compared > TABLES


def course(rules: Rules, seats: int, number: int) -> list[object]:
    """Return the moves, points and scores of some rounds, without who is named the winner of a round and why."""
    match, rng = begin_seeded(rules, seats, f"course {number}"), Random(number)
    while match.result is None and len(match.ended) < ROUNDS:
        match = random_step(match, rng)
    rounds = [
        (ended.log, ended.remaining, ended.end._replace(winner=None, compared=(), sums=()), ended.scores)
        for ended in match.ended
    ]
    return [*rounds, match.result]


def with_value_of_a_preset(rules: Rules, name: str, rng: Random) -> Rules | None:
    """Return the rules with another value of an option, or None where it does not go with the rest."""
    chosen, changed = rng.choice(different_presets(name)), rules.written()
    if name in chosen:
        changed[name] = chosen[name]
    else:
        changed.pop(name, None)
    try:
        return Rules.from_dict(changed)
    except InvalidRules:
        return None


@cache
def different_presets(name: str) -> list[dict]:
    """Return the rules of presets with each value of an option."""
    written = [preset.rules.written() for preset in PRESETS.values()]
    return list({str(rules.get(name)): rules for rules in written}.values())


def texts(rules: Rules, seats: int) -> list[str]:
    return [sentence.text for sentence in describe_rules(rules, seats)]


def test_two_kinds_of_capicua_have_a_word_each_in_a_list():
    clause = OPTION_WORDS["extras"].clause
    assert str(clause({"capicua": 2, "capicua_blank": 3})) == (
        "points beside the pips: Capicúa 2, Capicúa with a blank 3"
    )
