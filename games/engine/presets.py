"""The games as their sources describe them; the data lies beside this file, in presets.json.

>>> PRESETS["all-fives"].title, PRESETS["all-fives"].rules.count
('All Fives', 'fives')
"""

import json
from importlib.resources import files
from typing import NamedTuple

from .rules import Rules


class Preset(NamedTuple):
    """A published game: `rating_pool` is the id of the pool in which its matches are rated."""

    id: str
    title: str
    rating_pool: str
    source: str
    rules: Rules


def _load() -> dict[str, Preset]:
    rows = json.loads(files(__package__).joinpath("presets.json").read_text("utf-8"))
    return {row["id"]: Preset(**row | {"rules": Rules.from_dict(row["rules"])}) for row in rows}


PRESETS: dict[str, Preset] = _load()
POOLS: tuple[str, ...] = tuple(dict.fromkeys(preset.rating_pool for preset in PRESETS.values()))
