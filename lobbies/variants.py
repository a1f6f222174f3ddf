"""Variants on the form, and which entered rules are played as written."""

import json
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from boneyard.engine.errors import InvalidRules
from boneyard.engine.presets import Preset
from boneyard.engine.rules import OPTION, Rules
from games.wording import drop_idle_changes, option_name
from games.wording.sources import Quotation
from games.wording.variants import VariantChoice, choices_of, list_choices, written_value


class VariantField(NamedTuple):
    """The variants of one option, or of options that go together; the key of the chosen one, or ""."""

    label: str
    choices: list[VariantChoice]
    chosen: str

    @property
    def quotations(self) -> Sequence[Quotation]:
        """Return the sentences of the source that allow its choices."""
        return tuple(dict.fromkeys(each for choice in self.choices for each in choice.quotations))


def variant_fields(preset: Preset, seats: int, chosen: Sequence[str]) -> list[VariantField]:
    """Return the variants for the form, by the options that they set."""
    by_options: dict[tuple[str, ...], list[VariantChoice]] = {}
    for choice in choices_of(preset, seats):
        by_options.setdefault(tuple(choice.changes), []).append(choice)
    return [
        VariantField(
            option_name(options[0]),
            choices,
            next((choice.key for choice in choices if choice.key in chosen), ""),
        )
        for options, choices in by_options.items()
    ]


def as_written(preset: Preset, rules: Rules, seats: int) -> Rules | None:
    """Return the rules as the preset has them if they differ, with this many seats, only by variants and the target.

    Changes without effect are dropped. Return None for house rules.
    """
    changes = dict(_changes(preset, drop_idle_changes(rules, preset.rules, seats), seats))
    try:
        candidate_rules = Rules.from_dict(preset.rules.as_dict() | {"target": rules.target} | changes)
    except InvalidRules:
        return None
    return candidate_rules if preset.variants_in(candidate_rules) is not None else None


def _changes(preset: Preset, rules: Rules, seats: int) -> Iterator[tuple[str, Any]]:
    """Yield the options that differ, with the variant's value where it is one for these seats."""
    own = preset.rules.as_dict()
    for name, value in rules.as_dict().items():
        if name not in ("players", "target") and value != own[name]:
            yield name, _variant_value(preset, name, value, seats)


def _variant_value(preset: Preset, name: str, value: Any, seats: int) -> Any:
    if OPTION[name].kind != "by_seats":
        return value
    same = (each for each in preset.variants.get(name, ()) if each[str(seats)] == value[str(seats)])
    return next(same, value)


def changes_of(preset: Preset, keys: Sequence[str], seats: int) -> dict[str, Any]:
    """Return the options that the chosen variants set.

    Raise `InvalidRules` for an unknown variant, or for two of one option.
    """
    choices = {choice.key: choice for choice in list_choices(preset, seats)}
    changes: dict[str, Any] = {}
    for key in filter(None, keys):
        if key not in choices:
            raise InvalidRules(_option_in(key), "invalid_value", value=key.partition("=")[2][:80])
        for name, value in choices[key].changes.items():
            if name in changes and json.dumps(changes[name]) != json.dumps(value):
                both = f"{written_value(changes[name])}, {written_value(value)}"
                raise InvalidRules(name, "invalid_value", value=both)
            changes[name] = value
    return changes


def _option_in(key: str) -> str:
    return key.partition("=")[0][:80]
