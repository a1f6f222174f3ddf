"""The only writer of ratings. `rate` runs in the transaction that ends the match, `replay` recomputes a pool."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from django.db import transaction

from accounts import elo, ranking
from accounts.figures import shown
from accounts.models import RANKED, RECALLED, Rating, RatingChange, User
from live.announce import page_changed

RECENT = 11  # ten matches have eleven ends


class Player(NamedTuple):
    user_id: int
    left: bool = False


@dataclass(frozen=True)
class Rated:
    """A finished match as ratings see it: sides of players, the finishing ranks of the sides from 1."""

    order: int
    match_code: str
    sides: Sequence[Sequence[Player]]
    ranks: Sequence[int]
    at: datetime


def rate(
    *,
    pool: str,
    order: int,
    match_code: str,
    sides: Sequence[Sequence[Player]],
    ranks: Sequence[int],
    at: datetime,
) -> dict[int, tuple[float, float]]:
    """Change the ratings of everybody in a match, in the caller's transaction: user id to (before, after)."""
    match = Rated(order, match_code, sides, ranks, at)
    user_ids = [player.user_id for side in sides for player in side]
    ratings = _locked(pool, user_ids)
    # Read only now: a ban that was being written is visible once we hold the locks on its ratings.
    welcome = ranking.welcome(user_ids)
    bands: Counter[int] = Counter()
    for rating in ratings.values():
        bands[shown(rating.value)] -= rating.ranked
    changes = _apply(match, ratings)
    for rating in ratings.values():
        rating.ranked = rating.matches >= RANKED and rating.user_id in welcome
        bands[shown(rating.value)] += rating.ranked
        rating.save()
    RatingChange.objects.bulk_create(changes)
    ranking.keep(pool, bands)
    page_changed(f"leaderboard.{pool}", "leaderboard")
    return {change.rating.user_id: (change.before, change.after) for change in changes}


def replay(pool: str, matches: Iterable[Rated]) -> list[str]:
    """Recompute a pool's ratings from its matches in order, store them, and report what differed."""
    with transaction.atomic():
        stored = {r.user_id: r for r in Rating.objects.select_for_update().filter(pool=pool).order_by("pk")}
        history = _history(pool)
        anew = {user_id: _fresh(rating) for user_id, rating in stored.items()}
        changes: list[RatingChange] = []
        for match in matches:
            for side in match.sides:
                for player in side:
                    anew.setdefault(player.user_id, Rating(user_id=player.user_id, pool=pool))
            changes += _apply(match, anew)
        differences = _differences(pool, stored, anew)
        if not differences and history != {(c.rating.user_id, c.order): (c.before, c.after) for c in changes}:
            differences = [f"{pool}: the history differed"]
        _store(pool, anew, changes)
        page_changed(f"leaderboard.{pool}", "leaderboard")
    return differences


def _store(pool: str, anew: dict[int, Rating], changes: list[RatingChange]) -> None:
    RatingChange.objects.filter(rating__pool=pool).delete()
    welcome = ranking.welcome(anew)
    for rating in anew.values():
        rating.ranked = rating.matches >= RANKED and rating.user_id in welcome
        rating.save()
    for change in changes:
        change.rating_id = change.rating.pk
    RatingChange.objects.bulk_create(changes, batch_size=500)
    # Somebody whose matches were all annulled has no rating.
    Rating.objects.filter(pool=pool, matches=0).delete()
    ranking.rebuild(pool)


def _locked(pool: str, user_ids: Sequence[int]) -> dict[int, Rating]:
    """The ratings of these people, locked in the order of their keys: matches that end at once may share players."""
    rows = Rating.objects.select_for_update().filter(pool=pool, user__in=user_ids).order_by("pk")
    ratings = {rating.user_id: rating for rating in rows}
    if missing := sorted(set(user_ids) - set(ratings)):
        Rating.objects.bulk_create((Rating(user_id=pk, pool=pool) for pk in missing), ignore_conflicts=True)
        ratings = {rating.user_id: rating for rating in rows.all()}
    return ratings


def _apply(match: Rated, ratings: dict[int, Rating]) -> list[RatingChange]:
    """The match's changes, made to `ratings` in memory."""
    strengths = [
        [
            elo.Player(
                ratings[p.user_id].value,
                elo.k_factor(ratings[p.user_id].matches, ratings[p.user_id].reached_2200),
                p.left,
            )
            for p in side
        ]
        for side in match.sides
    ]
    drawn = match.ranks.count(1) > 1
    applied = []
    for side, rank, deltas in zip(match.sides, match.ranks, elo.changes(strengths, match.ranks), strict=True):
        for player, delta in zip(side, deltas, strict=True):
            rating = ratings[player.user_id]
            before = rating.value
            rating.value = before + delta
            rating.matches += 1
            rating.wins += rank == 1 and not drawn
            rating.reached_2200 = rating.reached_2200 or rating.value >= elo.MASTER
            rating.completed = (rating.completed << 1 | (not player.left)) & ((1 << RECALLED) - 1)
            rating.recent = [*(rating.recent or [before]), rating.value][-RECENT:]
            rating.updated_at = match.at
            change = RatingChange(
                rating=rating,
                match_code=match.match_code,
                order=match.order,
                before=before,
                after=rating.value,
                at=match.at,
            )
            applied.append(change)
    return applied


def _fresh(rating: Rating) -> Rating:
    return Rating(pk=rating.pk, user_id=rating.user_id, pool=rating.pool, updated_at=rating.updated_at)


def _history(pool: str) -> dict[tuple[int, int], tuple[float, float]]:
    rows = RatingChange.objects.filter(rating__pool=pool)
    return {
        (user_id, order): (before, after)
        for user_id, order, before, after in rows.values_list("rating__user", "order", "before", "after")
    }


def _differences(pool: str, stored: dict[int, Rating], anew: dict[int, Rating]) -> list[str]:
    differing = [user_id for user_id, new in anew.items() if _differ(stored.get(user_id), new)]
    names = User.objects.in_bulk(differing)
    return [
        f"{pool}: {names[user_id].username} had {_words(stored.get(user_id))}, has {_words(anew[user_id])}"
        for user_id in sorted(differing)
    ]


def _differ(one: Rating | None, other: Rating) -> bool:
    return one is None or _facts(one) != _facts(other)


def _facts(rating: Rating) -> tuple[float, int, int, bool, int]:
    return round(rating.value, 6), rating.matches, rating.wins, rating.reached_2200, rating.completed


def _words(rating: Rating | None) -> str:
    return "none" if rating is None else f"{rating.value:.4f} after {rating.matches} matches"
