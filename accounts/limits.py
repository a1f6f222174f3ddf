"""Limits on what a match gives or takes: gains from new accounts and from one opponent, losses beside a leaver.

They depend on a player's earlier matches within 30 days (docs/ratings.md, "Against farming" and
"Who leaves, and who stays").
"""

import math
from collections.abc import Collection, Mapping
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from django.db.models import Q, QuerySet

from accounts.models import RatingChange

NEW_ACCOUNT_AGE = timedelta(days=7)  # at the end of a match
LIMIT_PERIOD = timedelta(days=30)
MAX_NET_GAIN = 100.0  # points in LIMIT_PERIOD
MAX_EXEMPTIONS = 2  # in LIMIT_PERIOD, and one beside the same leaver
MAX_CHANCE_EXEMPTIONS = 4  # beside leavers who are partners by chance; apart from the others

Key = tuple[int, int] | tuple[int, str]


class Leaver(NamedTuple):
    """A player who left beside a partner.

    by_chance  whether they were a partner by chance: seated by quick play, and established when the match began
    """

    user_id: int
    by_chance: bool = False


class Entry(NamedTuple):
    """A change of the past: its place among the rated matches, its time and its points."""

    order: int
    at: datetime
    points: float


class Ledger:
    """The net changes of players, by (user, opponent) or by (user, pool)."""

    def __init__(self) -> None:
        self._entries: dict[Key, list[Entry]] = {}

    def add(self, key: Key, entry: Entry) -> None:
        self._entries.setdefault(key, []).append(entry)

    def find_recent(self, key: Key, order: int, at: datetime) -> list[Entry]:
        """Return the entries before the match at this place, within `LIMIT_PERIOD` of its end."""
        since = at - LIMIT_PERIOD
        return [entry for entry in self._entries.get(key, ()) if entry.order < order and entry.at > since]

    def get_net(self, key: Key, order: int, at: datetime) -> float:
        """Return the net change before the match at this place."""
        # fsum: the same for any order of the entries, so that a recomputation finds no difference.
        return math.fsum(entry.points for entry in self.find_recent(key, order, at))


class History:
    """The earlier changes that limit a match in a pool.

    from_new   net changes from matches against new accounts, by (user, pool)
    opponents  net changes from each opponent, by (user, opponent); of the pool
    exemptions by user: the matches in which a partner's leaving cost them nothing, and the leaver; of all pools
    """

    def __init__(self, pool: str = "") -> None:
        self.pool = pool
        self.from_new = Ledger()
        self._new_pools: dict[int, set[str]] = {}  # with entries in `from_new`, by user
        self.opponents = Ledger()
        self.exemptions: dict[int, list[tuple[Entry, Leaver]]] = {}

    def add(self, change: RatingChange, user_id: int, pool: str) -> None:
        entry = Entry(change.order, change.at, change.after - change.before)
        if change.young:
            self.from_new.add((user_id, pool), entry)
            self._new_pools.setdefault(user_id, set()).add(pool)
        if change.exempt_beside_id is not None:
            leaver = Leaver(change.exempt_beside_id, change.exempt_by_chance)
            self.exemptions.setdefault(user_id, []).append((entry, leaver))
        if pool == self.pool:
            for opponent, points in change.shares:
                self.opponents.add((user_id, opponent), entry._replace(points=points))

    def limit_gain(
        self, user_id: int, shares: Mapping[int, float], order: int, at: datetime, *, from_new: bool
    ) -> tuple[float, str]:
        """Return how much of the gain `shares` (points by opponent) the player gets, and the limit that cut it."""
        gain = given = math.fsum(shares.values())
        for opponent, points in shares.items():
            if points > 0:
                net = self.opponents.get_net((user_id, opponent), order, at)
                given -= max(0.0, points - max(0.0, MAX_NET_GAIN - net))
        given = max(0.0, given)
        limit = RatingChange.Limit.OPPONENT if given < gain else RatingChange.Limit.NONE
        if from_new and (allowance := self._get_new_account_allowance(user_id, order, at)) < given:
            return allowance, RatingChange.Limit.NEW_ACCOUNTS
        return given, limit

    def _get_new_account_allowance(self, user_id: int, order: int, at: datetime) -> float:
        """Return how much the player may gain from new accounts.

        Gains in all pools count; losses count in their own pool only. Otherwise a player who loses to new accounts in
        pools that do not matter to them could gain as much in one that does.
        """
        nets = {
            pool: self.from_new.get_net((user_id, pool), order, at)
            for pool in self._new_pools.get(user_id, ())
        }
        own = nets.pop(self.pool, 0.0)
        return max(0.0, MAX_NET_GAIN - own - math.fsum(max(0.0, net) for net in nets.values()))

    def may_be_exempt(
        self, user_id: int, leaver: Leaver, order: int, at: datetime, called_off_beside: Collection[Leaver]
    ) -> bool:
        """Return whether the player loses nothing beside this leaver.

        `called_off_beside` are the leavers of matches called off within `LIMIT_PERIOD`, which used exemptions as well.
        """
        since = at - LIMIT_PERIOD
        leavers = [
            other
            for entry, other in self.exemptions.get(user_id, ())
            if entry.order < order and entry.at > since
        ]
        leavers += called_off_beside
        if leaver.user_id in {other.user_id for other in leavers}:
            return False
        used = sum(other.by_chance == leaver.by_chance for other in leavers)
        return used < (MAX_CHANCE_EXEMPTIONS if leaver.by_chance else MAX_EXEMPTIONS)


def load_history(pool: str, user_ids: Collection[int], at: datetime) -> History:
    """Return what limits a match in `pool` among these people that ends now."""
    own = RatingChange.objects.filter(rating__user__in=user_ids, at__gt=at - LIMIT_PERIOD)
    return _read(own.filter(Q(rating__pool=pool) | _counts_elsewhere()), pool)


def load_history_elsewhere(pool: str) -> History:
    """Return what the matches of all other pools limit in this one."""
    return _read(RatingChange.objects.exclude(rating__pool=pool).filter(_counts_elsewhere()), pool)


def has_exemption(user_id: int, leaver: Leaver, at: datetime, called_off_beside: Collection[Leaver]) -> bool:
    """Return whether a match that `leaver` calls off now would cost their partner `user_id` nothing."""
    own = RatingChange.objects.filter(
        rating__user=user_id, at__gt=at - LIMIT_PERIOD, exempt_beside__isnull=False
    )
    last = max(own.values_list("order", flat=True), default=0)
    return _read(own, "").may_be_exempt(user_id, leaver, last + 1, at, called_off_beside)


def find_limited_pools(users: QuerySet[Any]) -> set[str]:
    """Return the pools in which changes of these users depend on their matches in other pools.

    Matches in pairs depend on exemptions even if none was used.
    """
    own = RatingChange.objects.filter(rating__user__in=users)
    limited = own.filter(_counts_elsewhere() | Q(rating__pool__contains="-pairs"))
    return set(limited.values_list("rating__pool", flat=True).distinct())


def _counts_elsewhere() -> Q:
    return Q(young=True) | Q(exempt_beside__isnull=False)


def _read(changes: QuerySet[RatingChange], pool: str) -> History:
    history = History(pool)
    for change in changes.select_related("rating").iterator(chunk_size=2000):
        history.add(change, change.rating.user_id, change.rating.pool)
    return history
