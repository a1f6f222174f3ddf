"""The formats of a night: who an entry is, and how many sit at a table."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

DrawName = Literal["rotate", "standing"]


@dataclass(frozen=True, slots=True)
class Format:
    """A format as data.

    table_size       entries at a full table; 0 where nothing is drawn
    smallest_table   entries at the smallest table
    side_size        entries that score together
    people_an_entry  two where partners stay together
    """

    name: str
    table_size: int
    smallest_table: int
    side_size: int
    people_an_entry: int
    draws: tuple[DrawName, ...]

    def count_seated(self, entries: int) -> int:
        """Return how many of these entries can sit at once."""
        if not self.table_size:
            return 0
        if self.table_size == self.smallest_table:
            return entries - entries % self.table_size
        return next((seated for seated in range(entries, 0, -1) if self.find_table_sizes(seated)), 0)

    def find_table_sizes(self, seated: int) -> tuple[int, ...]:
        """Return the sizes of the tables at which exactly so many sit, as few small ones as can be; () if none fit."""
        if not self.table_size or not seated:
            return ()
        for small in range(seated // self.smallest_table + 1):
            rest = seated - small * self.smallest_table
            if rest >= 0 and rest % self.table_size == 0:
                return (self.table_size,) * (rest // self.table_size) + (self.smallest_table,) * small
        return ()


FORMATS = {
    format.name: format
    for format in (
        Format("open", 0, 0, 0, 1, ()),
        Format("partners", 4, 4, 2, 1, ("rotate",)),
        Format("pairs", 2, 2, 1, 2, ("rotate", "standing")),
        Format("singles", 2, 2, 1, 1, ("rotate", "standing")),
        Format("free", 4, 3, 1, 1, ("rotate",)),
    )
}
