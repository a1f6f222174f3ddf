"""The big screen of a hall: tables with names, and standings, a few at a time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeVar

from django.utils.translation import gettext as _

from nights import wording
from nights.models import Night
from nights.pages import NightPage, StandingRow, TableRow

TABLES_PER_TURN = 6
ROWS_PER_TURN = 24

Item = TypeVar("Item")


@dataclass(frozen=True)
class WallPage:
    page: NightPage

    @property
    def headline(self) -> str:
        loaded, night = self.page.loaded, self.page.night
        if loaded.is_round_open and not loaded.is_over:
            return _("Round %(n)d of %(all)d") % {"n": self.page.round_number, "all": night.rounds}
        return night.name

    @property
    def table_turns(self) -> list[Sequence[TableRow]]:
        """Return the tables of the open round, as many as fit at once."""
        if not self.page.loaded.is_round_open or self.page.loaded.is_over:
            return []
        return _split(self.page.tables, TABLES_PER_TURN)

    @property
    def standing_turns(self) -> list[Sequence[StandingRow]]:
        return _split(self.page.standings, ROWS_PER_TURN)

    @property
    def is_empty(self) -> bool:
        return not self.table_turns and not self.standing_turns

    @property
    def names(self) -> list[str]:
        """Return who is on the list, before the first draw."""
        return [entry.name for entry in self.page.loaded.people]

    @property
    def bell(self) -> str:
        return wording.describe_bell(self.page.night)

    @property
    def may_join(self) -> bool:
        return self.page.night.status in (Night.Status.OPEN, Night.Status.PLAYING)


def _split(items: Sequence[Item], size: int) -> list[Sequence[Item]]:
    return [items[start : start + size] for start in range(0, len(items), size)]
