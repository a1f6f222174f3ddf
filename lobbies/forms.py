"""The forms: a game for quick play, and a table with any option of the rules changed."""

from collections.abc import Mapping
from functools import cached_property
from typing import Any, NamedTuple

from django import forms
from django.forms import BoundField
from django.http import QueryDict
from django.urls import reverse_lazy
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts.models import User
from accounts.pauses import CallPause, ComputerPause, Pauses
from games.engine.errors import InvalidRules
from games.engine.presets import PRESETS
from games.engine.rules import OPTION, OPTIONS, Option, Rules
from games.wording import (
    cached_by_language,
    house_rules,
    invalid_rules_sentence,
    part_name,
    preset_title,
    rules_sentence,
)
from lobbies import clocks
from lobbies.fields import (
    MAX_FIELD_LENGTH,
    PARTS,
    ClockField,
    LevelField,
    LevelsField,
    OptionField,
    PartsInput,
    PauseField,
    clock_choices,
    compose_parts,
    format_value,
    level_choices,
    parse_seats,
    split_by_seat,
)
from lobbies.game import Game

FIRST_PRESET = "all-fives"
FIRST_CLOCK = "300+5"

# The option groups of the page. `players` follows from the seats; `target` has a field of its own.
GROUPS = {
    "deal": ("set", "partners", "hand_size", "max_same_suit", "max_doubles"),
    "lead": ("first_lead", "lead_tile", "lead_with", "next_lead", "next_lead_after_block"),
    "turn": ("spinner", "draw", "reserve", "pass", "many_ends", "two_doubles"),
    "points": ("count", "claims", "out_points", "opening"),
    "round": (
        "out_bonus",
        "blocked_bonus",
        "blocked_winner",
        "blocked_tie",
        "bonus_unit",
        "bonus_ceiling",
        "team_difference",
        "lone_pips",
        "extras",
    ),
    "match": ("finish", "exact", "lowest_wins", "extra_rounds"),
}
FOUR_SEAT_OPTIONS = ("partners", "team_difference")

# Another game or number of seats reloads the whole form; other fields only the sentence.
RELOAD_FORM_ATTRS = {
    "hx-post": reverse_lazy("table-preview"),
    "hx-include": "closest form",
    "hx-vals": '{"whole": "1"}',
    "hx-trigger": "change consume",
    "hx-swap": "none",
}


NEEDS_A_CLOCK = gettext_lazy(
    "Clock: without one a table is private, or all other seats are computers. Choose a clock."
)


def sentence_of(form: forms.Form) -> str:
    """Return all errors of a form as one text."""
    return " ".join(str(error) for errors in form.errors.values() for error in errors)


class QuickForm(forms.Form):
    """A form with seats, clock and a computer's level for a preset as written."""

    seats = forms.CharField(required=False)
    clock = ClockField()
    computer = LevelField()

    def __init__(self, data: QueryDict, preset: str) -> None:
        super().__init__(data)
        self.preset = preset

    def clean_seats(self) -> int:
        return parse_seats(self.cleaned_data["seats"], PRESETS[self.preset].rules)

    def clean(self) -> dict[str, Any]:
        cleaned = self.cleaned_data
        if self.errors or cleaned["clock"] is not None or cleaned["computer"]:
            return cleaned
        if self.data.get("clock", "").strip():
            self.add_error("clock", NEEDS_A_CLOCK)
        else:
            cleaned["clock"] = clocks.parse(FIRST_CLOCK)
        return cleaned

    def game(self, *, rated: bool, pauses: Pauses) -> Game:
        seats, clock = self.cleaned_data["seats"], self.cleaned_data["clock"]
        return Game(self.preset, PRESETS[self.preset].rules, seats, rated, clock, pauses)


class Group(NamedTuple):
    """A group of options on the page."""

    title: str
    fields: tuple[BoundField, ...]


class SeatChoice(NamedTuple):
    """A seat other than the host's: its (value, name) choices and the chosen value."""

    label: str
    choices: list[tuple[str, str]]
    chosen: str


class TableForm(forms.Form):
    """The create-table form. A valid form has `game` and `levels`.

    The rules are the preset's with the changes of `target` and the fields `rule-OPTION`. Each of these fields has a
    hidden initial value, the game's own when it was rendered: a field that repeats it changes nothing, even if
    another game was chosen since. A missing field means the game's own value, a missing pause the host's.
    """

    preset = forms.ChoiceField(
        choices=lambda: [(preset, preset_title(preset)) for preset in PRESETS],
        widget=forms.Select(attrs=RELOAD_FORM_ATTRS),
        error_messages={"invalid_choice": gettext_lazy("There is no such game.")},
        show_hidden_initial=True,
    )
    seats = forms.CharField(required=False, widget=forms.RadioSelect(attrs=RELOAD_FORM_ATTRS))
    clock = ClockField()
    computers = LevelsField()
    rated = forms.BooleanField(required=False)
    private = forms.BooleanField(required=False)

    data: QueryDict
    game: Game
    levels: list[str]

    def __init__(self, data: QueryDict, host: User) -> None:
        preset = data.get("preset", "")
        self.base_preset = preset if preset in PRESETS else FIRST_PRESET
        super().__init__(_complete_data(data, self.base_preset), auto_id="form-%s")
        self.fields["computer_pause"] = PauseField(ComputerPause, host.computer_pause, _("Computers’ pause"))
        self.fields["call_pause"] = PauseField(CallPause, host.call_pause, _("Pause for “Muggins!”"))
        for option in OPTIONS:
            self.fields[field_of(option)] = self._field_of(option)
        self.fields["seats"].widget.choices = [(str(seats), str(seats)) for seats in self.base.players]
        self.fields["clock"].widget.choices = clock_choices(str(self.data["clock"]))

    def _field_of(self, option: Option) -> OptionField:
        """Return the shared field of an option, or a new one if it shows something of this game."""
        if option.name != "target" and option.kind not in PARTS:
            return _shared_field(option)
        field = OptionField(option)
        if isinstance(field.widget, PartsInput):
            field.widget.usual = self.data.get(f"initial-{field_of(option)}", "")
        else:
            field.show_hidden_initial = False
            field.widget.attrs |= {"placeholder": str(self.base.target), "list": "form-targets"}
        return field

    @property
    def base(self) -> Rules:
        """Return the rules of the chosen preset as written."""
        return PRESETS[self.base_preset].rules

    @property
    def is_called(self) -> bool:
        """Return whether *Muggins!* is called in the game as entered so far."""
        return bool(self.data[field_of(OPTION["claims"])] == "muggins")

    def clean(self) -> dict[str, Any]:
        if unknown := sorted(
            name for name in self.data if name.startswith("rule-") and not is_known_field(name)
        ):
            self.add_error(
                None, invalid_rules_sentence(InvalidRules(unknown[0][:MAX_FIELD_LENGTH], "unknown_option"))
            )
        if self.errors:
            return self.cleaned_data
        cleaned = self.cleaned_data
        try:
            rules, seats = self._rules()
        except InvalidRules as error:
            option = OPTION.get(error.option)
            self.add_error(field_of(option) if option else None, invalid_rules_sentence(error))
            return cleaned
        except forms.ValidationError as error:
            self.add_error("seats", error)
            return cleaned
        self.levels = self._levels(seats)
        alone = all(self.levels[1:]) and len(self.levels) == seats
        if cleaned["clock"] is None and not cleaned["private"] and not alone:
            self.add_error("clock", NEEDS_A_CLOCK)
            return cleaned
        pauses = Pauses(cleaned["call_pause"], cleaned["computer_pause"])
        self.game = Game(cleaned["preset"], rules, seats, cleaned["rated"], cleaned["clock"], pauses)
        return cleaned

    def _rules(self) -> tuple[Rules, int]:
        """Return the rules and seats. Raise `InvalidRules`, or `ValidationError` for the seats."""
        base, own_players = self.base, self.cleaned_data["rule-players"]
        if own_players:
            base = base.replace(players=own_players)
        seats = parse_seats(self.cleaned_data["seats"], base)
        changes = self._changes(base.as_dict(), seats)
        if not changes:
            return base, seats
        # House rules apply to one table, so only its number of seats.
        players = {} if own_players or self._changes_only_target(changes) else {"players": [seats]}
        return Rules.from_dict(base.as_dict() | players | changes), seats

    def _changes_only_target(self, changes: Mapping[str, Any]) -> bool:
        """Return whether the only change is another of the preset's rated targets."""
        return set(changes) == {"target"} and changes["target"] in PRESETS[self.base_preset].rated_targets

    def _changes(self, written: dict[str, Any], seats: int) -> dict[str, Any]:
        """Return the changed options by name."""
        changes = {}
        for option in OPTIONS:
            name = field_of(option)
            field = self.fields[name]
            if (
                option.name == "players"
                or name not in self.changed_data
                or not isinstance(field, OptionField)
            ):
                continue
            value = self.cleaned_data[name]
            if value is None and not field.may_be_empty:
                continue
            if option.kind == "by_seats" and isinstance(value, int):
                value = written[option.name] | {str(seats): value}
            if value != written[option.name]:
                changes[option.name] = value
        return changes

    def _levels(self, seats: int) -> list[str]:
        """Return the computers by seat; add an error if they do not fit."""
        levels: list[str] = self.cleaned_data["computers"]
        if len(self.data.getlist("computers")) > 1:
            return levels[:seats]  # the page may have more fields than the chosen number of seats
        if len(levels) > seats:
            self.add_error("computers", _("Computers: there are more of them than seats."))
        elif levels and levels[0]:
            self.add_error("computers", _("Computers: the first seat is yours, leave it empty."))
        return levels

    # For the template

    @property
    def seat_count(self) -> int:
        return _seats(self.data, self.base)

    @cached_property
    def refusal(self) -> str:
        """Return all errors of the form as one text."""
        return sentence_of(self)

    @property
    def rules(self) -> Rules:
        return self.game.rules if self.is_valid() else self.base

    @property
    def sentence(self) -> str:
        """Return the game in one sentence, or "" for an invalid form."""
        return "" if self.refusal else rules_sentence(self.rules, self.seat_count, self.base_preset)

    @property
    def changed(self) -> int:
        """Return how many options differ from the preset."""
        return len(house_rules(self.rules, self.base, self.seat_count))

    @property
    def targets(self) -> list[int]:
        """Return the targets to which this game can be rated."""
        return sorted({self.base.target, *PRESETS[self.base_preset].rated_targets})

    @property
    def casual_anyway(self) -> str:
        """Return why a table asked to be rated is casual, or ""."""
        if not self.is_valid() or not self.game.rated:
            return ""
        if self.game.changed:
            return _("House rules make it casual.")
        if self.game.clock is None:
            return _("Without a clock it is casual.")
        return _("Computers make it casual.") if any(self.levels) else ""

    @property
    def groups(self) -> list[Group]:
        offered = set(OPTION) if self.seat_count == 4 else set(OPTION).difference(FOUR_SEAT_OPTIONS)
        return [
            Group(part_name(part), tuple(self[f"rule-{name}"] for name in names if name in offered))
            for part, names in GROUPS.items()
        ]

    @property
    def other_seats(self) -> list[SeatChoice]:
        chosen = [text.strip() for text in split_by_seat(self.data.getlist("computers"))]
        return [
            SeatChoice(_("Seat %(n)s") % {"n": seat + 1}, level_choices(), "".join(chosen[seat : seat + 1]))
            for seat in range(1, self.seat_count)
        ]


@cached_by_language
def _shared_field(option: Option) -> OptionField:
    """Return the field of an option, created once per language: creating thirty takes longer than reading a form."""
    return OptionField(option)


def field_of(option: Option) -> str:
    """Return the name of an option's field."""
    return "target" if option.name == "target" else f"rule-{option.name}"


def is_known_field(name: str) -> bool:
    """Return whether `name` is a field `rule-OPTION`, or `rule-OPTION-PART` of an option with parts."""
    option, _dash, part = name.removeprefix("rule-").partition("-")
    return option in OPTION and (not part or part in PARTS.get(OPTION[option].kind, ()))


def initial_data(data: QueryDict) -> QueryDict:
    """Return the data of a new form, from the query of an address, which may contain anything."""
    proposed = data.copy()
    if proposed.get("preset") not in PRESETS:
        proposed["preset"] = FIRST_PRESET
    proposed.setdefault("clock", FIRST_CLOCK)
    return proposed


def reset_for_other_game(data: QueryDict) -> QueryDict:
    """Return the data; if another game was chosen, with that game's rules, target and, if needed, seats."""
    preset = data.get("preset", "")
    if preset not in PRESETS or data.get("initial-preset", preset) == preset:
        return data
    reset = data.copy()
    for name in list(reset):
        if name.startswith(("rule-", "initial-rule-")) or name == "target":
            del reset[name]
    players = PRESETS[preset].rules.players
    if reset.get("seats", "") not in map(str, players):
        reset["seats"] = str(players[0])
    return reset


def _complete_data(data: QueryDict, preset: str) -> QueryDict:
    """Fill the data with the game's own values: for missing fields and for those that repeat their initial value."""
    full, rules = data.copy(), PRESETS[preset].rules
    seats, written = _seats(data, rules), rules.as_dict()
    full["initial-preset"] = preset
    full["clock"] = data.get("clock", "").strip()[:16] or FIRST_CLOCK
    full["target"] = (data.get("target", "").strip() or data.get("rule-target", "").strip())[
        :MAX_FIELD_LENGTH
    ]
    if not data.get("seats", "").strip():
        full["seats"] = str(seats)
    for option in OPTIONS:
        if option.name in ("players", "target"):
            continue
        name, usual = field_of(option), format_value(option, written[option.name], seats)
        text = data.get(name)
        if text is None and option.kind in PARTS:
            text = full[name] = compose_parts(option, data) or usual
        if text is None or text.strip() == data.get(f"initial-{name}"):
            full[name] = usual
        full[f"initial-{name}"] = usual
    return full


def _seats(data: QueryDict, rules: Rules) -> int:
    """Return the number of seats to render the form for."""
    try:
        return parse_seats(data.get("seats", ""), rules)
    except forms.ValidationError:
        return rules.players[0]
