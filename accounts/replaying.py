"""Recompute a pool's ratings from its matches while people play.

Everything is read and computed outside transactions. Only differences are written, a few rows at a time, each only if
the row has not changed since it was read. A match that ends meanwhile is rated as usual and taken in by the next round;
the rounds end when one finds nothing to write.
"""

import gc
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import datetime
from typing import Any, NamedTuple, TypeVar

from django.db import connection, transaction
from django.utils import timezone

from accounts import elo, ranking
from accounts.limits import load_history_elsewhere
from accounts.models import Rating, RatingBand, RatingChange, User
from accounts.ratings import Rated, apply
from core.numbers import display_rating
from live.broadcast import broadcast_page_changed

RATINGS_PER_TRANSACTION = 10  # with the histogram
CHANGES_PER_TRANSACTION = 50
MIN_PAUSE_SECONDS = 0.02  # between two transactions; longer after a slow one: moves come first

MatchesAfter = Callable[[int], Iterable[Rated]]
Heartbeat = Callable[[], None]
Key = tuple[int, int]  # user id and order
T = TypeVar("T")


class Change(NamedTuple):
    """What a match did to a rating: the fields of `RatingChange` apart from its keys."""

    match_code: str
    before: float
    after: float
    weight: float
    young: bool
    shares: tuple[tuple[int, float], ...]  # tuples take a third of the memory
    limited_by: str
    exempt_beside_id: int | None
    exempt_by_chance: bool
    at: datetime

    @classmethod
    def of(cls, row: RatingChange) -> "Change":
        values = {name: getattr(row, name) for name in cls._fields}
        return cls(**values | {"shares": tuple((user_id, points) for user_id, points in row.shares)})


# Computed, and so compared and corrected; the other fields identify the match.
COMPUTED_FIELDS = (
    "before",
    "after",
    "weight",
    "young",
    "shares",
    "limited_by",
    "exempt_beside_id",
    "exempt_by_chance",
)


class Replay:
    """A pool recomputed from its matches up to the place `horizon`.

    `ratings` are by user id, `changes` by user id and order.
    """

    def __init__(
        self,
        pool: str,
        matches_after: MatchesAfter,
        get_last_order: Callable[[], int],
        heartbeat: Heartbeat = lambda: None,
    ) -> None:
        self.pool, self._matches_after, self._get_last_order = pool, matches_after, get_last_order
        self.heartbeat = heartbeat
        self.horizon = 0
        self.ratings: dict[int, Rating] = {}
        self.changes: dict[Key, Change] = {}
        self.history = load_history_elsewhere(pool)

    def advance(self) -> None:
        """Apply the matches that were rated since the last call."""
        last, self.horizon = self.horizon, self._get_last_order()
        for match in self._matches_after(last):
            if match.order > self.horizon:
                return
            for side in match.sides:
                for player in side:
                    self.ratings.setdefault(player.user_id, Rating(user_id=player.user_id, pool=self.pool))
            for change in apply(match, self.ratings, self.history):
                self.changes[change.rating.user_id, change.order] = Change.of(change)

    def get_value(self, user_id: int) -> float:
        return self.ratings[user_id].value if user_id in self.ratings else elo.START_RATING


def replay(
    pool: str,
    matches_after: MatchesAfter,
    get_last_order: Callable[[], int],
    heartbeat: Heartbeat = lambda: None,
) -> list[str]:
    """Correct a pool's ratings and their history from its matches; return a sentence for each rating that differed.

    `matches_after(order)` returns the rated matches after that place, in order; `get_last_order()` that of the last
    committed match. `heartbeat` is called after each transaction and may raise to stop. Do not call it inside a
    transaction.
    """
    replayed = Replay(pool, matches_after, get_last_order, heartbeat)
    differences: dict[int, str] = {}
    corrected_changes = 0
    is_settled = False
    while not is_settled:
        replayed.advance()
        is_settled = _correct_ratings(replayed, differences)
        corrected = _correct_history(replayed)
        corrected_changes += corrected
        is_settled = is_settled and not corrected
    _correct_bands(pool)
    broadcast_page_changed(f"leaderboard.{pool}", "leaderboard")
    if corrected_changes and not differences:
        return [f"{pool}: the history differed"]
    return [differences[user_id] for user_id in sorted(differences)]


def _correct_ratings(replayed: Replay, differences: dict[int, str]) -> bool:
    """Write the ratings that differ, and note them in `differences`; return whether there were none."""
    stored = {rating.user_id: rating for rating in Rating.objects.filter(pool=replayed.pool)}
    newer = _find_rated_since(replayed)
    differing = [
        (
            stored.get(user_id),
            replayed.ratings.get(user_id) or Rating(user_id=user_id, pool=replayed.pool, matches=0),
        )
        for user_id in sorted(
            {*stored, *(pk for pk, rating in replayed.ratings.items() if rating.matches)} - set(newer)
        )
    ]
    differing = [(old, new) for old, new in differing if _get_computed(old) != _get_computed(new)]
    names = User.objects.in_bulk([new.user_id for _old, new in differing])
    for old, new in differing:
        name = names[new.user_id].username
        differences.setdefault(
            new.user_id, f"{replayed.pool}: {name} had {_describe(old)}, has {_describe(new)}"
        )
    for some in _chunks(differing, replayed.heartbeat, RATINGS_PER_TRANSACTION):
        _write_ratings(replayed.pool, some)
    # People who were rated meanwhile were rated from what was stored.
    return not differing and all(before == replayed.get_value(pk) for pk, before in newer.items())


def _find_rated_since(replayed: Replay) -> dict[int, float]:
    """Return the people rated beyond the horizon, each with the rating before their first such match."""
    changes = RatingChange.objects.filter(rating__pool=replayed.pool, order__gt=replayed.horizon).order_by(
        "-order"
    )
    return dict(changes.values_list("rating__user", "before"))


@transaction.atomic
def _write_ratings(pool: str, some: Sequence[tuple[Rating | None, Rating]]) -> None:
    locked = Rating.objects.select_for_update().filter(
        pool=pool, user__in=[new.user_id for _old, new in some]
    )
    rows = {rating.user_id: rating for rating in locked.order_by("pk")}
    welcome = ranking.find_welcome(new.user_id for _old, new in some)
    bands: Counter[int] = Counter()
    now = timezone.now()
    for old, new in some:
        row = rows.get(new.user_id)
        if _get_computed(row) != _get_computed(old):
            continue  # a match has ended meanwhile
        if row is not None:
            bands[display_rating(row.value)] -= row.ranked
        if not new.matches:
            row and row.delete()  # all matches were annulled
            continue
        new.pk, new.called_off = (row.pk, row.called_off) if row else (None, [])
        new.ranked = ranking.may_be_ranked(new, now) and new.user_id in welcome
        bands[display_rating(new.value)] += new.ranked
        new.save()
    ranking.update_bands(pool, bands)


def _correct_history(replayed: Replay) -> int:
    """Write the differing changes up to the horizon; return their number."""
    rows = RatingChange.objects.filter(rating__pool=replayed.pool, order__lte=replayed.horizon)
    missing = dict(replayed.changes)
    wrong: list[tuple[int, Change]] = []
    surplus: list[int] = []
    fields = rows.values_list("pk", "rating__user", "order", *COMPUTED_FIELDS)
    for pk, user_id, order, *stored in fields.iterator(chunk_size=2000):
        change = missing.pop((user_id, order), None)
        if change is None:
            surplus.append(pk)
        elif stored != [*_get_stored_form(change).values()]:
            wrong.append((pk, change))
    for pks in _chunks(surplus, replayed.heartbeat):
        RatingChange.objects.filter(pk__in=pks).delete()
    for some in _chunks(wrong, replayed.heartbeat):
        _correct_changes(some)
    for keys in _chunks(list(missing), replayed.heartbeat):
        _add_changes(replayed, keys)
    return len(surplus) + len(wrong) + len(missing)


def _get_stored_form(change: Change) -> dict[str, Any]:
    """Return the computed fields of a change as the database returns them."""
    values = change._asdict() | {"shares": [list(share) for share in change.shares]}
    return {name: values[name] for name in COMPUTED_FIELDS}


@transaction.atomic
def _correct_changes(some: Sequence[tuple[int, Change]]) -> None:
    # Not bulk_update, which builds its long statement while it holds SQLite's one lock.
    table = RatingChange._meta.db_table
    fields = [field for field in RatingChange._meta.fields if field.attname in COMPUTED_FIELDS]
    columns = ", ".join(f'"{field.column}" = %s' for field in fields)
    rows = [
        [
            *(
                field.get_db_prep_save(_get_stored_form(change)[field.attname], connection)
                for field in fields
            ),
            pk,
        ]
        for pk, change in some
    ]
    with connection.cursor() as cursor:
        cursor.executemany(f'UPDATE "{table}" SET {columns} WHERE "id" = %s', rows)  # noqa: S608


def _add_changes(replayed: Replay, keys: Sequence[Key]) -> None:
    ratings = Rating.objects.filter(pool=replayed.pool, user__in={user_id for user_id, _order in keys})
    of_user = {rating.user_id: rating for rating in ratings}
    RatingChange.objects.bulk_create(
        RatingChange(rating=of_user[user_id], order=order, **replayed.changes[user_id, order]._asdict())
        for user_id, order in keys
        if user_id in of_user
    )


def _correct_bands(pool: str) -> None:
    """Recount the histogram if it differs from the ratings."""
    kept = dict(RatingBand.objects.filter(pool=pool, players__gt=0).values_list("band", "players"))
    values = Rating.objects.filter(pool=pool, ranked=True).values_list("value", flat=True)
    if kept != dict(Counter(map(display_rating, values))):
        with transaction.atomic():
            ranking.rebuild_bands(pool)


def _chunks(
    rows: Sequence[T], heartbeat: Heartbeat, size: int = CHANGES_PER_TRANSACTION
) -> Iterator[Sequence[T]]:
    for start in range(0, len(rows), size):
        began = time.monotonic()
        # A garbage collection takes 0.3 s with 100,000 matches: not while a transaction holds SQLite's one lock.
        gc.disable()
        try:
            yield rows[start : start + size]
        finally:
            gc.enable()
        heartbeat()
        time.sleep(max(MIN_PAUSE_SECONDS, 2 * (time.monotonic() - began)))


def _get_computed(rating: Rating | None) -> tuple[object, ...]:
    if rating is None:
        return ()
    counts = rating.matches, rating.wins, rating.reached_2200, rating.completed
    return rating.value, *counts, *rating.recent, *rating.opponents


def _describe(rating: Rating | None) -> str:
    return "none" if rating is None else f"{rating.value:.4f} after {rating.matches} matches"
