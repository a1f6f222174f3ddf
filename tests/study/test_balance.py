"""Luck and play make the result: of whole analyses, and as displayed."""

from collections.abc import Iterator
from random import Random
from typing import Any

import pytest
from django.utils import translation

from bench.balance import LIMIT, differences, iter_records
from boneyard.analysis.matches import analyse_record
from games.models import Match
from study.balance import Balance
from study.balance_words import balance_sentence
from tests.study.test_grading import self_play_record

SIDES = {2: ((0,), (1,)), 3: ((0,), (1,), (2,)), 4: ((0, 2), (1, 3))}


@pytest.fixture(autouse=True)
def in_english():
    with translation.override("en"):
        yield


def short_records() -> Iterator[dict]:
    """Yield records of two, three and four seats and of pairs; one match is won by resignations."""
    yield from iter_records(5, "short")
    yield self_play_record("muggins-200-pairs", *["beginner"] * 4, target=20, hand_size=3, seed="study 2")
    yield self_play_record("block", *["casual"] * 3, target=20, hand_size=3, seed="three")


def test_luck_and_play_make_the_result_in_every_step_and_unit():
    endings, sides = set(), set()
    for record in short_records():
        result = analyse_record(record).as_dict()
        endings.add(record["result"]["how"])
        sides.add(len(result["sides"]))
        assert max(map(abs, differences(record, result))) <= LIMIT, record["match"]
    assert "resigned" in endings
    assert sides == {2, 3, 4}


def random_result(rng: Random, seats: int) -> tuple[dict, Match]:
    """Return a made-up stored analysis whose figures add up, and its match."""
    sides = SIDES[seats]
    winner = rng.randrange(len(sides))
    start, end = [1 / len(sides)] * len(sides), [float(side == winner) for side in range(len(sides))]
    scores = [rng.randrange(200) for _ in sides]
    leads = [own - (sum(scores) - own) / (len(sides) - 1) for own in scores]
    decisions, steps = [], []
    values = {"chances": start, "points": [0.0] * len(sides)}
    ends = {"chances": end, "points": leads}
    count = rng.randrange(1, 40)
    for number in range(1, count + 1):
        seat = rng.randrange(seats)
        own = next(side for side, of_side in enumerate(sides) if seat in of_side)
        loss, points = round(rng.random() ** 4 / 4, 4), round(rng.uniform(-1, 9), 2)
        mark = "?" if loss >= 0.07 else ""
        decisions.append({"number": number, "seat": seat, "move": "5-0@R", "loss": loss, "mark": mark})
        step: dict[str, Any] = {"number": number, "seat": seat, "luck": {}, "play": {}}
        step["charges"] = [[seat, "decision", loss, points]]
        for unit, lost in (("chances", loss), ("points", points)):
            gain = lost / (len(sides) - 1)
            play = [-lost if side == own else gain for side in range(len(sides))]
            after = ends[unit] if number == count else [rng.uniform(0, 1) for _ in sides]
            step["play"][unit] = play
            step["luck"][unit] = [b - a - p for a, b, p in zip(values[unit], after, play, strict=True)]
            values[unit] = after
        steps.append(step)
    begun = {"chances": start, "points": [0.0] * len(sides)}
    result = {
        "engine": "4",
        "sides": [list(side) for side in sides],
        "decisions": decisions,
        "calls": [],
        "balance": {"start": begun, "steps": steps, "end": ends},
    }
    return result, Match(winners=[winner], result_how="target")


def number(text: str) -> float:
    return float(text.replace("−", "-").replace("+", "").replace("%", "").replace("\N{NO-BREAK SPACE}", ""))


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_displayed_lines_add_up_to_the_displayed_result(seats):
    rng = Random(f"lines {seats}")
    for _ in range(200):
        result, match = random_result(rng, seats)
        for side in range(len(SIDES[seats])):
            balance = Balance(match, ["", *"bcd"[: seats - 1]], SIDES[seats], side, result)
            *parts, whole = balance.lines
            assert sum(number(line.chance) for line in parts) == number(whole.chance)
            assert sum(number(line.points) for line in parts) == number(whole.points)
            before = round(100 / len(SIDES[seats]), 1)
            for step in balance.steps:
                after = before + number(step.luck) + number(step.play)
                assert after == pytest.approx(number(step.after), abs=1e-6)
                before = number(step.after)


def test_sentence_gives_the_figures_of_the_lines():
    rng = Random("sentence")
    for _ in range(200):
        result, match = random_result(rng, 2)
        balance = Balance(match, ["", "bob"], SIDES[2], 0, result)
        lines = {line.label.partition(":")[0]: line for line in balance.lines}
        tiles = lines["The tiles"]
        figure = tiles.points.lstrip("+−")
        mistakes = sum(bool(row["mark"]) for row in result["decisions"] if row["seat"] == 0)
        assert (f"{mistakes} mistake" in balance.sentence) == (mistakes > 0)
        assert (
            figure in balance.sentence
            or tiles.chance.lstrip("+−") in balance.sentence
            or "even" in balance.sentence
        )
        assert balance.headline == balance.sentence


def test_analysis_of_an_older_engine_adds_up_in_chances():
    result = {
        "engine": "2",
        "sides": [[0], [1]],
        "decisions": [
            {"number": 1, "seat": 0, "loss": 0.12, "mark": "?"},
            {"number": 2, "seat": 1, "loss": 0.3, "mark": "??"},
            {"number": 4, "seat": 1, "loss": 0.01, "mark": ""},
        ],
        "calls": [{"number": 2, "seat": 0, "loss": 0.05}],
        "luck": None,
        "play": None,
    }
    balance = Balance(Match(winners=[0], result_how="target"), ["", "bob"], SIDES[2], 0, result)

    assert [(line.label, line.chance.replace("\N{NO-BREAK SPACE}", " ")) for line in balance.lines] == [
        ("Before the deal", "50 %"),
        ("The tiles", "+36 %"),
        ("Mistakes, you: 2", "−17 %"),
        ("Mistakes, bob: 1", "+30 %"),
        ("Other decisions, bob", "+1 %"),
        ("The result", "100 %"),
    ]
    assert balance.sentence.replace("\N{NO-BREAK SPACE}", " ") == (
        "You made 2 mistakes worth 17 %; the tiles gave you 36 %."
    )
    assert (balance.has_points, balance.steps) == (False, [])


@pytest.mark.parametrize(
    ("name", "alone", "mistakes", "worth", "luck", "in_points", "sentence"),
    [
        ("", True, 5, 12, 19, True, "You made 5 mistakes worth 12 points; the tiles gave you 19."),
        ("", True, 1, 1, -4, True, "You made 1 mistake worth 1 point; the tiles took 4 from you."),
        ("", False, 2, 0.2, 0, False, "Your pair made 2 mistakes worth 20 %; the tiles were even."),
        ("bob", True, 0, 0, -7, True, "bob: no mistake; the tiles took 7."),
    ],
)
def test_sentence_says_mistakes_and_tiles(name, alone, mistakes, worth, luck, in_points, sentence):
    said = balance_sentence(name, alone=alone, mistakes=mistakes, worth=worth, luck=luck, in_points=in_points)
    assert said.replace("\N{NO-BREAK SPACE}", " ") == sentence
