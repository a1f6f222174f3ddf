"""The create-table form: a preset, and any option of the rules changed."""

import json
import re
from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games.computer.players import LEVELS
from games.engine.errors import InvalidRules
from games.engine.presets import PRESETS
from games.engine.rules import OPTIONS, Option, Rules
from games.wording import choice_name, invalid_rules, option_name, preset_title
from lobbies.game import Game

CLOCK = re.compile(r"(\d{1,5})\+(\d{1,3})\Z", re.ASCII)
LONGEST_CLOCK, LONGEST_INCREMENT = 3 * 3600, 180  # seconds
CLOCKS = ["none", "180+3", "300+5", "600+5", "900+10"]


def parse_clock(text: str) -> tuple[int, int] | None:
    """`none` or `SECONDS+INCREMENT`; ValidationError for anything else."""
    if text in ("", "none"):
        return None
    match = CLOCK.match(text)
    if match is None:
        raise forms.ValidationError(
            _("A clock is written as 300+5 (seconds for the match, and for each move) or none.")
        )
    seconds, increment = int(match[1]), int(match[2])
    if not 10 <= seconds <= LONGEST_CLOCK or increment > LONGEST_INCREMENT:
        raise forms.ValidationError(_("A clock has 10 seconds to 3 hours, and up to 180 seconds a move."))
    return seconds, increment


def clock_name(clock: tuple[int, int] | None) -> str:
    """As people read it: 5 min + 5 s."""
    if clock is None:
        return _("no clock")
    seconds, increment = clock
    time = _("%(n)s min") % {"n": seconds // 60} if seconds % 60 == 0 else _("%(n)s s") % {"n": seconds}
    return _("%(time)s + %(n)s s") % {"time": time, "n": increment}


class GameForm(forms.Form):
    """What `preset`, `seats`, `clock`, `target` and the rules say, as a Game in `cleaned_data["game"]`."""

    preset = forms.ChoiceField(label=gettext_lazy("Game"))
    seats = forms.TypedChoiceField(
        label=gettext_lazy("Seats"),
        choices=[(n, str(n)) for n in (2, 3, 4)],
        coerce=int,
        required=False,
        empty_value=0,
    )
    target = forms.CharField(label=gettext_lazy("First to"), required=False, max_length=7)
    clock = forms.CharField(label=gettext_lazy("Clock"), required=False, max_length=12)
    rated = forms.BooleanField(label=gettext_lazy("Rated"), required=False)

    def __init__(self, *args, **kwargs) -> None:
        super().__init__(*args, **kwargs)
        self.fields["preset"].choices = [(name, preset_title(name)) for name in PRESETS]

    def clean_clock(self) -> tuple[int, int] | None:
        return parse_clock(self.cleaned_data["clock"].strip())

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean()
        if self.errors:
            return cleaned
        preset = PRESETS[cleaned["preset"]]
        seats = cleaned["seats"] or preset.rules.players[0]
        try:
            rules = Rules.from_dict(self._options(preset.rules, seats))
            if seats not in rules.players:
                raise InvalidRules("players", "seats_not_allowed", seats=seats)
        except InvalidRules as error:
            self.add_error(None, invalid_rules(error))
            return cleaned
        cleaned["game"] = Game(
            cleaned["preset"], rules, seats, cleaned["rated"] and rules == preset.rules, cleaned["clock"]
        )
        return cleaned

    def _options(self, base: Rules, seats: int) -> dict[str, Any]:
        options = base.as_dict()
        if target := self.cleaned_data["target"].strip():
            options["target"] = read("number", target)
        for option in OPTIONS:
            field = f"rule-{option.name}"
            if field not in self.data or option.name == "target" and self.cleaned_data["target"].strip():
                continue
            text = self.data[field].strip()
            if option.kind == "by_seats":
                options[option.name] = _by_seats(text, options[option.name], seats)
            elif text or option.kind in ("optional_number", "tile"):
                options[option.name] = read(option.kind, text)
        return options


def read(kind: str, text: str) -> Any:
    """A field's text as the value it stands for; what it cannot stand for goes on as it is, to be refused by name."""
    if kind in ("optional_number", "tile") and text in ("", "null"):
        return None
    if kind == "flag":
        return {"true": True, "on": True, "1": True, "false": False, "0": False}.get(text.lower(), text)
    if (
        kind in ("number", "optional_number", "choice")
        and text.isascii()
        and text.isdecimal()
        and len(text) < 8
    ):
        return int(text)
    if kind == "players":
        return _json(text)
    return text


def _by_seats(text: str, base: dict, seats: int) -> Any:
    """One number, for the seats of this table, or the whole as JSON."""
    if text.isascii() and text.isdecimal() and len(text) < 8:
        return base | {str(seats): int(text)}
    return _json(text) if text else base


def _json(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return text


class TableForm(GameForm):
    """The same with who may come: privacy, and computers by seat."""

    private = forms.BooleanField(label=gettext_lazy("Only with the link"), required=False)
    computers = forms.CharField(label=gettext_lazy("Computers"), required=False, max_length=60)

    def clean_computers(self) -> list[str]:
        text = self.cleaned_data["computers"].strip()
        levels = [level.strip() for level in text.split(",")] if text else []
        for level in levels:
            if level and level not in LEVELS:
                raise forms.ValidationError(
                    _("There is no computer called %(level)s; there are %(levels)s.")
                    % {"level": level, "levels": ", ".join(LEVELS)}
                )
        if levels and levels[0]:
            raise forms.ValidationError(_("The first seat is yours; leave its place empty."))
        return levels

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean()
        if "game" in cleaned and len(cleaned.get("computers", [])) > cleaned["game"].seats:
            self.add_error("computers", _("There are more computers than seats."))
        if "game" in cleaned and any(cleaned.get("computers", [])):
            game = cleaned["game"]
            cleaned["game"] = Game(game.preset, game.rules, game.seats, False, game.clock)
        return cleaned


def house_fields(rules: Rules, seats: int, data: dict[str, str]) -> list[dict[str, Any]]:
    """The options of the rules as fields of the form, with what was entered or the value of `rules`."""
    fields = []
    values = rules.as_dict()
    for option in OPTIONS:
        if option.name in ("players", "target"):
            continue
        name = f"rule-{option.name}"
        value = values[option.name]
        if option.kind == "by_seats":
            value = value[str(seats)]
        fields.append(
            {
                "name": name,
                "label": option_name(option.name),
                "kind": "choice" if option.kind in ("choice", "flag") else option.kind,
                "choices": _choices(option, data.get(name, _text(value))),
                "value": data.get(name, _text(value)),
            }
        )
    return fields


def _choices(option: Option, value: str) -> list[tuple[str, str, bool]]:
    if option.kind == "flag":
        return [("false", _("no"), value == "false"), ("true", _("yes"), value == "true")]
    return [(str(c), choice_name(option.name, c), str(c) == value) for c in option.choices]


def _text(value: Any) -> str:
    if value is None:
        return ""
    return str(value).lower() if isinstance(value, bool) else str(value)
