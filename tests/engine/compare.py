"""Compare the engine with the reference.

python -m tests.engine.compare --matches N --seed S    matches of presets and of random house rules
python -m tests.engine.compare --each N --seed S       N matches of every preset, number of seats and variant
"""

import argparse
import sys
import time
from collections import Counter
from collections.abc import Iterator
from itertools import product
from random import Random

from boneyard.computer.selfplay import RANDOM, selfplay
from boneyard.engine.errors import InvalidRules
from boneyard.engine.presets import PRESETS, Preset
from boneyard.engine.rules import Rules
from boneyard.engine.verification import Fault, verify
from tests.engine.examples.example import PRESETS as PRESET_ROWS
from tests.engine.lockstep import Disagreement, Habits, LockstepMatch, same_verdict
from tests.engine.reference import random_rules, replay
from tests.engine.reference.defaults import complete
from tests.engine.reference.options import DEFAULTS
from tests.engine.reference.preset_name import keeps_name

DRAWS_PER_TABLE = 200


def tables() -> Iterator[tuple[str, dict, int]]:
    """Yield every preset with every number of seats that it allows."""
    for preset in PRESETS.values():
        rules = preset.rules.written()
        for seats in rules["players"]:
            yield preset.id, rules, seats


def variant_tables() -> Iterator[tuple[str, dict, int]]:
    """Yield every variant of every preset, with as few others as it needs, and every number of seats."""
    for preset in PRESETS.values():
        for rules in _rules_with_each_variant(preset):
            for seats in rules["players"]:
                yield preset.id, rules, seats


def _rules_with_each_variant(preset: Preset) -> Iterator[dict]:
    own = preset.rules.as_dict()
    to_cover = {(option, str(value)) for option, values in preset.variants.items() for value in values}
    choices = [[own[option], *values] for option, values in preset.variants.items()]
    combinations = [dict(zip(preset.variants, values, strict=True)) for values in product(*choices)]
    combinations.sort(key=lambda changes: sum(value != own[option] for option, value in changes.items()))
    for changes in combinations:
        new = to_cover & {(option, str(value)) for option, value in changes.items()}
        if new and (rules := _offered(preset, changes)):
            to_cover -= new
            yield rules


def _offered(preset: Preset, changes: dict) -> dict | None:
    """Return the preset's rules with these changes, or None where they are not valid or not as written."""
    try:
        rules = preset.rules.replace(**changes)
    except InvalidRules:
        return None
    return rules.written() if preset.is_offered_with(rules) else None


def as_written() -> Iterator[tuple[str, dict | None, int]]:
    """Yield every preset, variant and number of seats; None stands for random variants and targets."""
    yield from tables()
    yield from variant_tables()
    for preset in PRESETS.values():
        for seats in preset.rules.players:
            yield preset.id, None, seats


def mixed_variants(preset: Preset, rng: Random) -> dict:
    """Return the preset's rules with random variants and a random rated target."""
    own, targets = preset.rules.as_dict(), preset.rated_targets
    while True:
        changes = {option: rng.choice([own[option], *values]) for option, values in preset.variants.items()}
        changes["target"] = rng.choice(
            [own["target"], *targets.usual, *range(targets.start, targets.end + 1)]
        )
        if rules := _offered(preset, changes):
            return rules


def habits_of(rng: Random) -> Habits:
    """Return random habits: at most tables players stay, at some they leave or try many illegal moves."""
    return rng.choice(
        [
            Habits(patience=rng.choice([600, 600, 20_000])),
            Habits(wrong_claim=0.05, call=0.9),
            Habits(probe=0.3),
            Habits(leave=0.004, takeover=0.01),
            Habits(leave=0.02, takeover=0.02, abort=0.005),
            Habits(leave=0.1),
        ]
    )


def compare_one(rules: dict, seats: int, seed: str) -> dict:
    """Play one match, determined by the seed, in lockstep and return its record. Raise `Disagreement`."""
    rng = Random(seed)
    return LockstepMatch(rules, seats, rng, habits_of(rng)).play_out()


def compare_selfplay(rules: dict, seats: int, seed: str, preset: str | None = None) -> dict:
    """Play one match like `manage.py selfplay --legal`, replay it and return its record. Raise `Disagreement`."""
    game = Rules.from_dict(rules)
    (record,) = selfplay(game, preset=preset, players=[RANDOM] * seats, matches=1, seed=seed, legal=True)
    faults = replay(record)
    if preset is not None and not keeps_name(PRESET_ROWS[preset], record["rules"]):
        faults.append(f"the record may not name {preset}")
    try:
        verify(record)
    except Fault as fault:
        faults.append(f"verify: {fault}")
    if faults:
        raise Disagreement(f"replay of selfplay: {faults}\nrules {rules}\nseats {seats}")
    return record


ODD_VALUES = [
    *(None, -1, 0, 1, 2, True, 10**5, "any", "none", "own", "7-8", "1-2", [], [2, 2], [4, 2], {}),
    *({"capicua": 0}, {"capicua": -1}, {"block": True}, {"chiva": 5}, {"rounds": [5, 0]}, {"rounds": 5}),
    *({"rounds": [1] * 10}, {"rounds": [1] * 11}, {"pass_lead": 5}, {"chucha": 5, "block": 7}),
    *({"points": 5}, {"points": 5, "kept": False}, {"points": 0, "kept": True}, {"points": 5, "kept": 1}),
    *({"0-0": 25}, {"0-0": 0}, {"0-1": 3}, {"12-12": 3}),
    *("exceed", "all", "pips", "one", "score", "round", "both", 999, 1000),
]


def tables_with(option: str, number: int) -> Iterator[tuple[dict, int]]:
    """Yield random rules in which an option has another value than its default, and a number of seats."""
    rng = Random(f"tables with {option}")
    for _ in range(DRAWS_PER_TABLE * number):
        rules = random_rules(rng)
        if rules.get(option, DEFAULTS[option]) != DEFAULTS[option]:
            yield rules, rng.choice(rules["players"])
            number -= 1
        if not number:
            return
    raise AssertionError(f"random rules seldom have {option}: let a function of rare_options.py draw it")


def any_rules(rng: Random) -> dict:
    """Return random rules, some of them with a few conflicting or invalid values."""
    rules = random_rules(rng)
    other = complete(random_rules(rng))
    for option in rng.sample(sorted(other), rng.choice([0, 1, 2, 3, 6])):
        rules[option] = other[option]
    if rng.random() < 0.3:
        option = rng.choice(sorted(rules))
        rules[option] = rng.choice(ODD_VALUES)
    if rng.random() < 0.02:
        del rules[rng.choice(sorted(rules))]
    return rules


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--matches", type=int, default=1000)
    parser.add_argument("--each", type=int, help="matches of every preset, number of seats and variant")
    parser.add_argument("--preset", nargs="*", help="with --each, these presets alone")
    parser.add_argument("--seed", default="1")
    parser.add_argument("--only", help="the number of one match, to see it again")
    options = parser.parse_args()
    games = [game for game in as_written() if not options.preset or game[0] in options.preset]
    total = options.each * len(games) if options.each else options.matches
    numbers = list(range(total)) if options.only is None else [int(options.only)]
    seen: Counter[str] = Counter()
    began = time.monotonic()
    for done, number in enumerate(numbers, start=1):
        try:
            if options.each:
                kind, record = compare_as_written(number, options.seed, games)
            else:
                kind, record = compare_number(number, options.seed)
        except Disagreement as difference:
            seen["DISAGREEMENTS"] += 1
            print(f"match {number} of seed {options.seed}: {difference}\n", flush=True)
            continue
        seen[kind] += 1
        seen["rounds"] += len(record["rounds"])
        seen["moves"] += sum(len(each["moves"]) for each in record["rounds"])
        seen[f"ended by {record['result']['how']}"] += 1
        if done % 200 == 0:
            print(
                f"{done} of {len(numbers)} in {time.monotonic() - began:.0f} s", file=sys.stderr, flush=True
            )
    for what, number in sorted(seen.items()):
        print(f"{number:9} {what}")
    return 1 if seen["DISAGREEMENTS"] else 0


def compare_number(number: int, seed: str) -> tuple[str, dict]:
    """Compare the match with this number; return its kind and record. Raise `Disagreement`."""
    rng = Random(f"{seed}:{number}")
    for _ in range(5):
        same_verdict(any_rules(rng))
    preset, rules, seats = rng.choice(list(tables()))
    if number % 3:
        preset, rules = "house rules", random_rules(rng)
        seats = rng.choice(rules["players"])
    same_verdict(rules)
    play = compare_selfplay if number % 10 == 0 else compare_one
    return f"{preset}, {seats} seats", play(rules, seats, f"{seed}:{number}")


def compare_as_written(number: int, seed: str, games: list[tuple[str, dict | None, int]]) -> tuple[str, dict]:
    """Compare the match with this number in a cycle through the games; return its kind and record."""
    preset, rules, seats = games[number % len(games)]
    if rules is None:
        rules = mixed_variants(PRESETS[preset], Random(f"{seed}:{number}"))
    return f"{preset}, {seats} seats", compare_selfplay(rules, seats, f"{seed}:{number}", preset)


if __name__ == "__main__":
    raise SystemExit(main())
