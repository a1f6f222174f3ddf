"""How the rules of a table or a match differ from its game's: choices that its source allows are no house rules.

>>> from boneyard.engine.presets import PRESETS
>>> rules = PRESETS["all-fives"].rules.replace(spinner="first_open", target=150)
>>> describe_differences("all-fives", rules, 2).sentence
'to 150. As the source allows: spinner, open at once'
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, NamedTuple

from boneyard.engine.presets import PRESETS
from boneyard.engine.rules import Rules

from .changes import Mark, changed_options, mark_options
from .house import house_chips, name_difference
from .language_cache import gettext as _


class DifferenceLine(NamedTuple):
    """Differences of one kind; the target has no label."""

    label: str
    chips: tuple[str, ...]

    @property
    def text(self) -> str:
        """Return *As the source allows: double-nine, drawing at will*."""
        words = ", ".join(self.chips)
        return _("%(label)s: %(words)s") % {"label": self.label, "words": words} if self.label else words


@dataclass(frozen=True, slots=True)
class Differences:
    """What differs from a game, a few words for each: another target, what its source allows, and house rules."""

    target: tuple[str, ...] = ()
    allowed: tuple[str, ...] = ()
    house: tuple[str, ...] = ()

    @property
    def lines(self) -> tuple[DifferenceLine, ...]:
        """Return the kinds that there are."""
        kinds = (
            DifferenceLine("", self.target),
            DifferenceLine(_("As the source allows"), self.allowed),
            DifferenceLine(_("House rules"), self.house),
        )
        return tuple([line for line in kinds if line.chips])

    @property
    def sentence(self) -> str:
        """Return all of them in one line, or ""."""
        return ". ".join(line.text for line in self.lines)


NO_DIFFERENCES = Differences()


def describe_differences(
    preset: str, rules: Rules, seats: int, *, with_target: bool = True, with_rounds: bool = True
) -> Differences:
    """Return how rules differ, with this many seats, from those of a preset."""
    base = PRESETS[preset].rules
    if rules == base:
        return NO_DIFFERENCES
    # A match without a target has a number of rounds, which is named.
    hidden = {
        *(() if with_target and rules.target is not None else ("target",)),
        *(() if with_rounds else ("rounds",)),
    }
    marks = mark_options(PRESETS[preset], rules, seats)
    chips: dict[Mark, list[str]] = {"target": [], "allowed": [], "house": []}
    for option in changed_options(rules, base, seats):
        if option not in hidden:
            chips[marks[option]].append(name_difference(rules, seats, option))
    return Differences(tuple(chips["target"]), tuple(chips["allowed"]), tuple(chips["house"]))


def describe_match(
    preset: str | None, options: Rules | Mapping[str, Any], seats: int, base: str = ""
) -> Differences:
    """Return how the rules of a match, also as its row has them, differ from its preset, or from `base`."""
    named = preset or base
    if named not in PRESETS:
        return NO_DIFFERENCES
    rules = options if isinstance(options, Rules) else read_rules(named, options)
    return describe_differences(named, rules, seats)


def read_rules(preset: str, options: Mapping[str, Any]) -> Rules:
    """Return the rules of a row; the same object for all without changes of the preset."""
    return PRESETS[preset].rules if options == _get_written(preset) else Rules.from_dict(options)


def describe_changed_match(rules: Rules, seats: int, base: str = "") -> Differences:
    """Return how house rules differ from `base`, else from the nearest preset with this many seats.

    Rounds that end the match stand beside the score, not among them.
    """
    if base not in PRESETS:
        return Differences(house=tuple(house_chips(rules, seats)))
    return describe_differences(base, rules, seats, with_rounds=rules.target is not None)


# Cache: key the preset; bound their number; invalidated by nothing.
@cache
def _get_written(preset: str) -> dict[str, Any]:
    return PRESETS[preset].rules.written()
