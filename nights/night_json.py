"""`night.json`: a night for programs (docs/nights.md). No secret, no account."""

from __future__ import annotations

from typing import Any

from core.json_schema import CODE, NUMBER, TEXT, WHOLE, each, exactly, one_of, or_null
from nights.draws.formats import FORMATS
from nights.loaded import LoadedNight
from nights.models import DrawnRound, Entry, Night, NightTable
from nights.scoring import Row

NIGHT_SCHEMA = exactly(
    {
        "night": CODE,
        "version": WHOLE,
        "name": TEXT,
        "format": one_of(*FORMATS),
        "draw": one_of("rotate", "standing"),
        "state": one_of(*Night.Status.values),
        "round": WHOLE,
        "rounds": WHOLE,
        "entries": each(exactly({"number": WHOLE, "name": TEXT, "state": one_of(*Entry.Status.values)})),
        "tables": each(
            exactly(
                {
                    "round": WHOLE,
                    "table": WHOLE,
                    "version": WHOLE,
                    "sides": each(each(WHOLE)),
                    "points": or_null(each(WHOLE)),
                    "state": one_of(*NightTable.Status.values),
                    "match": or_null(CODE),
                }
            )
        ),
        "standings": each(
            exactly(
                {
                    "place": WHOLE,
                    "number": WHOLE,
                    "won": NUMBER,
                    "difference": NUMBER,
                    "for": NUMBER,
                    "met": NUMBER,
                    "out": NUMBER,
                }
            )
        ),
    }
)


def build_json(loaded: LoadedNight, *, is_director: bool) -> dict[str, Any]:
    """Return the night; who has only asked is shown to directors alone."""
    night = loaded.night
    entries = loaded.entries.values() if is_director else loaded.people
    return {
        "night": night.code,
        "version": night.version,
        "name": night.name,
        "format": night.format,
        "draw": night.draw,
        "state": night.status,
        "round": loaded.last.number if loaded.last else 0,
        "rounds": night.rounds,
        "entries": [{"number": entry.number, "name": entry.name, "state": entry.status} for entry in entries],
        "tables": [_write_table(drawn, table) for drawn in loaded.rounds for table in drawn.tables.all()],
        "standings": [_write_row(row) for row in loaded.standings],
    }


def _write_table(drawn: DrawnRound, table: NightTable) -> dict[str, Any]:
    return {
        "round": drawn.number,
        "table": table.number,
        "version": table.version,
        "sides": table.sides,
        "points": table.points,
        "state": table.status,
        "match": table.match_code or None,
    }


def _write_row(row: Row) -> dict[str, Any]:
    return {
        "place": row.place,
        "number": row.number,
        "won": float(row.won),
        "difference": float(row.difference),
        "for": row.points,
        "met": float(row.met),
        "out": row.out,
    }
