"""What beating fresh accounts brings, and what honest players lose by the rules that limit it (docs/ratings.md).

A farm: somebody beats n fresh accounts ten times each within a day. The honest: 2,000 players of known strength in
pairs of like rating, a hundred matches each, who win as often as their strengths say; how far their ratings end from
those strengths, and how far their mean moves.
"""

import math
import os
import random
from datetime import UTC, datetime, timedelta

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "dominoes_site.settings")
django.setup()

from accounts.models import Rating  # noqa: E402
from accounts.ratings import Gains, Player, Rated, apply  # noqa: E402

NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)
PLAYERS, ROUNDS = 2000, 100
TIMES = 10


def farm(accounts: int, *, matches: int, value: float = 1500.0, rules: bool = True) -> float:
    """The rating of somebody with `matches` rated matches who beats each of `accounts` new ones ten times."""
    ratings = {0: Rating(user_id=0, value=value, matches=matches)}
    gains = Gains()
    for account in range(1, accounts + 1):
        ratings[account] = Rating(user_id=account, matches=0)
        for time in range(TIMES):
            _meet(
                ratings,
                gains,
                0,
                account,
                NOON + timedelta(minutes=account),
                young=rules,
                order=account * TIMES + time,
            )
    return ratings[0].value


def honest(*, new: bool, seed: int = 1) -> tuple[float, float]:
    """The root mean square distance of ratings from strengths after all rounds, and how far the mean has moved.
    `new`: all accounts were made on the first day, as on a site that has just opened; else all are older."""
    dice = random.Random(seed)  # noqa: S311
    strengths = [dice.gauss(1500, 250) for _ in range(PLAYERS)]
    ratings = {user: Rating(user_id=user) for user in range(PLAYERS)}
    gains = Gains()
    for day in range(ROUNDS):
        order = sorted(ratings, key=lambda user: ratings[user].value + dice.gauss(0, 80))
        for one, other in zip(order[::2], order[1::2], strict=True):
            chance = 1 / (1 + 10 ** ((strengths[other] - strengths[one]) / 400))
            winner, loser = (one, other) if dice.random() < chance else (other, one)
            # Three matches a day.
            at, young = NOON + timedelta(days=day / 3), new and day < 21
            _meet(ratings, gains, winner, loser, at, young=young, order=day)
    mean = sum(rating.value for rating in ratings.values()) / PLAYERS
    shift = mean - sum(strengths) / PLAYERS
    squares = sum((ratings[user].value - shift - strengths[user]) ** 2 for user in ratings)
    return math.sqrt(squares / PLAYERS), mean - 1500


def _meet(
    ratings: dict[int, Rating],
    gains: Gains,
    winner: int,
    loser: int,
    at: datetime,
    *,
    young: bool,
    order: int,
) -> None:
    sides = [[Player(winner, young=young and winner != 0)], [Player(loser, young=young)]]
    apply(Rated(order, f"{winner}-{loser}", sides, [1, 2], at), ratings, gains)


def main() -> None:
    print("A player beats n fresh accounts ten times each, n = 3, 10, 30:")
    for name, matches in (("new, 1500", 0), ("40 matches, 1500", 40)):
        print(f"  {name}: {', '.join(f'{farm(n, matches=matches):.0f}' for n in (3, 10, 30))}")
    print(f"{PLAYERS} honest players after {ROUNDS} matches each:")
    for name, new in (("accounts older than a week", False), ("all accounts new on the first day", True)):
        distance, drift = honest(new=new)
        print(f"  {name}: {distance:.0f} points from their strength, the mean moved by {drift:+.1f}")


if __name__ == "__main__":
    main()
