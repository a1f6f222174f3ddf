"""Rows to engine values and back, with the process's caches of the latest value and the latest rows of each match.

The one holds (version, value) by match. A value is put in only when its moves are committed, and is looked up
by the version of a row that was just read, so that it can be missing but never wrong. The other holds the rows as a
move's own transaction left them, for pages that have been told of no later change.
"""

import time
from collections.abc import MutableMapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from threading import Lock
from typing import Any, TypeVar

from cachetools import LRUCache
from django.contrib.auth.models import AnonymousUser
from django.db.models import Model
from django.db.models.base import ModelState

from accounts.models import User
from core.prepared import PreparedQuery
from games.engine import moves as notation
from games.engine import records
from games.engine.matches import Match as Value
from games.engine.matches import begin
from games.engine.rules import Rules
from games.models import Match, Move, SealedSecret, Seat

Row = TypeVar("Row", bound=Model)

# Of a person, what everybody at a table may see.
PUBLIC_USER_FIELDS = {"id", "username", "is_active", "is_guest", "date_joined", "deleted_at"}
# What neither a move nor a page looks at, whose value has the rules. To read it took a third of the statement.
DEFERRED_FIELDS = ["match__rules", *(f"user__{field.name}" for field in User._meta.fields if field.name not in PUBLIC_USER_FIELDS)]

MAX_CACHED_MATCHES = 400  # values, some tens of KiB for a long match; a process carries about a hundred tables (docs/deploy.md)

_values: MutableMapping[int, tuple[int, Value]] = LRUCache(MAX_CACHED_MATCHES)
_snapshots: MutableMapping[str, "Snapshot"] = LRUCache(MAX_CACHED_MATCHES)
_lock = Lock()


@dataclass(frozen=True)
class Snapshot:
    """A match at one version: its row, the rows of its seats in order with their persons, and the engine's value.

    `at` is a moment before the rows were read (time.monotonic).
    """

    match: Match
    seats: list[Seat]
    value: Value
    at: float = field(default_factory=time.monotonic)

    def seat_of(self, user: User | AnonymousUser) -> Seat | None:
        """The seat of `user`; None for a spectator, and for one whose seat a computer has taken over."""
        if not user.is_authenticated:
            return None
        own = (seat for seat in self.seats if seat.user_id == user.pk and not seat.taken_over)
        return next(own, None)


def load_snapshot(match: Match) -> Snapshot:
    """The match as its row stands."""
    at = time.monotonic()
    seats = list(match.seats.select_related("user"))
    return Snapshot(match, seats, get_value(match, seats), at)


def _rows(column: str, *, locked: bool = False) -> PreparedQuery[Seat]:
    """The seats of a match with its row and their persons, by a column of it.

    Where they are locked, the seats' rows are, too: what PostgreSQL has waited for it reads again, and of a join only
    what is locked.
    """
    seats = Seat.objects.select_for_update(of=("self", "match")) if locked else Seat.objects.all()
    joined = seats.select_related("match", "user").defer(*DEFERRED_FIELDS).order_by("position")
    return PreparedQuery(lambda value: joined.filter(**{f"match__{column}": value}))


_of_code = _rows("code")
_moves = PreparedQuery(
    lambda match, after, last: Move.objects.filter(
        match_id=match, number__gt=after, number__lte=last
    ).order_by("number")
)
_sealed = PreparedQuery(lambda code: SealedSecret.objects.filter(code=code))
_locked = {column: _rows(column, locked=True) for column in ("code", "pk")}


def get_snapshot(code: str) -> Snapshot:
    """The match of this code, in one statement. Raises `Match.DoesNotExist`."""
    return _read(_of_code, code)


def lock_snapshot(**match: str | int) -> Snapshot:
    """The match of a `code` or `pk` with its rows locked until the transaction ends. Raises `Match.DoesNotExist`."""
    ((column, value),) = match.items()
    return _read(_locked[column], value)


def _read(rows: PreparedQuery[Seat], value: str | int) -> Snapshot:
    at = time.monotonic()
    seats = rows.rows(value)
    if not seats:
        raise Match.DoesNotExist
    row = seats[0].match
    return Snapshot(row, seats, get_value(row, seats), at)


def copy_snapshot(snapshot: Snapshot) -> Snapshot:
    """The same with rows of its own: whoever made a move has the rows themselves, and may change or read them again."""
    match, seats = _copied(snapshot.match), list(map(_copied, snapshot.seats))
    for seat in seats:
        seat._state.fields_cache["match"] = match
    return Snapshot(match, seats, snapshot.value, snapshot.at)


def _copied(row: Row) -> Row:
    """As `copy`, which takes a model apart as for a pickle, and ten times as long."""
    twin = row.__class__.__new__(row.__class__)
    twin.__dict__ |= row.__dict__
    twin._state = ModelState()
    twin._state.__dict__ |= row._state.__dict__ | {"fields_cache": row._state.fields_cache.copy()}
    return twin


def cache_snapshot(snapshot: Snapshot) -> None:
    """Keep the rows and the value as a committed move has left them, or as they were read, unless later ones are
    here already."""
    cache_value(snapshot.match.pk, snapshot.match.version, snapshot.value)
    code = snapshot.match.code
    with _lock:
        before = _snapshots.get(code)
        if before is None or (before.match.version, before.at) < (snapshot.match.version, snapshot.at):
            _snapshots[code] = snapshot


def get_cached_snapshot(code: str, *, version: int, since: float) -> Snapshot | None:
    """The rows that are kept of the match `code`, if they are fresh enough for a page that was told of `version`, and
    of other changes at `since` (time.monotonic)."""
    with _lock:
        snapshot = _snapshots.get(code)
    if snapshot is None or snapshot.match.version < version or snapshot.at < since:
        return None
    return snapshot


def get_value(match: Match, seats: Sequence[Seat] | None = None) -> Value:
    """The engine's value of a match as its row stands: the fold of its first `version` moves."""
    with _lock:
        kept = _values.get(match.pk)
    if kept is not None and kept[0] <= match.version:
        folded, value = kept
    else:
        folded, value = 0, initial_value(match, seats)
        cache_value(match.pk, 0, value)
    if folded < match.version:
        for move in _moves.rows(match.pk, folded, match.version):
            value = value.play(move.seat, notation.parse(move.text), move.claim)
        cache_value(match.pk, match.version, value)
    return value


def initial_value(
    match: Match, seats: Sequence[Seat] | None = None, sealed_secret: SealedSecret | None = None
) -> Value:
    """The value before the first move. Seats and secret are read unless they are given."""
    number = match.seats.count() if seats is None else len(seats)
    secret = bytes.fromhex((sealed_secret or get_sealed_secret(match.code)).secret)
    return begin(Rules.from_dict(match.rules), number, secret, match.entropy)


def get_sealed_secret(code: str) -> SealedSecret:
    """What is sealed for the table and the match of this code. Raises `SealedSecret.DoesNotExist`."""
    found = _sealed.rows(code)
    if not found:
        raise SealedSecret.DoesNotExist
    return found[0]


def cache_value(pk: int, version: int, value: Value) -> None:
    """Keep a committed value, unless a later one is here already."""
    with _lock:
        if pk in _values and _values[pk][0] > version:
            return
        _values[pk] = (version, value)


def clear_caches() -> None:
    """Empty the caches, as a new process finds them."""
    with _lock:
        _values.clear()
        _snapshots.clear()


def build_record(match: Match, *, legal: bool = False) -> dict[str, Any]:
    """The record (docs/record.md) of a finished match. Raises ValueError of one that is being played."""
    return records.record(
        get_value(match),
        code=match.code,
        preset=match.preset,
        seats=[
            {"name": seat.name, "kind": seat.kind, "level": seat.level or None} for seat in match.seats.all()
        ],
        rated=match.rated,
        started=format_utc(match.started_at),
        ended=format_utc(match.end),
        times=[format_utc(at) for at in match.moves.order_by("number").values_list("at", flat=True)],
        legal=legal,
    )


def format_utc(moment: datetime) -> str:
    """A moment as records and state.json write it, to the second: 2026-11-21T10:00:00Z."""
    return moment.strftime("%Y-%m-%dT%H:%M:%SZ")
