"""A score sheet that needs no script: the fields of its address, added up.

>>> from django.http import QueryDict
>>> from nights.sheet_kinds import list_kinds
>>> sheet = read_sheet(QueryDict("game=fewest&sides=2&point=30&point=12&point=75&point=8"), list_kinds())
>>> sheet.sums, [sheet.names[side] for side in sheet.winners]
((105, 20), ['Side 2'])
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from django.http import QueryDict
from django.utils.translation import gettext as _

from core.numbers import parse_whole_number
from nights.sheet_kinds import SheetKind, list_doubles

MAX_NAME_LENGTH, MAX_POINTS_LENGTH = 30, 8
MAX_HANDS = 60
MIN_ROWS, EMPTY_ROWS = 6, 2
POINTS_PATTERN = re.compile(r"-?[0-9]{1,5}\Z")


class Field(NamedTuple):
    """The points of a side in a hand, as written; `label` says whose they are."""

    text: str
    label: str
    is_wrong: bool


class Hand(NamedTuple):
    """A row: its number, or the double that leads it, and a field for each side."""

    title: str
    fields: tuple[Field, ...]


@dataclass(frozen=True)
class WrittenSheet:
    """What was written, and what it makes. `winners` are sides: none before the end, several that share it."""

    kind: SheetKind
    names: tuple[str, ...]
    entered: tuple[str, ...]
    hands: tuple[Hand, ...]
    sums: tuple[int, ...]
    winners: tuple[int, ...]

    @property
    def columns(self) -> list[tuple[str, str, int]]:
        """Return of each side its name, the name that was entered, and its sum."""
        return list(zip(self.names, self.entered, self.sums, strict=True))

    @property
    def is_wrong(self) -> bool:
        """Return whether an entry is not a whole number; it adds nothing, and nobody has won until it is corrected."""
        return any(field.is_wrong for hand in self.hands for field in hand.fields)

    @property
    def goal(self) -> str:
        """Return *to 100 points, the fewest points win*."""
        to = (
            "" if self.kind.target is None else _("to TARGET points").replace("TARGET", str(self.kind.target))
        )
        return ", ".join(filter(None, [to, _("the fewest points win") if self.kind.lowest else ""]))

    @property
    def outcome(self) -> str:
        """Return who has won, or ""."""
        if self.is_wrong or not self.winners:
            return ""
        points = " – ".join(map(str, self.sums))
        if len(self.winners) == 1:
            return (
                _("NAME wins, POINTS.").replace("NAME", self.names[self.winners[0]]).replace("POINTS", points)
            )
        shared = ", ".join(self.names[side] for side in self.winners)
        return _("NAMES share it, POINTS.").replace("NAMES", shared).replace("POINTS", points)


def read_sheet(data: QueryDict, kinds: Sequence[SheetKind]) -> WrittenSheet:
    """Return the sheet of `game` and `sides` with `name` by side and `point` by hand and side; else fields are empty.

    `columns` is how many sides the points were written for, where the number of sides has just been changed.
    """
    kind = next((kind for kind in kinds if kind.name == data.get("game")), kinds[0])
    asked = parse_whole_number(data.get("sides", ""))
    sides = asked if asked is not None and asked in kind.sides else kind.sides[0]
    entered = [name.strip()[:MAX_NAME_LENGTH] for name in data.getlist("name")[:sides]]
    entered += [""] * (sides - len(entered))
    names = [name or _name_side(kind, sides, side) for side, name in enumerate(entered)]
    columns = parse_whole_number(data.get("columns", "")) or sides
    sent = data.getlist("point")[: columns * _count_rows(kind)]
    texts = [text.strip().replace("−", "-")[:MAX_POINTS_LENGTH] for text in sent]
    written = [texts[start : start + columns][:sides] for start in range(0, len(texts), columns)]
    while written and not any(written[-1]):
        written.pop()
    points = [[_parse_points(text) for text in hand] + [0] * (sides - len(hand)) for hand in written]
    sums = tuple(sum(hand[side] for hand in points) for side in range(sides))
    return WrittenSheet(
        kind=kind,
        names=tuple(names),
        entered=tuple(entered),
        hands=tuple(_list_hands(kind, names, written)),
        sums=sums,
        winners=_find_winners(kind, sums, len(written)),
    )


def _count_rows(kind: SheetKind) -> int:
    """Return how many hands a sheet has at the most."""
    return MAX_HANDS if kind.doubles is None else kind.doubles + 1


def _name_side(kind: SheetKind, sides: int, side: int) -> str:
    name = _("Pair NUMBER") if sides in kind.in_pairs else _("Side NUMBER")
    return name.replace("NUMBER", str(side + 1))


def _parse_points(text: str) -> int:
    return int(text) if POINTS_PATTERN.match(text) else 0


def _list_hands(kind: SheetKind, names: Sequence[str], written: Sequence[Sequence[str]]) -> list[Hand]:
    """Return the rows: of a game whose rounds have a double, all of them; else the written ones and some more."""
    if kind.doubles is None:
        number = min(MAX_HANDS, max(MIN_ROWS, len(written) + EMPTY_ROWS))
        titles = [str(hand + 1) for hand in range(number)]
    else:
        titles = list_doubles(kind, MAX_HANDS)
    hands = []
    for place, title in enumerate(titles):
        row = written[place] if place < len(written) else ()
        texts = [*row, *[""] * (len(names) - len(row))]
        fields = [
            Field(text, f"{name}, {title}", bool(text) and not POINTS_PATTERN.match(text))
            for text, name in zip(texts, names, strict=True)
        ]
        hands.append(Hand(title, tuple(fields)))
    return hands


def _find_winners(kind: SheetKind, sums: Sequence[int], hands: int) -> tuple[int, ...]:
    """Return who has won: the best at the end; equal at the target play on, after the last round they share it."""
    if kind.doubles is None:
        target = kind.target or 0
        is_over = any(total == target if kind.exact else total >= target for total in sums)
    else:
        is_over = hands > kind.doubles
    best = min(sums) if kind.lowest else max(sums)
    winners = tuple(side for side, total in enumerate(sums) if total == best)
    return winners if is_over and (len(winners) == 1 or kind.doubles is not None) else ()
