"""Find which changes of the rules change the play at a table."""

from boneyard.engine.rules import OPTION, Rules

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
