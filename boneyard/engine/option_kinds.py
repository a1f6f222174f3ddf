"""The kinds of values that options have: their types, and how a record writes them.

>>> from .options import SpinnerRule
>>> spinner = build_option("spinner", SpinnerRule, REQUIRED)
>>> spinner.kind, READERS[spinner.kind](spinner, "cross")
('choice', 'cross')
"""

from collections.abc import Callable, Mapping
from typing import Annotated, Any, Literal, NamedTuple, get_args, get_origin

from . import tiles
from .errors import InvalidRules, Malformed

SEATS = (2, 3, 4)
# Large enough for any game; sums of such numbers still fit the database columns.
MAX_NUMBER = 1_000_000
MAX_ROUND_EXTRAS = 10  # numbers in the list `rounds` of `extras`
REQUIRED: Any = object()  # in the place of a default: rules must name the option

OptionKind = Literal[
    "choice",
    "optional_choice",
    "flag",
    "number",
    "optional_number",
    "by_seats",
    "players",
    "tile",
    "extras",
    "opening",
    "lone_pips",
]


class BySeats(NamedTuple):
    """A number for each number of seats."""

    two: int
    three: int
    four: int

    def at(self, seats: int) -> int:
        """Return the number for a table of this many seats (2, 3 or 4)."""
        return self[seats - 2]


class Extras(NamedTuple):
    """Points besides the pips. `rounds` are for winning the first round that has a winner, the second, …"""

    capicua: int = 0
    capicua_blank: int = 0
    capicua_double: int = 0
    double: int = 0
    chucha: int = 0
    pass_lead: int = 0
    pass_round: int = 0
    block: int = 0
    rounds: tuple[int, ...] = ()


class Opening(NamedTuple):
    """The minimum that a side with score 0 must score at once; `kept` says whether less is kept or lost."""

    points: int
    kept: bool


class Between(NamedTuple):
    """An annotation of an option's type: the numbers allowed. (A string there is the option's kind.)"""

    smallest: int
    largest: int = MAX_NUMBER


Players = tuple[int, ...]
OptionalTile = Annotated[tiles.Tile | None, "tile"]
# (tile, what a hand of only that tile counts)
LonePips = tuple[tuple[tiles.Tile, int], ...]


class Option(NamedTuple):
    """The description of an option, for parsing and for forms.

    name     as in a match record and on the form for tables
    kind     how its values are read and written
    choices  the allowed values of a choice, else ()
    minimum  the smallest number allowed
    maximum  the largest number allowed
    default  the value where rules do not name the option, or `REQUIRED`
    """

    name: str
    kind: OptionKind
    choices: tuple[Any, ...] = ()
    minimum: int = 0
    maximum: int = MAX_NUMBER
    default: Any = REQUIRED

    @property
    def attribute(self) -> str:
        """Return the name of its attribute of `Rules`: `pass_` for `pass`, a Python keyword."""
        return "pass_" if self.name == "pass" else self.name


_KINDS: dict[Any, OptionKind] = {
    bool: "flag",
    int: "number",
    int | None: "optional_number",
    BySeats: "by_seats",
    Players: "players",
    Extras: "extras",
    Opening | None: "opening",
    LonePips: "lone_pips",
}


def build_option(attribute: str, hint: Any, default: Any) -> Option:
    """Return the option of an attribute of `OptionValues` with this type hint and default."""
    name, limits = attribute.removesuffix("_"), Between(0)
    if get_origin(hint) is Annotated:
        hint, marker = get_args(hint)
        if not isinstance(marker, Between):
            return Option(name, marker, default=default)
        limits = marker
    if get_origin(hint) is Literal:
        return Option(name, "choice", get_args(hint), default=default)
    if hint not in _KINDS:  # a choice or None
        return Option(name, "optional_choice", get_args(get_args(hint)[0]), default=default)
    return Option(name, _KINDS[hint], SEATS if hint == Players else (), *limits, default)


def _invalid_value(option: Option, value: object) -> InvalidRules:
    return InvalidRules(option.name, "invalid_value", value=str(value)[:80])


def _is_number(value: object, minimum: int, maximum: int = MAX_NUMBER) -> bool:
    # JSON's true is an instance of int in Python.
    return type(value) is int and minimum <= value <= maximum


def _read_choice(option: Option, value: Any) -> Any:
    for choice in option.choices:
        if type(value) is type(choice) and value == choice:
            return choice
    raise _invalid_value(option, value)


def _read_optional_choice(option: Option, value: Any) -> Any:
    return None if value is None else _read_choice(option, value)


def _read_flag(option: Option, value: Any) -> bool:
    if type(value) is not bool:
        raise _invalid_value(option, value)
    return value


def _read_number(option: Option, value: Any) -> int:
    if not _is_number(value, option.minimum, option.maximum):
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


def _read_extras(option: Option, value: Any) -> Extras:
    """Return the extras; names with value 0 and trailing zeros of `rounds` are dropped."""
    if not isinstance(value, Mapping) or not set(value) <= set(Extras._fields):
        raise _invalid_value(option, value)
    rounds = value.get("rounds", [])
    if not isinstance(rounds, list | tuple) or len(rounds) > MAX_ROUND_EXTRAS:
        raise _invalid_value(option, value)
    numbers = {name: _read_number(option, value[name]) for name in value if name != "rounds"}
    round_points = [_read_number(option, each) for each in rounds]
    while round_points and not round_points[-1]:
        round_points.pop()
    return Extras(**numbers, rounds=tuple(round_points))


def _read_opening(option: Option, value: Any) -> Opening | None:
    if value is None:
        return None
    if not isinstance(value, Mapping) or set(value) != {"points", "kept"}:
        raise _invalid_value(option, value)
    if not _is_number(value["points"], 1) or type(value["kept"]) is not bool:
        raise _invalid_value(option, value)
    return Opening(value["points"], value["kept"])


def _read_lone_pips(option: Option, value: Any) -> LonePips:
    if not isinstance(value, Mapping) or not all(_is_number(number, 1) for number in value.values()):
        raise _invalid_value(option, value)
    try:
        return tuple(sorted((tiles.parse(name), number) for name, number in value.items()))
    except Malformed:
        raise _invalid_value(option, value) from None


READERS: dict[OptionKind, Callable[[Option, Any], Any]] = {
    "choice": _read_choice,
    "optional_choice": _read_optional_choice,
    "flag": _read_flag,
    "number": _read_number,
    "optional_number": _read_optional_number,
    "by_seats": _read_by_seats,
    "players": _read_players,
    "tile": _read_tile,
    "extras": _read_extras,
    "opening": _read_opening,
    "lone_pips": _read_lone_pips,
}


def _identity(value: Any) -> Any:
    return value


def _write_extras(extras: Extras) -> dict[str, Any]:
    return {
        name: list(value) if name == "rounds" else value for name, value in extras._asdict().items() if value
    }


WRITERS: dict[OptionKind, Callable[[Any], Any]] = {
    "choice": _identity,
    "optional_choice": _identity,
    "flag": _identity,
    "number": _identity,
    "optional_number": _identity,
    "by_seats": lambda value: {str(seats): value.at(seats) for seats in SEATS},
    "players": list,
    "tile": lambda value: None if value is None else tiles.NAMES[value],
    "extras": _write_extras,
    "opening": lambda value: None if value is None else value._asdict(),
    "lone_pips": lambda value: {tiles.NAMES[tile]: number for tile, number in value},
}
