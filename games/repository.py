"""Read matches from the database as engine values, with caches per process.

A value is cached only after its moves are committed, and is looked up by the version of a row that was just read: it
can be missing, but never wrong.
"""

import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from itertools import accumulate
from threading import Lock
from typing import Any, TypeVar

from django.contrib.auth.models import AnonymousUser
from django.db.models import Model
from django.db.models.base import ModelState

from accounts.models import User
from boneyard.engine import moves as notation
from boneyard.engine import records
from boneyard.engine.matches import Match as Value
from boneyard.engine.matches import begin
from boneyard.engine.rules import Rules
from core.latest import LatestDict
from core.prepared import PreparedQuery
from games.models import Match, Move, SealedSecret, Seat

Row = TypeVar("Row", bound=Model)

# What everybody at a table may see of a user.
PUBLIC_USER_FIELDS = {
    "id",
    "username",
    "is_active",
    "is_guest",
    "is_bot",
    "date_joined",
    "deleted_at",
    "avatar",
}
# Neither moves nor pages need these columns (the value holds the rules); reading them took a third of the query.
DEFERRED_FIELDS = [
    "match__rules",
    "match__commitments",
    *(f"user__{field.name}" for field in User._meta.fields if field.name not in PUBLIC_USER_FIELDS),
]

MAX_CACHED_MATCHES = (
    400  # tens of KiB each for a long match; a process carries about 100 tables (docs/deploy.md)
)

# Cache: key match pk; bound MAX_CACHED_MATCHES; invalidated by the version stored with the value.
_values: LatestDict[int, tuple[int, Value]] = LatestDict(MAX_CACHED_MATCHES)
# Cache: key match code; bound MAX_CACHED_MATCHES; invalidated by version and age (`get_cached_snapshot`).
_snapshots: LatestDict[str, "Snapshot"] = LatestDict(MAX_CACHED_MATCHES)
_lock = Lock()


@dataclass(frozen=True)
class Snapshot:
    """A match at one version: its row, its seats' rows in order with their users, and the engine's value.

    `at` is a time before the rows were read (time.monotonic).
    """

    match: Match
    seats: list[Seat]
    value: Value
    at: float = field(default_factory=time.monotonic)

    def seat_of(self, user: User | AnonymousUser) -> Seat | None:
        """Return the seat of `user`, or None for a spectator or a player whose seat a computer has taken over."""
        if not user.is_authenticated:
            return None
        pk = user.pk
        for seat in self.seats:
            if seat.user_id == pk and not seat.taken_over:
                return seat
        return None


def load_snapshot(match: Match) -> Snapshot:
    """Return a snapshot of the match as its row stands."""
    at = time.monotonic()
    seats = list(match.seats.select_related("user"))
    return Snapshot(match, seats, get_value(match, seats), at)


def _seats_query(column: str, *, locked: bool = False) -> PreparedQuery[Seat]:
    """Prepare the query of a match's seats, joined with the match and the users, by a column of the match.

    With `locked`, the seats are locked too: after waiting for a lock PostgreSQL rereads only the locked rows of a join.
    """
    seats = Seat.objects.select_for_update(of=("self", "match")) if locked else Seat.objects.all()
    joined = seats.select_related("match", "user").defer(*DEFERRED_FIELDS).order_by("position")
    return PreparedQuery(lambda value: joined.filter(**{f"match__{column}": value}))


_by_code = _seats_query("code")
_moves_query = PreparedQuery(
    lambda match, after, last: Move.objects.filter(
        match_id=match, number__gt=after, number__lte=last
    ).order_by("number")
)
_sealed_query = PreparedQuery(lambda code: SealedSecret.objects.filter(code=code).order_by("-pk"))
_locked = {column: _seats_query(column, locked=True) for column in ("code", "pk")}


def get_snapshot(code: str) -> Snapshot:
    """Return the match with this code, in one query. Raise `Match.DoesNotExist`."""
    return _read(_by_code, code)


def lock_snapshot(**match: str | int) -> Snapshot:
    """Return the match with this `code` or `pk`, its rows locked until the transaction ends.

    Raise `Match.DoesNotExist`.
    """
    ((column, value),) = match.items()
    return _read(_locked[column], value)


def _read(query: PreparedQuery[Seat], value: str | int) -> Snapshot:
    at = time.monotonic()
    seats = query.rows(value)
    if not seats:
        raise Match.DoesNotExist
    row = seats[0].match
    return Snapshot(row, seats, get_value(row, seats), at)


def copy_snapshot(snapshot: Snapshot) -> Snapshot:
    """Copy the rows of a snapshot, so that later changes to the originals do not reach the cache."""
    match, seats = _copy_row(snapshot.match), list(map(_copy_row, snapshot.seats))
    for seat in seats:
        seat._state.fields_cache["match"] = match
    return Snapshot(match, seats, snapshot.value, snapshot.at)


def _copy_row(row: Row) -> Row:
    """Return a shallow copy; ten times faster than `copy.copy` on a model."""
    copy = row.__class__.__new__(row.__class__)
    copy.__dict__ |= row.__dict__
    copy._state = ModelState()
    copy._state.__dict__ |= row._state.__dict__ | {"fields_cache": row._state.fields_cache.copy()}
    return copy


def cache_snapshot(snapshot: Snapshot) -> None:
    """Cache committed rows and their value unless newer ones are cached."""
    cache_value(snapshot.match.pk, snapshot.match.version, snapshot.value)
    code = snapshot.match.code
    with _lock:
        before = _snapshots.get(code)
        if before is None or (before.match.version, before.at) < (snapshot.match.version, snapshot.at):
            _snapshots[code] = snapshot


def get_cached_snapshot(code: str, *, version: int, since: float) -> Snapshot | None:
    """Return the cached rows if they have at least `version` and were read at `since` (time.monotonic) or later."""
    with _lock:
        snapshot = _snapshots.get(code)
    if snapshot is None or snapshot.match.version < version or snapshot.at < since:
        return None
    return snapshot


def get_value(match: Match, seats: Sequence[Seat] | None = None) -> Value:
    """Return the engine's value of a match at its row's version: the fold of its first `version` moves."""
    with _lock:
        cached = _values.get(match.pk)
    if cached is not None and cached[0] <= match.version:
        folded, value = cached
    else:
        folded, value = 0, initial_value(match, seats)
        cache_value(match.pk, 0, value)
    if folded < match.version:
        for move in _moves_query.rows(match.pk, folded, match.version):
            value = value.play(move.seat, notation.parse(move.text), move.claim)
        cache_value(match.pk, match.version, value)
    return value


def is_stored(match: Match, seat: int, move: str, *, number: int) -> bool:
    """Return whether the match's move with this number, from 1, is that move of that seat."""
    return match.moves.filter(number=number, seat=seat, text=move).exists()


def initial_value(
    match: Match, seats: Sequence[Seat] | None = None, sealed_secret: SealedSecret | None = None
) -> Value:
    """Return the value before the first move. Read the seats and the secret unless they are given."""
    number = match.seats.count() if seats is None else len(seats)
    secret = bytes.fromhex((sealed_secret or get_sealed_secret(match.sealed_as)).secret)
    return begin(Rules.from_dict(match.rules), number, secret, match.entropy)


def get_sealed_secret(code: str) -> SealedSecret:
    """Return the latest secret sealed under a table's code or the name of a set of deals.

    Raise `SealedSecret.DoesNotExist`.
    """
    rows = _sealed_query.rows(code)
    if not rows:
        raise SealedSecret.DoesNotExist
    return rows[0]


def cache_value(pk: int, version: int, value: Value) -> None:
    """Cache a committed value unless a newer one is cached."""
    with _lock:
        if pk in _values and _values[pk][0] > version:
            return
        _values[pk] = (version, value)


def clear_caches() -> None:
    """Empty the caches, as in a new process."""
    with _lock:
        _values.clear()
        _snapshots.clear()


def build_record(match: Match) -> dict[str, Any]:
    """Return the record (docs/record.md) of a finished match.

    Raise `ValueError` while it is being played, and while its set of deals is open.
    """
    if match.concealed:
        raise ValueError("the deals are not public yet")
    moves_at = match.moves.order_by("number").values_list("at", flat=True)
    # The system's clock may have been set back, or differ between machines; times of a record never run backwards.
    started, *times, ended = map(format_utc, accumulate([match.started_at, *moves_at, match.end], max))
    return records.record(
        get_value(match),
        code=match.code,
        preset=match.preset,
        seats=[
            {"name": seat.name, "kind": seat.kind, "level": seat.level or None} for seat in match.seats.all()
        ],
        rated=match.rated,
        started=started,
        ended=ended,
        times=times,
        commitments=match.commitments,
        deals=match.deals or None,
    )


def format_utc(moment: datetime) -> str:
    """Format a time as in records and state.json, to the second: 2026-11-21T10:00:00Z."""
    return moment.strftime("%Y-%m-%dT%H:%M:%SZ")
