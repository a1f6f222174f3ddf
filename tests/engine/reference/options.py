"""Which house rules are allowed: the table and the list of rejected combinations of docs/rules.md §3."""

from tests.engine.reference.tiles import is_double, named, whole_set

WORDS = {
    "first_lead": ["lot", "highest_double", "lowest_double", "tile"],
    "lead_with": ["any", "named", "scoring"],
    "next_lead": ["winner", "first", "rotate"],
    "next_lead_after_block": ["winner", "first", "rotate"],
    "spinner": ["none", "first", "first_enclosed", "cross"],
    "draw": ["none", "until_playable", "free"],
    "pass": ["stuck", "free"],
    "count": ["none", "fives", "fives_by_one", "fives_threes"],
    "claims": ["automatic", "muggins"],
    "out_bonus": ["opponents", "none"],
    "blocked_bonus": ["total", "difference", "chain", "none"],
    "blocked_tie": ["lightest_tile", "nobody"],
    "bonus_unit": ["pips", "nearest_five", "fifths_nearest", "fifths_up"],
    "finish": ["at_once", "round_end"],
    "extra_rounds": ["one", "players"],
}
SWITCHES = ["partners", "many_ends", "team_difference", "exact", "lowest_wins"]
OTHERS = [
    "set",
    "players",
    "hand_size",
    "max_same_suit",
    "lead_tile",
    "reserve",
    "out_points",
    "bonus_ceiling",
    "target",
]
EVERY_OPTION = sorted([*WORDS, *SWITCHES, *OTHERS])


def objections(rules: dict) -> list[str]:
    """What is wrong with the rules, one sentence an objection; [] when they may be played."""
    if sorted(rules) != EVERY_OPTION:
        return ["an option is missing or unknown"]
    wrong_values = _values(rules)
    if wrong_values:
        return wrong_values
    return _hands(rules) + _leads(rules) + _cross(rules) + _counting(rules) + _finish(rules)


def _whole(value: object, least: int) -> bool:
    return type(value) is int and value >= least


def _values(rules: dict) -> list[str]:
    wrong = [f"{option} has no such value" for option in WORDS if rules[option] not in WORDS[option]]
    wrong += [f"{option} is true or false" for option in SWITCHES if type(rules[option]) is not bool]
    if type(rules["set"]) is not int or rules["set"] not in (6, 9, 12):
        wrong.append("set is 6, 9 or 12")
    players = rules["players"]
    if not isinstance(players, list) or not players or sorted(set(players) & {2, 3, 4}) != sorted(players):
        wrong.append("players are some of 2, 3, 4")
    for option, least in (("hand_size", 1), ("reserve", 0)):
        sizes = rules[option]
        if not isinstance(sizes, dict) or sorted(sizes) != ["2", "3", "4"]:
            wrong.append(f"{option} is given for 2, 3 and 4")
        elif not all(_whole(size, least) for size in sizes.values()):
            wrong.append(f"{option} is a number of tiles")
    for option, least in (("out_points", 0), ("target", 1)):
        if not _whole(rules[option], least):
            wrong.append(f"{option} is a number")
    if rules["bonus_ceiling"] is not None and not _whole(rules["bonus_ceiling"], 1):
        wrong.append("bonus_ceiling is a number from 1 or null")
    if rules["max_same_suit"] is not None and not _whole(rules["max_same_suit"], 3):
        wrong.append("max_same_suit is a number from 3 or null")
    return wrong


def _hands(rules: dict) -> list[str]:
    wrong = []
    tiles = len(whole_set(rules["set"]))
    for seats in rules["players"]:
        dealt = seats * rules["hand_size"][str(seats)]
        if dealt > tiles:
            wrong.append("hand_size: the hands do not fit the set")
        elif rules["reserve"][str(seats)] > tiles - dealt:
            wrong.append("reserve: larger than the boneyard")
        if rules["max_same_suit"] is not None and rules["hand_size"][str(seats)] > 9:
            wrong.append("max_same_suit: hands of more than 9 tiles")
    return wrong


def _leads(rules: dict) -> list[str]:
    wrong = []
    if rules["lead_with"] == "named" and rules["first_lead"] == "lot":
        wrong.append("lead_with: a lot names no tile")
    if (rules["lead_tile"] is None) != (rules["first_lead"] != "tile"):
        wrong.append("lead_tile: goes with first_lead: tile")
    if rules["lead_tile"] is not None and not _in_set(rules["lead_tile"], rules["set"]):
        wrong.append("lead_tile: not in the set")
    return wrong


def _in_set(text: object, highest: int) -> bool:
    try:
        return named(str(text)) in whole_set(highest)
    except ValueError:
        return False


def _cross(rules: dict) -> list[str]:
    if rules["spinner"] != "cross":
        return []
    wrong = []
    wanted = {
        "first_lead": "tile",
        "lead_with": "named",
        "next_lead": "first",
        "next_lead_after_block": "first",
    }
    for option, value in wanted.items():
        if rules[option] != value:
            wrong.append(f"spinner: cross goes with {option}: {value}")
    if _in_set(rules["lead_tile"], rules["set"]) and not is_double(named(rules["lead_tile"])):
        wrong.append("spinner: cross is led by a double")
    for seats in rules["players"]:
        if seats * rules["hand_size"][str(seats)] != len(whole_set(rules["set"])):
            wrong.append("spinner: somebody must hold the double")
    return wrong


def _counting(rules: dict) -> list[str]:
    wrong = []
    counts_nothing = rules["count"] == "none"
    if counts_nothing and rules["claims"] == "muggins":
        wrong.append("claims: there is nothing to claim")
    if counts_nothing or rules["count"] == "fives_threes":
        if rules["many_ends"]:
            wrong.append("many_ends: needs a count by fives")
        if rules["lead_with"] == "scoring":
            wrong.append("lead_with: needs a count by fives")
    nothing_else = rules["out_bonus"] == rules["blocked_bonus"] == "none" and rules["out_points"] == 0
    if counts_nothing and nothing_else:
        wrong.append("count: nobody can ever score")
    return wrong


def somebody_can_score(rules: dict) -> bool:
    """Whether anything can be scored, looked at as strictly as one can.

    How strictly the text means "rules under which nobody can ever score" is left open: what fails this
    alone may be refused or not.
    """
    scores = _least_scores(rules)
    return bool(scores) and not (rules["exact"] and min(scores) > rules["target"])


def _least_scores(rules: dict) -> list[int]:
    """The least that each way of scoring can give at once."""
    scores = []
    if rules["count"] != "none":
        scores.append(5 if rules["count"] == "fives" else 1)
    if rules["out_points"] > 0:
        scores.append(rules["out_points"])
    # With one tile each the leader is out at once, and no round is ever blocked.
    one_tile = all(rules["hand_size"][str(seats)] == 1 for seats in rules["players"])
    blocks = not one_tile or rules["first_lead"] == "tile"
    if rules["out_bonus"] != "none" or (blocks and rules["blocked_bonus"] != "none"):
        scores.append(5 if rules["bonus_unit"] == "nearest_five" else 1)
    return scores


def _finish(rules: dict) -> list[str]:
    wrong = []
    if rules["exact"] and rules["finish"] == "round_end":
        wrong.append("exact: goes with finish: at_once")
    if rules["exact"] and rules["bonus_ceiling"] is not None:
        wrong.append("exact: not with a bonus_ceiling")
    if rules["lowest_wins"] and (rules["finish"] == "at_once" or rules["exact"]):
        wrong.append("lowest_wins: goes with finish: round_end, without exact")
    if rules["team_difference"]:
        if rules["finish"] == "at_once":
            wrong.append("team_difference: goes with finish: round_end")
        if not rules["partners"] or rules["players"] != [4]:
            wrong.append("team_difference: pairs at tables of four only")
    return wrong
