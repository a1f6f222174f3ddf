"""A night with all that its pages show, read once for a page."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from nights.models import DrawnRound, Entry, Night, NightTable
from nights.scoring import Row
from nights.standings import find_standings


@dataclass(frozen=True)
class LoadedNight:
    """`rounds` are those whose draw holds, in order, each with its tables."""

    night: Night
    entries: Mapping[int, Entry]
    rounds: Sequence[DrawnRound]
    standings: Sequence[Row]

    @property
    def last(self) -> DrawnRound | None:
        return self.rounds[-1] if self.rounds else None

    @cached_property
    def tables(self) -> Sequence[NightTable]:
        """Return the tables of the last round."""
        return list(self.last.tables.all()) if self.last else []

    @property
    def is_round_open(self) -> bool:
        return self.last is not None and self.last.closed_at is None

    @property
    def is_over(self) -> bool:
        return not self.night.is_running

    @property
    def missing(self) -> list[int]:
        """Return the tables of the last round without a result that holds."""
        return [table.number for table in self.tables if not table.is_decided]

    @property
    def disputed(self) -> list[int]:
        return [table.number for table in self.tables if table.status == table.Status.DISPUTED]

    @property
    def next_round(self) -> int:
        """Return the number of the round that is drawn next."""
        return self.last.number + 1 if self.last else 1

    @property
    def people(self) -> list[Entry]:
        """Return who is on the list: not those who have only asked."""
        return [entry for entry in self.entries.values() if entry.status != Entry.Status.ASKED]

    @property
    def askers(self) -> list[Entry]:
        return [entry for entry in self.entries.values() if entry.status == Entry.Status.ASKED]

    @cached_property
    def namesakes(self) -> Mapping[int, str]:
        """Return for who has asked the name on the list that is written like theirs, in any case; by number."""
        listed = {entry.name.casefold(): entry.name for entry in self.people}
        found = {entry.number: listed.get(_strip_number(entry.name)) for entry in self.askers}
        return {number: name for number, name in found.items() if name is not None}

    def count_here(self) -> tuple[int, int]:
        """Return how many play in the next round, and how many helpers there are."""
        here = [entry for entry in self.entries.values() if entry.plays_in(self.next_round)]
        helpers = sum(entry.is_helper for entry in here)
        return len(here) - helpers, helpers

    def count_seats(self) -> tuple[int, int]:
        """Return how many tables the next round has, and how many are out."""
        here, helpers = self.count_here()
        form = self.night.form
        seated = max((form.count_seated(here + used) for used in range(helpers + 1)), default=0)
        return len(form.find_table_sizes(seated)), max(0, here - seated)

    def find_table(self, number: int, drawn: DrawnRound | None = None) -> NightTable | None:
        """Return the table of an entry in a round, by default the last one."""
        tables = drawn.tables.all() if drawn else self.tables
        return next((table for table in tables if any(number in side for side in table.sides)), None)

    def find_row(self, number: int) -> Row | None:
        return next((row for row in self.standings if row.number == number), None)


def _strip_number(name: str) -> str:
    """Return *josé* for *José 2*: so the second of a name is called."""
    return re.sub(r" \d+$", "", name).casefold()


def load_night(night: Night) -> LoadedNight:
    rounds = DrawnRound.objects.filter(night=night, undone_at=None).prefetch_related("tables")
    entries = {entry.number: entry for entry in night.entries.order_by("number")}
    return LoadedNight(night, entries, list(rounds.order_by("number")), find_standings(night))
