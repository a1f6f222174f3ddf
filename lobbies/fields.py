"""Form fields for a clock, the computers by seat, and an option of the rules."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from django import forms
from django.db import models
from django.utils.translation import gettext as _

from boneyard.computer.players import LEVELS
from boneyard.engine.errors import InvalidRules
from boneyard.engine.option_kinds import MAX_NUMBER, Extras, Opening, Option
from boneyard.engine.rules import Rules
from core.numbers import parse_whole_number
from games.time.clocks import describe_clock
from games.wording import choice_name, extra_name, invalid_rules_sentence, level_name, option_name
from lobbies import clocks

MAX_FIELD_LENGTH = 80
MAX_JSON_LENGTH = 400


class ClockField(forms.CharField):
    """A field whose value is a clock: (seconds for the match, for each move) or None."""

    def __init__(self) -> None:
        super().__init__(required=False, widget=forms.Select)

    def to_python(self, value: Any) -> Any:
        try:
            return clocks.parse(super().to_python(value) or "")
        except clocks.NotAClock as error:
            raise forms.ValidationError(str(error)) from error


def clock_choices(entered: str, *, called: bool) -> list[tuple[str, str]]:
    """Return the offered clocks, and the entered one, with their names; none of days where points are `called`."""
    offered = [text for text in clocks.get_offered_clocks() if not (called and clocks.is_of_days(text))]
    choices = [*offered, *([] if entered in offered else [entered])]
    return [(text, _clock_name(text)) for text in choices]


def _clock_name(text: str) -> str:
    try:
        return describe_clock(clocks.parse(text))
    except clocks.NotAClock:
        return text


class PauseField(forms.TypedChoiceField):
    """A choice of pauses in seconds; empty means the host's own."""

    def __init__(self, offered: type[models.IntegerChoices], own: int, label: str) -> None:
        fault = {"option": label, "fault": _("%(value)s is not one of its values")}
        super().__init__(
            choices=offered.choices,
            coerce=int,
            initial=own,
            required=False,
            label=label,
            error_messages={"invalid_choice": _("%(option)s: %(fault)s.") % fault},
        )

        self.own = own

    def clean(self, value: Any) -> int:
        return int(super().clean(value or str(self.own)))

    def bound_data(self, data: Any, initial: Any) -> Any:
        """Return the rendered value: the host's own if nothing was entered."""
        return super().bound_data(data or str(initial), initial)


class LevelField(forms.CharField):
    """A field for a computer's level, or nothing."""

    def __init__(self) -> None:
        super().__init__(required=False, max_length=MAX_FIELD_LENGTH)

    def clean(self, value: Any) -> str:
        return parse_level(super().clean(value))


class LevelsField(forms.Field):
    """A field for the computers by seat ("" for a person): one text with commas, or a text for each seat."""

    # Reads all fields of this name: the page has one for each seat.
    widget = forms.MultipleHiddenInput

    def __init__(self) -> None:
        super().__init__(required=False)

    def to_python(self, value: Sequence[str] | None) -> list[str]:
        return [parse_level(text) for text in split_by_seat(value or [])]


def split_by_seat(entered: Sequence[str]) -> list[str]:
    """Split the entered text or texts by seat; return [] if all are empty."""
    texts = entered[0].split(",") if len(entered) == 1 else [*entered]
    return texts if any(text.strip() for text in texts) else []


def level_choices() -> list[tuple[str, str]]:
    """Return the choices for a seat: a person, or a computer, the weakest first."""
    computers = [(level, _("computer, %(level)s") % {"level": level_name(level)}) for level in LEVELS]
    return [("", _("whoever sits down")), *computers]


def parse_level(text: str) -> str:
    """Parse a computer level or "". Raise `ValidationError`."""
    level = text.strip()
    if level and level not in LEVELS:
        raise forms.ValidationError(
            _("Computers: there is none called %(level)s, only %(levels)s.")
            % {"level": level[:MAX_FIELD_LENGTH], "levels": ", ".join(LEVELS)}
        )
    return level


def parse_seats(text: str, rules: Rules) -> int:
    """Parse a number of seats that the rules allow; empty means their first. Raise `ValidationError`."""
    seats = parse_whole_number(text.strip()) if text.strip() else rules.players[0]
    if seats is None or seats not in rules.players:
        allowed = ", ".join(map(str, rules.players))
        raise forms.ValidationError(
            _("Players: this game is played with %(allowed)s.") % {"allowed": allowed}
        )
    return seats


# Options of the rules


class Switch(forms.CheckboxInput):
    """A checkbox behind a hidden "false", so that off differs from missing."""

    def __init__(self) -> None:
        super().__init__(check_test=lambda value: value == "true")

    def format_value(self, value: Any) -> str:
        return "true"

    def value_from_datadict(self, data: Mapping[str, Any], files: Any, name: str) -> Any:
        return data.get(name)


# Options that are objects have a field for each key; programs may send JSON in one text instead.
PARTS: dict[str, tuple[str, ...]] = {
    "extras": Extras._fields,
    "opening": Opening._fields,
}


NUMERIC_KINDS = frozenset({"number", "optional_number", "by_seats"})


class PartsInput(forms.TextInput):
    """Inputs for the keys of an option that is an object; `usual` is its value when it was rendered."""

    usual = ""

    def __init__(self, option: Option) -> None:
        super().__init__()
        self.option = option

    def subwidgets(self, name: str, value: Any, attrs: Any = None) -> Iterator[dict[str, Any]]:
        found = _json(value or "null")
        has = found if isinstance(found, dict) else {}
        for part in PARTS[self.option.kind]:
            value_of_part = has.get(part, "")
            yield {
                "name": f"{name}-{part}",
                "label": part_label(self.option, part),
                "value": ", ".join(map(str, value_of_part))
                if isinstance(value_of_part, list)
                else value_of_part,
                "is_wrong": not self._is_valid(value_of_part),
                "flag": part == "kept",
                "several": part == "rounds",
            }

    def _is_valid(self, value: Any) -> bool:
        """Return whether a key may have this value; "" is none."""
        smallest = 1 if self.option.kind == "opening" else 0
        numbers = value if isinstance(value, list) else [] if value == "" else [value]
        return all(isinstance(number, int) and smallest <= number <= MAX_NUMBER for number in numbers)


def part_label(option: Option, part: str) -> str:
    """Return the label of a key of an option that is an object."""
    if option.kind == "extras":
        return extra_name(part)
    return _("Smaller scores are carried over") if part == "kept" else _("At least")


def compose_parts(option: Option, data: Mapping[str, str]) -> str | None:
    """Compose an option's JSON from the fields of its keys; return None if none was sent."""
    name = f"rule-{option.name}"
    sent = {part: data[f"{name}-{part}"].strip() for part in PARTS[option.kind] if f"{name}-{part}" in data}
    if not sent:
        return None
    if option.kind == "opening":
        kept = bool(sent.get("kept"))
        return json.dumps({"points": _number(sent["points"]), "kept": kept} if sent.get("points") else None)
    rounds = [_number(text) for text in re.split(r"[\s,;/]+", sent.pop("rounds", "")) if text]
    worths: dict[str, Any] = {part: _number(text) for part, text in sent.items() if text not in ("", "0")}
    return json.dumps(worths | ({"rounds": rounds} if rounds else {}))


class OptionField(forms.CharField):
    """The field `rule-OPTION` of an option; its hidden initial value is the game's own.

    Other text that is no value of the option passes unchanged: the rules refuse it by name.
    """

    def __init__(self, option: Option) -> None:
        self.option = option
        widget = _WIDGETS.get(option.kind, _text)(option)
        super().__init__(
            required=False, label=option_name(option.name), widget=widget, show_hidden_initial=True
        )

    def to_python(self, value: Any) -> Any:
        kind = self.option.kind
        text = super().to_python(value) or ""
        if len(text) > (MAX_JSON_LENGTH if kind in PARTS else MAX_FIELD_LENGTH):
            refused = InvalidRules(self.option.name, "invalid_value", value=f"{text[:20]}…")
            raise forms.ValidationError(invalid_rules_sentence(refused))
        if not text:
            return {} if kind == "lone_pips" else None
        value = _PARSERS[kind](text)
        if kind in NUMERIC_KINDS and isinstance(value, str):
            refused = InvalidRules(self.option.name, "invalid_value", value=value)
            raise forms.ValidationError(invalid_rules_sentence(refused))
        return value

    @property
    def may_be_empty(self) -> bool:
        """Return whether an empty field means "none" rather than the game's own value."""
        is_optional = self.option.kind in ("optional_number", "optional_choice", "tile", "opening")
        return is_optional and self.option.name != "target"


def format_value(option: Option, value: Any, seats: int) -> str:
    """Format an option's value, as in a match record, for its field."""
    if option.kind == "by_seats":
        return str(value[str(seats)])
    if option.kind in PARTS:
        return json.dumps(value)
    if option.kind == "lone_pips":
        return ", ".join(f"{tile} {pips}" for tile, pips in value.items())
    if value is None:
        return ""
    return str(value).lower() if isinstance(value, bool) else str(value)


def _number(text: str) -> int | str:
    number = parse_whole_number(text)
    return text if number is None else number


def _flag(text: str) -> bool | str:
    words = {"true": True, "on": True, "1": True, "false": False, "off": False, "0": False}
    return words.get(text.lower(), text)


def _tile(text: str) -> str | None:
    halves = text.split("-")
    return (
        None
        if text == "null"
        else "-".join(sorted(halves, key=lambda half: parse_whole_number(half) or 0, reverse=True))
    )


def _lone_pips(text: str) -> Any:
    """Parse "0-0 25, 6-6 50", or JSON; return the text unless every tile has a number and stands there once."""
    if text.startswith("{"):
        return _json(text)
    words = re.split(r"[\s,;:=]+", text.strip(" ,;"))
    tiles = [_tile(word) or word for word in words[::2]]
    if len(words) % 2 or len(set(tiles)) < len(tiles):
        return text
    return dict(zip(tiles, map(_number, words[1::2]), strict=True))


def _json(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return text


_PARSERS = {
    "choice": _number,
    "optional_choice": lambda text: None if text == "null" else _number(text),
    "flag": _flag,
    "number": _number,
    "optional_number": lambda text: None if text == "null" else _number(text),
    "by_seats": _json,
    "players": _json,
    "tile": _tile,
    "extras": _json,
    "opening": _json,
    "lone_pips": _lone_pips,
}


def _text(option: Option) -> forms.Widget:
    """Return a text input for a number, a tile or tiles with points."""
    if option.kind == "lone_pips":
        return forms.TextInput(
            {"maxlength": str(MAX_FIELD_LENGTH), "autocomplete": "off", "placeholder": "0-0 25"}
        )
    attributes = {"maxlength": "7", "autocomplete": "off"}
    if option.kind == "tile":
        return forms.TextInput(attributes | {"placeholder": "6-6"})
    placeholder = {"placeholder": _("none")} if option.kind == "optional_number" else {}
    return forms.TextInput(attributes | {"inputmode": "numeric"} | placeholder)


_WIDGETS = {
    "choice": lambda option: forms.Select(
        # Lazy: a form answered in JSON renders no choices.
        choices=lambda: [(str(choice), choice_name(option.name, choice)) for choice in option.choices]  # type: ignore[arg-type]
    ),
    "optional_choice": lambda option: forms.Select(
        choices=lambda: [  # type: ignore[arg-type]
            ("" if choice is None else str(choice), choice_name(option.name, choice))
            for choice in (None, *option.choices)
        ]
    ),
    "flag": lambda option: Switch(),
    "extras": PartsInput,
    "opening": PartsInput,
}
