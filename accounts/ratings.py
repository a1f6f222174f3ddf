"""The one writer of ratings. `rate` runs in the transaction that ends the match, `replay` computes a pool anew."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from django.db import transaction

from accounts import elo, standings
from accounts.models import Rating, RatingChange, User
from live.announce import announce

RECENT = 11  # ten matches have eleven ends
THIRTY = (1 << 30) - 1


class Player(NamedTuple):
    user_id: int
    left: bool = False


@dataclass(frozen=True)
class Rated:
    """A finished match as ratings see it: sides of players, the places of the sides from 1."""

    order: int
    match_code: str
    sides: Sequence[Sequence[Player]]
    places: Sequence[int]
    at: datetime


def rate(
    *,
    pool: str,
    order: int,
    match_code: str,
    sides: Sequence[Sequence[Player]],
    places: Sequence[int],
    at: datetime,
) -> dict[int, tuple[float, float]]:
    """Change the ratings of everybody in a match, in the caller's transaction: user id to (before, after)."""
    match = Rated(order, match_code, sides, places, at)
    ratings = _locked(pool, [player.user_id for side in sides for player in side])
    result = {}
    for rating, change in _apply(match, ratings):
        standings.move(pool, change.before, rating.matches - 1, rating.value, rating.matches)
        rating.save()
        change.save()
        result[rating.user_id] = (change.before, change.after)
    announce(f"leaderboard.{pool}", {"type": "page.changed", "topic": "leaderboard", "stamp": order})
    return result


def replay(pool: str, matches: Iterable[Rated]) -> list[str]:
    """Compute a pool's ratings anew from its matches in order, store them, and say what differed."""
    with transaction.atomic():
        stored = {r.user_id: r for r in Rating.objects.select_for_update().filter(pool=pool).order_by("pk")}
        anew = {user_id: _fresh(rating) for user_id, rating in stored.items()}
        changes = []
        for match in matches:
            for side in match.sides:
                for player in side:
                    anew.setdefault(player.user_id, Rating(user_id=player.user_id, pool=pool))
            changes += [change for _, change in _apply(match, anew)]
        differences = [
            f"{pool}: {User.objects.get(pk=user_id).username} had {_words(stored.get(user_id))}, has {_words(new)}"
            for user_id, new in sorted(anew.items())
            if _differ(stored.get(user_id), new)
        ]
        for rating in anew.values():
            rating.save()
        RatingChange.objects.filter(rating__pool=pool).delete()
        for change in changes:
            change.rating_id = change.rating.pk
        RatingChange.objects.bulk_create(changes, batch_size=500)
        standings.rebuild(pool)
    return differences


def _locked(pool: str, user_ids: Sequence[int]) -> dict[int, Rating]:
    # In the order of their keys: two matches that end at once may share players.
    for user_id in sorted(user_ids):
        Rating.objects.get_or_create(user_id=user_id, pool=pool)
    rows = Rating.objects.select_for_update().filter(pool=pool, user__in=user_ids).order_by("pk")
    return {rating.user_id: rating for rating in rows}


def _apply(match: Rated, ratings: dict[int, Rating]) -> list[tuple[Rating, RatingChange]]:
    """The match's changes made to `ratings` in memory."""
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
    applied = []
    for side, place, deltas in zip(
        match.sides, match.places, elo.changes(strengths, match.places), strict=True
    ):
        for player, delta in zip(side, deltas, strict=True):
            rating = ratings[player.user_id]
            before = rating.value
            rating.value = before + delta
            rating.matches += 1
            rating.wins += place == 1
            rating.reached_2200 = rating.reached_2200 or rating.value >= elo.MASTER
            rating.completed = (rating.completed << 1 | (not player.left)) & THIRTY
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
            applied.append((rating, change))
    return applied


def _fresh(rating: Rating) -> Rating:
    return Rating(pk=rating.pk, user_id=rating.user_id, pool=rating.pool, updated_at=rating.updated_at)


def _differ(one: Rating | None, other: Rating) -> bool:
    if one is None:
        return other.matches > 0
    return abs(one.value - other.value) > 1e-6 or (one.matches, one.wins) != (other.matches, other.wins)


def _words(rating: Rating | None) -> str:
    return "none" if rating is None else f"{rating.value:.4f} after {rating.matches} matches"
