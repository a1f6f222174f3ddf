"""The fifteen personas of the computers: three for each level, with a name, an icon and a character.

Names are not translated. The character describes what the level's play really does (docs/computer.md).
"""

from collections.abc import Mapping
from typing import NamedTuple

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from games.engine.records import LEVELS

PERSONAS_PER_LEVEL = 3


class Persona(NamedTuple):
    """A computer's name, sprite icon and character."""

    name: str
    icon: str
    character: str | Promise


PERSONAS: Mapping[str, tuple[Persona, ...]] = {
    "beginner": (
        Persona("Tula", "cup", _("often plays by chance")),
        Persona("Bartek", "hat", _("takes points, then plays the heaviest tile")),
        Persona("Suki", "kite", _("forgets some claims, and sees few open points")),
    ),
    "casual": (
        Persona("Otto", "boat", _("takes what scores now")),
        Persona("Lina", "leaf", _("looks no move ahead")),
        Persona("Zeca", "fish", _("keeps what can be played next")),
    ),
    "club": (
        Persona("Vesna", "bell", _("weighs the best reply")),
        Persona("Bruno", "lamp", _("remembers passes and draws")),
        Persona("Amara", "star", _("thinks of what can be played next")),
    ),
    "strong": (
        Persona("Isidro", "anchor", _("plays every move out in forty deals")),
        Persona("Ruthie", "key", _("imagines only hands that agree with every pass")),
        Persona("Kolya", "chair", _("misses no open points")),
    ),
    "master": (
        Persona("Minerva", "owl", _("plays moves out in many more deals")),
        Persona("Casimir", "moon", _("learns from what others play")),
        Persona("Dorothea", "alarm", _("plays for the match, not for points")),
    ),
}

# Wins of each level against the one below in a hundred matches of All Fives with two seats, as measured at this commit
# (docs/computer.md).
MEASURED_COMMIT = "2b9f2baa"
WIN_PERCENTAGES = {"casual": 74, "club": 64, "strong": 63, "master": 59}


def persona_of(level: str, number: int) -> Persona:
    """Return the persona of a computer of this level, by its number from 0."""
    return PERSONAS[level][number % PERSONAS_PER_LEVEL]


def level_number(level: str) -> int:
    """Return 1 for the weakest level to 5 for the strongest."""
    return LEVELS.index(level) + 1
