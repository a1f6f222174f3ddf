"""Tests under random house rules that every sum of a round's end gives what the score rose by."""

import re
from operator import add, sub
from random import Random

import pytest
from django.utils import translation

from boneyard.computer.selfplay import RANDOM, play_match
from boneyard.engine.round_ends import EndedRound
from boneyard.engine.rules import Rules
from boneyard.engine.terms import Terms
from games.table.ledger import build_ledger
from games.table.panels import points_at_end
from tests.engine.reference import random_rules

NUMBER = re.compile(r"[-−]?\d+")
NAMES = ["a", "b", "c", "d"]
MATCHES_PER_PART, ROUNDS_PER_MATCH = 15, 12


def numbers_of(text: str) -> list[int]:
    return [int(number.replace("−", "-")) for number in NUMBER.findall(text)]


def points_in_play(ended: EndedRound, terms: Terms) -> list[int]:
    """Return what each side was given before the round ended."""
    points = [0] * len(terms.sides)
    for entry in ended.log:
        points[terms.side_of[entry.seat]] += entry.scored or 0
        for side, award in enumerate(entry.award or ()):
            points[side] += award
    return points


@pytest.mark.parametrize("part", range(8))
def test_sums_end_with_what_the_score_rose_by(part):
    rng, shown = Random(f"sums {part}"), 0
    for number in range(MATCHES_PER_PART):
        rules = Rules.from_dict(random_rules(rng))
        seats = rng.choice(rules.players)
        match = play_match(rules, [RANDOM] * seats, f"sums {part} {number}")
        before = (0,) * len(match.scores)
        with translation.override("en"):
            for ended in match.ended[:ROUNDS_PER_MATCH]:
                shown += check_round(ended, before, match.terms, NAMES[:seats])
                before = ended.scores
    assert shown > MATCHES_PER_PART


def check_round(ended: EndedRound, before: tuple[int, ...], terms: Terms, names: list[str]) -> int:
    """Check the ledger of a round and what is said of it; return how many sums there are."""
    rose = [*map(sub, ended.scores, before)]
    lines = build_ledger(ended, before, terms, names)
    assert sorted(line.gained for line in lines) == sorted(rose)
    for line in lines:
        signed = [-term.points if term.sign == "−" else term.points for term in line.terms]
        assert sum(signed) == line.gained, (line.text, line.gained, terms.rules)
        assert all(term.label for term in line.terms)
        if line.is_sum:
            assert numbers_of(line.text)[-1] == line.gained
    in_play, at_end = points_in_play(ended, terms), points_at_end(ended.end)
    assert [*map(add, in_play, at_end)] == rose, terms.rules
    return sum(line.is_sum for line in lines)
