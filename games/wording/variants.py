"""The choices that a game's source allows (`Preset.variants`), in words.

>>> from boneyard.engine.presets import PRESETS
>>> [choice.key for choice in choices_of(PRESETS["all-fives"], 2)]
['spinner=first_open']
"""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from boneyard.engine.presets import Preset
from boneyard.engine.rules import Rules

from .changes import value_at
from .house import variant_clause
from .sources import Quotation, quotations


class VariantChoice(NamedTuple):
    """A variant on the form: the options that it sets, as in a record."""

    changes: Mapping[str, Any]
    preset: str
    seats: int

    @property
    def key(self) -> str:
        """Return the value of the field `variant`: *first_lead=highest_double+lead_with=named*, *hand_size=7/6/5*."""
        return "+".join(f"{name}={written_value(value)}" for name, value in self.changes.items())

    @property
    def label(self) -> str:
        """Return what it changes, in words."""
        return variant_clause(self.changes, self.seats)

    @property
    def quotations(self) -> Sequence[Quotation]:
        """Return the sentences of the source that allow it."""
        found = (
            each for name, value in self.changes.items() for each in quotations(self.preset, name, value)
        )
        return tuple(dict.fromkeys(found))


def written_value(value: Any) -> str:
    return "/".join(map(str, value.values())) if isinstance(value, Mapping) else str(value)


def list_choices(preset: Preset, seats: int) -> list[VariantChoice]:
    """Return the variants of a preset; values that go together are one choice."""
    grouped = [dict(group) for group in preset.together]
    single = [
        {name: value}
        for name, values in preset.variants.items()
        for value in values
        if not any(group.get(name) == value for group in grouped)
    ]
    names = list(preset.variants)
    in_order = sorted([*grouped, *single], key=lambda changes: names.index(next(iter(changes))))
    return [VariantChoice(changes, preset.id, seats) for changes in in_order]


def choices_of(preset: Preset, seats: int) -> list[VariantChoice]:
    """Return the variants that make a difference with this many seats, each once."""
    choices: dict[object, VariantChoice] = {}
    for choice in list_choices(preset, seats):
        if _differs(preset.rules, choice.changes, seats):
            effect = tuple(
                (name, str(value_at(value, name, seats))) for name, value in choice.changes.items()
            )
            choices.setdefault(effect, choice)
    return list(choices.values())


def _differs(rules: Rules, changes: Mapping[str, Any], seats: int) -> bool:
    own = rules.as_dict()
    return any(
        value_at(value, name, seats) != value_at(own[name], name, seats) for name, value in changes.items()
    )
