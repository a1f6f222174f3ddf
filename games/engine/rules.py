"""The options of docs/rules.md: one immutable value of all of them, and what may not stand together.

>>> from games.engine.presets import PRESETS
>>> rules = PRESETS["all-fives"].rules
>>> rules.spinner, rules.replace(target=250).target
('first', 250)
>>> rules.replace(spinner="second")
Traceback (most recent call last):
games.engine.errors.InvalidRules: invalid_value (option spinner, value second)
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any, get_type_hints

from .errors import InvalidRules
from .options import (
    DEFAULTS,
    READ,
    WRITE,
    AtLeast,
    BlockedBonus,
    BlockedTie,
    BlockedWinner,
    BonusUnit,
    BySeats,
    ClaimRule,
    CountRule,
    DrawRule,
    ExtraRounds,
    Extras,
    Finish,
    FirstLead,
    HighestSuit,
    LeadWith,
    LonePips,
    NextLead,
    Opening,
    OptionalTile,
    OutBonus,
    PassRule,
    Players,
    SpinnerRule,
    option_of,
)
from .options import Option as Option
from .together import IMPOSSIBLE


@dataclass(frozen=True, slots=True)
class Rules:
    """A game: one value of every option. Values that exist are valid; see `from_dict` and `replace`.

    This is the one list of the options: `OPTIONS` is read from it, names, values, order and all.
    """

    set: HighestSuit
    players: Players
    partners: bool
    hand_size: Annotated[BySeats, AtLeast(1)]
    max_same_suit: Annotated[int | None, AtLeast(3)]
    max_doubles: Annotated[int | None, AtLeast(2)]
    first_lead: FirstLead
    lead_tile: OptionalTile
    lead_with: LeadWith
    next_lead: NextLead
    next_lead_after_block: NextLead
    spinner: SpinnerRule
    draw: DrawRule
    reserve: BySeats
    pass_: PassRule
    many_ends: bool
    two_doubles: bool
    count: CountRule
    claims: ClaimRule
    out_bonus: OutBonus
    out_points: int
    blocked_bonus: BlockedBonus
    blocked_winner: BlockedWinner
    blocked_tie: BlockedTie
    bonus_unit: BonusUnit
    bonus_ceiling: Annotated[int | None, AtLeast(1)]
    extras: Extras
    opening: Opening | None
    lone_pips: LonePips
    team_difference: bool
    target: Annotated[int, AtLeast(1)]
    exact: bool
    finish: Finish
    lowest_wins: bool
    extra_rounds: ExtraRounds

    def __hash__(self) -> int:
        # Rules are keys of many caches; few are alike in so much and differ.
        return hash((self.set, self.players, self.count, self.draw, self.target))

    @classmethod
    def from_dict(cls, options: Mapping[str, Any]) -> "Rules":
        """The rules written as in a match record. Raises InvalidRules naming the option at fault."""
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
            values[option.attribute] = READ[option.kind](option, value)
        rules = cls(**values)
        check(rules)
        return rules

    def as_dict(self) -> dict[str, Any]:
        """Every option, ready for JSON, in the order of the table."""
        return {option.name: WRITE[option.kind](getattr(self, option.attribute)) for option in OPTIONS}

    def written(self) -> dict[str, Any]:
        """The options as a record names them: those that have a default only where they differ from it."""
        return {
            name: value
            for name, value in self.as_dict().items()
            if name not in DEFAULTS or value != DEFAULTS[name]
        }

    def in_pairs(self, seats: int) -> bool:
        """Whether opposite seats are partners at a table of this many seats."""
        return self.partners and seats == 4

    def replace(self, **changes: Any) -> "Rules":
        """These rules with some options changed, values as in a match record; `pass_` for `pass`.

        Raises InvalidRules.
        """
        return self.from_dict(self.as_dict() | {name.removesuffix("_"): changes[name] for name in changes})


OPTIONS: tuple[Option, ...] = tuple(
    option_of(attribute, hint) for attribute, hint in get_type_hints(Rules, include_extras=True).items()
)
OPTION: dict[str, Option] = {option.name: option for option in OPTIONS}


def check(rules: Rules) -> None:
    """Raises InvalidRules for the first combination that docs/rules.md rejects; its `option` is named there."""
    for option, code, impossible in IMPOSSIBLE:
        if impossible(rules):
            raise InvalidRules(option, code)
