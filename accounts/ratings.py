"""Rating a match: `rate` runs in the transaction that ends it, `apply` is what it and `replaying` have in common."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import NamedTuple

from django.db.models import F, QuerySet

from accounts import elo, ranking
from accounts.models import COMPLETION_MATCHES, Rating, RatingChange
from core.numbers import display_rating
from live.broadcast import broadcast_page_changed

YOUNG = timedelta(days=7)  # an account, at a match's end
CAP = 100.0  # points that may be gained from young accounts
CAP_TIME = timedelta(days=30)
RECENT = 11  # ten matches have eleven ends


class Player(NamedTuple):
    """A person in a match, whether they left it, whether their account was younger than a week at its end, and whether
    the match counts for them."""

    user_id: int
    left: bool = False
    young: bool = False
    counts: bool = True


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
    """Change the ratings of those for whom a match counts, in the caller's transaction: user id to (before, after)."""
    match = Rated(order, match_code, sides, ranks, at)
    user_ids = [player.user_id for side in sides for player in side]
    ratings = _locked(pool, user_ids)
    # Read only now: a ban that was being written is visible once we hold the locks on its ratings.
    welcome = ranking.welcome(user_ids)
    bands: Counter[int] = Counter()
    for rating in ratings.values():
        bands[display_rating(rating.value)] -= rating.ranked
    changes = apply(match, ratings, gains_of(user_ids, at) if is_young(match) else Gains())
    for rating in ratings.values():
        if not rating.matches:
            rating.delete()  # of somebody new for whom this one does not count
            continue
        rating.ranked = ranking.is_proven(rating, at) and rating.user_id in welcome
        bands[display_rating(rating.value)] += rating.ranked
        rating.save()
    RatingChange.objects.bulk_create(changes)
    ranking.keep(pool, bands)
    broadcast_page_changed(f"leaderboard.{pool}", "leaderboard")
    return {change.rating.user_id: (change.before, change.after) for change in changes}


def note_called_off(*, user_id: int, pool: str) -> None:
    """Somebody went from a match of this pool before it could be rated: that counts against their completion, which
    they have from their first rated match on."""
    rating = Rating.objects.select_for_update().filter(pool=pool, user=user_id).first()
    if rating is None:
        return
    rating.called_off = [*rating.called_off, rating.matches][-COMPLETION_MATCHES:]
    rating.save(update_fields=["called_off"])
    broadcast_page_changed(f"leaderboard.{pool}", "leaderboard")


def _locked(pool: str, user_ids: Sequence[int]) -> dict[int, Rating]:
    """The ratings of these people, locked in the order of their keys: matches that end at once may share players."""
    rows = Rating.objects.select_for_update().filter(pool=pool, user__in=user_ids).order_by("pk")
    ratings = {rating.user_id: rating for rating in rows}
    if missing := sorted(set(user_ids) - set(ratings)):
        Rating.objects.bulk_create((Rating(user_id=pk, pool=pool) for pk in missing), ignore_conflicts=True)
        ratings = {rating.user_id: rating for rating in rows.all()}
    return ratings


class Gains:
    """What people have gained from young accounts, and how much they still may: 100 points in 30 days, in all pools."""

    def __init__(self) -> None:
        self._gains: dict[int, list[tuple[datetime, float]]] = {}

    def add(self, user_id: int, at: datetime, gain: float) -> None:
        self._gains.setdefault(user_id, []).append((at, gain))

    def left(self, user_id: int, at: datetime) -> float:
        recent = (gain for when, gain in self._gains.get(user_id, ()) if at - CAP_TIME < when <= at)
        return max(0.0, CAP - sum(recent))


def gave_nothing(user_id: int, match_code: str) -> bool:
    """Whether the cap on what young accounts may give left nothing of a match that somebody won."""
    changes = RatingChange.objects.filter(rating__user=user_id, match_code=match_code)
    return changes.filter(young=True, after=F("before")).exists()


def gains_of(user_ids: Sequence[int], at: datetime) -> Gains:
    """What these people have gained recently."""
    return _gains(RatingChange.objects.filter(rating__user__in=user_ids, at__gt=at - CAP_TIME))


def gains_elsewhere(pool: str) -> Gains:
    """What everybody has ever gained in the other pools."""
    return _gains(RatingChange.objects.exclude(rating__pool=pool))


def _gains(changes: QuerySet[RatingChange]) -> Gains:
    gains = Gains()
    gained = changes.filter(young=True, after__gt=F("before"))
    for user_id, at, before, after in gained.values_list("rating__user", "at", "before", "after"):
        gains.add(user_id, at, after - before)
    return gains


def is_young(match: Rated) -> bool:
    return any(player.young for side in match.sides for player in side)


def apply(match: Rated, ratings: dict[int, Rating], gains: Gains) -> list[RatingChange]:
    """The match's changes, made to `ratings` and `gains` in memory."""
    others = [[p for other in match.sides if other is not side for p in other] for side in match.sides]
    strengths = [
        _strengths(side, opponents, ratings) for side, opponents in zip(match.sides, others, strict=True)
    ]
    drawn = match.ranks.count(1) > 1
    applied = []
    all_deltas = elo.changes(strengths, match.ranks)
    for n, (side, rank, deltas) in enumerate(zip(match.sides, match.ranks, all_deltas, strict=True)):
        young = any(opponent.young for opponent in others[n])
        for player, strength, delta in zip(side, strengths[n], deltas, strict=True):
            if not player.counts:
                continue
            rating = ratings[player.user_id]
            before = rating.value
            if young and delta > 0:
                delta = min(delta, gains.left(player.user_id, match.at))
                gains.add(player.user_id, match.at, delta)
            _take_in(rating, delta, won=rank == 1 and not drawn, left=player.left, met=others[n], at=match.at)
            change = RatingChange(
                rating=rating,
                match_code=match.match_code,
                order=match.order,
                before=before,
                after=rating.value,
                weight=strength.weight,
                young=young,
                at=match.at,
            )
            applied.append(change)
    return applied


def _strengths(
    side: Sequence[Player], others: Sequence[Player], ratings: dict[int, Rating]
) -> list[elo.Player]:
    """The players of a side as the formula sees them."""
    fewest = min(ratings[p.user_id].matches for p in others)
    return [
        elo.Player(
            rating.value,
            elo.k_factor(rating.matches, rating.reached_2200),
            player.left,
            elo.weight(rating.matches, fewest),
        )
        for player in side
        for rating in [ratings[player.user_id]]
    ]


def _take_in(
    rating: Rating, delta: float, *, won: bool, left: bool, met: Sequence[Player], at: datetime
) -> None:
    """One match more for a rating, which it changes by `delta`."""
    before = rating.value
    rating.value = before + delta
    rating.matches += 1
    rating.wins += won
    rating.reached_2200 = rating.reached_2200 or rating.value >= elo.MASTER
    rating.completed = (rating.completed << 1 | (not left)) & ((1 << COMPLETION_MATCHES) - 1)
    rating.recent = [*(rating.recent or [before]), rating.value][-RECENT:]
    opponents = [*rating.opponents, *(opponent.user_id for opponent in met)]
    rating.opponents = list(dict.fromkeys(opponents))[: ranking.OPPONENTS]
    rating.updated_at = at
