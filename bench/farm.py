"""Simulate attacks on the ratings, and honest players, with and without each rule (docs/ratings.md).

Farm: a player beats n fresh accounts ten times a day each. Ratchet: in pairs a throwaway partner resigns whenever the
pair is about to lose. Honest play: 2,000 players of known strength, matches of mixed length.

    python -m bench.farm [farm] [ratchet] [honest]
"""

import argparse
import math
import os
import random
import statistics
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from typing import NamedTuple
from unittest.mock import patch

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "dominoes_site.settings")
django.setup()

from accounts import elo, limits  # noqa: E402
from accounts.limits import NEW_ACCOUNT_AGE, History, Ledger  # noqa: E402
from accounts.models import Rating  # noqa: E402
from accounts.ratings import Player, Rated, apply  # noqa: E402

START = datetime(2026, 1, 1, 12, tzinfo=UTC)
ALL_RULES = ("damping", "new accounts", "one opponent", "exemptions")
WINS_PER_DAY = 10  # against one account: more are not rated
HONEST_PLAYERS, TURNS, MATCHES_PER_DAY = 2000, 150, 3
LAST_ARRIVAL = 75  # turn by which all have arrived, so that each plays 75 matches or more
STRENGTH_DEVIATION = 250.0
LENGTH_SCALES = (0.5, 0.71, 1.0, 1.41, 2.0)


@contextmanager
def without(*rules: str) -> Iterator[None]:
    """Disable some of `ALL_RULES`."""
    get_net = Ledger.get_net

    def get_disabled_net(self: Ledger, key: limits.Key, order: int, at: datetime) -> float:
        rule = "one opponent" if isinstance(key[1], int) else "new accounts"
        return -math.inf if rule in rules else get_net(self, key, order, at)

    exempt = patch.object(History, "may_be_exempt", lambda *arguments: True)
    with (
        patch.object(Ledger, "get_net", get_disabled_net),
        patch.object(elo, "MIN_WEIGHT", 1.0 if "damping" in rules else elo.MIN_WEIGHT),
    ):
        if "exemptions" in rules:
            with exempt:
                yield
        else:
            yield


class Site:
    """The ratings of one pool, in memory."""

    def __init__(self) -> None:
        self.ratings: dict[int, Rating] = {}
        self.created: dict[int, datetime] = {}
        self.history = History()
        self.order = 0

    def add(self, user: int, *, value: float = 1500.0, matches: int = 0, created: datetime = START) -> None:
        self.ratings[user] = Rating(user_id=user, value=value, matches=matches)
        self.created[user] = created

    def play(
        self,
        winners: tuple[int, ...],
        losers: tuple[int, ...],
        at: datetime,
        *,
        leaver: int | None = None,
        scale: float = 1.0,
    ) -> None:
        self.order += 1
        sides = [[self._player(user, at, leaver) for user in side] for side in (winners, losers)]
        apply(Rated(self.order, f"{self.order}", sides, [1, 2], at, scale), self.ratings, self.history)

    def _player(self, user: int, at: datetime, leaver: int | None) -> Player:
        return Player(user, left=user == leaver, young=at - self.created[user] < NEW_ACCOUNT_AGE)

    def get_gain(self, user: int, opponent: int, since: datetime) -> float:
        """Return the net points that a player has gained from an opponent since a time."""
        entries = self.history.opponents._entries.get((user, opponent), [])
        return math.fsum(entry.points for entry in entries if entry.at > since)


class Farm(NamedTuple):
    """What a farm gave: points after a week and after thirty days, and the most from one account in thirty days."""

    week: float
    month: float
    from_one: float


def simulate_farm(accounts: int, *, matches: int) -> Farm:
    """Return what a player with `matches` rated matches gains from fresh accounts."""
    site, gains = Site(), []
    site.add(0, matches=matches, created=START - timedelta(days=90))
    for account in range(1, accounts + 1):
        site.add(account)
    for day in range(30):
        for win in range(WINS_PER_DAY):
            for account in range(1, accounts + 1):
                site.play((0,), (account,), START + timedelta(days=day, minutes=win * accounts + account))
        gains.append(site.ratings[0].value - 1500)
    from_one = max(site.get_gain(0, account, START) for account in range(1, accounts + 1))
    return Farm(gains[6], gains[-1], from_one)


def simulate_ratchet(*, days: int = 60, matches_per_day: int = 10, seed: int = 1) -> float:
    """Return the rating of a player whose partners resign whenever the pair is about to lose, at equal strength."""
    rng = random.Random(seed)  # noqa: S311 - repeatable on purpose
    site = Site()
    for user in range(400):
        site.add(user, matches=60, created=START - timedelta(days=90))
    for number in range(days * matches_per_day):
        at = START + timedelta(days=number / matches_per_day)
        partner, *opponents = rng.sample(range(1, 400), 3)
        if rng.random() < 0.5:
            site.play((0, partner), tuple(opponents), at)
        else:
            site.play(tuple(opponents), (0, partner), at, leaver=partner)
    return site.ratings[0].value


class Honest(NamedTuple):
    """How well ratings recover strengths: rank correlation, spread in proportion, distance, drift, log-loss."""

    correlation: float
    spread: float
    distance: float
    drift: float
    log_loss: float


def simulate_honest_players(*, all_new: bool, is_scaled: bool = True, seed: int = 1) -> Honest:
    """Simulate players who arrive one by one and meet others of similar rating, in matches of mixed length.

    `all_new`: accounts are created on arrival, else long before.
    """
    rng = random.Random(seed)  # noqa: S311 - repeatable on purpose
    strengths = [rng.gauss(1500, STRENGTH_DEVIATION) for _ in range(HONEST_PLAYERS)]
    site, losses = Site(), []
    arrivals = [rng.randrange(LAST_ARRIVAL) for _ in range(HONEST_PLAYERS)]
    for turn in range(TURNS):
        at = START + timedelta(days=turn / MATCHES_PER_DAY)
        for user in (user for user, arrival in enumerate(arrivals) if arrival == turn):
            site.add(user, created=at if all_new else START - timedelta(days=90))
        order = sorted(site.ratings, key=lambda user: site.ratings[user].value + rng.gauss(0, 150))
        for one, other in zip(order[::2], order[1::2], strict=False):
            scale = rng.choice(LENGTH_SCALES)
            chance = 1 / (1 + 10 ** (scale * (strengths[other] - strengths[one]) / 400))
            winner, loser = (one, other) if rng.random() < chance else (other, one)
            rated_scale = scale if is_scaled else 1.0
            values = site.ratings[winner].value, site.ratings[loser].value
            if turn >= LAST_ARRIVAL:
                losses.append(-math.log(elo.expected(*values, rated_scale)))
            site.play((winner,), (loser,), at, scale=rated_scale)
    values_by_user = [site.ratings[user].value for user in range(HONEST_PLAYERS)]
    shift = statistics.fmean(values_by_user) - statistics.fmean(strengths)
    return Honest(
        compute_rank_correlation(values_by_user, strengths),
        statistics.pstdev(values_by_user) / statistics.pstdev(strengths),
        math.sqrt(
            statistics.fmean((v - shift - s) ** 2 for v, s in zip(values_by_user, strengths, strict=True))
        ),
        statistics.fmean(values_by_user) - 1500,
        statistics.fmean(losses),
    )


def compute_rank_correlation(one: list[float], other: list[float]) -> float:
    """Return Spearman's rank correlation of two lists without ties."""
    ranks = [_rank(values) for values in (one, other)]
    return statistics.correlation(*ranks)


def _rank(values: list[float]) -> list[float]:
    order = sorted(range(len(values)), key=values.__getitem__)
    ranks = [0.0] * len(values)
    for rank, index in enumerate(order):
        ranks[index] = float(rank)
    return ranks


def print_farm() -> None:
    print("Farm: points after 7 / 30 days, most from one account in 30 days, for 3, 10, 30 fresh accounts")
    for name, disabled in _variants("damping", "new accounts", "one opponent"):
        for matches in (0, 40):
            with without(*disabled):
                results = [simulate_farm(accounts, matches=matches) for accounts in (3, 10, 30)]
            cells = ", ".join(f"{r.week:+.0f} / {r.month:+.0f} / {r.from_one:.0f}" for r in results)
            print(f"  {name}, {matches} matches: {cells}")


def print_ratchet() -> None:
    print("Ratchet: rating from 1500 after 60 days of ten matches at equal strength, mean of 20 runs")
    for name, disabled in (("with exemptions limited", ()), ("without the limit", ("exemptions",))):
        with without(*disabled):
            values = [simulate_ratchet(seed=seed) for seed in range(20)]
        print(f"  {name}: {statistics.fmean(values):.0f} (± {statistics.stdev(values) / math.sqrt(20):.0f})")


def print_honest() -> None:
    print(f"{HONEST_PLAYERS} honest players, {TURNS - LAST_ARRIVAL} to {TURNS} matches each of mixed length")
    for site, all_new in (("accounts older than a week", False), ("accounts created on arrival", True)):
        for name, disabled in _variants("damping", "new accounts", "one opponent"):
            with without(*disabled):
                _print_result(f"{site}, {name}", simulate_honest_players(all_new=all_new))
    _print_result("without the length", simulate_honest_players(all_new=False, is_scaled=False))


def _variants(*rules: str) -> list[tuple[str, tuple[str, ...]]]:
    return [("all rules", ()), *((f"without {rule}", (rule,)) for rule in rules), ("none of these", rules)]


def _print_result(name: str, result: Honest) -> None:
    print(
        f"  {name}: rank correlation {result.correlation:.3f}, spread × {result.spread:.2f}, "
        f"{result.distance:.0f} points from strength, mean {result.drift:+.1f}, log-loss {result.log_loss:.4f}",
        flush=True,
    )


SIMULATIONS = {"farm": print_farm, "ratchet": print_ratchet, "honest": print_honest}


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("what", nargs="*", choices=[*SIMULATIONS, []], default=[])
    for name in parser.parse_args().what or SIMULATIONS:
        SIMULATIONS[name]()


if __name__ == "__main__":
    main()
