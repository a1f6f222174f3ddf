"""The options of docs/rules.md: one immutable value of all of them, and what may not stand together.

>>> from games.engine.presets import PRESETS
>>> rules = PRESETS["all-fives"].rules
>>> rules.spinner, rules.replace(target=250).target
('first', 250)
>>> rules.replace(spinner="second")
Traceback (most recent call last):
games.engine.errors.InvalidRules: invalid_value (option spinner, value second)
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Literal, NamedTuple, get_args, get_origin, get_type_hints

from . import tiles
from .errors import InvalidRules, Malformed

SEATS = (2, 3, 4)
# Large enough for any game, small enough that sums stay cheap and columns hold them.
LARGEST_NUMBER = 1_000_000

HighestSuit = Literal[6, 9, 12]
FirstLead = Literal["lot", "highest_double", "lowest_double", "tile"]
LeadWith = Literal["any", "named", "scoring"]
NextLead = Literal["winner", "first", "rotate"]
SpinnerRule = Literal["none", "first", "first_enclosed", "cross"]
DrawRule = Literal["none", "until_playable", "free"]
PassRule = Literal["stuck", "free"]
CountRule = Literal["none", "fives", "fives_by_one", "fives_threes"]
ClaimRule = Literal["automatic", "muggins"]
OutBonus = Literal["opponents", "none"]
BlockedBonus = Literal["total", "difference", "chain", "none"]
BlockedTie = Literal["lightest_tile", "nobody"]
BonusUnit = Literal["pips", "nearest_five", "fifths_nearest", "fifths_up"]
Finish = Literal["at_once", "round_end"]
ExtraRounds = Literal["one", "players"]

OptionKind = Literal["choice", "flag", "number", "optional_number", "by_seats", "players", "tile"]


class BySeats(NamedTuple):
    """A number for each number of seats."""

    two: int
    three: int
    four: int

    def at(self, seats: int) -> int:
        """The number for a table of so many seats (2, 3 or 4)."""
        return self[seats - 2]


class AtLeast(NamedTuple):
    """In an option's type: the smallest number allowed. (A text there is the option's kind.)"""

    number: int


Players = tuple[int, ...]
OptionalTile = Annotated[tiles.Tile | None, "tile"]


class Option(NamedTuple):
    """One option, described for forms.

    name     as in a match record and on the create-table form
    kind     how its value is written and read
    choices  the allowed values of a choice, else ()
    least    the smallest number allowed
    """

    name: str
    kind: OptionKind
    choices: tuple[Any, ...] = ()
    least: int = 0

    @property
    def attribute(self) -> str:
        """The attribute of `Rules` that holds it: `pass` is a word of Python, so `pass_`."""
        return "pass_" if self.name == "pass" else self.name


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
    count: CountRule
    claims: ClaimRule
    out_bonus: OutBonus
    out_points: int
    blocked_bonus: BlockedBonus
    blocked_tie: BlockedTie
    bonus_unit: BonusUnit
    bonus_ceiling: Annotated[int | None, AtLeast(1)]
    team_difference: bool
    target: Annotated[int, AtLeast(1)]
    exact: bool
    finish: Finish
    lowest_wins: bool
    extra_rounds: ExtraRounds

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
            if option.name not in options:
                raise InvalidRules(option.name, "missing_option")
            values[option.attribute] = _READ[option.kind](option, options[option.name])
        rules = cls(**values)
        check(rules)
        return rules

    def as_dict(self) -> dict[str, Any]:
        """Every option, ready for JSON, in the order of the table."""
        return {option.name: _WRITE[option.kind](getattr(self, option.attribute)) for option in OPTIONS}

    def in_pairs(self, seats: int) -> bool:
        """Whether those who sit opposite are partners, at a table of so many seats."""
        return self.partners and seats == 4

    def replace(self, **changes: Any) -> "Rules":
        """These rules with some options changed, values as in a match record; `pass_` for `pass`.

        Raises InvalidRules.
        """
        return self.from_dict(self.as_dict() | {name.removesuffix("_"): changes[name] for name in changes})


_KINDS: dict[Any, OptionKind] = {
    bool: "flag",
    int: "number",
    int | None: "optional_number",
    BySeats: "by_seats",
    Players: "players",
}


def _option(attribute: str, hint: Any) -> Option:
    """The option that an attribute of this type holds."""
    name, least = attribute.removesuffix("_"), 0
    if get_origin(hint) is Annotated:
        hint, marker = get_args(hint)
        if not isinstance(marker, AtLeast):
            return Option(name, marker)
        least = marker.number
    if get_origin(hint) is Literal:
        return Option(name, "choice", get_args(hint))
    return Option(name, _KINDS[hint], SEATS if hint == Players else (), least)


OPTIONS: tuple[Option, ...] = tuple(
    _option(attribute, hint) for attribute, hint in get_type_hints(Rules, include_extras=True).items()
)
OPTION: dict[str, Option] = {option.name: option for option in OPTIONS}


def _invalid_value(option: Option, value: object) -> InvalidRules:
    return InvalidRules(option.name, "invalid_value", value=str(value)[:80])


def _is_number(value: object, least: int) -> bool:
    # JSON's true is an int to Python, but no number to us.
    return type(value) is int and least <= value <= LARGEST_NUMBER


def _read_choice(option: Option, value: Any) -> Any:
    for choice in option.choices:
        if type(value) is type(choice) and value == choice:
            return choice
    raise _invalid_value(option, value)


def _read_flag(option: Option, value: Any) -> bool:
    if type(value) is not bool:
        raise _invalid_value(option, value)
    return value


def _read_number(option: Option, value: Any) -> int:
    if not _is_number(value, option.least):
        raise _invalid_value(option, value)
    return int(value)


def _read_optional_number(option: Option, value: Any) -> int | None:
    return None if value is None else _read_number(option, value)


def _read_by_seats(option: Option, value: Any) -> BySeats:
    if not isinstance(value, Mapping) or set(value) != {str(seats) for seats in SEATS}:
        raise _invalid_value(option, value)
    return BySeats(*(_read_number(option, value[str(seats)]) for seats in SEATS))


def _read_players(option: Option, value: Any) -> tuple[int, ...]:
    if not isinstance(value, list | tuple) or not value or len(value) > len(SEATS):
        raise _invalid_value(option, value)
    players = sorted({_read_choice(option, seats) for seats in value})
    if len(players) < len(value):
        raise _invalid_value(option, value)
    return tuple(players)


def _read_tile(option: Option, value: Any) -> tiles.Tile | None:
    if value is None:
        return None
    try:
        return tiles.parse(value)
    except Malformed:
        raise _invalid_value(option, value) from None


_READ: dict[OptionKind, Callable[[Option, Any], Any]] = {
    "choice": _read_choice,
    "flag": _read_flag,
    "number": _read_number,
    "optional_number": _read_optional_number,
    "by_seats": _read_by_seats,
    "players": _read_players,
    "tile": _read_tile,
}


def _as_is(value: Any) -> Any:
    return value


_WRITE: dict[OptionKind, Callable[[Any], Any]] = {
    "choice": _as_is,
    "flag": _as_is,
    "number": _as_is,
    "optional_number": _as_is,
    "by_seats": lambda value: {str(seats): value.at(seats) for seats in SEATS},
    "players": list,
    "tile": lambda value: None if value is None else tiles.NAMES[value],
}


def check(rules: Rules) -> None:
    """Raises InvalidRules for the first combination that docs/rules.md rejects; its `option` is named there."""
    for option, code, impossible in _IMPOSSIBLE:
        if impossible(rules):
            raise InvalidRules(option, code)


def _set_size(rules: Rules) -> int:
    return tiles.SET_SIZES[rules.set]


def _boneyard(rules: Rules, seats: int) -> int:
    return _set_size(rules) - seats * rules.hand_size.at(seats)


def _some(rules: Rules, unfit: Callable[[Rules, int], bool]) -> bool:
    return any(unfit(rules, seats) for seats in rules.players)


def _nobody_can_score(rules: Rules) -> bool:
    never_given = rules.exact and rules.out_points > rules.target
    for_going_out = 0 if never_given else rules.out_points
    return rules.count == rules.out_bonus == rules.blocked_bonus == "none" and not for_going_out


def _some_undealt(rules: Rules, seats: int) -> bool:
    return _boneyard(rules, seats) > 0


def _names_a_double(rules: Rules) -> bool:
    """Whether every round is led with a double known before, as `spinner: cross` needs."""
    double = rules.lead_tile is not None and tiles.DOUBLE[rules.lead_tile]
    always = rules.next_lead == rules.next_lead_after_block == "first"
    return double and always and rules.first_lead == "tile" and rules.lead_with == "named"


_IMPOSSIBLE: tuple[tuple[str, str, Callable[[Rules], bool]], ...] = (
    ("hand_size", "too_many_tiles", lambda r: _some(r, lambda r, n: _boneyard(r, n) < 0)),
    ("reserve", "larger_than_boneyard", lambda r: _some(r, lambda r, n: r.reserve.at(n) > _boneyard(r, n))),
    ("lead_tile", "needs_first_lead_tile", lambda r: r.lead_tile is not None and r.first_lead != "tile"),
    ("lead_tile", "missing_lead_tile", lambda r: r.lead_tile is None and r.first_lead == "tile"),
    ("lead_tile", "not_in_the_set", lambda r: r.lead_tile is not None and r.lead_tile >= _set_size(r)),
    ("lead_with", "named_by_lot", lambda r: r.lead_with == "named" and r.first_lead == "lot"),
    ("spinner", "cross_needs_a_named_double", lambda r: r.spinner == "cross" and not _names_a_double(r)),
    ("spinner", "cross_needs_the_whole_set", lambda r: r.spinner == "cross" and _some(r, _some_undealt)),
    ("claims", "needs_a_count", lambda r: r.claims == "muggins" and r.count == "none"),
    ("many_ends", "needs_a_count", lambda r: r.many_ends and r.count == "none"),
    ("lead_with", "needs_a_count", lambda r: r.lead_with == "scoring" and r.count == "none"),
    (
        "lead_with",
        "not_with_fives_threes",
        lambda r: r.lead_with == "scoring" and r.count == "fives_threes",
    ),
    ("many_ends", "not_with_fives_threes", lambda r: r.many_ends and r.count == "fives_threes"),
    ("exact", "not_with_round_end", lambda r: r.exact and r.finish == "round_end"),
    ("exact", "not_with_bonus_ceiling", lambda r: r.exact and r.bonus_ceiling is not None),
    ("lowest_wins", "not_with_exact", lambda r: r.lowest_wins and r.exact),
    ("lowest_wins", "not_at_once", lambda r: r.lowest_wins and r.finish == "at_once"),
    ("team_difference", "not_at_once", lambda r: r.team_difference and r.finish == "at_once"),
    ("team_difference", "needs_partners", lambda r: r.team_difference and not r.partners),
    ("team_difference", "needs_four_players", lambda r: r.team_difference and r.players != (4,)),
    (
        "max_same_suit",
        "hands_too_large",
        lambda r: r.max_same_suit is not None and _some(r, lambda r, n: r.hand_size.at(n) > 9),
    ),
    ("count", "nobody_can_score", _nobody_can_score),
)
