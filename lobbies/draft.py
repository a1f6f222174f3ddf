"""The create-table form as its page shows it: what was entered so far, and the rules that it makes, in one sentence."""

from dataclasses import dataclass
from typing import NamedTuple

from django.core.exceptions import ValidationError
from django.http import QueryDict
from django.utils.translation import gettext as _

from accounts.models import User
from games.computer.players import LEVELS
from games.engine.presets import PRESETS
from games.engine.rules import OPTION, Rules
from games.wording import choice_name, house_rules, level_name, option_name, preset_title, rules_sentence
from games.wording.rules import part_name
from lobbies import clocks
from lobbies.forms import Shown, TableForm, entered, read_seats

FIRST_PRESET = "all-fives"
FIRST_CLOCK = "300+5"

# The options as the form groups them. `players` follows from the seats, `target` stands with the game.
GROUPS = {
    "deal": ("set", "partners", "hand_size", "max_same_suit"),
    "lead": ("first_lead", "lead_tile", "lead_with", "next_lead", "next_lead_after_block"),
    "turn": ("spinner", "draw", "reserve", "pass", "many_ends"),
    "points": ("count", "claims", "out_points"),
    "round": (
        "out_bonus",
        "blocked_bonus",
        "blocked_tie",
        "bonus_unit",
        "bonus_ceiling",
        "team_difference",
    ),
    "match": ("finish", "exact", "lowest_wins", "extra_rounds"),
}
FOR_FOUR = ("partners", "team_difference")


class Choice(NamedTuple):
    value: str
    name: str
    chosen: bool


class Field(NamedTuple):
    """One option: `kind` is choice, flag, number or tile; a flag is on where its value is "true"."""

    name: str
    label: str
    kind: str
    value: str
    hint: str = ""
    choices: tuple[Choice, ...] = ()


class Group(NamedTuple):
    title: str
    fields: tuple[Field, ...]


class Place(NamedTuple):
    """A seat that is not the maker's, and who it is kept for."""

    label: str
    levels: tuple[Choice, ...]


@dataclass(frozen=True)
class Draft:
    """What the form's template needs."""

    preset: str
    seats: int
    target: str
    clock: str
    rated: bool
    private: bool
    form: TableForm | None  # None: nothing was entered
    data: QueryDict
    may_rate: bool

    @property
    def shown(self) -> Shown:
        return Shown(self.preset, self.seats)

    @property
    def base(self) -> Rules:
        return PRESETS[self.preset].rules

    @property
    def valid(self) -> bool:
        return self.form is not None and self.form.is_valid()

    @property
    def rules(self) -> Rules:
        return self.form.game.rules if self.form is not None and self.valid else self.base

    @property
    def refusal(self) -> str:
        return "" if self.form is None or self.valid else self.form.sentence()

    @property
    def sentence(self) -> str:
        return "" if self.refusal else rules_sentence(self.rules, self.seats, self.preset)

    @property
    def changed(self) -> int:
        """How many options differ."""
        return len(house_rules(self.rules, self.base, self.seats)) if self.rules != self.base else 0

    @property
    def casual_anyway(self) -> str:
        """Why a table that was to be rated will not be."""
        if not self.rated or self.form is None or not self.valid:
            return ""
        if self.form.game.changed:
            return _("With house rules it is casual.")
        return _("With computers it is casual.") if any(self.form.levels) else ""

    @property
    def usual_target(self) -> int:
        return self.base.target

    @property
    def presets(self) -> list[Choice]:
        return [Choice(preset, preset_title(preset), preset == self.preset) for preset in PRESETS]

    @property
    def players(self) -> list[Choice]:
        return [Choice(str(seats), str(seats), seats == self.seats) for seats in self.base.players]

    @property
    def clocks(self) -> list[Choice]:
        offered = [*clocks.OFFERED]
        if self.clock not in offered:
            offered.append(self.clock)
        return [Choice(text, _clock_name(text), text == self.clock) for text in offered]

    @property
    def places(self) -> list[Place]:
        chosen = self.data.getlist("computers")
        if len(chosen) == 1:
            chosen = chosen[0].split(",")
        return [
            Place(
                _("Seat %(n)s") % {"n": position + 1},
                tuple(
                    Choice(
                        level,
                        _("computer, %(level)s") % {"level": level_name(level)},
                        position < len(chosen) and chosen[position].strip() == level,
                    )
                    for level in LEVELS
                ),
            )
            for position in range(1, self.seats)
        ]

    @property
    def groups(self) -> list[Group]:
        return [
            Group(part_name(part), tuple(self._field(name) for name in names if self._offered(name)))
            for part, names in GROUPS.items()
        ]

    def _offered(self, option: str) -> bool:
        return self.seats == 4 or option not in FOR_FOUR

    def _field(self, name: str) -> Field:
        option = OPTION[name]
        value = self.data.get(f"rule-{name}")
        former = Shown.of(self.data.get("shown", ""))
        if value is None or former and value == former.value(option):
            value = entered(option, self.rules.as_dict()[name], self.seats)
        kind = "number" if option.kind in ("by_seats", "optional_number") else option.kind
        hint = _("none") if option.kind == "optional_number" else "6-6" if kind == "tile" else ""
        choices = tuple(
            Choice(str(choice), choice_name(name, choice), str(choice) == value)
            for choice in (option.choices if kind == "choice" else ())
        )
        return Field(f"rule-{name}", option_name(name), kind, value.strip(), hint, choices)


def draft_of(data: QueryDict, user: User, *, bound: bool, anew: bool = False) -> Draft:
    """The form as entered in `data`. `bound`: it was sent, so that what is wrong is said; `anew`: if another game was
    chosen, house rules begin anew."""
    preset = data.get("preset", "")
    known = preset in PRESETS
    if not known:
        preset = FIRST_PRESET
    former = Shown.of(data.get("shown", ""))
    if anew and former and former.preset != preset:
        data = _without_the_former_game(data)
    form = TableForm(data) if bound or known and _has_rules(data) else None
    seats = _seats(data.get("seats", ""), PRESETS[preset].rules)
    return Draft(
        preset=preset,
        seats=seats,
        target=data.get("target", "").strip()[:8],
        clock=data.get("clock", FIRST_CLOCK).strip()[:16] or "none",
        rated=data.get("rated", "") not in ("", "false"),
        private=data.get("private", "") not in ("", "false"),
        form=form,
        data=data,
        may_rate=user.is_authenticated and not user.is_guest,
    )


def _without_the_former_game(data: QueryDict) -> QueryDict:
    """Another game was chosen: its own rules, target and, if it must be, seats; not those of the one before."""
    kept = data.copy()
    for name in list(kept):
        if name.startswith("rule-") or name in ("target", "shown"):
            del kept[name]
    if data["preset"] in PRESETS:
        players = PRESETS[data["preset"]].rules.players
        if kept.get("seats", "") not in map(str, players):
            kept["seats"] = str(players[0])
    return kept


def _has_rules(data: QueryDict) -> bool:
    return any(name.startswith("rule-") or name in ("target", "seats") for name in data)


def _seats(text: str, base: Rules) -> int:
    try:
        return read_seats(text, base)
    except ValidationError:
        return base.players[0]


def _clock_name(text: str) -> str:
    try:
        return clocks.name(clocks.parse(text))
    except clocks.NotAClock:
        return text
