"""Changes to random rules that make rarely valid options occur."""

import random
from collections.abc import Callable


def own(rng: random.Random, rules: dict) -> dict:
    blocked = rng.choice(["own", "own", "none"])
    return {
        "out_bonus": "own",
        "blocked_bonus": blocked,
        "lowest_wins": True,
        "extras": {},
        "out_points": 0,
        "count": "none",
        "bonus_unit": "pips",
        "two_doubles": rng.random() < 0.5,
        "opening": rng.choice([None, an_opening(rng, rules)]),
        "team_difference": False,
    }


def an_opening(rng: random.Random, rules: dict) -> dict:
    return {"points": rng.randint(1, min(40, rules["target"])), "kept": rng.random() < 0.5}


def opening(rng: random.Random, rules: dict) -> dict:
    return {
        "opening": an_opening(rng, rules),
        "team_difference": False,
        "bonus_unit": rng.choice(["pips", "nearest_five", "fifths_up"]),
        "count": rng.choice(["none", "fives", "fives_threes"]),
    }


def two_doubles(rng: random.Random, rules: dict) -> dict:
    return {"two_doubles": True, "count": "none", "spinner": "none"}


def passes(rng: random.Random, rules: dict) -> dict:
    awards = {"pass_lead": rng.randint(1, 25), "pass_round": rng.randint(1, 25)}
    return {"draw": "none", "pass": "stuck", "extras": rules["extras"] | awards}


def capicua(rng: random.Random, rules: dict) -> dict:
    names = ("capicua", "capicua_blank", "capicua_double", "double", "chucha")
    awards = {name: rng.randint(1, 25) for name in names if rng.random() < 0.7}
    return {"spinner": "none", "draw": "none", "extras": rules["extras"] | awards}


def matching(rng: random.Random, rules: dict) -> dict:
    return {"count": "matching", "spinner": "none"}


def blocks(rng: random.Random, rules: dict) -> dict:
    return {
        "draw": "none",
        "blocked_winner": rng.choice(["hand", "hand", "closer"]),
        "blocked_tie": rng.choice(["nobody", "leader", "closer", "carry"]),
        "blocked_bonus": rng.choice(["total", "difference", "table"]),
    }


def carry(rng: random.Random, rules: dict) -> dict:
    return {"draw": "none", "blocked_tie": "carry", "blocked_bonus": rng.choice(["total", "difference"])}


def every(rng: random.Random, rules: dict) -> dict:
    return {"spinner": "every", "many_ends": False}


CHANGES: list[Callable[[random.Random, dict], dict]] = [
    *(own, opening, two_doubles, passes, capicua, matching, blocks, carry, every),
]


UNITS = ["pips", "nearest_five", "fifths_nearest", "fifths_up", "one"]


def goal(rng: random.Random, rules: dict) -> dict:
    return {"goal": "exceed"}


def lead_draws(rng: random.Random, rules: dict) -> dict:
    return {"first_lead": "tile", "lead_draws": "all"}


def blocked_unit(rng: random.Random, rules: dict) -> dict:
    return {"blocked_unit": rng.choice(UNITS), "draw": rng.choice(["none", rules["draw"]])}


def partner_pips(rng: random.Random, rules: dict) -> dict:
    return {
        "partner_pips": rng.choice(["score", "score_unit"]),
        "partners": True,
        "players": [4],
        "out_bonus": "opponents",
        "opening": None,
        "team_difference": False,
    }


def past_target(rng: random.Random, rules: dict) -> dict:
    exact = {"exact": True, "past_target": "round", "lowest_wins": False, "team_difference": False}
    return exact | {"target": rng.choice([rules["target"], rng.randint(5, 25)])}


def call_last(rng: random.Random, rules: dict) -> dict:
    count = rng.choice(["fives", "fives_by_one", "fives_threes"])
    return {"count": count, "claims": "muggins", "call_last": True, "two_doubles": False}


def partners_out(rng: random.Random, rules: dict) -> dict:
    return {"partners_out": "both", "partners": True, "players": [4], "partner_pips": "bonus"}


def rounds(rng: random.Random, rules: dict) -> dict:
    target = rng.choice([None, rules["target"]])
    return {"rounds": rng.choice([1, 2, 3, 8]), "target": target}


def asleep(rng: random.Random, rules: dict) -> dict:
    reserve = {"2": 1, "3": 1, "4": 1}
    return {
        "asleep": rng.choice(["0-0", "1-0", "6-6"]),
        "draw": "none",
        "lead_draws": "reserve",
        "reserve": reserve,
    }


def reset(rng: random.Random, rules: dict) -> dict:
    return {
        "reset": rng.choice(["all_scored", "one_all"]),
        "bonus_unit": rng.choice(["one", "one", rules["bonus_unit"]]),
        "target": rng.choice([rules["target"], 3, 6]),
        "finish": "round_end",
        "exact": False,
        "lowest_wins": False,
        "opening": None,
        "team_difference": False,
        "partner_pips": "bonus",
        "past_target": "award",
    }


LETTER_CHANGES: list[Callable[[random.Random, dict], dict]] = [
    *(goal, lead_draws, blocked_unit, partner_pips, past_target, call_last, partners_out, rounds),
    *(asleep, reset),
]
# The options of these names: they have their default unless one of these changes is made.
LETTER = [change.__name__ for change in LETTER_CHANGES]


def add_letter_options(rng: random.Random, rules: dict) -> None:
    """Apply one to three of these changes."""
    for change in rng.sample(LETTER_CHANGES, rng.choice([1, 1, 2, 3])):
        rules |= change(rng, rules)


def add_rare_options(rng: random.Random, rules: dict) -> None:
    """Apply one of these changes, mostly, and reset the options that conflict with it."""
    if "own" in (rules["out_bonus"], rules["blocked_bonus"]):
        rules |= {"out_bonus": "losers", "blocked_bonus": "table"}
    if rng.random() < 0.9:
        rules |= rng.choice(CHANGES)(rng, rules)
    if rules["count"] == "none":
        rules["claims"] = "automatic"
    if rules["count"] in ("none", "fives_threes", "matching"):
        rules |= {"many_ends": False, "lead_with": rng.choice(["any", "named"])}
