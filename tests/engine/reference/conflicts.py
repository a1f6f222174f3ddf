"""The rejected combinations of values: docs/rules.md, "What does not go together"."""

from tests.engine.reference.defaults import complete
from tests.engine.reference.options import CAPICUAS, in_set, wrong_values
from tests.engine.reference.tiles import is_double, parse_tile, whole_set


def objections(rules: dict) -> list[str]:
    """Return one sentence for each fault of the rules; [] if they are valid."""
    wrong = wrong_values(rules)
    if wrong:
        return wrong
    rules = complete(rules)
    parts = [_hands, _leads, _cross, _counting, _extras, _bonuses, _blocks, _opening, _finish]
    parts += [_blocked_unit, _partner_pips, _letter, _target, _asleep, _reset]
    wrong = [objection for part in parts for objection in part(rules)]
    if not wrong and not somebody_can_score(rules):
        wrong.append("count: nobody can ever score")
    return wrong


def _hands(rules: dict) -> list[str]:
    wrong = []
    tiles = len(whole_set(rules["set"]))
    for seats in rules["players"]:
        size = rules["hand_size"][str(seats)]
        if seats * size > tiles:
            wrong.append("hand_size: the hands do not fit the set")
        elif rules["reserve"][str(seats)] > tiles - seats * size:
            wrong.append("reserve: larger than the boneyard")
        if rules["max_same_suit"] is not None and size > 9:
            wrong.append("max_same_suit: hands of more than 9 tiles")
        if rules["max_doubles"] is not None and 2 * size > rules["max_doubles"] * (rules["set"] + 2):
            wrong.append("max_doubles: an average hand has more")
    return wrong


def _leads(rules: dict) -> list[str]:
    wrong = []
    if rules["lead_with"] == "named" and rules["first_lead"] == "lot":
        wrong.append("lead_with: a lot names no tile")
    if (rules["lead_tile"] is None) != (rules["first_lead"] != "tile"):
        wrong.append("lead_tile: goes with first_lead: tile")
    if rules["lead_tile"] is not None and not in_set(rules["lead_tile"], rules["set"]):
        wrong.append("lead_tile: not in the set")
    return wrong


def _cross(rules: dict) -> list[str]:
    if rules["spinner"] != "cross":
        return []
    wrong = []
    for option, value in {
        "lead_with": "named",
        "next_lead": "first",
        "next_lead_after_block": "first",
    }.items():
        if rules[option] != value:
            wrong.append(f"spinner: cross goes with {option}: {value}")
    if rules["first_lead"] == "tile" and in_set(rules["lead_tile"], rules["set"]):
        if not is_double(parse_tile(rules["lead_tile"])):
            wrong.append("spinner: cross is led by a double")
    return wrong


def _counting(rules: dict) -> list[str]:
    wrong = []
    if rules["count"] == "none" and rules["claims"] == "muggins":
        wrong.append("claims: there is nothing to claim")
    if rules["count"] in ("none", "fives_threes", "matching"):
        if rules["many_ends"]:
            wrong.append("many_ends: needs a count by fives")
        if rules["lead_with"] == "scoring":
            wrong.append("lead_with: needs a count by fives")
    if rules["count"] == "matching" and rules["spinner"] != "none":
        wrong.append("count: matching knows two ends")
    if rules["two_doubles"] and (rules["spinner"] != "none" or rules["count"] != "none"):
        wrong.append("two_doubles: goes with spinner: none and count: none")
    if rules["spinner"] == "every" and rules["many_ends"]:
        wrong.append("spinner: every does not go with many_ends")
    return wrong


def _extras(rules: dict) -> list[str]:
    wrong = []
    extras = rules["extras"]
    if rules["spinner"] != "none" and not set(CAPICUAS).isdisjoint(extras):
        wrong.append("extras: capicua knows two ends")
    stuck = rules["draw"] == "none" and rules["pass"] == "stuck"
    if not stuck and ("pass_lead" in extras or "pass_round" in extras):
        wrong.append("extras: only a seat that can neither play nor draw may pass")
    return wrong


def _bonuses(rules: dict) -> list[str]:
    wrong = []
    if (rules["blocked_unit"] or rules["bonus_unit"]) == "one" and rules["blocked_bonus"] == "chain":
        wrong.append("bonus_unit or blocked_unit: a chain is not worth one")
    own = [option for option in ("out_bonus", "blocked_bonus") if rules[option] == "own"]
    if not own:
        return wrong
    if own == ["blocked_bonus"] or (own == ["out_bonus"] and rules["blocked_bonus"] != "none"):
        wrong.append("out_bonus: own goes with blocked_bonus: own or none")
    if not rules["lowest_wins"]:
        wrong.append("out_bonus: own goes with lowest_wins")
    if rules["count"] != "none" or rules["extras"] or rules["out_points"] or rules["bonus_unit"] != "pips":
        wrong.append("out_bonus: own is charged, and nothing else is given")
    return wrong


def _blocks(rules: dict) -> list[str]:
    wrong = []
    if rules["blocked_tie"] == "lightest_tile" and rules["blocked_winner"] != "side":
        wrong.append("blocked_tie: lightest_tile goes with blocked_winner: side")
    if rules["blocked_tie"] == "carry" and rules["blocked_bonus"] in ("chain", "none"):
        wrong.append("blocked_tie: nothing to carry")
    if rules["blocked_double"] and rules["blocked_bonus"] in ("none", "own", "chain"):
        wrong.append("blocked_double: no winner alone has a bonus")
    return wrong


def _blocked_unit(rules: dict) -> list[str]:
    unit = rules["blocked_unit"]
    wrong = []
    if unit is not None and rules["blocked_bonus"] in ("none", "own"):
        wrong.append("blocked_unit: there is no bonus to count in it")
    if unit is not None and rules["blocked_tie"] == "carry":
        if [unit, rules["bonus_unit"]].count("one") == 1:
            wrong.append("blocked_unit: what is carried has two units")
    return wrong


def _partner_pips(rules: dict) -> list[str]:
    if rules["partner_pips"] == "bonus":
        return []
    wrong = []
    if not rules["partners"] or rules["out_bonus"] != "opponents":
        wrong.append("partner_pips: goes with partners and out_bonus: opponents")
    if rules["team_difference"] or rules["opening"] is not None or rules["bonus_unit"] == "one":
        wrong.append("partner_pips: not with team_difference, opening, bonus_unit: one")
    if rules["partners_out"] == "both":
        wrong.append("partner_pips: no partner has tiles under partners_out: both")
    return wrong


def _letter(rules: dict) -> list[str]:
    wrong = []
    if rules["goal"] == "exceed" and rules["exact"]:
        wrong.append("goal: an exact target cannot be exceeded")
    if rules["lead_draws"] == "all" and rules["first_lead"] != "tile":
        wrong.append("lead_draws: goes with first_lead: tile")
    if rules["past_target"] == "round" and not rules["exact"]:
        wrong.append("past_target: goes with exact")
    if rules["call_last"] and rules["claims"] != "muggins":
        wrong.append("call_last: goes with claims: muggins")
    if rules["partners_out"] == "both" and not rules["partners"]:
        wrong.append("partners_out: goes with partners")
    return wrong


def _asleep(rules: dict) -> list[str]:
    asleep, wrong = rules["asleep"], []
    if asleep is None:
        return []
    if not in_set(asleep, rules["set"]):
        wrong.append("asleep: not in the set")
    if asleep == rules["lead_tile"]:
        wrong.append("asleep: it is to lead")
    left = [seats for seats in map(str, rules["players"]) if _tiles_left(rules, int(seats)) > 0]
    if rules["draw"] != "none" or rules["lead_draws"] == "all" or any(rules["reserve"][n] == 0 for n in left):
        wrong.append("asleep: it could be drawn")
    return wrong


def _tiles_left(rules: dict, seats: int) -> int:
    return len(whole_set(rules["set"])) - seats * rules["hand_size"][str(seats)]


def _reset(rules: dict) -> list[str]:
    if rules["reset"] == "none":
        return []
    wrong = []
    if rules["finish"] == "at_once" or rules["lowest_wins"]:
        wrong.append("reset: goes with finish: round_end and the best score")
    if rules["opening"] is not None or rules["team_difference"] or rules["partner_pips"] != "bonus":
        wrong.append("reset: not with opening, team_difference, partner_pips")
    return wrong


def _target(rules: dict) -> list[str]:
    if rules["target"] is not None:
        return []
    wrong = []
    if rules["rounds"] is None:
        wrong.append("target: needed without rounds")
    if rules["exact"] or rules["bonus_ceiling"] is not None or rules["opening"] is not None:
        wrong.append("target: needed by exact, bonus_ceiling, opening")
    if rules["finish"] == "at_once":
        wrong.append("target: needed at once")
    return wrong


def _opening(rules: dict) -> list[str]:
    opening = rules["opening"]
    if opening is None:
        return []
    wrong = []
    if rules["target"] is not None and opening["points"] > rules["target"]:
        wrong.append("opening: above the target")
    if rules["blocked_unit"] == "one":
        wrong.append("opening: not with blocked_unit: one")
    if rules["team_difference"] or rules["bonus_unit"] == "one" or rules["count"] == "matching":
        wrong.append("opening: not with team_difference, bonus_unit: one, count: matching")
    if opening["kept"] and rules["claims"] == "muggins":
        wrong.append("opening: what is kept could not be called")
    return wrong


def _finish(rules: dict) -> list[str]:
    wrong = []
    if rules["exact"] and rules["finish"] == "round_end":
        wrong.append("exact: goes with finish: at_once")
    if rules["exact"] and rules["bonus_ceiling"] is not None:
        wrong.append("exact: not with a bonus_ceiling")
    if any(_stays_under_ceiling(complete(rules), seats) for seats in rules["players"]):
        wrong.append("bonus_ceiling: below the target, and nothing else is given")
    if rules["lowest_wins"] and (rules["finish"] == "at_once" or rules["exact"]):
        wrong.append("lowest_wins: goes with finish: round_end, without exact")
    if rules["team_difference"]:
        if rules["finish"] == "at_once":
            wrong.append("team_difference: goes with finish: round_end")
        if not rules["partners"] or rules["players"] != [4]:
            wrong.append("team_difference: pairs at tables of four only")
    if any(not in_set(tile, rules["set"]) for tile in rules["lone_pips"]):
        wrong.append("lone_pips: not in the set")
    return wrong


def _stays_under_ceiling(rules: dict, seats: int) -> bool:
    """Return whether no score can pass the ceiling and reach the target: only bonuses are given, round after round."""
    if None in (rules["bonus_ceiling"], rules["target"]) or rules["rounds"] is not None:
        return False
    if rules["bonus_ceiling"] >= rules["target"] + (rules["goal"] == "exceed"):
        return False
    in_play = [rules["count"] != "none", rules["out_points"] > 0]
    if rules["hand_size"][str(seats)] > 1:
        in_play += [rules["extras"].get("pass_round", 0), seats > 2 and rules["extras"].get("pass_lead", 0)]
    return not any(in_play)


def somebody_can_score(rules: dict) -> bool:
    """Return whether a side can score at every number of seats that `players` allows.

    Interpretation: one number of seats at which nobody can ever score makes the rules invalid.
    """
    return all(_can_score(complete(rules), seats) for seats in rules["players"])


def _can_score(rules: dict, seats: int) -> bool:
    least = _least_awards(rules, seats)
    return bool(least) and not (rules["exact"] and min(least) > (rules["target"] or 0))


def _least_awards(rules: dict, seats: int) -> list[int]:
    """Return the smallest award of each way of scoring."""
    # With one tile each, the leader goes out with the lead: no block, no pass, no tile that joins two ends.
    at_the_lead = rules["hand_size"][str(seats)] == 1
    awards = []
    if rules["count"] != "none":
        awards.append({"fives": 5, "matching": 2}.get(rules["count"], 1))
    if rules["out_points"] > 0:
        awards.append(rules["out_points"])
    if rules["out_bonus"] != "none":
        awards.append(5 if rules["bonus_unit"] == "nearest_five" else 1)
    if rules["blocked_bonus"] != "none" and not at_the_lead:
        least = 5 if (rules["blocked_unit"] or rules["bonus_unit"]) == "nearest_five" else 1
        awards.append(2 * least if rules["blocked_double"] else least)
    for name, number in rules["extras"].items():
        if name == "rounds":
            awards += [each for each in number if each > 0]
        elif name == "chucha" or not (at_the_lead or (name == "pass_lead" and seats == 2)):
            awards.append(number)
    return awards
