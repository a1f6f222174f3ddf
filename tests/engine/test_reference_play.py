"""Tests of the reference alone: it plays every game to its end with correct sums and verifies its own records."""

from random import Random

import pytest

from tests.engine.examples.example import PRESETS
from tests.engine.reference import Match, NotAllowed, random_rules, replay
from tests.engine.reference.defaults import written
from tests.engine.reference.options import DEFAULTS
from tests.engine.reference.shuffle import chain

TABLES = [(name, seats) for name, preset in PRESETS.items() for seats in preset["rules"]["players"]]


def played(rules: dict, seats: int, rng: Random, leave: float = 0.0, patience: int = 20_000) -> dict:
    """Return the record of a random match; after `patience` moves the seats leave."""
    keys = chain(rng.randbytes(32))
    match = Match(rules, seats, "." * (seats - 1), lambda number: keys[number])
    moves = 0
    while match.result is None:
        moves += 1
        if moves > patience or rng.random() < leave:
            match.play(rng.choice(match.playing()), rng.choice(["resign", "time", "left"]))
        elif match.callable_points and rng.random() < 0.5 and called(match, rng):
            pass
        elif match.turn is None:
            match.play(match.closer(), "close")
        else:
            claim = rng.choice([None, 1, 2, 3, 5, 10]) if rules["claims"] == "muggins" else None
            match.play(match.turn, rng.choice(match.legal(match.turn)), claim)
    return {
        "rules": written(rules),
        "seats": [{}] * seats,
        "seal": keys[0].hex(),
        "entropy": "." * (seats - 1),
        "rounds": match.ended,
        "result": match.result,
    }


def called(match: Match, rng: Random) -> bool:
    try:
        match.play(rng.choice(match.playing()), "muggins")
    except NotAllowed:
        return False
    return True


def check_sums(record: dict) -> None:
    """Assert that the scores rose by the points of the moves and of the end of the round."""
    pairs = record["rules"]["partners"] and len(record["seats"]) == 4
    scores = [0] * (2 if pairs else len(record["seats"]))
    for each in record["rounds"]:
        for entry in each["moves"]:
            scores[entry["seat"] % len(scores)] += entry.get("scored", 0)
            scores = added(scores, entry.get("award", [0] * len(scores)))
        scores = added(scores, each["end"]["bonus"])
        for lost in ("taken", "reset"):
            scores = added(scores, [-points for points in each["end"].get(lost, [0] * len(scores))])
        if record["rules"]["team_difference"]:
            scores = list(each["scores"])
        assert scores == each["scores"]


def added(scores: list[int], more: list[int]) -> list[int]:
    return [score + given for score, given in zip(scores, more, strict=True)]


@pytest.mark.parametrize(("name", "seats"), TABLES)
def test_preset_match_ends(name, seats):
    record = played(PRESETS[name]["rules"], seats, Random(f"{name} {seats}"))
    assert record["result"]["how"] == "target"
    check_sums(record)
    assert replay(record) == []


@pytest.mark.parametrize("part", range(10))
def test_house_rule_match_ends(part):
    rng = Random(f"reference plays {part}")
    for leave in (0, 0, 0, 0.01, 0.02):
        rules = random_rules(rng)
        record = played(rules, rng.choice(rules["players"]), rng, leave, patience=600)
        check_sums(record)
        assert replay(record) == []


@pytest.mark.parametrize("option", DEFAULTS)
def test_record_with_written_default_is_refused(option):
    record = played(PRESETS["block"]["rules"], 2, Random("default"))
    record["rules"] |= {option: DEFAULTS[option]}
    assert replay(record) != []


@pytest.mark.parametrize("extras", [{"block": 0}, {"rounds": []}, {"rounds": [5, 0]}])
def test_record_with_zero_extra_is_refused(extras):
    record = played(PRESETS["block"]["rules"] | {"extras": extras}, 2, Random("zero"))
    assert replay(record) == []
    record["rules"] |= {"extras": extras}
    assert replay(record) != []


@pytest.mark.parametrize(
    "forge",
    [
        lambda entry: entry.update(award=[25, 25]),
        lambda entry: entry.update(award=entry["award"][::-1]),
        lambda entry: entry.pop("award"),
    ],
)
def test_forged_award_is_found(forge):
    record = played(PRESETS["dominican"]["rules"], 4, Random("award"))
    awarded = [entry for each in record["rounds"] for entry in each["moves"] if "award" in entry]
    forge(awarded[0])
    assert replay(record) != []
