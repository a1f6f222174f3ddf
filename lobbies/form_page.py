"""The create-table form with what its page shows: three steps, each with its sentence."""

from functools import cached_property
from typing import NamedTuple

from django.forms import BoundField
from django.utils.safestring import SafeString
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from boneyard.computer.players import LEVELS
from boneyard.engine.presets import PRESETS
from boneyard.engine.rules import OPTIONS, Rules
from games.time.clocks import describe_clock
from games.wording import (
    describe_differences,
    goal_beside,
    house_rules,
    part_name,
    preset_title,
    rules_sentence,
)
from games.wording.options import OPTION_WORDS, RULES_PARTS
from games.wording.rated import rated_targets_sentence
from lobbies.fields import level_choices, split_by_seat
from lobbies.form_data import field_of
from lobbies.form_picture import TablePicture, draw_picture
from lobbies.forms import UNGROUPED_OPTIONS, TableForm, sentence_of
from lobbies.front_page import render_game_picker
from lobbies.variants import VariantField, variant_fields

STEP_OF_FIELD = {
    "preset": "game",
    "target": "game",
    "seats": "people",
    "clock": "people",
    "computers": "people",
    "computer_pause": "people",
    "call_pause": "people",
}


class Group(NamedTuple):
    """A group of options on the page."""

    title: str
    fields: tuple[BoundField, ...]


class SeatChoice(NamedTuple):
    """A seat other than the host's: its (value, name) choices and the chosen value."""

    label: str
    choices: list[tuple[str, str]]
    chosen: str


class PageForm(TableForm):
    """The create-table form of the page; `first_step` is the one that is open where nothing is refused or changed."""

    first_step = "game"

    @cached_property
    def refusal(self) -> str:
        """Return all errors of the form as one text."""
        return sentence_of(self)

    @property
    def faults(self) -> list[tuple[str, str]]:
        """Return the names and labels of the refused fields; [] if the page shows one of them nowhere."""
        if not self.errors:
            return []
        shown = {*_LABELS, *(field.name for group in self.groups for field in group.fields), "computer_pause"}
        if self.is_called:
            shown.add("call_pause")
        names = list(self.errors)
        return (
            [(name, str(_LABELS.get(name) or self[name].label)) for name in names]
            if shown >= {*names}
            else []
        )

    @cached_property
    def open_steps(self) -> frozenset[str]:
        """Return the steps to open: those of refused fields, or the house rules if there are any."""
        if self.errors:
            return frozenset(STEP_OF_FIELD.get(name, "house") for name in self.errors)
        return frozenset({"house" if self.changed else self.first_step})

    @property
    def games(self) -> SafeString:
        """Return the games to choose from, with a search."""
        return render_game_picker(self.base_preset)

    @property
    def title(self) -> str:
        return preset_title(self.base_preset)

    @property
    def game_sentence(self) -> str:
        goal = "" if self.rules.target is None else goal_beside(self.title, self.rules)
        return f"{self.title}, {goal}." if goal else f"{self.title}."

    @property
    def people_sentence(self) -> str:
        """Return *2 players, 5 min + 5 s, rated. Anybody may sit down.*"""
        if not self.is_valid():
            return ""
        rated = self.game.rated and not self.casual_anyway
        said = [
            _("%(n)s players") % {"n": self.seat_count},
            describe_clock(self.game.clock),
            _("rated") if rated else _("casual"),
        ]
        return f"{capfirst(', '.join(said))}. {self._who_may_sit}"

    @property
    def _who_may_sit(self) -> str:
        if all(seat.chosen in LEVELS for seat in self.other_seats):
            return _("All other seats are computers.")
        return _("Only with the link.") if self.cleaned_data["private"] else _("Anybody may sit down.")

    @property
    def house_sentence(self) -> str:
        if not self.is_valid() or house_rules(self.rules, self.chosen, self.seat_count, with_target=False):
            return ""
        chosen = describe_differences(self.base_preset, self.rules, self.seat_count, with_target=False)
        return f"{chosen.sentence}." if chosen.allowed else _("As written.")

    @property
    def rules(self) -> Rules:
        return self.game.rules if self.is_valid() else self.base

    @property
    def picture(self) -> TablePicture:
        """Return the table as entered so far; where the rules are refused, that of the game as written."""
        levels = [seat.chosen if seat.chosen in LEVELS else "" for seat in self.other_seats]
        labels = [seat.label for seat in self.other_seats]
        return draw_picture(
            self.rules, self.seat_count, levels, labels, private=bool(self["private"].value())
        )

    @property
    def sentence(self) -> str:
        """Return the game in one sentence, or "" for an invalid form."""
        return "" if self.refusal else rules_sentence(self.rules, self.seat_count, self.base_preset)

    @cached_property
    def changed(self) -> int:
        """Return how many options differ from the preset with the chosen variants."""
        return len(house_rules(self.rules, self.chosen, self.seat_count))

    @property
    def targets(self) -> list[int]:
        """Return the targets to which this game can be rated."""
        own = [] if self.base.target is None else [self.base.target]
        return sorted({*own, *PRESETS[self.base_preset].rated_targets.usual})

    @property
    def is_new(self) -> bool:
        """Return whether the game is casual for all, because it is new."""
        return not PRESETS[self.base_preset].rated

    @property
    def rated_range(self) -> str:
        """Return between which targets this game can be rated, or ""."""
        preset = PRESETS[self.base_preset]
        return rated_targets_sentence(preset) if preset.rated_targets.end else ""

    @property
    def variant_fields(self) -> list[VariantField]:
        """Return the choices that the game's source allows with the chosen seats."""
        return variant_fields(PRESETS[self.base_preset], self.seat_count, self.variant_keys)

    @property
    def groups(self) -> list[Group]:
        offered = [
            option
            for option in OPTIONS
            if option.name not in UNGROUPED_OPTIONS
            and (self.seat_count == 4 or not OPTION_WORDS[option.name].four_seats)
        ]
        return [
            Group(
                part_name(part),
                tuple(self[field_of(option)] for option in offered if option.name in described),
            )
            for part, described in RULES_PARTS.items()
        ]

    @property
    def partner_seat(self) -> str:
        """Return the name of the host's partner's seat, "" without pairs."""
        return _name_seat(2) if self.rules.in_pairs(self.seat_count) else ""

    @property
    def other_seats(self) -> list[SeatChoice]:
        chosen = [text.strip() for text in split_by_seat(self.data.getlist("computers"))]
        return [
            SeatChoice(_name_seat(seat), level_choices(), "".join(chosen[seat : seat + 1]))
            for seat in range(1, self.seat_count)
        ]


def _name_seat(seat: int) -> str:
    return _("Seat %(n)s") % {"n": seat + 1}


_LABELS = {
    "preset": gettext_lazy("Game"),
    "target": gettext_lazy("First to"),
    "seats": gettext_lazy("Players"),
    "clock": gettext_lazy("Clock"),
    "computers": gettext_lazy("The other seats"),
    "variant": gettext_lazy("Choices that the source allows"),
}
