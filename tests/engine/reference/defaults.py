"""The options that the rules were given later, which rules and records name only where they differ from the default."""

from copy import deepcopy

DEFAULTS: dict = {
    "blocked_winner": "side",
    "extras": {},
    "opening": None,
    "max_doubles": None,
    "lone_pips": {},
    "two_doubles": False,
}
EXTRAS = ["capicua", "capicua_blank", "chucha", "pass_lead", "pass_round", "block"]


def complete(rules: dict) -> dict:
    """The rules with every option in them, and `extras` without what is worth nothing."""
    whole = deepcopy(DEFAULTS | rules)
    whole["extras"] = _without_zeros(whole["extras"])
    return whole


def written(rules: dict) -> dict:
    """The rules as a record has them: of the added options only those that differ from the default."""
    return {
        option: value
        for option, value in complete(rules).items()
        if option not in DEFAULTS or value != DEFAULTS[option]
    }


def _without_zeros(extras: dict) -> dict:
    kept = {name: value for name, value in extras.items() if name == "rounds" or value != 0}
    rounds = list(kept.pop("rounds", []))
    while rounds and rounds[-1] == 0:
        rounds.pop()
    return kept | {"rounds": rounds} if rounds else kept
