"""A pool's ratings computed anew from its matches, while people play on.

All is read and computed outside of any transaction. Only what differs is written, a few rows at a time, and each only
if it still is what was read. A match that ends meanwhile is rated as usual, and the next round takes it in; the rounds
end when one finds nothing to write.
"""

import gc
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import datetime
from typing import NamedTuple, TypeVar

from django.db import connection, transaction
from django.utils import timezone

from accounts import elo, ranking
from accounts.models import Rating, RatingBand, RatingChange, User
from accounts.ratings import Rated, apply, gains_elsewhere
from core.numbers import display_rating
from live.broadcast import broadcast_page_changed

RATINGS = 10  # written in one transaction, with the histogram
ROWS = 50  # of the history
BREATH = 0.02  # seconds between two of them, or twice what the last one took: moves come first

After = Callable[[int], Iterable[Rated]]
Key = tuple[int, int]  # user and order
Correction = tuple[float, float, float, bool, int]  # before, after, weight, young; the key
T = TypeVar("T")


class Change(NamedTuple):
    """What a match did to a rating, without its row."""

    match_code: str
    before: float
    after: float
    weight: float
    young: bool
    at: datetime

    @classmethod
    def of(cls, row: RatingChange) -> "Change":
        return cls(row.match_code, row.before, row.after, row.weight, row.young, row.at)


class Replay:
    """A pool as its matches up to the place `horizon` make it: `ratings` by user, `changes` by user and order."""

    def __init__(self, pool: str, after: After, latest: Callable[[], int]) -> None:
        self.pool, self._after, self._latest = pool, after, latest
        self.horizon = 0
        self.ratings: dict[int, Rating] = {}
        self.changes: dict[Key, Change] = {}
        self.gains = gains_elsewhere(pool)

    def go_on(self) -> None:
        """Take in what was rated since."""
        last, self.horizon = self.horizon, self._latest()
        for match in self._after(last):
            if match.order > self.horizon:
                return
            for side in match.sides:
                for player in side:
                    self.ratings.setdefault(player.user_id, Rating(user_id=player.user_id, pool=self.pool))
            for change in apply(match, self.ratings, self.gains):
                self.changes[change.rating.user_id, change.order] = Change.of(change)

    def value(self, user_id: int) -> float:
        return self.ratings[user_id].value if user_id in self.ratings else elo.START


def replay(pool: str, after: After, latest: Callable[[], int]) -> list[str]:
    """Make a pool's ratings and their history what its matches make them; a sentence for each that differed.

    `after(order)` gives the rated matches after that place, in order; `latest()` the last place given to a match that
    is committed, as all before it are. Not for use inside a transaction.
    """
    anew = Replay(pool, after, latest)
    differences: dict[int, str] = {}
    history = 0
    unsettled = True
    while unsettled:
        anew.go_on()
        unsettled = _mend_ratings(anew, differences)
        mended = _mend_history(anew)
        history += mended
        unsettled = unsettled or bool(mended)
    _mend_bands(pool)
    broadcast_page_changed(f"leaderboard.{pool}", "leaderboard")
    if history and not differences:
        return [f"{pool}: the history differed"]
    return [differences[user_id] for user_id in sorted(differences)]


def _mend_ratings(anew: Replay, differences: dict[int, str]) -> bool:
    """Write the ratings that differ; whether another look is needed. Says in `differences` what was found first."""
    stored = {rating.user_id: rating for rating in Rating.objects.filter(pool=anew.pool)}
    newer = _rated_since(anew)
    differing = [
        (stored.get(user_id), anew.ratings.get(user_id) or Rating(user_id=user_id, pool=anew.pool, matches=0))
        for user_id in sorted(
            {*stored, *(pk for pk, rating in anew.ratings.items() if rating.matches)} - set(newer)
        )
    ]
    differing = [(old, new) for old, new in differing if _facts(old) != _facts(new)]
    names = User.objects.in_bulk([new.user_id for _old, new in differing])
    for old, new in differing:
        name = names[new.user_id].username
        differences.setdefault(new.user_id, f"{anew.pool}: {name} had {_words(old)}, has {_words(new)}")
    for some in _chunks(differing, RATINGS):
        _write_ratings(anew.pool, some)
    # Somebody who has been rated meanwhile was rated from what is stored.
    return bool(differing) or any(before != anew.value(user_id) for user_id, before in newer.items())


def _rated_since(anew: Replay) -> dict[int, float]:
    """People who have been rated beyond the horizon, each with the value they were rated from."""
    changes = RatingChange.objects.filter(rating__pool=anew.pool, order__gt=anew.horizon).order_by("-order")
    return dict(changes.values_list("rating__user", "before"))


@transaction.atomic
def _write_ratings(pool: str, some: Sequence[tuple[Rating | None, Rating]]) -> None:
    locked = Rating.objects.select_for_update().filter(
        pool=pool, user__in=[new.user_id for _old, new in some]
    )
    rows = {rating.user_id: rating for rating in locked.order_by("pk")}
    welcome = ranking.welcome(new.user_id for _old, new in some)
    bands: Counter[int] = Counter()
    now = timezone.now()
    for old, new in some:
        row = rows.get(new.user_id)
        if _facts(row) != _facts(old):
            continue  # a match has ended meanwhile
        if row is not None:
            bands[display_rating(row.value)] -= row.ranked
        if not new.matches:
            row and row.delete()  # all of whose matches were annulled
            continue
        new.pk, new.called_off = (row.pk, row.called_off) if row else (None, [])
        new.ranked = ranking.is_proven(new, now) and new.user_id in welcome
        bands[display_rating(new.value)] += new.ranked
        new.save()
    ranking.keep(pool, bands)


def _mend_history(anew: Replay) -> int:
    """Write what differs in the changes up to the horizon; how many rows that was."""
    rows = RatingChange.objects.filter(rating__pool=anew.pool, order__lte=anew.horizon)
    missing = dict(anew.changes)
    wrong: list[Correction] = []
    surplus: list[int] = []
    fields = rows.values_list("pk", "rating__user", "order", "before", "after", "weight", "young")
    for pk, user_id, order, *stored in fields.iterator(chunk_size=2000):
        change = missing.pop((user_id, order), None)
        if change is None:
            surplus.append(pk)
        elif stored != [change.before, change.after, change.weight, change.young]:
            wrong.append((change.before, change.after, change.weight, change.young, pk))
    for pks in _chunks(surplus):
        RatingChange.objects.filter(pk__in=pks).delete()
    for some in _chunks(wrong):
        _correct_history(some)
    for keys in _chunks(list(missing)):
        _add_history(anew, keys)
    return len(surplus) + len(wrong) + len(missing)


@transaction.atomic
def _correct_history(some: Sequence[Correction]) -> None:
    # Not bulk_update, which makes its long sentence while it keeps SQLite's one lock.
    table = RatingChange._meta.db_table
    with connection.cursor() as cursor:
        facts = '"before" = %s, "after" = %s, "weight" = %s, "young" = %s'
        cursor.executemany(f'UPDATE "{table}" SET {facts} WHERE "id" = %s', some)  # noqa: S608


def _add_history(anew: Replay, keys: Sequence[Key]) -> None:
    ratings = Rating.objects.filter(pool=anew.pool, user__in={user_id for user_id, _order in keys})
    of_user = {rating.user_id: rating for rating in ratings}
    RatingChange.objects.bulk_create(
        RatingChange(rating=of_user[user_id], order=order, **anew.changes[user_id, order]._asdict())
        for user_id, order in keys
        if user_id in of_user
    )


def _mend_bands(pool: str) -> None:
    """Count the histogram anew if it is not what the ratings make it."""
    kept = dict(RatingBand.objects.filter(pool=pool, players__gt=0).values_list("band", "players"))
    values = Rating.objects.filter(pool=pool, ranked=True).values_list("value", flat=True)
    if kept != dict(Counter(map(display_rating, values))):
        with transaction.atomic():
            ranking.rebuild(pool)


def _chunks(rows: Sequence[T], size: int = ROWS) -> Iterator[Sequence[T]]:
    for start in range(0, len(rows), size):
        began = time.monotonic()
        # A collection walks through all that was read, which takes 0.3 s with 100,000 matches: not while a transaction
        # keeps SQLite's one lock.
        gc.disable()
        try:
            yield rows[start : start + size]
        finally:
            gc.enable()
        time.sleep(max(BREATH, 2 * (time.monotonic() - began)))


def _facts(rating: Rating | None) -> tuple[object, ...]:
    if rating is None:
        return ()
    counts = rating.matches, rating.wins, rating.reached_2200, rating.completed
    return rating.value, *counts, *rating.recent, *rating.opponents


def _words(rating: Rating | None) -> str:
    return "none" if rating is None else f"{rating.value:.4f} after {rating.matches} matches"
