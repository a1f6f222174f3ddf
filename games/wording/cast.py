"""The computers: fifteen, three of each level, each with a name, an object of the house and what its level does.

Names are the same in every language. What they are like says what the level's play really does (docs/computer.md).
"""

from collections.abc import Mapping
from typing import NamedTuple

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from games.engine.records import LEVELS

EACH = 3  # of a level


class Figure(NamedTuple):
    """`icon` is a name of the sprite."""

    name: str
    icon: str
    character: str | Promise


CAST: Mapping[str, tuple[Figure, ...]] = {
    "beginner": (
        Figure("Tula", "cup", _("often plays by chance")),
        Figure("Bartek", "hat", _("takes points, then plays the heaviest tile")),
        Figure("Suki", "kite", _("forgets some claims, and sees few open points")),
    ),
    "casual": (
        Figure("Otto", "boat", _("takes what scores now")),
        Figure("Lina", "leaf", _("looks no move ahead")),
        Figure("Zeca", "fish", _("keeps what can be played next")),
    ),
    "club": (
        Figure("Vesna", "bell", _("weighs the best reply")),
        Figure("Bruno", "lamp", _("remembers passes and draws")),
        Figure("Amara", "star", _("thinks of what can be played next")),
    ),
    "strong": (
        Figure("Isidro", "anchor", _("plays every move out in forty deals")),
        Figure("Ruthie", "key", _("imagines only hands that agree with every pass")),
        Figure("Kolya", "chair", _("misses no open points")),
    ),
    "master": (
        Figure("Minerva", "owl", _("plays every move out in 150 deals")),
        Figure("Casimir", "moon", _("learns from what others play")),
        Figure("Dorothea", "alarm", _("plays for the match, not for points")),
    ),
}

# Of a hundred matches of All Fives with two seats, how many each level wins against the one below (docs/computer.md).
WINS = {"casual": 74, "club": 65, "strong": 64, "master": 58}


def figure_of(level: str, number: int) -> Figure:
    """The figure of a computer of a level, by its number from 0."""
    return CAST[level][number % EACH]


def strength(level: str) -> int:
    """1 for the weakest level, 5 for the strongest."""
    return LEVELS.index(level) + 1
