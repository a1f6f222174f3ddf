"""Find which changes of the rules change the play at a table."""

from boneyard.engine.errors import InvalidRules
from boneyard.engine.rules import OPTION, OPTIONS, Rules

from .options import OPTION_WORDS
from .scope import scope_of


def affects_play(name: str, rules: Rules, base: Rules, seats: int) -> bool:
    """Return whether rules that differ from `base` in this option are played differently with this many seats."""
    option, words = OPTION[name], OPTION_WORDS[name]
    ours, theirs = getattr(rules, option.attribute), getattr(base, option.attribute)
    if option.kind == "by_seats":
        ours, theirs = ours.at(seats), theirs.at(seats)
    if ours == theirs:
        return False
    scope = scope_of(rules, seats)
    return words.meaning(ours, scope) != words.meaning(theirs, scope) and words.applies(scope)


def drop_idle_changes(rules: Rules, base: Rules, seats: int) -> Rules:
    """Return the rules with the value of `base` in each option whose change has no effect with this many seats.

    One option after the other: of two changes that hide each other, such as nobody draws and all tiles stay, only the
    first can go. A change that cannot go alone stays.
    """
    own = base.as_dict()
    for option in OPTIONS:
        if getattr(rules, option.attribute) == getattr(base, option.attribute):
            continue
        # The numbers of seats follow from the table.
        if option.name == "players" or affects_play(option.name, rules, base, seats):
            continue
        try:
            rules = Rules.from_dict(rules.as_dict() | {option.name: own[option.name]})
        except InvalidRules:
            continue
    return rules
