"""Rows to engine values and back, with the process's cache of the latest value of each match.

The cache holds (version, value) by match. A value is put in only when its moves are committed, and is looked up
by the version of a row that was just read, so that it can be missing but never wrong.
"""

from collections.abc import MutableMapping
from dataclasses import dataclass
from datetime import datetime
from threading import Lock
from typing import Any

from cachetools import LRUCache

from games.engine import moves as notation
from games.engine import records
from games.engine.matches import Match as Value
from games.engine.matches import begin
from games.engine.rules import Rules
from games.models import Match, SealedSecret, Seat

KEPT = 2_000  # values; one of a long match is some tens of KiB

_values: MutableMapping[int, tuple[int, Value]] = LRUCache(KEPT)
_lock = Lock()


@dataclass(frozen=True)
class Snapshot:
    """A match at one version: its row, the rows of its seats in order, and the engine's value."""

    match: Match
    seats: list[Seat]
    value: Value


def snapshot_of(match: Match) -> Snapshot:
    """The match as its row stands."""
    return Snapshot(match, list(match.seats.all()), value_of(match))


def lock(pk: int) -> Snapshot:
    """The match with its row locked until the transaction ends. Raises `Match.DoesNotExist`."""
    return snapshot_of(Match.objects.select_for_update().get(pk=pk))


def value_of(match: Match) -> Value:
    """The engine's value of a match as its row stands: the fold of its first `version` moves."""
    with _lock:
        kept = _values.get(match.pk)
    if kept is not None and kept[0] <= match.version:
        folded, value = kept
    else:
        folded, value = 0, opening(match)
        remember(match.pk, 0, value)
    if folded < match.version:
        for move in match.moves.filter(number__gt=folded, number__lte=match.version).order_by("number"):
            value = value.play(move.seat, notation.parse(move.text), move.claim)
        remember(match.pk, match.version, value)
    return value


def opening(match: Match) -> Value:
    """The value before the first move."""
    secret = bytes.fromhex(SealedSecret.objects.get(code=match.code).secret)
    return begin(Rules.from_dict(match.rules), match.seats.count(), secret, match.entropy)


def remember(pk: int, version: int, value: Value) -> None:
    """Keep a committed value, unless a later one is here already."""
    with _lock:
        if pk in _values and _values[pk][0] > version:
            return
        _values[pk] = (version, value)


def forget_all() -> None:
    """Empty the cache, as a new process finds it."""
    with _lock:
        _values.clear()


def record_of(match: Match, *, legal: bool = False) -> dict[str, Any]:
    """The record (docs/record.md) of a finished match. Raises ValueError of one that is being played."""
    return records.record(
        value_of(match),
        code=match.code,
        preset=match.preset,
        seats=[
            {"name": seat.name, "kind": seat.kind, "level": seat.level or None} for seat in match.seats.all()
        ],
        rated=match.rated,
        started=in_utc(match.started_at),
        ended=in_utc(match.end),
        times=[in_utc(at) for at in match.moves.order_by("number").values_list("at", flat=True)],
        legal=legal,
    )


def in_utc(moment: datetime) -> str:
    """A moment as records and state.json write it, to the second: 2026-11-21T10:00:00Z."""
    return moment.strftime("%Y-%m-%dT%H:%M:%SZ")
