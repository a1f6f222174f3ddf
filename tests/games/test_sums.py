"""Tests under random house rules that every sum of a round's end gives what the score rose by."""

import re
from operator import sub
from random import Random

import pytest
from django.utils import translation

from boneyard.computer.selfplay import RANDOM, play_match
from boneyard.engine.perspective import perspective
from boneyard.engine.round_ends import EndedRound
from boneyard.engine.rules import Rules
from boneyard.engine.terms import Terms
from games.table.outcome import _total
from games.table.panels import bonus_sentence
from games.wording import bonus_sum, explain_gain, speech_of
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


def rises(ended: EndedRound, before: tuple[int, ...], terms: Terms) -> list[int]:
    """Return by how much each score rose at the end of a round: with `team_difference`, in all of it."""
    gained = [*map(sub, ended.scores, before)]
    if terms.rules.team_difference:
        return [gain if bonus else 0 for gain, bonus in zip(gained, ended.end.bonus, strict=True)]
    return [*map(sub, gained, points_in_play(ended, terms))]


@pytest.mark.parametrize("part", range(8))
def test_sums_end_with_what_the_score_rose_by(part):
    rng, shown = Random(f"sums {part}"), 0
    for number in range(MATCHES_PER_PART):
        rules = Rules.from_dict(random_rules(rng))
        seats = rng.choice(rules.players)
        match = play_match(rules, [RANDOM] * seats, f"sums {part} {number}")
        view, before = perspective(match, None), (0,) * len(match.scores)
        with translation.override("en"):
            for ended in match.ended[:ROUNDS_PER_MATCH]:
                shown += check_round(ended, before, match.terms)
                points = bonus_sentence(view, ended, NAMES[:seats], speech_of(None))
                assert not any(ended.end.bonus) or numbers_of(points)[-1] in ended.end.bonus
                before = ended.scores
            if match.result and match.result.winners:
                check_total(_total(view, match.result, NAMES[:seats]), match.ended)
    assert shown > MATCHES_PER_PART


def check_round(ended: EndedRound, before: tuple[int, ...], terms: Terms) -> bool:
    """Check the sums of a round, and return whether its bonus has one."""
    rose, text = rises(ended, before, terms), bonus_sum(ended.end, terms)
    if text:
        assert numbers_of(text)[-1] == sum(rose), (text, rose, terms.rules)
        assert sum(map(bool, rose)) < 2, (text, rose, terms.rules)
    for side, (now, then) in enumerate(zip(ended.scores, before, strict=True)):
        parts = explain_gain(ended, terms, side, now - then)
        assert not parts or sum(numbers_of(parts)) == now - then
    return bool(text)


def check_total(text: str, rounds: tuple[EndedRound, ...]) -> None:
    """Check *a: 175 + 10 + 35 = 220*: from the score before the last round to the score after it."""
    before = rounds[-2].scores if len(rounds) > 1 else (0,) * len(rounds[-1].scores)
    for total in filter(None, text.split("; ")):
        parts, score = map(numbers_of, total.split(" = "))
        assert sum(parts) == score[0]
        assert (parts[0], *score) in [*zip(before, rounds[-1].scores, strict=True)] or not min(before)
