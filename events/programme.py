"""The games of a week, and the rules of a set of deals.

>>> rules = build_rules("all-fives")
>>> rules.rounds, rules.target, rules.next_lead
(8, None, 'first')
"""

from typing import NamedTuple

from boneyard.engine.presets import PRESETS
from boneyard.engine.rules import Rules

ROUNDS = 8
LEVEL = "strong"


class DailyGame(NamedTuple):
    """A preset and the number of seats at its table."""

    preset: str
    seats: int


# From Monday to Sunday, unless the site's operator chooses otherwise (`events.models.ProgrammeDay`).
WEEK = (
    DailyGame("all-fives", 2),
    DailyGame("block", 2),
    DailyGame("dominican", 4),
    DailyGame("draw", 2),
    DailyGame("fives-and-threes", 2),
    DailyGame("cuban", 4),
    DailyGame("bones", 2),
)


def build_rules(preset: str) -> Rules:
    """Return the rules of a set whose rounds stand alone: a fixed number, each led as the first one is.

    Raise `InvalidRules` if the preset cannot be played so.
    """
    rules = PRESETS[preset].rules
    return rules.replace(
        rounds=ROUNDS,
        target=None,
        finish="round_end",
        exact=False,
        past_target="award",
        bonus_ceiling=None,
        opening=None,
        next_lead="first",
        next_lead_after_block="first",
        reset="none",
        blocked_tie="nobody" if rules.blocked_tie == "carry" else rules.blocked_tie,
    )
