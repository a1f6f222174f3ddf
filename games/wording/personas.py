"""The fifteen personas of the computers: three for each level, with a name, an icon, a style and a manner.

Names are not translated. What is said of a level and of a style is what its play really does (docs/computer.md).
"""

from collections.abc import Mapping
from typing import NamedTuple

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from boneyard.engine.records import LEVELS

from .remarks import KIND, SPARING, TALKATIVE, Remarks

PERSONAS_PER_LEVEL = 3
# By the number of a persona at its level, as in `boneyard.computer.styles.STYLES`.
STYLES: tuple[str | Promise, ...] = (_("keeps doubles"), _("blocks"), _("plays for points"))
METHODS: Mapping[str, str | Promise] = {
    "beginner": _("Often plays by chance, forgets some claims, and sees few open points."),
    "casual": _("Takes what scores now, and looks no move ahead."),
    "club": _("Weighs the best reply, and remembers passes and draws."),
    "strong": _("Plays every move out in forty deals that agree with every pass, and misses no open points."),
    "master": _("Plays moves out in many more deals, learns from what others play, and aims at the match."),
}


class Manner(NamedTuple):
    """How a computer behaves at the table.

    summary  the manner in a few words
    tempo    the factor of the table's pause that it takes before every move
    chance   the probability that it speaks at an occasion
    remarks  what it says
    """

    summary: str | Promise
    tempo: float
    chance: float
    remarks: Remarks


# By the number of a persona at its level.
MANNERS = (
    Manner(_("an even tempo and kind words"), tempo=1.0, chance=0.45, remarks=KIND),
    Manner(_("slow, and of few words"), tempo=1.6, chance=0.2, remarks=SPARING),
    Manner(_("quick and talkative"), tempo=0.6, chance=0.5, remarks=TALKATIVE),
)


class Persona(NamedTuple):
    """A computer's name, sprite icon, style and manner; `number` is its number at its level."""

    name: str
    icon: str
    number: int

    @property
    def style(self) -> str | Promise:
        return STYLES[self.number]

    @property
    def manner(self) -> Manner:
        return MANNERS[self.number]


NAMES_AND_ICONS = {
    "beginner": (("Tula", "cup"), ("Bartek", "hat"), ("Suki", "kite")),
    "casual": (("Otto", "boat"), ("Lina", "leaf"), ("Zeca", "fish")),
    "club": (("Vesna", "bell"), ("Bruno", "lamp"), ("Amara", "star")),
    "strong": (("Isidro", "anchor"), ("Ruthie", "key"), ("Kolya", "chair")),
    "master": (("Minerva", "owl"), ("Casimir", "moon"), ("Dorothea", "alarm")),
}
PERSONAS: Mapping[str, tuple[Persona, ...]] = {
    level: tuple(Persona(name, icon, number) for number, (name, icon) in enumerate(group))
    for level, group in NAMES_AND_ICONS.items()
}

# Wins of each level against the one below in a hundred matches of All Fives with two seats, as measured at this commit
# (docs/computer.md).
MEASURED_COMMIT = "a963b600"
WIN_PERCENTAGES = {"casual": 71, "club": 65, "strong": 65, "master": 72}


def persona_of(level: str, number: int) -> Persona:
    """Return the persona of a computer of this level, by its number from 0."""
    return PERSONAS[level][number % PERSONAS_PER_LEVEL]


def level_number(level: str) -> int:
    """Return 1 for the weakest level to 5 for the strongest."""
    return LEVELS.index(level) + 1
