"""`draws.json`: every draw of a night, undone ones too, and its verification by repetition.

A night's keys are those of a sealed shuffle (docs/record.md): each draw uses the next one, so that nobody, the director
included, can try names until a draw pleases.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from boneyard.engine.shuffle import is_preimage
from nights.draws.draw import (
    SEARCH_VERSION,
    Draw,
    DrawRules,
    Entrants,
    NotEnough,
    Standing,
    Table,
    draw_round,
)
from nights.draws.formats import FORMATS


@dataclass(frozen=True, slots=True)
class RecordedDraw:
    """A draw with what it was made from. `number` is that of its key, from 1."""

    number: int
    key: bytes
    entrants: Entrants
    draw: Draw
    undone: bool = False


def write_record(code: str, seal: str, rules: DrawRules, draws: Sequence[RecordedDraw]) -> dict[str, Any]:
    """Return the content of `draws.json`."""
    return {
        "night": code,
        "seal": seal,
        "search": SEARCH_VERSION,
        "format": rules.format.name,
        "draw": "standing" if rules.by_standings else "rotate",
        "rounds": rules.rounds,
        "draws": [_write_recorded(recorded) for recorded in draws],
    }


def _write_recorded(recorded: RecordedDraw) -> dict[str, Any]:
    return {
        "k": recorded.number,
        "key": recorded.key.hex(),
        "undone": recorded.undone,
        **write_draw(recorded.entrants, recorded.draw),
        "moved": [list(pair) for pair in recorded.draw.moved],
    }


def write_draw(entrants: Entrants, draw: Draw) -> dict[str, Any]:
    """Return what a draw was made from and what it gave, in JSON values."""
    return {
        "here": list(entrants.here),
        "helpers": list(entrants.helpers),
        "standings": [
            [number, standing.place, str(standing.won)]
            for number, standing in sorted(entrants.standings.items())
        ],
        "own_tables": [[number, table] for number, table in sorted(entrants.own_tables.items())],
        "out": list(draw.out),
        "lot": list(draw.lot),
        "tables": [
            {"table": table.number, "sides": [list(side) for side in table.sides]} for table in draw.tables
        ],
    }


def find_faults(record: Mapping[str, Any]) -> Iterator[str]:
    """Yield what does not hold, a sentence each; nothing for a record in which every draw repeats.

    Raise `ValueError` if this release cannot repeat it, or if it is not the record of a night.
    """
    code, rules, draws = _read_record(record)
    before = bytes.fromhex(record["seal"])
    past: list[Draw] = []
    for index, drawn in enumerate(draws, start=1):
        if drawn.number != index:
            yield f"Draw {index} is numbered {drawn.number}: a draw is missing."
            return
        if not is_preimage(drawn.key, before):
            yield f"Draw {index}: its key does not belong to the seal."
            return
        before = drawn.key
        try:
            again = draw_round(rules, drawn.entrants, past, drawn.key, drawn.number, code)
        except NotEnough:
            yield f"Draw {index}: nobody could be seated."
            continue
        for name in ("lot", "out", "tables"):
            if getattr(again, name) != getattr(drawn.draw, name):
                yield f"Draw {index}: {name} differ from what its key gives."
                break
        if not drawn.undone:
            past.append(drawn.draw)


def _read_record(record: Mapping[str, Any]) -> tuple[str, DrawRules, list[RecordedDraw]]:
    try:
        if record["search"] != SEARCH_VERSION:
            raise ValueError(
                f"It was drawn by search {record['search']}; this release repeats {SEARCH_VERSION}."
            )
        rules = DrawRules(FORMATS[record["format"]], record["draw"] == "standing", record["rounds"])
        return record["night"], rules, [_read_recorded(drawn) for drawn in record["draws"]]
    except (KeyError, TypeError, AttributeError) as error:
        raise ValueError(f"It is not the record of a night's draws: {error!r}.") from error


def _read_recorded(drawn: Mapping[str, Any]) -> RecordedDraw:
    return read_draw(drawn["k"], bytes.fromhex(drawn["key"]), drawn, drawn["moved"], undone=drawn["undone"])


def read_draw(
    number: int, key: bytes, drawn: Mapping[str, Any], moved: Sequence[Sequence[int]], *, undone: bool
) -> RecordedDraw:
    """Return the draw that `write_draw` has written, with the pairs that were moved since."""
    entrants = Entrants(
        tuple(drawn["here"]),
        tuple(drawn["helpers"]),
        {entry: Standing(place, Fraction(won)) for entry, place, won in drawn["standings"]},
        {entry: table for entry, table in drawn["own_tables"]},
    )
    tables = tuple(
        Table(table["table"], tuple(tuple(side) for side in table["sides"])) for table in drawn["tables"]
    )
    pairs = tuple((one, other) for one, other in moved)
    return RecordedDraw(
        number, key, entrants, Draw(tuple(drawn["lot"]), tuple(drawn["out"]), tables, pairs), undone
    )
