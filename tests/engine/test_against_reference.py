"""Tests that the engine and the reference implementation agree (tests/engine/compare.py runs longer)."""

from collections.abc import Callable
from copy import deepcopy
from random import Random

import pytest

from boneyard.engine.presets import PRESETS
from boneyard.engine.rules import Rules
from boneyard.engine.verification import Fault, verify
from tests.engine.compare import (
    any_rules,
    as_written,
    compare_as_written,
    compare_one,
    compare_selfplay,
    tables,
    tables_with,
    variant_tables,
)
from tests.engine.lockstep import Habits, LockstepMatch, same_verdict
from tests.engine.reference import random_rules, replay
from tests.engine.reference.options import DEFAULTS
from tests.engine.reference.tiles import tile_text, whole_set

TABLES = list(tables())
AS_WRITTEN = list(as_written())
MATCHES_PER_OPTION = 10
NAMES = [f"{preset}-{seats}" for preset, _, seats in TABLES]


@pytest.mark.parametrize(("preset", "rules", "seats"), TABLES, ids=NAMES)
def test_preset_matches_agree(preset, rules, seats):
    compare_selfplay(rules, seats, f"suite {preset}")
    compare_one(rules, seats, f"suite {preset}")


@pytest.mark.parametrize("place", range(len(TABLES), len(AS_WRITTEN)))
def test_matches_with_variants_agree(place):
    compare_as_written(place, "suite variants", AS_WRITTEN)


def test_every_variant_is_compared():
    compared = {
        (preset, option, str(Rules.from_dict(rules).as_dict()[option]))  # `rules` omit what is the default
        for preset, rules, _ in variant_tables()
        for option in PRESETS[preset].variants
    }
    expected = {
        (preset.id, option, str(value))
        for preset in PRESETS.values()
        for option, values in preset.variants.items()
        for value in values
    }
    assert expected <= compared


@pytest.mark.parametrize("part", range(20))
def test_house_rule_matches_agree(part):
    rng = Random(f"suite house rules {part}")
    for number in range(5):
        rules = random_rules(rng)
        compare_one(rules, rng.choice(rules["players"]), f"suite house rules {part} {number}")


@pytest.mark.parametrize("option", DEFAULTS)
def test_matches_with_each_option_agree(option):
    for number, (rules, seats) in enumerate(tables_with(option, MATCHES_PER_OPTION)):
        compare_one(rules, seats, f"suite {option} {number}")


@pytest.mark.parametrize("part", range(10))
def test_matches_with_leavers_agree(part):
    rng = Random(f"suite leaving {part}")
    for _ in range(5):
        rules, seats = random_rules(rng), 2
        while seats == 2 or rules["partners"]:
            rules = random_rules(rng)
            seats = rng.choice(rules["players"])
        LockstepMatch(rules, seats, rng, Habits(leave=0.03, takeover=0.02)).play_out()


def test_verdicts_on_rules_agree():
    rng = Random("suite verdicts")
    for _ in range(2000):
        same_verdict(any_rules(rng))


@pytest.mark.parametrize(
    "preset",
    ["all-fives", "muggins-200", "gomuggins", "fives-and-threes", "kozel", "five-up", "jamaican-cutthroat"],
)
def test_forged_record_is_refused_by_both(preset):
    rng = Random(f"suite forging {preset}")
    rules, seats = next((rules, seats) for name, rules, seats in TABLES if name == preset)
    record = compare_selfplay(rules, seats, f"suite forging {preset}")
    for _ in range(60):
        forged = deepcopy(record)
        forge(forged, rng)
        assert forged == record or replay(forged)
        assert forged == record or refused(forged)


def refused(record: dict) -> bool:
    try:
        verify(record)
    except Fault:
        return True
    return False


def forge(record: dict, rng: Random) -> None:
    """Change one value that the rules, the seal or the entropy determine."""
    each = rng.choice(record["rounds"])
    entry = rng.choice(each["moves"])
    tile = tile_text(rng.choice(whole_set(6)))
    tricks: list[Callable] = [
        lambda: rng.shuffle(each["hands"][0]),
        lambda: each["boneyard"].reverse(),
        lambda: each.update(leader=1 - each["leader"]),
        lambda: each["end"].update(how=rng.choice(["out", "blocked", "stopped"])),
        lambda: each["end"]["bonus"].reverse(),
        lambda: each["scores"].insert(0, each["scores"].pop() + 1),
        lambda: each["moves"].remove(entry),
        lambda: each["moves"].insert(0, entry),
        lambda: entry.update(seat=1 - entry["seat"]),
        lambda: entry.update(move=f"{tile}@L"),
        lambda: entry.update(scored=entry.get("scored", 0) + 5),
        lambda: entry.update(legal=[*entry.get("legal", []), "pass"]),
        lambda: entry.update(award=[5, 0]),
        lambda: each["end"].update(extras={"block": 5}),
        lambda: record["rules"].update(two_doubles=False),
        lambda: record["rounds"].pop(),
        lambda: record["rounds"].append(each),
        lambda: record["result"].update(winners=[0, 1]),
        lambda: record.update(entropy=record["entropy"] + "x"),
        lambda: record.update(seal=record["seal"][::-1]),
    ]
    rng.choice(tricks)()
