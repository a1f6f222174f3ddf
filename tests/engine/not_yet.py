"""What the engine has still to learn of the rules that the reference knows. Goes when it has learned them."""

from games.engine.rules import OPTIONS
from tests.engine.reference.additions import DEFAULTS
from tests.engine.reference.house_rules import LATER
from tests.engine.reference.options import wrong_values
from tests.engine.reference.tiles import whole_set
from tests.engine.reference.together import somebody_can_score

LEARNED = "extras" in {option.name for option in OPTIONS}


def engine_knows(rules: dict) -> bool:
    """Whether the engine can be asked about these rules: all of them once it has learned the added options."""
    if LEARNED:
        return True
    added = [
        option for option, default in DEFAULTS.items() if repr(rules.get(option, default)) != repr(default)
    ]
    later = [option for option, words in LATER.items() if rules.get(option) in words]
    if added or later or wrong_values(rules):
        return not (added or later)
    called_in_vain = rules["exact"] and rules["claims"] == "muggins"
    return not called_in_vain and not _open_cross(rules) and somebody_can_score(rules)


def _open_cross(rules: dict) -> bool:
    whole = len(whole_set(rules["set"]))
    dealt = [seats * rules["hand_size"][str(seats)] for seats in rules["players"]]
    return rules["spinner"] == "cross" and (rules["first_lead"] != "tile" or any(n != whole for n in dealt))


def in_its_words(rules: dict) -> dict:
    """The rules as the engine takes them."""
    if LEARNED:
        return rules
    return {option: value for option, value in rules.items() if option not in DEFAULTS}
