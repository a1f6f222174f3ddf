"""Random valid house rules."""

import random
from copy import deepcopy

from tests.engine.reference.conflicts import objections
from tests.engine.reference.options import DEFAULTS, EXTRAS, SWITCHES, WORDS
from tests.engine.reference.rare_options import LETTER, add_letter_options, add_rare_options
from tests.engine.reference.tiles import tile_text, whole_set

# Values that were added to the original options later.
LATER = {
    "first_lead": ["double_from_1"],
    "spinner": ["first_open", "every"],
    "pass": ["always"],
    "count": ["matching"],
    "out_bonus": ["losers", "table", "own"],
    "blocked_bonus": ["table", "own"],
    "blocked_tie": ["leader", "closer", "carry"],
    "bonus_unit": ["one"],
}


def random_rules(rng: random.Random) -> dict:
    """Return random valid rules.

    A third of them have only the original options and values.
    """
    while True:
        rules = _draw_options(rng)
        if not objections(rules):
            return rules


def _draw_options(rng: random.Random) -> dict:
    plain = rng.random() < 1 / 3
    rules = deepcopy(DEFAULTS)
    rules |= {option: rng.choice(_words(option, plain)) for option in WORDS}
    rules |= {option: rng.random() < 0.3 for option in SWITCHES}
    rules["set"] = rng.choice([6, 6, 6, 6, 9, 12])
    rules["players"] = rng.choice([[2], [3], [4], [4], [2, 3], [2, 4], [3, 4], [2, 3, 4]])
    rules["target"] = rng.choice([1, 5, 31, 61, 100, 200, rng.randint(1, 150)])
    rules["out_points"] = rng.choice([0, 0, 0, 1, 5, rng.randint(0, 12)])
    rules["bonus_ceiling"] = rng.choice([None, None, None, rng.randint(1, rules["target"] + 20)])
    drawn_later = DEFAULTS if plain else ["extras", "opening", "lone_pips", "max_doubles", *LETTER]
    rules |= {option: deepcopy(DEFAULTS[option]) for option in drawn_later}
    if not plain:
        _draw_additions(rng, rules)
        if rng.random() < 0.5:
            add_letter_options(rng, rules)
    _fix_lead_options(rng, rules)
    _fix_finish_options(rng, rules)
    _draw_hand_sizes(rng, rules, plain)
    if rng.random() < (0.3 if plain else 0.1):
        _make_ties_likely(rng, rules)
    return _omit_some_defaults(rng, rules)


def _words(option: str, plain: bool) -> list[str]:
    return [word for word in WORDS[option] if not (plain and word in LATER.get(option, []))]


def _omit_some_defaults(rng: random.Random, rules: dict) -> dict:
    """Return the rules with some options omitted that have their default."""
    left_out = [
        option for option, default in DEFAULTS.items() if rules[option] == default and rng.random() < 0.7
    ]
    return {option: value for option, value in rules.items() if option not in left_out}


def _draw_additions(rng: random.Random, rules: dict) -> None:
    extreme = rng.choice([2, 5, 25, 100])
    if rng.random() < 0.5:
        rules["extras"] = {name: rng.randint(0, extreme) for name in rng.sample(EXTRAS, rng.randint(1, 6))}
    if rng.random() < 0.2:
        rules["extras"]["rounds"] = [rng.choice([0, 1, extreme]) for _ in range(rng.randint(0, 5))]
    if rng.random() < 0.3:
        tiles = rng.sample(whole_set(rules["set"]), rng.randint(1, 3)) + [(0, 0)]
        rules["lone_pips"] = {tile_text(tile): rng.randint(1, 50) for tile in tiles}
    rules["two_doubles"] = False
    add_rare_options(rng, rules)


def _make_ties_likely(rng: random.Random, rules: dict) -> None:
    """Make ties at the target frequent."""
    rules |= {"target": rng.randint(1, 20), "exact": False, "players": rng.choice([[3], [4]])}
    rules |= {"blocked_bonus": "chain", "draw": "none", "team_difference": False, "opening": None}
    rules |= {"goal": "reach", "past_target": "award"}
    rules["bonus_ceiling"] = rng.choice([rules["target"], rules["target"] + 5])
    rules["count"] = rng.choice([rules["count"], "fives"])


def _fix_lead_options(rng: random.Random, rules: dict) -> None:
    if rules["spinner"] == "cross" and rng.random() < 0.3:
        rules["spinner"] = "first"
    if rules["spinner"] == "cross":
        doubles = ["tile", "highest_double", "lowest_double", "double_from_1"]
        rules |= {"first_lead": rng.choice(doubles), "lead_with": "named"}
        rules |= {"next_lead": "first", "next_lead_after_block": "first"}
    rules["lead_tile"] = None
    if rules["first_lead"] != "tile":
        rules["lead_draws"] = "reserve"
    if rules["first_lead"] == "tile":
        tile = rng.choice(whole_set(rules["set"]))
        rules["lead_tile"] = tile_text((tile[0], tile[0]) if rules["spinner"] == "cross" else tile)


def _fix_finish_options(rng: random.Random, rules: dict) -> None:
    if rules["team_difference"]:
        rules |= {"partners": True, "players": [4], "opening": None}
    if rules["team_difference"] or rules["lowest_wins"]:
        rules |= {"finish": "round_end", "exact": False}
    if rules["exact"]:
        rules |= {"finish": "at_once", "bonus_ceiling": None, "goal": "reach"}
    else:
        rules["past_target"] = "award"
    if rules["target"] is None:
        rules |= {"finish": "round_end", "exact": False, "bonus_ceiling": None, "opening": None}
        rules["past_target"] = "award"


def _draw_hand_sizes(rng: random.Random, rules: dict, plain: bool) -> None:
    tiles = len(whole_set(rules["set"]))
    rules["hand_size"], rules["reserve"] = {}, {}
    for seats in (2, 3, 4):
        most = tiles // seats
        size = rng.choice([rng.randint(1, most), min(most, rng.randint(3, 9))])
        if rules["blocked_winner"] != "side" and rng.random() < 0.5:
            size = rng.randint(2, 4)
        if rules["spinner"] == "cross" and tiles % seats == 0 and rng.random() < 0.3:
            size = most
        rules["hand_size"][str(seats)] = size
        spare = tiles - seats * size
        rules["reserve"][str(seats)] = rng.choice([0, min(2, spare), rng.randint(0, spare)])
    rules["max_same_suit"] = None
    largest = max(rules["hand_size"][str(seats)] for seats in rules["players"])
    if rng.random() < 0.25 and largest <= 9:
        # A limit that few deals meet would need thousands of shuffles.
        rules["max_same_suit"] = rng.randint(3 if largest <= 7 else 4, 6)
    if not plain and rng.random() < 0.25:
        least = max(2, -(-2 * largest // (rules["set"] + 2)))
        rules["max_doubles"] = rng.randint(least, least + 2)
