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
from games.wording import house_rules, invalid_rules, part_name, preset_title, remembered, rules_sentence
from lobbies import clocks
from lobbies.fields import (
    LONGEST,
    PARTS,
    ClockField,
    LevelField,
    LevelsField,
    OptionField,
    Parts,
    PauseField,
    by_seat,
    clock_choices,
    composed,
    entered,
    level_choices,
    read_seats,
)
from lobbies.game import Game

FIRST_PRESET = "all-fives"
FIRST_CLOCK = "300+5"

# The options as the page groups them. `players` follows from the seats, `target` stands with the game.
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
FOR_FOUR = ("partners", "team_difference")

# Another game, or other seats, bring the whole form again; the rest of it rewrites only the sentence.
BRINGS_THE_FORM = {
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
    """All that is wrong with a form."""
    return " ".join(str(error) for errors in form.errors.values() for error in errors)


class QuickForm(forms.Form):
    """Seats, clock and a computer's level for a preset as it is written."""

    seats = forms.CharField(required=False)
    clock = ClockField()
    computer = LevelField()

    def __init__(self, data: QueryDict, preset: str) -> None:
        super().__init__(data)
        self.preset = preset

    def clean_seats(self) -> int:
        return read_seats(self.cleaned_data["seats"], PRESETS[self.preset].rules)

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
    """Options that stand together on the page."""

    title: str
    fields: tuple[BoundField, ...]


class SeatChoice(NamedTuple):
    """A seat that is not the host's: who may be kept it, as (value, name), and who is."""

    label: str
    choices: list[tuple[str, str]]
    chosen: str


class TableForm(forms.Form):
    """What is to be played, and who may come. A valid form has `game` and `levels`.

    The rules are the preset's with what `target` and the fields `rule-OPTION` change. Each of these fields carries,
    as its hidden initial value, what the game had when it was shown: one that only repeats that changes nothing,
    whatever game was chosen since. A field that is absent is as the game has it, and a pause as `host` has it.
    """

    preset = forms.ChoiceField(
        choices=lambda: [(preset, preset_title(preset)) for preset in PRESETS],
        widget=forms.Select(attrs=BRINGS_THE_FORM),
        error_messages={"invalid_choice": gettext_lazy("There is no such game.")},
        show_hidden_initial=True,
    )
    seats = forms.CharField(required=False, widget=forms.RadioSelect(attrs=BRINGS_THE_FORM))
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
        super().__init__(_completed(data, self.base_preset), auto_id="form-%s")
        self.fields["computer_pause"] = PauseField(ComputerPause, host.computer_pause, _("Computers’ pause"))
        self.fields["call_pause"] = PauseField(CallPause, host.call_pause, _("Pause for “Muggins!”"))
        for option in OPTIONS:
            self.fields[field_of(option)] = self._field_of(option)
        self.fields["seats"].widget.choices = [(str(seats), str(seats)) for seats in self.base.players]
        self.fields["clock"].widget.choices = clock_choices(str(self.data["clock"]))

    def _field_of(self, option: Option) -> OptionField:
        """Its field: the one that all forms share, unless it shows something of this game."""
        if option.name != "target" and option.kind not in PARTS:
            return _shared_field(option)
        field = OptionField(option)
        if isinstance(field.widget, Parts):
            field.widget.usual = self.data.get(f"initial-{field_of(option)}", "")
        else:
            field.show_hidden_initial = False
            field.widget.attrs |= {"placeholder": str(self.base.target), "list": "form-targets"}
        return field

    @property
    def base(self) -> Rules:
        """The rules of the chosen preset as they are written."""
        return PRESETS[self.base_preset].rules

    @property
    def is_called(self) -> bool:
        """Whether the game, as entered so far, is one in which *Muggins!* is called."""
        return bool(self.data[field_of(OPTION["claims"])] == "muggins")

    def clean(self) -> dict[str, Any]:
        if unknown := sorted(name for name in self.data if name.startswith("rule-") and not known(name)):
            self.add_error(None, invalid_rules(InvalidRules(unknown[0][:LONGEST], "unknown_option")))
        if self.errors:
            return self.cleaned_data
        cleaned = self.cleaned_data
        try:
            rules, seats = self._rules()
        except InvalidRules as error:
            option = OPTION.get(error.option)
            self.add_error(field_of(option) if option else None, invalid_rules(error))
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
        """The rules and the number of seats. Raises InvalidRules, or ValidationError for the seats."""
        base, own_players = self.base, self.cleaned_data["rule-players"]
        if own_players:
            base = base.replace(players=own_players)
        seats = read_seats(self.cleaned_data["seats"], base)
        changes = self._changes(base.as_dict(), seats)
        if not changes:
            return base, seats
        # House rules are made for one table: what they would be with other seats is nobody's concern.
        players = {} if own_players or self._only_retargets(changes) else {"players": [seats]}
        return Rules.from_dict(base.as_dict() | players | changes), seats

    def _only_retargets(self, changes: Mapping[str, Any]) -> bool:
        """Whether the game stays the preset's, played to another of its rated targets."""
        return set(changes) == {"target"} and changes["target"] in PRESETS[self.base_preset].rated_targets

    def _changes(self, written: dict[str, Any], seats: int) -> dict[str, Any]:
        """The options that the fields change, by name."""
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
        """The computers by seat; adds the error if they do not fit."""
        levels: list[str] = self.cleaned_data["computers"]
        if len(self.data.getlist("computers")) > 1:
            return levels[:seats]  # the page has a field for each seat; fewer may be left of them
        if len(levels) > seats:
            self.add_error("computers", _("Computers: there are more of them than seats."))
        elif levels and levels[0]:
            self.add_error("computers", _("Computers: the first seat is yours, leave it empty."))
        return levels

    # What the page shows beside the fields

    @property
    def seats_shown(self) -> int:
        return _seats(self.data, self.base)

    @cached_property
    def refusal(self) -> str:
        """All that is wrong with the form."""
        return sentence_of(self)

    @property
    def rules(self) -> Rules:
        return self.game.rules if self.is_valid() else self.base

    @property
    def sentence(self) -> str:
        """The game in one sentence; empty if it cannot be."""
        return "" if self.refusal else rules_sentence(self.rules, self.seats_shown, self.base_preset)

    @property
    def changed(self) -> int:
        """How many options differ from the preset."""
        return len(house_rules(self.rules, self.base, self.seats_shown))

    @property
    def targets(self) -> list[int]:
        """The targets that a match of this game may have and be rated."""
        return sorted({self.base.target, *PRESETS[self.base_preset].rated_targets})

    @property
    def casual_anyway(self) -> str:
        """Why a table that was to be rated will not be."""
        if not self.is_valid() or not self.game.rated:
            return ""
        if self.game.changed:
            return _("House rules make it casual.")
        if self.game.clock is None:
            return _("Without a clock it is casual.")
        return _("Computers make it casual.") if any(self.levels) else ""

    @property
    def groups(self) -> list[Group]:
        offered = set(OPTION) if self.seats_shown == 4 else set(OPTION).difference(FOR_FOUR)
        return [
            Group(part_name(part), tuple(self[f"rule-{name}"] for name in names if name in offered))
            for part, names in GROUPS.items()
        ]

    @property
    def other_seats(self) -> list[SeatChoice]:
        chosen = [text.strip() for text in by_seat(self.data.getlist("computers"))]
        return [
            SeatChoice(_("Seat %(n)s") % {"n": seat + 1}, level_choices(), "".join(chosen[seat : seat + 1]))
            for seat in range(1, self.seats_shown)
        ]


@remembered
def _shared_field(option: Option) -> OptionField:
    """Thirty of them take longer to make than a form takes to be read."""
    return OptionField(option)


def field_of(option: Option) -> str:
    """The name of an option's field."""
    return "target" if option.name == "target" else f"rule-{option.name}"


def known(name: str) -> bool:
    """Whether there is a field `rule-OPTION`, or `rule-OPTION-PART` of an option that has parts."""
    option, _dash, part = name.removeprefix("rule-").partition("-")
    return option in OPTION and (not part or part in PARTS.get(OPTION[option].kind, ()))


def as_first_shown(data: QueryDict) -> QueryDict:
    """The data of a form that nobody has sent yet: from an address, which may propose anything."""
    proposed = data.copy()
    if proposed.get("preset") not in PRESETS:
        proposed["preset"] = FIRST_PRESET
    proposed.setdefault("clock", FIRST_CLOCK)
    return proposed


def with_another_game(data: QueryDict) -> QueryDict:
    """The data as they are; if another game was chosen, with its own rules, target and, if it must be, seats."""
    preset = data.get("preset", "")
    if preset not in PRESETS or data.get("initial-preset", preset) == preset:
        return data
    kept = data.copy()
    for name in list(kept):
        if name.startswith(("rule-", "initial-rule-")) or name == "target":
            del kept[name]
    players = PRESETS[preset].rules.players
    if kept.get("seats", "") not in map(str, players):
        kept["seats"] = str(players[0])
    return kept


def _completed(data: QueryDict, preset: str) -> QueryDict:
    """The data as the page has them: what was not entered is as the game has it, and so is what only repeats what
    was shown of another game."""
    full, rules = data.copy(), PRESETS[preset].rules
    seats, written = _seats(data, rules), rules.as_dict()
    full["initial-preset"] = preset
    full["clock"] = data.get("clock", "").strip()[:16] or FIRST_CLOCK
    full["target"] = (data.get("target", "").strip() or data.get("rule-target", "").strip())[:LONGEST]
    if not data.get("seats", "").strip():
        full["seats"] = str(seats)
    for option in OPTIONS:
        if option.name in ("players", "target"):
            continue
        name, usual = field_of(option), entered(option, written[option.name], seats)
        text = data.get(name)
        if text is None and option.kind in PARTS:
            text = full[name] = composed(option, data) or usual
        if text is None or text.strip() == data.get(f"initial-{name}"):
            full[name] = usual
        full[f"initial-{name}"] = usual
    return full


def _seats(data: QueryDict, rules: Rules) -> int:
    """The number of seats to show the form for."""
    try:
        return read_seats(data.get("seats", ""), rules)
    except forms.ValidationError:
        return rules.players[0]
