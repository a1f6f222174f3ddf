"""The defaults of the options that rules and records may omit."""

from copy import deepcopy

from tests.engine.reference.options import DEFAULTS


def complete(rules: dict) -> dict:
    """Return the rules with every option, and `extras` without zeros."""
    complete_rules = deepcopy(DEFAULTS | rules)
    complete_rules["extras"] = _without_zeros(complete_rules["extras"])
    return complete_rules


def written(rules: dict) -> dict:
    """Return the rules as a record stores them: without options that have their default."""
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
