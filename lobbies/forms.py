"""The forms: a game for quick play, and a table with any option of the rules changed."""

from typing import Any

from django import forms
from django.http import QueryDict
from django.urls import reverse_lazy
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts.models import User
from accounts.pauses import CallPause, ComputerPause, Pauses
from boneyard.engine.errors import InvalidRules
from boneyard.engine.option_kinds import Option
from boneyard.engine.presets import PRESETS
from boneyard.engine.rules import OPTION, OPTIONS, Rules
from games.time.day_clocks import get_days
from games.wording import cached_by_language, drop_idle_changes, invalid_rules_sentence, preset_title
from games.wording.rated import rated_targets_sentence
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
    parse_seats,
    split_by_seat,
)
from lobbies.form_data import (
    FIRST_CLOCK,
    FIRST_PRESET,
    NO_TARGET,
    complete_data,
    entered_seats,
    field_of,
    is_known_field,
)
from lobbies.game import Game
from lobbies.variants import as_written, changes_of

MAX_VARIANT_KEYS = 20
ASKED_FIRST = ("target", "clock")  # reasons for a casual table that its maker may not have noticed

# `players` follows from the seats; `target` has a field of its own.
UNGROUPED_OPTIONS = ("players", "target")

# Another number of seats, like another game, reloads the whole form; other fields only the sentence.
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


NO_DAYS_WITH_CALLS = gettext_lazy(
    "Clock: where points are called, everybody sits at the table. Choose a clock of minutes."
)


def refuses_days(clock: clocks.Clock, rules: Rules) -> bool:
    """Return whether a clock of days does not go with these rules: calls are made within seconds."""
    return clock is not None and get_days(clock[0]) is not None and rules.claims == "muggins"


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
        if not self.errors and refuses_days(cleaned["clock"], PRESETS[self.preset].rules):
            self.add_error("clock", NO_DAYS_WITH_CALLS)
        if self.errors or cleaned["clock"] is not None or cleaned["computer"]:
            return cleaned
        if self.data.get("clock", "").strip():
            self.add_error("clock", NEEDS_A_CLOCK)
        else:
            cleaned["clock"] = clocks.parse(FIRST_CLOCK)
        return cleaned

    def game(self, *, rated: bool, pauses: Pauses) -> Game:
        seats, clock = self.cleaned_data["seats"], self.cleaned_data["clock"]
        preset = PRESETS[self.preset]
        return Game(preset.id, preset.rules, seats, rated and preset.rated, clock, pauses)


class TableForm(forms.Form):
    """The create-table form. A valid form has `game` and `levels`.

    The rules are the preset's with the choices of `variant` and the changes of `target` and the fields `rule-OPTION`.
    Each of the latter has a hidden initial value, the game's own when it was rendered: a field that repeats it changes
    nothing, even if another game was chosen since. A missing field means the game's own value, a missing pause the
    host's.
    """

    preset = forms.ChoiceField(
        choices=lambda: [(preset, preset_title(preset)) for preset in PRESETS],
        error_messages={"invalid_choice": gettext_lazy("There is no such game.")},
    )
    seats = forms.CharField(required=False, widget=forms.RadioSelect(attrs=RELOAD_FORM_ATTRS))
    clock = ClockField()
    computers = LevelsField()
    rated = forms.BooleanField(required=False)
    private = forms.BooleanField(required=False)
    # Rendered from `variant_fields`: the keys of the chosen variants, and "" for those not chosen.
    variant = forms.Field(required=False, widget=forms.MultipleHiddenInput)

    data: QueryDict
    game: Game
    levels: list[str]

    def __init__(self, data: QueryDict, host: User) -> None:
        preset = data.get("preset", "")
        self.base_preset = preset if preset in PRESETS else FIRST_PRESET
        self.seat_count = entered_seats(data, self.base)
        self.variant_keys = [key for key in data.getlist("variant") if key][:MAX_VARIANT_KEYS]
        try:
            changes = changes_of(PRESETS[self.base_preset], self.variant_keys, self.seat_count)
            self.chosen = Rules.from_dict(self.base.as_dict() | changes)
            self.variant_fault: InvalidRules | None = None
        except InvalidRules as fault:
            self.chosen, self.variant_fault = self.base, fault
        super().__init__(complete_data(data, self.chosen, self.base_preset), auto_id="form-%s")
        self.fields["computer_pause"] = PauseField(ComputerPause, host.computer_pause, _("Computers’ pause"))
        self.fields["call_pause"] = PauseField(CallPause, host.call_pause, _("Pause for “Muggins!”"))
        for option in OPTIONS:
            self.fields[field_of(option)] = self._field_of(option)
        self.fields["seats"].widget.choices = [(str(seats), str(seats)) for seats in self.base.players]
        self.fields["clock"].widget.choices = clock_choices(
            str(self.data["clock"]), called=self.base.claims == "muggins"
        )

    @property
    def casual_reason(self) -> str:
        """Return what makes a table casual that was to be rated, or "".

        One of `house`, `target`, `new`, `clock`, `computers`.
        """
        if not self.is_valid() or not self.game.rated:
            return ""
        if self.game.is_never_rated:
            return "new"
        if self.game.changed:
            return "house" if self.game.has_house_rules else "target"
        if self.game.clock is None:
            return "clock"
        return "computers" if any(self.levels) else ""

    @property
    def casual_anyway(self) -> str:
        """Return why a table asked to be rated is casual, or ""."""
        return {
            "": "",
            "house": _("House rules make it casual."),
            "target": _("This target makes it casual. %(rated)s")
            % {"rated": rated_targets_sentence(PRESETS[self.base_preset])},
            "new": _("This game is new: matches are casual until enough people play it."),
            "clock": _("Without a clock it is casual."),
            "computers": _("Computers make it casual."),
        }[self.casual_reason]

    @property
    def must_ask(self) -> bool:
        """Return whether the target or clock makes the table casual, and the page that was sent did not say so.

        A page sends in `casual` the reason that it has shown; a program sends no such field, and is not asked.
        """
        reason = self.casual_reason
        return reason in ASKED_FIRST and self.data.get("casual", reason) != reason

    def _field_of(self, option: Option) -> OptionField:
        """Return the shared field of an option, or a new one if it shows something of this game."""
        if option.name != "target" and option.kind not in PARTS:
            return _shared_field(option)
        field = OptionField(option)
        if isinstance(field.widget, PartsInput):
            field.widget.usual = self.data.get(f"initial-{field_of(option)}", "")
        else:
            field.show_hidden_initial = False
            field.widget.attrs |= {"placeholder": str(self.base.target or ""), "list": "form-targets"}
        return field

    @property
    def base(self) -> Rules:
        """Return the rules of the chosen preset as written."""
        return PRESETS[self.base_preset].rules

    @property
    def has_computers(self) -> bool:
        """Return whether a seat is a computer's in the table as entered so far."""
        return any(split_by_seat(self.data.getlist("computers")))

    @property
    def is_called(self) -> bool:
        """Return whether *Muggins!* is called in the game as entered so far."""
        return bool(self.data[field_of(OPTION["claims"])] == "muggins")

    @property
    def must_exceed(self) -> bool:
        """Return whether the target must be exceeded in the game as entered so far."""
        return bool(self.data[field_of(OPTION["goal"])] == "exceed")

    def clean(self) -> dict[str, Any]:
        if unknown := sorted(
            name for name in self.data if name.startswith("rule-") and not is_known_field(name)
        ):
            self.add_error(
                None, invalid_rules_sentence(InvalidRules(unknown[0][:MAX_FIELD_LENGTH], "unknown_option"))
            )
        if self.variant_fault is not None:
            self.add_error("variant", invalid_rules_sentence(self.variant_fault))
        if "preset" in self.errors or self.variant_fault is not None:
            return self.cleaned_data
        found = self._find_rules()
        if found is None:
            return self.cleaned_data
        rules, seats = found
        self.levels = self._levels(seats)
        self._check_clock(rules, alone=all(self.levels[1:]) and len(self.levels) == seats)
        if not self.errors:
            cleaned = self.cleaned_data
            pauses = Pauses(cleaned["call_pause"], cleaned["computer_pause"])
            self.game = Game(cleaned["preset"], rules, seats, cleaned["rated"], cleaned["clock"], pauses)
        return self.cleaned_data

    def _find_rules(self) -> tuple[Rules, int] | None:
        """Return the rules and seats, without the changes that are refused, each at its field; None without seats."""
        if "seats" not in self.cleaned_data:
            return None
        base, own_players = self.chosen, self.cleaned_data.get("rule-players")
        try:
            if own_players:
                base = base.replace(players=own_players)
            seats = parse_seats(self.cleaned_data["seats"], base)
        except forms.ValidationError as error:
            self.add_error("seats", error)
            return None
        except InvalidRules as error:
            self._refuse_rules(error)
            return None
        changes = self._changes(base.as_dict(), seats)
        for _attempt in range(len(changes) + 1):
            try:
                return self._build_rules(base, seats, changes, has_own_players=bool(own_players)), seats
            except InvalidRules as error:
                self._refuse_rules(error)
                if changes.pop(error.option, None) is None:
                    break
        return base, seats

    def _refuse_rules(self, error: InvalidRules) -> None:
        option = OPTION.get(error.option)
        self.add_error(field_of(option) if option else None, invalid_rules_sentence(error))

    def _build_rules(
        self, base: Rules, seats: int, changes: dict[str, Any], *, has_own_players: bool
    ) -> Rules:
        """Raise `InvalidRules`."""
        if has_own_players:
            return Rules.from_dict(base.as_dict() | changes)
        # House rules apply to one table, so only its number of seats.
        rules = Rules.from_dict(base.as_dict() | {"players": [seats]} | changes)
        preset = PRESETS[self.base_preset]
        return as_written(preset, rules, seats) or drop_idle_changes(rules, preset.rules, seats)

    def _check_clock(self, rules: Rules, *, alone: bool) -> None:
        if "clock" in self.errors:
            return
        clock = self.cleaned_data["clock"]
        if clock is None and not self.cleaned_data["private"] and not alone:
            self.add_error("clock", NEEDS_A_CLOCK)
        elif refuses_days(clock, rules):
            self.add_error("clock", NO_DAYS_WITH_CALLS)

    def _changes(self, written: dict[str, Any], seats: int) -> dict[str, Any]:
        """Return the changed options by name."""
        changes: dict[str, Any] = {}
        for option in OPTIONS:
            name = field_of(option)
            field = self.fields[name]
            if option.name == "players" or not isinstance(field, OptionField):
                continue
            if option.name == "target" and str(self.data[name]).strip().lower() == NO_TARGET:
                changes[option.name] = None
                continue
            if name not in self.changed_data or name in self.errors:
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
        levels: list[str] = self.cleaned_data.get("computers", [])
        if len(self.data.getlist("computers")) > 1:
            return levels[:seats]  # the page may have more fields than the chosen number of seats
        if len(levels) > seats:
            self.add_error("computers", _("Computers: there are more of them than seats."))
        elif levels and levels[0]:
            self.add_error("computers", _("Computers: the first seat is yours, leave it empty."))
        return levels


@cached_by_language
def _shared_field(option: Option) -> OptionField:
    """Return the field of an option, created once per language: creating thirty takes longer than reading a form."""
    return OptionField(option)
