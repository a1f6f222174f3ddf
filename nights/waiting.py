"""The tables of a night on phones that wait for their people, for the desk of its directors."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from functools import cached_property

from django.utils import timezone

from nights.loaded import LoadedNight
from nights.models import Entry, Night, NightTable
from nights.services.phones import COMPUTERS_AFTER, HELP_AFTER, find_missing


def find_help_time(computers_at: datetime) -> datetime:
    """Return from when a director may seat somebody else at a table where computers sit down at that moment."""
    return computers_at - COMPUTERS_AFTER + HELP_AFTER


def find_next_help(night: Night, now: datetime) -> datetime | None:
    """Return when the desk changes next because a director may seat somebody else; None if it does not."""
    waiting = NightTable.objects.filter(
        drawn_round__night=night,
        drawn_round__undone_at=None,
        status=NightTable.Status.PLAYING,
        match_code="",
        computers_at__isnull=False,
    )
    deadlines = waiting.values_list("computers_at", flat=True)
    moments = [find_help_time(deadline) for deadline in deadlines if deadline is not None]
    return min((moment for moment in moments if moment > now), default=None)


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
    def replaceable(self) -> frozenset[int]:
        """Return the tables at which somebody else may take a seat by now."""
        now = timezone.now()
        return frozenset(
            table.number
            for table, _away in self.missing
            if table.computers_at is not None and now >= find_help_time(table.computers_at)
        )

    @property
    def helpers(self) -> tuple[Entry, ...]:
        """Return the helpers who are here and sit at no table of the round."""
        seated = {n for table in self.loaded.tables for side in table.sides for n in side}
        return tuple(
            entry
            for entry in self.loaded.people
            if entry.is_helper and entry.status == Entry.Status.HERE and entry.number not in seated
        )
