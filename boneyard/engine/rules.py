"""The rules of a game: one value of every option of docs/rules.md, without conflicts.

>>> from boneyard.engine.presets import PRESETS
>>> rules = PRESETS["all-fives"].rules
>>> rules.spinner, rules.replace(target=250).target
('first', 250)
>>> rules.replace(spinner="second")
Traceback (most recent call last):
boneyard.engine.errors.InvalidRules: invalid_value (option spinner, value second)
"""

from collections.abc import Mapping
from dataclasses import MISSING, fields
from typing import Any, get_type_hints

from .errors import InvalidRules
from .option_kinds import READERS, REQUIRED, WRITERS, Option, build_option
from .options import CONFLICTS, OptionValues


class Rules(OptionValues):
    """A game: a valid value of every option, built with `from_dict` or `replace`."""

    __slots__ = ()

    @classmethod
    def from_dict(cls, options: Mapping[str, Any]) -> "Rules":
        """Return the rules that `options` describes, written as in a match record.

        Raise `InvalidRules`, which names the option at fault.
        """
        if not isinstance(options, Mapping):
            raise InvalidRules("rules", "not_an_object")
        for name in options:
            if name not in OPTION:
                raise InvalidRules(str(name)[:80], "unknown_option")
        values = {}
        for option in OPTIONS:
            if option.name not in options and option.name not in DEFAULTS:
                raise InvalidRules(option.name, "missing_option")
            value = options[option.name] if option.name in options else DEFAULTS[option.name]
            values[option.attribute] = READERS[option.kind](option, value)
        rules = cls(**values)
        check_conflicts(rules)
        return rules

    @property
    def adds_ends(self) -> bool:
        """Return whether the open ends are added up: a game may score nothing by them, or whether they match."""
        return self.count not in ("none", "matching")

    def as_dict(self) -> dict[str, Any]:
        """Return every option, ready for JSON, in the order of the fields."""
        return {option.name: WRITERS[option.kind](getattr(self, option.attribute)) for option in OPTIONS}

    def written(self) -> dict[str, Any]:
        """Return the options as a record stores them: without those that have their default."""
        return {
            name: value
            for name, value in self.as_dict().items()
            if name not in DEFAULTS or value != DEFAULTS[name]
        }

    def replace(self, **changes: Any) -> "Rules":
        """Return these rules with some options changed; values as in a match record, `pass_` for `pass`.

        Raise `InvalidRules`.
        """
        return self.from_dict(self.as_dict() | {name.removesuffix("_"): changes[name] for name in changes})


def check_conflicts(rules: OptionValues) -> None:
    """Raise `InvalidRules` for the first conflict that docs/rules.md lists; its `option` is named there."""
    for option, code, applies in CONFLICTS:
        if applies(rules):
            raise InvalidRules(option, code)


def _options() -> tuple[Option, ...]:
    hints = get_type_hints(OptionValues, include_extras=True)
    return tuple(
        build_option(field.name, hints[field.name], REQUIRED if field.default is MISSING else field.default)
        for field in fields(OptionValues)
    )


OPTIONS: tuple[Option, ...] = _options()
OPTION: dict[str, Option] = {option.name: option for option in OPTIONS}
# The values, as in a record, of options that rules may omit.
DEFAULTS: dict[str, Any] = {
    option.name: WRITERS[option.kind](option.default) for option in OPTIONS if option.default is not REQUIRED
}
