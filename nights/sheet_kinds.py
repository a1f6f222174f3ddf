"""The kinds of score sheets: every game of the site, and games that are counted on paper alone. Data for the sheets."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy, pgettext_lazy

from boneyard.engine.presets import PRESETS
from boneyard.engine.rules import Rules
from games.wording import preset_title
from games.wording.speech import extra_word

MANY_PEOPLE = (2, 3, 4, 5, 6, 7, 8)
MAX_PEG_HOLES = 120  # of a board that can be read
FIVE = 5


@dataclass(frozen=True, slots=True)
class SheetKind:
    """How the hands of a game are written down, and when it ends.

    sides     how many sides it may have
    in_pairs  how many of these are pairs: with so many sides, a side is two people
    target    points that end it; None: its rounds do
    by_pips   whether a hand is a winner and the pips left, not the points of each side
    extras    points that a winner may have beside the pips
    lowest    whether the fewest points win
    exact     whether only exactly so many points as the target end it
    doubles   the highest double of the first round, down to the blank one in the last; None: rounds are only counted
    unit      points of a hole of the peg board; 0: it has none
    """

    name: str
    title: str | Promise
    sides: Sequence[int]
    in_pairs: Sequence[int] = ()
    target: int | None = None
    by_pips: bool = False
    extras: tuple[tuple[str, int], ...] = ()
    lowest: bool = False
    exact: bool = False
    doubles: int | None = None
    unit: int = 0

    def to_json(self) -> dict[str, Any]:
        """Return what the page's script needs."""
        return {
            "sides": list(self.sides),
            "inPairs": list(self.in_pairs),
            "target": self.target,
            "byPips": self.by_pips,
            "extras": [
                {"name": name, "label": extra_word(name), "points": points} for name, points in self.extras
            ],
            "lowest": self.lowest,
            "exact": self.exact,
            "doubles": self.doubles,
            "unit": self.unit,
        }


def is_counted_by_pips(rules: Rules) -> bool:
    """Return whether a hand gives points at its end alone, for the pips left."""
    return rules.count == "none" and rules.out_bonus not in ("none", "own") and rules.bonus_unit != "one"


def find_extras(rules: Rules) -> dict[str, int]:
    """Return the points of each extra of a game, by name."""
    extras = rules.extras._asdict()
    return {name: points for name, points in extras.items() if name != "rounds" and points}


# Games of any kind, and such as the site does not deal.
PLAIN_KINDS = (
    SheetKind("points", gettext_lazy("Any game: most points win"), MANY_PEOPLE, target=100),
    SheetKind("fewest", gettext_lazy("Any game: fewest points win"), MANY_PEOPLE, target=100, lowest=True),
    SheetKind(
        "mexican-train",
        pgettext_lazy("a game and its set of tiles", "Mexican Train, from double twelve"),
        MANY_PEOPLE,
        lowest=True,
        doubles=12,
    ),
    SheetKind(
        "mexican-train-9",
        pgettext_lazy("a game and its set of tiles", "Mexican Train, from double nine"),
        MANY_PEOPLE,
        lowest=True,
        doubles=9,
    ),
    SheetKind(
        "chickenfoot",
        pgettext_lazy("a game and its set of tiles", "Chickenfoot, from double nine"),
        MANY_PEOPLE,
        lowest=True,
        doubles=9,
    ),
    SheetKind(
        "chickenfoot-12",
        pgettext_lazy("a game and its set of tiles", "Chickenfoot, from double twelve"),
        MANY_PEOPLE,
        lowest=True,
        doubles=12,
    ),
    SheetKind("forty-two", gettext_lazy("42, to seven marks"), (2,), (2,), target=7),
    SheetKind("forty-two-250", gettext_lazy("42, to 250 points"), (2,), (2,), target=250),
    SheetKind("pegs-61", gettext_lazy("Any game to 61, with pegs"), (2, 3), (2,), target=61, unit=1),
)


PLAIN: dict[str, SheetKind] = {kind.name: kind for kind in PLAIN_KINDS}


def find_kind(name: str) -> SheetKind | None:
    """Return the kind of a game of the site, by its preset, or of a plain one; None for another name."""
    return _build_kind(name, PRESETS[name].rules) if name in PRESETS else PLAIN.get(name)


def name_game(name: str) -> str:
    """Return the title of a kind, "" for none."""
    return preset_title(name) if name in PRESETS else str(PLAIN[name].title) if name in PLAIN else ""


def list_doubles(kind: SheetKind | None, hands: int) -> list[str]:
    """Return the double that leads each of so many hands, the highest first: *12-12*; [] where none is named."""
    if kind is None or kind.doubles is None:
        return []
    return [f"{double}-{double}" for double in range(kind.doubles, -1, -1)][:hands]


def _build_kind(preset: str, rules: Rules) -> SheetKind:
    pairs = rules.partners and 4 in rules.players
    people = {2 if pairs and seats == 4 else seats for seats in rules.players}
    by_pips = is_counted_by_pips(rules)
    return SheetKind(
        preset,
        preset_title(preset),
        sorted(people),
        (2,) if pairs and 2 not in rules.players else (),
        rules.target,
        by_pips,
        tuple(find_extras(rules).items()) if by_pips else (),
        rules.lowest_wins,
        rules.exact,
        unit=_find_unit(rules),
    )


def _find_unit(rules: Rules) -> int:
    """Return the points of a hole: in games that count the ends, as few as their scores allow on one board."""
    if rules.count == "none" or rules.target is None:
        return 0
    return 1 if rules.target <= MAX_PEG_HOLES else FIVE


def list_kinds() -> list[SheetKind]:
    """Return every kind: plain ones first, then the games by their titles in the language in use.

    A sheet only adds up: games whose scores go back to 0 have none.
    """
    games = [
        _build_kind(name, preset.rules) for name, preset in PRESETS.items() if preset.rules.reset == "none"
    ]
    return [*PLAIN_KINDS, *sorted(games, key=lambda kind: str(kind.title))]
