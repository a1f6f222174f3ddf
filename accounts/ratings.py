"""Rate a match: `rate` runs in the transaction that ends it; `apply` is shared with the recomputation (`replaying`)."""

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from accounts import elo, ranking
from accounts.limits import History, Leaver, load_history
from accounts.models import COMPLETION_MATCHES, Rating, RatingChange
from core.numbers import display_rating
from live.broadcast import broadcast_page_changed

MAX_RECENT_RATINGS = 11  # ten matches and the rating before them
Limit = RatingChange.Limit


class Player(NamedTuple):
    """A person in a match.

    left       whether they left it
    young      whether their account was new at its end
    counts     whether the match counts for them
    finished   whether it counts as finished in their completion
    called_off_beside  the partners beside whom matches were called off shortly before (`limits`)
    by_chance  whether they were a partner by chance (`limits.Leaver`)
    """

    user_id: int
    left: bool = False
    young: bool = False
    counts: bool = True
    finished: bool = True
    called_off_beside: tuple[Leaver, ...] = ()
    by_chance: bool = False


@dataclass(frozen=True)
class Rated:
    """A finished match as ratings see it: sides of players, their ranks from 1, and the scale of its length."""

    order: int
    match_code: str
    sides: Sequence[Sequence[Player]]
    ranks: Sequence[int]
    at: datetime
    scale: float = 1.0

    @property
    def in_pairs(self) -> bool:
        return len(self.sides[0]) > 1

    def find_opponents(self) -> list[list[int]]:
        """Return, by side, the sides that it is compared with."""
        left = [any(player.left for player in side) for side in self.sides]
        return elo.find_opponents(left, in_pairs=self.in_pairs)


@dataclass
class _Effect:
    """The effect of a match on one player: `shares` are the points by opponent."""

    player: Player
    weight: float
    young: bool
    shares: dict[int, float]
    limited_by: str = Limit.NONE
    exempt_beside: Leaver | None = None

    @property
    def total(self) -> float:
        return math.fsum(self.shares.values())

    def scale(self, factor: float) -> None:
        self.shares = {opponent: points * factor for opponent, points in self.shares.items()}


def rate(
    *,
    pool: str,
    order: int,
    match_code: str,
    sides: Sequence[Sequence[Player]],
    ranks: Sequence[int],
    at: datetime,
    scale: float = 1.0,
) -> dict[int, tuple[float, float]]:
    """Change the ratings of those for whom a match counts, in the caller's transaction.

    Return (before, after) by user id.
    """
    match = Rated(order, match_code, sides, ranks, at, scale)
    user_ids = [player.user_id for side in sides for player in side]
    ratings = _lock_ratings(pool, user_ids)
    # Read only now: a ban that was being written is visible once the ratings are locked.
    welcome = ranking.find_welcome(user_ids)
    bands: Counter[int] = Counter()
    for rating in ratings.values():
        bands[display_rating(rating.value)] -= rating.ranked
    changes = apply(match, ratings, load_history(pool, user_ids, at))
    for rating in ratings.values():
        if not rating.matches:
            rating.delete()  # created for a player for whom the match does not count
            continue
        rating.ranked = ranking.may_be_ranked(rating, at) and rating.user_id in welcome
        bands[display_rating(rating.value)] += rating.ranked
        rating.save()
    RatingChange.objects.bulk_create(changes)
    ranking.update_bands(pool, bands)
    broadcast_page_changed(f"leaderboard.{pool}", "leaderboard")
    return {change.rating.user_id: (change.before, change.after) for change in changes}


def note_called_off(*, user_id: int, pool: str) -> None:
    """Count a match that a player called off, and that is not rated, against their completion.

    Do nothing before their first rated match in the pool.
    """
    rating = Rating.objects.select_for_update().filter(pool=pool, user=user_id).first()
    if rating is None:
        return
    rating.called_off = [*rating.called_off, rating.matches][-COMPLETION_MATCHES:]
    rating.save(update_fields=["called_off"])
    broadcast_page_changed(f"leaderboard.{pool}", "leaderboard")


def _lock_ratings(pool: str, user_ids: Sequence[int]) -> dict[int, Rating]:
    """Return these people's ratings, locked in the order of their keys: matches that end at once may share players."""
    rows = Rating.objects.select_for_update().filter(pool=pool, user__in=user_ids).order_by("pk")
    ratings = {rating.user_id: rating for rating in rows}
    if missing := sorted(set(user_ids) - set(ratings)):
        Rating.objects.bulk_create((Rating(user_id=pk, pool=pool) for pk in missing), ignore_conflicts=True)
        ratings = {rating.user_id: rating for rating in rows.all()}
    return ratings


def find_changes(match_code: str) -> dict[int, RatingChange]:
    """Return the changes made by a match, by user id."""
    changes = RatingChange.objects.filter(match_code=match_code).select_related("rating")
    return {change.rating.user_id: change for change in changes}


def apply(match: Rated, ratings: dict[int, Rating], history: History) -> list[RatingChange]:
    """Apply a match to `ratings` and `history` in memory; return its changes."""
    effects = _compute_effects(match, ratings)
    _exempt_partners(match, effects, history)
    _limit(match, effects, history)
    drawn = match.ranks.count(1) > 1
    changes = []
    for rank, side in zip(match.ranks, effects, strict=True):
        for effect in side:
            if effect.player.counts:
                rating = ratings[effect.player.user_id]
                changes.append(_apply_effect(match, rating, effect, won=rank == 1 and not drawn))
    for change in changes:
        history.add(change, change.rating.user_id, history.pool)
    return changes


def _compute_effects(match: Rated, ratings: dict[int, Rating]) -> list[list[_Effect]]:
    """Return what the formula alone gives, by side."""
    opponents = match.find_opponents()
    strengths = [
        [
            _strength(player, ratings, [p for j in opponents[i] for p in match.sides[j]])
            for player in match.sides[i]
        ]
        for i in range(len(match.sides))
    ]
    changes = elo.changes(strengths, match.ranks, match.scale)
    effects = []
    for i, side in enumerate(match.sides):
        young = any(player.young for j in opponents[i] for player in match.sides[j])
        effects.append(
            [
                _Effect(
                    player,
                    strength.weight,
                    young,
                    {
                        # In pairs half of a change comes from each opponent.
                        opponent.user_id: points / len(match.sides[j])
                        for j, points in shares.items()
                        for opponent in match.sides[j]
                    },
                )
                for player, strength, shares in zip(side, strengths[i], changes[i], strict=True)
            ]
        )
    return effects


def _strength(player: Player, ratings: dict[int, Rating], opponents: Iterable[Player]) -> elo.Player:
    rating = ratings[player.user_id]
    fewest = min(ratings[opponent.user_id].matches for opponent in opponents)
    k = elo.k_factor(rating.matches, rating.reached_2200)
    return elo.Player(rating.value, k, player.left, elo.weight(rating.matches, fewest))


def _exempt_partners(match: Rated, effects: Sequence[Sequence[_Effect]], history: History) -> None:
    """Waive the loss of players whose partner left, while they have exemptions."""
    for side in effects:
        leavers = [
            Leaver(effect.player.user_id, effect.player.by_chance) for effect in side if effect.player.left
        ]
        for effect in side:
            player = effect.player
            if not leavers or player.left or not player.counts or effect.total >= 0:
                continue
            if history.may_be_exempt(
                player.user_id, leavers[0], match.order, match.at, player.called_off_beside
            ):
                effect.exempt_beside = leavers[0]
                effect.scale(0.0)


def _limit(match: Rated, effects: Sequence[Sequence[_Effect]], history: History) -> None:
    """Cut gains to what may be gained, and between two sides the losses in the same proportion."""
    proportions = []
    for effect in (effect for side in effects for effect in side):
        gain = effect.total
        if gain <= 0 or not effect.player.counts:
            continue
        given, effect.limited_by = history.limit_gain(
            effect.player.user_id, effect.shares, match.order, match.at, from_new=effect.young
        )
        proportions.append(given / gain)
        if given < gain:
            effect.scale(given / gain)
    if len(effects) > 2 or not proportions:
        return
    proportion = math.fsum(proportions) / len(proportions)
    for effect in (effect for side in effects for effect in side):
        if effect.total < 0 and proportion < 1:
            effect.scale(proportion)
            effect.limited_by = Limit.WINNER


def _apply_effect(match: Rated, rating: Rating, effect: _Effect, *, won: bool) -> RatingChange:
    """Change a rating in memory; return the change."""
    before, delta = rating.value, effect.total
    rating.value = max(elo.MIN_RATING, before + delta)
    if rating.value > before + delta:
        effect.scale((rating.value - before) / delta)
    rating.matches += 1
    rating.wins += won
    rating.reached_2200 = rating.reached_2200 or rating.value >= elo.MASTER_RATING
    rating.completed = (rating.completed << 1 | effect.player.finished) & ((1 << COMPLETION_MATCHES) - 1)
    rating.recent = [*(rating.recent or [before]), rating.value][-MAX_RECENT_RATINGS:]
    rating.opponents = list(dict.fromkeys([*rating.opponents, *effect.shares]))[: ranking.MIN_OPPONENTS]
    rating.established = ranking.is_established(rating)
    rating.updated_at = match.at
    return RatingChange(
        rating=rating,
        match_code=match.match_code,
        order=match.order,
        before=before,
        after=rating.value,
        weight=effect.weight,
        young=effect.young,
        shares=[[opponent, points] for opponent, points in effect.shares.items()],
        limited_by=effect.limited_by,
        exempt_beside_id=effect.exempt_beside and effect.exempt_beside.user_id,
        exempt_by_chance=effect.exempt_beside is not None and effect.exempt_beside.by_chance,
        at=match.at,
    )
