"""Form fields of our own: a clock, the computers by seat, and an option of the rules."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from django import forms
from django.db import models
from django.utils.translation import gettext as _

from core.numbers import parse_whole_number
from games.clocks import describe_clock
from games.computer.players import LEVELS
from games.engine.errors import InvalidRules
from games.engine.options import Extras, Opening
from games.engine.rules import Option, Rules
from games.wording import choice_name, extra_name, invalid_rules_sentence, level_name, option_name
from lobbies import clocks

LONGEST = 80  # characters that are read of a field
LONGEST_JSON = 400


class ClockField(forms.CharField):
    """A clock as seconds for the match and for each move, or None."""

    def __init__(self) -> None:
        super().__init__(required=False, widget=forms.Select)

    def to_python(self, value: Any) -> Any:
        try:
            return clocks.parse(super().to_python(value) or "")
        except clocks.NotAClock as error:
            raise forms.ValidationError(str(error)) from error


def clock_choices(entered: str) -> list[tuple[str, str]]:
    """The clocks on offer with their names, and the one entered."""
    offered = [*clocks.CLOCK_CHOICES, *([] if entered in clocks.CLOCK_CHOICES else [entered])]
    return [(text, _clock_name(text)) for text in offered]


def _clock_name(text: str) -> str:
    try:
        return describe_clock(clocks.parse(text))
    except clocks.NotAClock:
        return text


class PauseField(forms.TypedChoiceField):
    """One of the pauses on offer, in seconds; the host's own where nothing was entered."""

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
        """What the page shows: the host's own where nothing was entered."""
        return super().bound_data(data or str(initial), initial)


class LevelField(forms.CharField):
    """A computer's level, or nothing."""

    def __init__(self) -> None:
        super().__init__(required=False, max_length=LONGEST)

    def clean(self, value: Any) -> str:
        return read_level(super().clean(value))


class LevelsField(forms.Field):
    """The computers by seat, "" where a person may sit: one text with commas, or a text for each seat."""

    # It reads all fields of the name; the page has a list for each seat.
    widget = forms.MultipleHiddenInput

    def __init__(self) -> None:
        super().__init__(required=False)

    def to_python(self, value: Sequence[str] | None) -> list[str]:
        return [read_level(text) for text in by_seat(value or [])]


def by_seat(entered: Sequence[str]) -> list[str]:
    """The text for each seat; nothing at all if nothing was entered."""
    texts = entered[0].split(",") if len(entered) == 1 else [*entered]
    return texts if any(text.strip() for text in texts) else []


def level_choices() -> list[tuple[str, str]]:
    """For whom a seat may be kept, the weakest computer first."""
    computers = [(level, _("computer, %(level)s") % {"level": level_name(level)}) for level in LEVELS]
    return [("", _("whoever sits down")), *computers]


def read_level(text: str) -> str:
    """A computer level or nothing. Raises ValidationError."""
    level = text.strip()
    if level and level not in LEVELS:
        raise forms.ValidationError(
            _("Computers: there is none called %(level)s, only %(levels)s.")
            % {"level": level[:LONGEST], "levels": ", ".join(LEVELS)}
        )
    return level


def read_seats(text: str, rules: Rules) -> int:
    """A number of seats that the rules allow; their first one if nothing was entered. Raises ValidationError."""
    seats = parse_whole_number(text.strip()) if text.strip() else rules.players[0]
    if seats is None or seats not in rules.players:
        allowed = ", ".join(map(str, rules.players))
        raise forms.ValidationError(
            _("Players: this game is played with %(allowed)s.") % {"allowed": allowed}
        )
    return seats


# Options of the rules


class Switch(forms.CheckboxInput):
    """A checkbox behind a hidden "false", so that one switched off differs from one that was not on the page."""

    def __init__(self) -> None:
        super().__init__(check_test=lambda value: value == "true")

    def format_value(self, value: Any) -> str:
        return "true"

    def value_from_datadict(self, data: Mapping[str, Any], files: Any, name: str) -> Any:
        return data.get(name)


# Options that are objects: a field for each of their names, beside one text of JSON that programs may send.
PARTS: dict[str, tuple[str, ...]] = {
    "extras": Extras._fields,
    "opening": Opening._fields,
}


NUMBERS = frozenset({"number", "optional_number", "by_seats"})


class Parts(forms.TextInput):
    """The fields of an option that is an object; `usual` is what it was when it was shown."""

    usual = ""

    def __init__(self, option: Option) -> None:
        super().__init__()
        self.option = option

    def subwidgets(self, name: str, value: Any, attrs: Any = None) -> Iterator[dict[str, Any]]:
        found = _json(value or "null")
        has = found if isinstance(found, dict) else {}
        for part in PARTS[self.option.kind]:
            shown = has.get(part, "")
            yield {
                "name": f"{name}-{part}",
                "label": part_label(self.option, part),
                "value": ", ".join(map(str, shown)) if isinstance(shown, list) else shown,
                "flag": part == "kept",
                "several": part == "rounds",
            }


def part_label(option: Option, part: str) -> str:
    """The name of a part of an option that is an object."""
    if option.kind == "extras":
        return extra_name(part)
    return _("Less is kept for the next points") if part == "kept" else _("At least")


def composed(option: Option, data: Mapping[str, str]) -> str | None:
    """The JSON that the fields of its parts make; None where none of them was sent."""
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
    """An option of the rules, under the name `rule-OPTION`; its hidden initial value is the game's own.

    A text that stands for no value goes on as it is: the rules themselves refuse it by name.
    """

    def __init__(self, option: Option) -> None:
        self.option = option
        widget = _WIDGETS.get(option.kind, _text)(option)
        super().__init__(
            required=False, label=option_name(option.name), widget=widget, show_hidden_initial=True
        )

    def to_python(self, value: Any) -> Any:
        kind = self.option.kind
        text = (super().to_python(value) or "")[: LONGEST_JSON if kind in PARTS else LONGEST]
        if not text:
            return {} if kind == "lone_pips" else None
        value = _READ[kind](text)
        if kind in NUMBERS and isinstance(value, str):
            refused = InvalidRules(self.option.name, "invalid_value", value=value)
            raise forms.ValidationError(invalid_rules_sentence(refused))
        return value

    @property
    def may_be_empty(self) -> bool:
        """Whether an empty field says something: none, instead of what the game has."""
        return self.option.kind in ("optional_number", "tile", "opening")


def entered(option: Option, value: Any, seats: int) -> str:
    """An option's value, as in a match record, as its field shows it."""
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


def _lone(text: str) -> Any:
    """*0-0 25, 6-6 50*, or JSON."""
    if text.startswith("{"):
        return _json(text)
    words = re.split(r"[\s,;:=]+", text)
    return {
        _tile(tile) or tile: _number(pips) for tile, pips in zip(words[::2], words[1::2], strict=False)
    } or text


def _json(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return text


_READ = {
    "choice": _number,
    "flag": _flag,
    "number": _number,
    "optional_number": lambda text: None if text == "null" else _number(text),
    "by_seats": _json,
    "players": _json,
    "tile": _tile,
    "extras": _json,
    "opening": _json,
    "lone_pips": _lone,
}


def _text(option: Option) -> forms.Widget:
    """A short text: a number, or a tile."""
    if option.kind == "lone_pips":
        return forms.TextInput({"maxlength": str(LONGEST), "autocomplete": "off", "placeholder": "0-0 25"})
    attributes = {"maxlength": "7", "autocomplete": "off"}
    if option.kind == "tile":
        return forms.TextInput(attributes | {"placeholder": "6-6"})
    placeholder = {"placeholder": _("none")} if option.kind == "optional_number" else {}
    return forms.TextInput(attributes | {"inputmode": "numeric"} | placeholder)


_WIDGETS = {
    "choice": lambda option: forms.Select(
        # Asked for by what shows them: a form that is answered in JSON shows none.
        choices=lambda: [(str(choice), choice_name(option.name, choice)) for choice in option.choices]  # type: ignore[arg-type]
    ),
    "flag": lambda option: Switch(),
    "extras": Parts,
    "opening": Parts,
}
