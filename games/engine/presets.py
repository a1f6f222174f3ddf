"""The published games, as their sources describe them. The data is in presets.json.

>>> PRESETS["all-fives"].title, PRESETS["all-fives"].rules.count
('All Fives', 'fives')
>>> PRESETS["all-fives"].is_played_by(PRESETS["all-fives"].rules.replace(target=150))
True
"""

import json
from collections.abc import Mapping
from importlib.resources import files
from typing import Any, Literal, NamedTuple

from .rules import Rules

Direction = Literal["clockwise", "counterclockwise"]


class Preset(NamedTuple):
    """A published game.

    title          in English; games/wording/preset_titles.py has the other languages
    rating_pool    the family in which its matches are rated; each shape of table has its own pool
    rated_targets  other targets with which its matches are rated
    play           the direction in which the board draws the seats; it does not affect the rules
    earlier        the rules of its earlier versions
    """

    id: str
    title: str
    rating_pool: str
    source: str
    rules: Rules
    rated_targets: tuple[int, ...] = ()
    play: Direction = "clockwise"
    earlier: tuple[Rules, ...] = ()

    def is_offered_with(self, rules: Rules) -> bool:
        """Return whether a new match under these rules has the preset's name and may be rated.

        The rules must be the preset's own, also with another rated target.
        """
        if rules == self.rules:
            return True
        return rules.target in self.rated_targets and rules == self.rules.replace(target=rules.target)

    def is_played_by(self, rules: Rules) -> bool:
        """Return whether a stored match under these rules may have the preset's name, also as an earlier version."""
        return rules in self.earlier or self.is_offered_with(rules)

    def pool(self, seats: int) -> str:
        """Return the rating pool of a match: the family, with `-pairs` for partners or `-free` for 3 or 4 sides.

        >>> PRESETS["all-fives"].pool(2), PRESETS["all-fives"].pool(4)
        ('muggins', 'muggins-free')
        """
        if seats == 2:
            return self.rating_pool
        return f"{self.rating_pool}-{'pairs' if self.rules.in_pairs(seats) else 'free'}"


def _preset(row: Mapping[str, Any]) -> Preset:
    rules = Rules.from_dict(row["rules"])
    changed = {
        "rules": rules,
        "rated_targets": tuple(row["rated_targets"]),
        "earlier": tuple(rules.replace(**differing) for differing in row.get("earlier", ())),
    }
    return Preset(**{**row, **changed})


def _load() -> dict[str, Preset]:
    rows = json.loads(files(__package__).joinpath("presets.json").read_text("utf-8"))
    return {row["id"]: _preset(row) for row in rows}


PRESETS: dict[str, Preset] = _load()
FAMILIES: tuple[str, ...] = tuple(dict.fromkeys(preset.rating_pool for preset in PRESETS.values()))
POOLS: tuple[str, ...] = tuple(
    dict.fromkeys(preset.pool(seats) for preset in PRESETS.values() for seats in sorted(preset.rules.players))
)
