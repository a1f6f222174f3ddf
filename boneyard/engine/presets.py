"""The published games, as their sources describe them. The data is in presets.json.

>>> PRESETS["all-fives"].title, PRESETS["all-fives"].rules.count
('All Fives', 'fives')
>>> PRESETS["all-fives"].is_played_by(PRESETS["all-fives"].rules.replace(target=150))
True
"""

import json
from collections.abc import Mapping, Sequence
from functools import lru_cache
from importlib.resources import files
from typing import Any, Literal, NamedTuple

from .rules import Rules

Direction = Literal["clockwise", "counterclockwise"]


class RatedTargets(NamedTuple):
    """Targets with which matches are rated, beside the preset's own: those from `start` to `end`, or `usual` alone.

    The form offers the `usual` ones.
    """

    usual: tuple[int, ...] = ()
    start: int = 1
    end: int = 0

    def includes(self, target: int | None) -> bool:
        """Return whether matches to this target are rated."""
        return target is not None and (target in self.usual or self.start <= target <= self.end)


# Values of an option, as in a record, that the source of a preset names beside the preset's own.
Variants = Mapping[str, Sequence[Any]]


class Preset(NamedTuple):
    """A published game.

    title          in English; games/wording/preset_titles.py has the other languages
    rating_pool    the family in which its matches are rated; each shape of table has its own pool
    rated_targets  other targets with which its matches are rated
    play           the direction in which the board draws the seats; it does not affect the rules
    earlier        the rules of its earlier versions
    variants       changes that its source allows: a table that differs by these alone is played as written
    together       values of `variants` that go together only, as options with their values
    rated          whether its matches may be rated: new games are not, until an operator opens a pool for them
    """

    id: str
    title: str
    rating_pool: str
    source: str
    rules: Rules
    rated_targets: RatedTargets = RatedTargets()
    play: Direction = "clockwise"
    earlier: tuple[Rules, ...] = ()
    variants: Variants = {}
    together: tuple[Mapping[str, Any], ...] = ()
    rated: bool = True

    def is_offered_with(self, rules: Rules) -> bool:
        """Return whether a new match under these rules has the preset's name, with which `rated` matches are rated.

        The rules must be the preset's own, also with its variants and with another rated target.
        """
        return self._has_rated_target(rules) and self.variants_in(rules) is not None

    def is_played_by(self, rules: Rules) -> bool:
        """Return whether a stored match under these rules may have the preset's name, also as an earlier version."""
        if self.is_offered_with(rules):
            return True
        apart_from_target = rules.as_dict() | {"target": self.rules.target}
        is_earlier = any(apart_from_target == version.as_dict() for version in self.earlier)
        return is_earlier and self._has_rated_target(rules)

    def _has_rated_target(self, rules: Rules) -> bool:
        return rules.target == self.rules.target or self.rated_targets.includes(rules.target)

    def variants_in(self, rules: Rules) -> dict[str, Any] | None:
        """Return the variants in which the rules differ from the preset's, apart from the target.

        Return None if they differ by anything else, or by a part of what goes together.
        """
        return _variants_in(self.id, rules)

    def pool(self, seats: int, *, by_days: bool = False) -> str:
        """Return the rating pool of a match: the family, with `-pairs` for partners or `-free` for 3 or 4 sides.

        Matches with a clock of days have pools of their own, which end in `-days`.

        >>> PRESETS["all-fives"].pool(2), PRESETS["all-fives"].pool(4, by_days=True)
        ('muggins', 'muggins-free-days')
        """
        shape = "" if seats == 2 else "-pairs" if self.rules.in_pairs(seats) else "-free"
        return f"{self.rating_pool}{shape}{'-days' if by_days else ''}"


@lru_cache(maxsize=512)
def _variants_in(preset: str, rules: Rules) -> dict[str, Any] | None:
    named = PRESETS[preset]
    own = named.rules.as_dict()
    differing = {name: value for name, value in rules.as_dict().items() if value != own[name]}
    differing.pop("target", None)
    if any(value not in named.variants.get(name, ()) for name, value in differing.items()):
        return None
    for group in named.together:
        if 0 < sum(differing.get(name) == value for name, value in group.items()) < len(group):
            return None
    return differing


def _preset(row: Mapping[str, Any]) -> Preset:
    rules = Rules.from_dict(row["rules"])
    changed = {
        "rules": rules,
        "rated_targets": _rated_targets(row["rated_targets"]),
        "earlier": tuple(rules.replace(**differing) for differing in row.get("earlier", ())),
        "together": tuple(row.get("together", ())),
    }
    return Preset(**{**row, **changed})


def _rated_targets(row: Sequence[int] | Mapping[str, Any]) -> RatedTargets:
    if isinstance(row, Mapping):
        return RatedTargets(tuple(row["usual"]), row["from"], row["to"])
    return RatedTargets(tuple(row))


def _load() -> dict[str, Preset]:
    rows = json.loads(files(__package__).joinpath("presets.json").read_text("utf-8"))
    return {row["id"]: _preset(row) for row in rows}


PRESETS: dict[str, Preset] = _load()
FAMILIES: tuple[str, ...] = tuple(dict.fromkeys(preset.rating_pool for preset in PRESETS.values()))
POOLS: tuple[str, ...] = tuple(
    dict.fromkeys(
        preset.pool(seats)
        for preset in PRESETS.values()
        if preset.rated
        for seats in sorted(preset.rules.players)
    )
)
