"""A table of a night in the strip of every page of its people: *Round 3, table 4, 0:20*."""

from __future__ import annotations

from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

import lobbies.services
from accounts.models import User
from games.table.strip import StripEntry
from lobbies.models import Sitting, Table
from nights.models import Entry, NightTable


def build(table: Table, user: User) -> StripEntry:
    """Return the entry of a table that waits for its people; the clock runs until computers take empty seats."""
    row = _find_row(table)
    entry = Entry.objects.filter(night__code=table.night, user=user).first()
    now = timezone.now()
    sittings = Sitting.objects.at(table)
    away = [] if table.full_at else lobbies.services.find_away(table, sittings, now)
    words = {"round": row.drawn_round.number, "table": row.number} if row else {"round": 0, "table": 0}
    left = (row.computers_at - now).total_seconds() if row and row.computers_at and away else None
    return StripEntry(
        state="table",
        code=table.code,
        address=reverse("night-me", args=[table.night, entry.secret])
        if entry
        else reverse("night", args=[table.night]),
        who=_("Round %(round)d, table %(table)d") % words,
        about=row.drawn_round.night.name if row else "",
        fact=_describe_wait(table, len(away)),
        button=_("Open"),
        seconds=None if left is None else max(0.0, left),
        counting=left is not None,
        seats=tuple(position not in away for position in range(table.seats)),
    )


def _find_row(table: Table) -> NightTable | None:
    rows = NightTable.objects.select_related("drawn_round__night")
    return rows.filter(waiting_code=table.code).first()


def _describe_wait(table: Table, away: int) -> str:
    if not away:
        return _("The tiles are being shuffled")
    return _("%(here)d of %(seats)d are there") % {"here": table.seats - away, "seats": table.seats}
