"""The forms: a game for quick play, and a table with any option of the rules changed."""

import json
from typing import Any, NamedTuple

from django import forms
from django.utils.translation import gettext as _

from games.computer.players import LEVELS
from games.engine.errors import InvalidRules
from games.engine.presets import PRESETS
from games.engine.rules import OPTIONS, Option, Rules
from games.wording import invalid_rules
from lobbies import clocks
from lobbies.game import Game

LONGEST_FIELD = 80


class ClockField(forms.CharField):
    def clean(self, value: Any) -> clocks.Clock:
        try:
            return clocks.parse(super().clean(value).strip())
        except clocks.NotAClock as error:
            raise forms.ValidationError(str(error)) from error


class QuickForm(forms.Form):
    """Seats, clock and a computer's level for a preset as it is written."""

    seats = forms.CharField(required=False, max_length=LONGEST_FIELD)
    clock = ClockField(required=False, max_length=LONGEST_FIELD)
    computer = forms.CharField(required=False, max_length=LONGEST_FIELD)

    def __init__(self, data: Any, preset: str) -> None:
        super().__init__(data)
        self.preset = preset

    def clean_seats(self) -> int:
        return read_seats(self.cleaned_data["seats"], PRESETS[self.preset].rules)

    def clean_computer(self) -> str:
        return read_level(self.cleaned_data["computer"])

    def game(self, *, rated: bool) -> Game:
        seats, clock = self.cleaned_data["seats"], self.cleaned_data["clock"]
        return Game(self.preset, PRESETS[self.preset].rules, seats, rated, clock)


class Shown(NamedTuple):
    """The preset and the number of seats whose rules a form's fields showed."""

    preset: str
    seats: int

    @classmethod
    def of(cls, text: str) -> "Shown | None":
        """From the field `shown`: draw/2."""
        preset, _slash, seats = text.partition("/")
        if preset not in PRESETS or seats not in ("2", "3", "4"):
            return None
        return cls(preset, int(seats))

    def __str__(self) -> str:
        return f"{self.preset}/{self.seats}"

    def value(self, option: Option) -> str:
        """What the field of this option showed."""
        return entered(option, PRESETS[self.preset].rules.as_dict()[option.name], self.seats)


class TableForm(forms.Form):
    """What is to be played, and who may come. A valid form has `game`, `levels` and `private`.

    The rules are the preset's with what `target` and the fields `rule-OPTION` change. `shown` is what the fields
    showed, a preset and its seats: a field that only repeats that changes nothing, whatever was chosen since.
    """

    preset = forms.CharField(max_length=LONGEST_FIELD)
    shown = forms.CharField(required=False, max_length=LONGEST_FIELD)
    seats = forms.CharField(required=False, max_length=LONGEST_FIELD)
    target = forms.CharField(required=False, max_length=LONGEST_FIELD)
    clock = ClockField(required=False, max_length=LONGEST_FIELD)
    rated = forms.BooleanField(required=False)
    private = forms.BooleanField(required=False)

    game: Game
    levels: list[str]

    def clean_preset(self) -> str:
        if self.cleaned_data["preset"] not in PRESETS:
            raise forms.ValidationError(_("There is no such game."))
        return self.cleaned_data["preset"]

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean()
        if self.errors:
            return cleaned
        base = PRESETS[cleaned["preset"]].rules
        try:
            rules, seats = self._rules(base)
        except InvalidRules as error:
            raise forms.ValidationError(invalid_rules(error)) from error
        self.levels = self._levels(seats)
        self.game = Game(cleaned["preset"], rules, seats, cleaned["rated"], cleaned["clock"])
        return cleaned

    def _rules(self, base: Rules) -> tuple[Rules, int]:
        """The rules and the number of seats. Raises InvalidRules, or ValidationError for the seats."""
        own_players = _posted(self.data, "rule-players")
        if own_players:
            base = base.replace(players=_json(own_players))
        seats = read_seats(self.cleaned_data["seats"], base)
        changes = self._changes(base, seats)
        if not changes:
            return base, seats
        # House rules are made for one table: what they would be with other seats is nobody's concern.
        return Rules.from_dict(
            base.as_dict() | ({} if own_players else {"players": [seats]}) | changes
        ), seats

    def _changes(self, base: Rules, seats: int) -> dict[str, Any]:
        """The options that the fields change, by name."""
        written = base.as_dict()
        shown = Shown.of(self.cleaned_data["shown"])
        changes = {}
        for option in OPTIONS:
            text = _posted(self.data, f"rule-{option.name}")
            if option.name == "target":
                text = self.cleaned_data["target"].strip() or text
            if text is None or option.name == "players":
                continue
            if shown and text == shown.value(option):
                continue
            value = read(option, text, written[option.name], seats)
            if value != written[option.name]:
                changes[option.name] = value
        return changes

    def _levels(self, seats: int) -> list[str]:
        """The computers by seat: one field with commas, or a field for each seat."""
        fields = self.data.getlist("computers")
        if len(fields) > 1:
            return [read_level(level) for level in fields[:seats]]
        levels = [read_level(level) for level in fields[0].split(",")] if fields and fields[0].strip() else []
        if len(levels) > seats:
            raise forms.ValidationError(_("Computers: there are more of them than seats."))
        if levels and levels[0]:
            raise forms.ValidationError(_("Computers: the first seat is yours, leave its place empty."))
        return levels

    def sentence(self) -> str:
        """All that is wrong with the form."""
        return " ".join(error for errors in self.errors.values() for error in errors)


def read_seats(text: str, rules: Rules) -> int:
    """A number of seats that the rules allow; their first one if nothing was written. ValidationError."""
    text = text.strip()
    seats = rules.players[0] if not text else _number(text)
    if seats not in rules.players:
        allowed = ", ".join(map(str, rules.players))
        raise forms.ValidationError(_("Seats: this game is played with %(allowed)s.") % {"allowed": allowed})
    return int(seats)


def read_level(text: str) -> str:
    """A computer level or nothing. ValidationError."""
    level = text.strip()
    if level and level not in LEVELS:
        raise forms.ValidationError(
            _("Computers: there is none called %(level)s, only %(levels)s.")
            % {"level": level[:LONGEST_FIELD], "levels": ", ".join(LEVELS)}
        )
    return level


def read(option: Option, text: str, written: Any, seats: int) -> Any:
    """A field's text as the value that it stands for; what can be none goes on as it is, to be refused by name."""
    if option.kind in ("optional_number", "tile") and text in ("", "null"):
        return None
    if not text:
        return written
    if option.kind == "by_seats":
        number = _number(text)
        return written | {str(seats): number} if isinstance(number, int) else _json(text)
    if option.kind == "flag":
        return {"true": True, "on": True, "1": True, "false": False, "off": False, "0": False}.get(
            text.lower(), text
        )
    if option.kind == "tile":
        return "-".join(sorted(text.split("-"), key=_tile_half, reverse=True))
    return _number(text)


def entered(option: Option, value: Any, seats: int) -> str:
    """An option's value as its field shows it; `read` turns it back."""
    if option.kind == "by_seats":
        return str(value[str(seats)])
    if value is None:
        return ""
    return str(value).lower() if isinstance(value, bool) else str(value)


def _posted(data: Any, field: str) -> str | None:
    # The last one: before a checkbox stands a hidden "false".
    text = data.get(field)
    return None if text is None else text.strip()[:LONGEST_FIELD]


def _number(text: str) -> int | str:
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 9 else text


def _tile_half(text: str) -> int:
    number = _number(text)
    return number if isinstance(number, int) else -1


def _json(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return text
