"""Random house rules that may be played."""

import random

from tests.engine.reference.options import SWITCHES, WORDS, objections, somebody_can_score
from tests.engine.reference.tiles import whole_set, write


def random_rules(rng: random.Random) -> dict:
    """Rules to which there is no objection, with every option of §3 drawn at random."""
    while True:
        rules = _drawn(rng)
        if not objections(rules) and somebody_can_score(rules):
            return rules


def _drawn(rng: random.Random) -> dict:
    rules: dict = {option: rng.choice(values) for option, values in WORDS.items()}
    rules |= {option: rng.random() < 0.3 for option in SWITCHES}
    rules["set"] = rng.choice([6, 6, 6, 6, 9, 12])
    rules["players"] = rng.choice([[2], [3], [4], [4], [2, 3], [2, 4], [3, 4], [2, 3, 4]])
    rules["target"] = rng.choice([1, 5, 31, 61, 100, 200, rng.randint(1, 150)])
    rules["out_points"] = rng.choice([0, 0, 0, 1, 5, rng.randint(0, 12)])
    rules["bonus_ceiling"] = rng.choice([None, None, None, rng.randint(1, rules["target"] + 20)])
    _agree_on_the_lead(rng, rules)
    _agree_on_the_finish(rng, rules)
    _measure_hands(rng, rules)
    if rng.random() < 0.3:
        _press_for_ties(rng, rules)
    return rules


def _press_for_ties(rng: random.Random, rules: dict) -> None:
    """Make what is rare frequent: sides that are lifted to one score together, at a target soon reached."""
    rules |= {"target": rng.randint(1, 20), "exact": False, "players": rng.choice([[3], [4]])}
    rules |= {"blocked_bonus": "chain", "draw": "none", "team_difference": False}
    rules["bonus_ceiling"] = rng.choice([rules["target"], rules["target"] + 5])
    rules["count"] = rng.choice([rules["count"], "fives"])


def _agree_on_the_lead(rng: random.Random, rules: dict) -> None:
    if rules["spinner"] == "cross" and rng.random() < 0.6:
        rules["spinner"] = "first"
    if rules["spinner"] == "cross":
        rules |= {"first_lead": "tile", "lead_with": "named"}
        rules |= {"next_lead": "first", "next_lead_after_block": "first", "players": rng.choice([[2], [4]])}
    rules["lead_tile"] = None
    if rules["first_lead"] == "tile":
        tile = rng.choice(whole_set(rules["set"]))
        rules["lead_tile"] = write((tile[0], tile[0]) if rules["spinner"] == "cross" else tile)


def _agree_on_the_finish(rng: random.Random, rules: dict) -> None:
    if rules["team_difference"]:
        rules |= {"partners": True, "players": [4]}
    if rules["team_difference"] or rules["lowest_wins"]:
        rules |= {"finish": "round_end", "exact": False}
    if rules["exact"]:
        rules |= {"finish": "at_once", "bonus_ceiling": None}


def _measure_hands(rng: random.Random, rules: dict) -> None:
    tiles = len(whole_set(rules["set"]))
    rules["hand_size"], rules["reserve"] = {}, {}
    for seats in (2, 3, 4):
        most = tiles // seats
        size = rng.choice([rng.randint(1, most), min(most, rng.randint(3, 9))])
        if rules["spinner"] == "cross" and tiles % seats == 0:
            size = most
        rules["hand_size"][str(seats)] = size
        spare = tiles - seats * size
        rules["reserve"][str(seats)] = rng.choice([0, min(2, spare), rng.randint(0, spare)])
    rules["max_same_suit"] = None
    largest = max(rules["hand_size"][str(seats)] for seats in rules["players"])
    if rng.random() < 0.25 and largest <= 9:
        # A limit that hardly any deal meets would have the set shuffled thousands of times.
        rules["max_same_suit"] = rng.randint(3 if largest <= 7 else 4, 6)
