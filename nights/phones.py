"""A night on phones: the game of its matches, the seats of a table, and what a match gives.

>>> order_seats([[1, 2], [3, 4]]), order_seats([[5], [6], [7]])
([1, 3, 2, 4], [5, 6, 7])
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from boneyard.engine.errors import InvalidRules
from boneyard.engine.presets import PRESETS
from boneyard.engine.rules import Rules
from games.models import Match
from lobbies.game import Game
from lobbies.models import Table
from nights.models import Night, NightTable

FORMATS_ON_PHONES = ("partners", "singles", "free")  # an entry of `pairs` is two people with one account
SEATS_BY_FORMAT = {"partners": (4,), "singles": (2,), "free": (4, 3)}


class MatchResult(NamedTuple):
    """What a match gives a table: points and winners by side, and the entries for whom a computer has played."""

    points: list[int]
    winners: list[int]
    replaced: list[int]


def is_of_a_night(code: str) -> bool:
    """Return whether the table with this code, or its match, belongs to a night."""
    return Table.objects.filter(code=code).exclude(night="").exists()


def order_seats(sides: Sequence[Sequence[int]]) -> list[int]:
    """Return the entries of a table by seat: partners sit opposite each other."""
    return [side[place] for place in range(len(sides[0])) for side in sides]


def get_rules(night: Night) -> Rules:
    """Return the rules of the night's game: its preset's, or its house rules."""
    return Rules.from_dict(night.rules) if night.rules else PRESETS[night.preset].rules


def build_game(night: Night, seats: int) -> Game:
    """Return the game of a table with so many seats. Raise `InvalidRules` if the night's game is not played so."""
    rules = get_rules(night)
    changes = _find_seating(rules, seats, in_pairs=night.format == "partners")
    if night.hands:
        changes |= {
            "rounds": night.hands,
            "target": None,
            "finish": "round_end",
            "exact": False,
            "past_target": "award",
            "opening": None,
            "reset": "none",
            "bonus_ceiling": None,
        }
    elif night.target != rules.target:
        changes |= {"target": night.target}
    rules = rules.replace(**changes) if changes else rules
    game = Game(night.preset, rules, seats, clock=night.clock)
    may_rate = not (game.changed or game.is_never_rated)
    return game.replace(rated=night.rated and may_rate and night.clock is not None)


def _find_seating(rules: Rules, seats: int, *, in_pairs: bool) -> dict[str, object]:
    changes: dict[str, object] = {}
    if seats not in rules.players:
        changes["players"] = [seats]
    if seats == 4 and rules.in_pairs(seats) != in_pairs:
        changes["partners"] = in_pairs
    return changes


def find_fault(night: Night) -> InvalidRules | None:
    """Return why the night's game cannot be played at its tables, or None."""
    for seats in SEATS_BY_FORMAT[night.format]:
        try:
            build_game(night, seats)
        except InvalidRules as fault:
            return fault
    return None


def is_rated(night: Night) -> bool:
    """Return whether the night's matches among people with accounts are rated, at every table."""
    return all(build_game(night, seats).rated for seats in SEATS_BY_FORMAT[night.format])


def has_unrated_target(night: Night) -> bool:
    """Return whether only the points to which the night's matches are played keep them from being rated."""
    games = [build_game(night, seats) for seats in SEATS_BY_FORMAT[night.format]]
    return any(game.changed for game in games) and not any(game.has_house_rules for game in games)


def read_result(table: NightTable, match: Match) -> MatchResult:
    """Return what an ended match gives; whoever left it counts as replaced."""
    entries = order_seats(table.sides)
    left = {entries[seat.position] for seat in match.seats.all() if seat.left or seat.taken_over}
    return MatchResult(list(match.scores), list(match.winners or ()), sorted({*table.replaced, *left}))
