"""The tables of a night on phones that wait for their people, for the desk of its directors."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from django.utils import timezone

from nights.loaded import LoadedNight
from nights.models import Entry, NightTable
from nights.services.phones import COMPUTERS_AFTER, HELP_AFTER, find_missing


@dataclass(frozen=True)
class WaitingTables:
    loaded: LoadedNight

    @cached_property
    def missing(self) -> tuple[tuple[NightTable, tuple[Entry, ...]], ...]:
        """Return who is not at their table yet, by table."""
        loaded = self.loaded
        if loaded.night.is_wood or not loaded.is_round_open or loaded.is_over:
            return ()
        now = timezone.now()
        waiting = [table for table in loaded.tables if table.waiting_code and not table.match_code]
        found = [(table, find_missing(table, now)) for table in waiting if not table.is_decided]
        return tuple((table, tuple(loaded.entries[n] for n in away)) for table, away in found if away)

    @property
    def may_replace(self) -> bool:
        """Return whether three minutes have passed, so that somebody else may take a seat."""
        now = timezone.now()
        opened = [table.computers_at - COMPUTERS_AFTER for table, _away in self.missing if table.computers_at]
        return any(now >= moment + HELP_AFTER for moment in opened)

    @property
    def helpers(self) -> tuple[Entry, ...]:
        """Return the helpers who are here and sit at no table of the round."""
        seated = {n for table in self.loaded.tables for side in table.sides for n in side}
        return tuple(
            entry
            for entry in self.loaded.people
            if entry.is_helper and entry.status == Entry.Status.HERE and entry.number not in seated
        )
