"""The games as their sources describe them; the data lies beside this file, in presets.json.

>>> PRESETS["all-fives"].title, PRESETS["all-fives"].rules.count
('All Fives', 'fives')
"""

import json
from importlib.resources import files
from typing import NamedTuple

from .rules import Rules


class Preset(NamedTuple):
    """A published game: `rating_pool` is the family in which its matches are rated, a pool for each shape."""

    id: str
    title: str
    rating_pool: str
    source: str
    rules: Rules

    def pool(self, seats: int) -> str:
        """The pool of a match with so many seats: the family, `-pairs` for partners, `-free` for three or four who
        play for themselves.

        >>> PRESETS["all-fives"].pool(2), PRESETS["all-fives"].pool(4)
        ('muggins', 'muggins-free')
        """
        if seats == 2:
            return self.rating_pool
        return f"{self.rating_pool}-{'pairs' if self.rules.partners and seats == 4 else 'free'}"


def _load() -> dict[str, Preset]:
    rows = json.loads(files(__package__).joinpath("presets.json").read_text("utf-8"))
    return {row["id"]: Preset(**row | {"rules": Rules.from_dict(row["rules"])}) for row in rows}


PRESETS: dict[str, Preset] = _load()
FAMILIES: tuple[str, ...] = tuple(dict.fromkeys(preset.rating_pool for preset in PRESETS.values()))
POOLS: tuple[str, ...] = tuple(
    dict.fromkeys(preset.pool(seats) for preset in PRESETS.values() for seats in sorted(preset.rules.players))
)
