"""Rating a match: `rate` runs in the transaction that ends it, `apply` is what it and `replaying` have in common."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from accounts import elo, ranking
from accounts.figures import shown
from accounts.models import RANKED, RECALLED, Rating, RatingChange
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
    changes = apply(match, ratings)
    for rating in ratings.values():
        rating.ranked = rating.matches >= RANKED and rating.user_id in welcome
        bands[shown(rating.value)] += rating.ranked
        rating.save()
    RatingChange.objects.bulk_create(changes)
    ranking.keep(pool, bands)
    page_changed(f"leaderboard.{pool}", "leaderboard")
    return {change.rating.user_id: (change.before, change.after) for change in changes}


def _locked(pool: str, user_ids: Sequence[int]) -> dict[int, Rating]:
    """The ratings of these people, locked in the order of their keys: matches that end at once may share players."""
    rows = Rating.objects.select_for_update().filter(pool=pool, user__in=user_ids).order_by("pk")
    ratings = {rating.user_id: rating for rating in rows}
    if missing := sorted(set(user_ids) - set(ratings)):
        Rating.objects.bulk_create((Rating(user_id=pk, pool=pool) for pk in missing), ignore_conflicts=True)
        ratings = {rating.user_id: rating for rating in rows.all()}
    return ratings


def apply(match: Rated, ratings: dict[int, Rating]) -> list[RatingChange]:
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
